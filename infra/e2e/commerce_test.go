package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// The number of the store, who runs it, and a customer.
const (
	shopPhone    = "406540352242922"
	shopKeeper   = "919844444444"
	shopCustomer = "919876522222"
)

// callCommerce calls every operation of stores, and has orders pass all that follows from them.
func callCommerce(t *testing.T, r *running) {
	t.Helper()
	engine := r.engine()
	r.serves(t, shopPhone)
	c := &commerceClient{client{t: t, r: r, name: "commerce"}}
	var store sold
	settings := `"name":"Sharma Kirana Store","address":{"city":"Delhi"},"phoneNumberIds":["` + shopPhone +
		`"],"contactInfo":{"whatsapp":"+` + shopKeeper + `"}`
	c.want(http.StatusCreated, http.MethodPost, "/v1/stores", `{`+settings+`}`, &store)
	path := "/v1/stores/" + store.ID
	c.want(http.StatusOK, http.MethodPut, path, `{`+settings+`,"status":"active","version":`+c.version(path)+`}`, nil)
	c.sells(path)
	c.promises(path)
	order := c.orders(path)
	c.lists(path, store.ID, order)
	c.chats(path, settings)
	c.asksByForm(path, settings)
	c.want(http.StatusOK, http.MethodPut, path,
		`{`+settings+`,"settings":{"assistant":true,"model":"openai:gpt-4o-mini"},"version":`+c.version(path)+`}`, nil)
	c.bills(path + "/orders/" + order)
	c.paid(path, order)
	c.givesBack()
	c.payable()
	c.throughGateway()
	c.refuses(path)
	c.runsOut(path)
	c.fails(engine, model.Name(store.ID))
	c.writes(engine, model.Name(store.ID))
	c.beside(shopPhone + ":" + shopCustomer)
	r.erase(t, "/v1/conversations/"+shopPhone+":"+shopCustomer)
	var erased struct{ Customer, CustomerName string }
	c.want(http.StatusOK, http.MethodGet, path+"/orders/"+order, "", &erased)
	if erased.Customer != "" || erased.CustomerName != "" {
		t.Error("an erased customer is named by an order")
	}
}

// beside reads what stands beside a conversation, and follows each of its paths.
func (c *commerceClient) beside(conversation string) {
	c.t.Helper()
	var person struct {
		Sections []struct {
			Name    string
			Entries []struct{ Path, Title, Status string }
		}
		Values map[string]string
		Failed []string
	}
	c.want(http.StatusOK, http.MethodGet, "/v1/conversations/"+conversation+"/person", "", &person)
	found := map[string]int{}
	for _, section := range person.Sections {
		for _, entry := range section.Entries {
			c.want(http.StatusOK, http.MethodGet, entry.Path, "", nil)
			if found[section.Name]++; entry.Title == "" || entry.Status == "" {
				c.t.Errorf("%s: %+v", section.Name, entry)
			}
		}
	}
	if found["orders"] == 0 || person.Values["order_number"] == "" || len(person.Failed) > 0 {
		c.t.Errorf("%+v", person)
	}
	c.want(http.StatusOK, http.MethodGet, "/v1/conversations/"+conversation+"/person?sections=khata", "", &person)
	if len(person.Sections) != 1 || person.Sections[0].Name != "khata" {
		c.t.Errorf("asked for the khata alone: %+v", person.Sections)
	}
	list := "/v1/conversations?phoneNumberId=" + shopPhone
	for _, query := range []string{"&marks=true", "&marked=open_orders"} {
		var rows struct {
			Items []struct {
				ID    string
				Marks map[string]string
			}
		}
		c.want(http.StatusOK, http.MethodGet, list+query, "", &rows)
		open := ""
		for _, row := range rows.Items {
			if row.ID == conversation {
				open = row.Marks["open_orders"]
			}
		}
		if open == "" {
			c.t.Errorf("%s: %+v", query, rows)
		}
	}
	c.want(http.StatusOK, http.MethodGet, list+"&marked=owed", "", nil)
	c.want(http.StatusUnprocessableEntity, http.MethodGet, list+"&marked=lucky", "", nil)
	c.want(http.StatusUnprocessableEntity, http.MethodGet, list+"&marked=owed&unread=true", "", nil)
	c.want(http.StatusUnprocessableEntity, http.MethodGet, "/v1/conversations?marked=owed", "", nil)
}

// paid has WhatsApp tell that an order is paid, for which a message of the shop has asked.
func (c *commerceClient) paid(store, order string) {
	c.t.Helper()
	payment := model.PaymentOrder{
		PK: keys.PaymentOrder(shopPhone, model.Name(order)).Partition, ItemType: model.ItemPaymentOrder,
		TenantID: "demo", OrderID: order, ReferenceID: order, ConfigName: "upi-main", Currency: "INR",
		TotalAmount: model.Amount{Decimal: decimal.NewFromInt(95)}, Status: "pending", PaymentStatus: "pending",
		CreatedAt: model.At(time.Now()), PhoneNumberID: shopPhone, FromPK: keys.PaymentOrdersOf("demo", shopPhone),
		ReceivedAt: model.At(time.Now()), Purpose: model.AskOf("commerce", order), Version: 1,
	}
	item, err := dynamo.Marshal(payment)
	if err == nil {
		err = c.r.engine().Put(c.t.Context(), dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.want(http.StatusAccepted, http.MethodPost,
		"/v1/numbers/"+shopPhone+"/payment-orders/"+order+"/look-up", "", nil)
	status := wt.Status("wamid.BILL", "captured", shopCustomer, time.Now(), wt.Object{
		"type": "payment", "payment": wt.Object{
			"reference_id": order, "amount": wt.Object{"value": 9500, "offset": 100}, "currency": "INR"}})
	c.r.simulate(c.t, "/webhook", string(wt.Body(wt.Change("messages", wt.Object{
		"messaging_product": "whatsapp", "metadata": wt.Object{"phone_number_id": shopPhone},
		"statuses": wt.List{status}}))))
	var shown struct{ PaidAmount string }
	c.r.get(c.t, store+"/orders/"+order, &shown, func() bool { return shown.PaidAmount == "95.00" })
}

// commerceClient calls the operations of stores.
type commerceClient struct{ client }

// sold is what the operations return.
type sold struct {
	ID, Status    string
	Version       json.Number
	StockQuantity string
}

func (c *commerceClient) version(path string) string {
	c.t.Helper()
	var now sold
	c.want(http.StatusOK, http.MethodGet, path, "", &now)
	return now.Version.String()
}

// owner returns whose store it is.
func (c *commerceClient) owner(path string) string {
	c.t.Helper()
	var store struct{ OwnerID string }
	c.want(http.StatusOK, http.MethodGet, path, "", &store)
	return store.OwnerID
}

// sells fills the catalogue.
func (c *commerceClient) sells(store string) {
	c.t.Helper()
	salt := `"name":"Tata Salt","brand":"Tata","category":"grocery","unit":"packet","packSize":"1 kg",` +
		`"price":"25.00","stockQuantity":"10","lowStockThreshold":"5"`
	c.want(http.StatusOK, http.MethodPut, store+"/products/salt", `{`+salt+`,"version":0}`, nil)
	c.want(http.StatusOK, http.MethodPut, store+"/products/gone", `{`+salt+`,"version":0}`, nil)
	c.want(http.StatusOK, http.MethodGet, store+"/products?limit=1", "", nil) // its cursor needs the key of cursors
	c.want(http.StatusNoContent, http.MethodDelete, store+"/products/gone", "", nil)
}

// promises gives the store two discount codes, and deletes one.
func (c *commerceClient) promises(store string) {
	c.t.Helper()
	for _, code := range []string{"TEN5", "GONE5"} {
		c.want(http.StatusOK, http.MethodPut, store+"/codes/"+code, `{"percent":"5","maxPerCustomer":2}`, nil)
	}
	c.want(http.StatusNoContent, http.MethodDelete, store+"/codes/GONE5", "", nil)
	c.want(http.StatusOK, http.MethodGet, store+"/codes", "", nil)
}

// orders has an order made, changed and delivered, and waits for what follows from it.
func (c *commerceClient) orders(store string) (id string) {
	c.t.Helper()
	c.r.simulate(c.t, "/say", `{"from":"`+shopCustomer+`","phoneNumberId":"`+shopPhone+`","text":"hello"}`)
	messages := "/v1/conversations/" + shopPhone + ":" + shopCustomer + "/messages"
	var page timeline
	c.r.get(c.t, messages, &page, func() bool { return len(page.Messages) == 1 })
	var order sold
	c.want(http.StatusCreated, http.MethodPost, store+"/orders",
		`{"customer":"+`+shopCustomer+`","customerName":"Asha","items":[{"productId":"salt","quantity":"4"}]}`, &order)
	path := store + "/orders/" + order.ID
	c.want(http.StatusOK, http.MethodPatch, path, `{"version":1,"items":[{"productId":"salt","quantity":"6"}]}`, nil)
	for _, to := range []string{"confirmed", "preparing", "ready", "delivered"} {
		c.want(http.StatusOK, http.MethodPost, path+"/move", `{"status":"`+to+`"}`, nil)
	}
	c.want(http.StatusConflict, http.MethodPost, path+"/credit-note", "", nil)
	// hello, and a message for every state
	c.r.get(c.t, messages, &page, func() bool { return len(page.Messages) == 6 })
	var salt sold
	c.r.get(c.t, store+"/products/salt", &salt, func() bool { return salt.StockQuantity == "4" })
	c.r.get(c.t, "/v1/conversations/"+shopPhone+":"+shopKeeper+"/messages", &page,
		func() bool { return len(page.Messages) >= 1 })
	return order.ID
}

// bills has the customer of an order ask for its invoice in the chat, and has the API make it again.
func (c *commerceClient) bills(order string) {
	c.t.Helper()
	c.r.simulate(c.t, "/say", `{"from":"`+shopCustomer+`","phoneNumberId":"`+shopPhone+`","text":"bill bhejo"}`)
	var page struct {
		Messages []saidMessage `json:"items"`
	}
	c.r.get(c.t, "/v1/conversations/"+shopPhone+":"+shopCustomer+"/messages?limit=5", &page, func() bool {
		return slices.ContainsFunc(page.Messages, func(m saidMessage) bool { return m.Type == "document" })
	})
	c.want(http.StatusOK, http.MethodPost, order+"/invoice", "", nil)
}

// chats has a customer order in a chat, and a person take over.
func (c *commerceClient) chats(store, settings string) {
	c.t.Helper()
	const customer = "919876533333"
	c.want(http.StatusOK, http.MethodPut, store,
		`{`+settings+`,"settings":{"assistant":true,"model":"openai:gpt-4o-mini"},"version":`+c.version(store)+`}`, nil)
	var page timeline
	for i, says := range []string{
		"mera order kahan hai", "2 packet tata salt code TEN5", "haan", "mera order kahan hai"} {
		c.r.simulate(c.t, "/say", `{"from":"`+customer+`","phoneNumberId":"`+shopPhone+`","text":"`+says+`"}`)
		c.r.get(c.t, "/v1/conversations/"+shopPhone+":"+customer+"/messages", &page,
			func() bool { return len(page.Messages) >= 2*(i+1) })
	}
	var made struct{ Items []sold }
	c.r.get(c.t, store+"/orders?customer="+customer, &made, func() bool { return len(made.Items) == 1 })
	for _, says := range []string{"mere order me 1 packet tata salt bhi daal do", "haan"} {
		said := len(page.Messages)
		c.r.simulate(c.t, "/say", `{"from":"`+customer+`","phoneNumberId":"`+shopPhone+`","text":"`+says+`"}`)
		c.r.get(c.t, "/v1/conversations/"+shopPhone+":"+customer+"/messages", &page,
			func() bool { return len(page.Messages) >= said+2 })
	}
	session := store + "/sessions/" + customer
	c.want(http.StatusOK, http.MethodPost, session+"/take-over", "", nil)
	c.want(http.StatusOK, http.MethodPost, session+"/hand-back", "", nil)
	c.want(http.StatusOK, http.MethodGet, session, "", nil)
	c.keeps()
	c.want(http.StatusOK, http.MethodGet, "/v1/rate-limits?kind=chat_messages", "", nil)
	c.want(http.StatusOK, http.MethodGet, store+"/products?q=namak", "", nil)
}

// asksModel has a customer write what only a language model understands.
func (c *commerceClient) asksModel(customer string) {
	c.t.Helper()
	c.r.simulate(c.t, "/say", `{"from":"`+customer+`","phoneNumberId":"`+shopPhone+`","text":"lambe daane vaaste"}`)
	var page struct {
		Messages []saidMessage `json:"items"`
	}
	c.r.get(c.t, "/v1/conversations/"+shopPhone+":"+customer+"/messages", &page, func() bool {
		return slices.ContainsFunc(page.Messages,
			func(m saidMessage) bool { return strings.Contains(m.Text, "1 packet Tata Salt") })
	})
}

// keeps has the owner ask for the orders and the figures of the day, and change a price.
func (c *commerceClient) keeps() {
	c.t.Helper()
	var page struct {
		Messages []saidMessage `json:"items"`
	}
	for _, line := range []struct{ says, answer string }{
		{"aaj ke order dikhao", "Orders that are waiting"}, {"aaj ki bikri", "Today:"},
		{"tata salt ka rate 26", "costs ₹26"}} {
		c.r.simulate(c.t, "/say", `{"from":"`+shopKeeper+`","phoneNumberId":"`+shopPhone+`","text":"`+line.says+`"}`)
		c.r.get(c.t, "/v1/conversations/"+shopPhone+":"+shopKeeper+"/messages?limit=5", &page, func() bool {
			// the order's notice may follow
			return slices.ContainsFunc(page.Messages,
				func(m saidMessage) bool { return strings.Contains(m.Text, line.answer) })
		})
	}
}

// lists reads everything.
func (c *commerceClient) lists(path, store, order string) {
	c.t.Helper()
	today, tomorrow := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly),
		time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	var figures struct {
		Items []struct {
			Date                         string
			TotalOrders, UniqueCustomers int
			TotalRevenue                 string
		}
	}
	c.r.get(c.t, path+"/metrics?from="+today+"&to="+tomorrow, &figures, func() bool {
		return len(figures.Items) == 1 && figures.Items[0].TotalRevenue == "150.00" && figures.Items[0].TotalOrders == 1
	})
	if _, err := c.r.Trigger(c.t.Context(), "figures-roll-up"); err != nil {
		c.t.Fatal(err)
	}
	for _, list := range []string{
		path, path + "/products", path + "/products?category=grocery", path + "/products?brand=Tata",
		path + "/products/salt", path + "/orders", path + "/orders?status=delivered",
		path + "/orders?customer=%2B" + shopCustomer, path + "/orders/" + order, "/v1/orders/" + order,
		path + "/catalogue", path + "/metrics/export?from=" + today + "&to=" + tomorrow,
		"/v1/stores?tenantId=demo", "/v1/stores?tenantId=demo&ownerId=" + c.owner(path),
		"/v1/stores?tenantId=demo&city=Delhi", "/v1/products?tenantId=demo&brand=Tata",
		"/v1/products?tenantId=demo&category=grocery",
	} {
		c.r.want(c.t, http.StatusOK, http.MethodGet, list, "")
	}
	status, answer := c.r.callAs(c.t, c.r.mint(c.t, "platform"), http.MethodGet,
		"/v1/store-metrics?date="+figures.Items[0].Date, "")
	if status != http.StatusOK || !strings.Contains(answer, `"system"`) || !strings.Contains(answer, store) {
		c.t.Errorf("the platform's figures: %d %s", status, answer)
	}
}

// refuses has somebody order who wants no messages.
func (c *commerceClient) refuses(store string) {
	c.t.Helper()
	c.r.simulate(c.t, "/say", `{"from":"919876533333","phoneNumberId":"`+shopPhone+`","text":"STOP"}`)
	var one struct{ OptedOutAt string }
	c.r.get(c.t, "/v1/conversations/"+shopPhone+":919876533333", &one, func() bool { return one.OptedOutAt != "" })
	c.want(http.StatusCreated, http.MethodPost, store+"/orders",
		`{"customer":"+919876533333","items":[{"productId":"salt","quantity":"1"}]}`, nil)
}

// runsOut confirms an order of what has run out meanwhile.
func (c *commerceClient) runsOut(store string) {
	c.t.Helper()
	var order sold
	c.want(http.StatusCreated, http.MethodPost, store+"/orders",
		`{"customer":"+`+shopCustomer+`","items":[{"productId":"salt","quantity":"1"}]}`, &order)
	c.want(http.StatusOK, http.MethodPatch, store+"/products/salt",
		`{"stockQuantity":"0","version":`+c.version(store+"/products/salt")+`}`, nil)
	path := store + "/orders/" + order.ID
	c.want(http.StatusOK, http.MethodPost, path+"/move", `{"status":"confirmed"}`, nil)
	var lacks struct{ Oversold []struct{ Missing string } }
	c.r.get(c.t, path, &lacks, func() bool { return len(lacks.Oversold) == 1 && lacks.Oversold[0].Missing == "1" })
}

// fails leaves changes that were set aside to the sweep: one of an order that is not there, which needs nothing any
// more, and one of no day, which is parked. Beside them is an order that waits for analytics.
func (c *commerceClient) fails(engine *dynamo.Client, store model.Name) {
	c.t.Helper()
	for order, date := range map[model.Name]string{
		"ORD-20240115-AB12CD34": time.Now().UTC().Format(time.DateOnly), "ORD-20240115-ZZ12CD34": "no day"} {
		key := keys.FollowUp(store, order, 1)
		item, err := dynamo.Marshal(commercemodel.FollowUp{
			PK: key.Partition, SK: key.Sort, Failures: 1, FirstFailedAt: model.At(time.Now()),
			GSI1PK: keys.FollowUpsAside, GSI1SK: model.At(time.Now().Add(-time.Minute)),
			Change: commercemodel.OrderChange{
				StoreID: store, OrderID: order, CustomerID: "CUST-1", Date: date, Version: 1, Removed: true},
		})
		if err == nil {
			err = engine.Put(c.t.Context(),
				dynamo.Put{Table: tables.Metrics, Item: item, If: "attribute_not_exists(pk)"})
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
	waiting := commercemodel.AnalyticsOrder{StoreID: store, OrderID: "ORD-20240115-AB12CD34", Version: 1}
	key := keys.Uncopied(store, waiting.OrderID)
	item, err := dynamo.Marshal(commercemodel.UncopiedOrder{
		PK: key.Partition, SK: key.Sort, Order: waiting, Version: 1, Failures: 1, FirstFailedAt: model.At(time.Now()),
		GSI1PK: keys.UncopiedOrders, GSI1SK: model.At(time.Now().Add(-time.Minute)),
	})
	if err == nil {
		err = engine.Put(c.t.Context(), dynamo.Put{Table: tables.Metrics, Item: item, If: "attribute_not_exists(pk)"})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.r.Trigger(c.t.Context(), "orders-sweep"); err != nil {
		c.t.Fatal(err)
	}
	var parked struct {
		Items []struct{ OrderID, State string }
	}
	path := "/v1/stores/" + string(store) + "/follow-ups"
	c.want(http.StatusOK, http.MethodGet, path, "", &parked)
	if len(parked.Items) != 1 || parked.Items[0].OrderID != "ORD-20240115-ZZ12CD34" ||
		parked.Items[0].State != "parked" {
		c.t.Errorf("%+v", parked)
	}
	c.want(http.StatusAccepted, http.MethodPost, path+"/ORD-20240115-ZZ12CD34/1/retry", "", nil)
}

// writes leaves a session of the customer with the store.
func (c *commerceClient) writes(engine *dynamo.Client, store model.Name) {
	c.t.Helper()
	item, err := dynamo.Marshal(commercemodel.Session{
		PK: keys.Session("sess-1").Partition, SessionID: "sess-1", StoreID: store, TenantID: "demo",
		CustomerPhone: "+" + shopCustomer, Version: 1,
		GSI1PK: keys.SessionsOf("+" + shopCustomer), GSI1SK: model.At(time.Now()),
	})
	if err == nil {
		err = engine.Put(c.t.Context(), dynamo.Put{Table: tables.Sessions, Item: item, If: "attribute_not_exists(pk)"})
	}
	if err != nil {
		c.t.Fatal(err)
	}
}
