package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The number of a store that gives credit, who runs it, and a customer.
const (
	bookPhone    = "406540352242923"
	bookKeeper   = "919844455555"
	bookCustomer = "919876544444"
)

func callKhata(t *testing.T, r *running) {
	t.Helper()
	callBooks(t, r)
	callReminders(t, r)
}

// callBooks calls every operation of credit, and has entries come from the chat and from orders.
func callBooks(t *testing.T, r *running) {
	t.Helper()
	r.serves(t, bookPhone)
	c := &bookClient{commerceClient{client{t: t, r: r, name: "khata"}}}
	var store sold
	c.want(http.StatusCreated, http.MethodPost, "/v1/stores",
		`{"name":"Verma Kirana","phoneNumberIds":["`+bookPhone+`"],"contactInfo":{"whatsapp":"+`+bookKeeper+`"},`+
			`"settings":{"paymentMethods":["credit","cod"],"confirmation":"automatic","assistant":true,`+
			`"paymentConfiguration":"upi-main",`+
			`"credit":{"defaultLimit":"2000","commands":true,"overpayment":true}}}`, &store)
	path := "/v1/stores/" + store.ID
	c.want(http.StatusOK, http.MethodPut, path+"/products/salt",
		`{"name":"Tata Salt","unit":"packet","price":"25.00","version":0}`, nil)
	open := c.leavesOpen(path)
	c.enters(path + "/khata")
	c.lists(path + "/khata")
	c.speaks(path + "/khata")
	c.claims(path + "/khata")
	c.orders(path)
	c.collects(path + "/khata")
	c.breaks(model.Name(store.ID))
	c.merges(path)
	c.erases(path, open)
	var erased struct{ Name, Balance string }
	c.want(http.StatusOK, http.MethodGet, path+"/khata/customers/+"+bookCustomer, "", &erased)
	if erased.Name != "" || erased.Balance == "" {
		t.Errorf("an erased customer: %+v", erased)
	}
}

// collects has a customer pay what they owe by a message on WhatsApp.
func (c *bookClient) collects(path string) {
	c.t.Helper()
	const payer = "919876544450"
	c.r.simulate(c.t, "/say", `{"from":"`+payer+`","phoneNumberId":"`+bookPhone+`","text":"hello"}`)
	c.said(payer, 1)
	c.want(http.StatusCreated, http.MethodPost, path+"/sales", `{"customer":"+`+payer+`","amount":"75"}`, nil)
	var asked struct{ MessageID, ReferenceID string }
	c.want(http.StatusAccepted, http.MethodPost, path+"/customers/+"+payer+"/payment-requests", `{}`, &asked)
	var message struct{ SentAt string }
	c.r.get(c.t, "/v1/messages/"+asked.MessageID, &message, func() bool { return message.SentAt != "" })
	c.r.simulate(c.t, "/pay", `{"phoneNumberId":"`+bookPhone+`","referenceId":"`+asked.ReferenceID+
		`","status":"captured"}`)
	var owed struct{ Balance string }
	c.r.get(c.t, path+"/customers/+"+payer, &owed, func() bool { return owed.Balance == "0.00" })
}

type bookClient struct{ commerceClient }

// leavesOpen has two customers order on credit who have no ledger yet, one by the API and one in a chat. It returns the
// first one's order.
func (c *bookClient) leavesOpen(store string) (order string) {
	c.t.Helper()
	var made sold
	c.want(http.StatusCreated, http.MethodPost, store+"/orders",
		`{"customer":"+`+bookCustomer+`","items":[{"productId":"salt","quantity":"1"}]}`, &made)
	const chatting = "919876544449"
	for i, says := range []string{"2 packets Tata Salt", "yes"} {
		c.r.simulate(c.t, "/say", `{"from":"`+chatting+`","phoneNumberId":"`+bookPhone+`","text":"`+says+`"}`)
		c.said(chatting, 2*i+2)
	}
	return made.ID
}

// erases has a customer with an open order on credit erased.
func (c *bookClient) erases(store, order string) {
	c.t.Helper()
	conversation := "/v1/conversations/" + bookPhone + ":" + bookCustomer
	if status, body := c.r.call(c.t, http.MethodPost, conversation+"/erase",
		`{"reason":"asked for it"}`); status != http.StatusConflict || !strings.Contains(body, order) {
		c.t.Errorf("%d %s", status, body)
	}
	c.r.eraseWith(c.t, conversation, `{"reason":"asked for it","openOrders":"cancel"}`)
	var cancelled struct{ Status string }
	c.want(http.StatusOK, http.MethodGet, store+"/orders/"+order, "", &cancelled)
	if cancelled.Status != "cancelled" {
		c.t.Errorf("%+v", cancelled)
	}
}

// saidMessage is a message as the timeline shows it.
type saidMessage struct {
	Type, Text string
	Delivery   struct{ Status string }
}

// enters makes every kind of entry.
func (c *bookClient) enters(path string) {
	c.t.Helper()
	whose := `"customer":"+` + bookCustomer + `"`
	var sale sold
	c.want(http.StatusCreated, http.MethodPost, path+"/adjustments",
		`{`+whose+`,"customerName":"Asha","amount":"100","opening":true}`, nil)
	c.want(http.StatusCreated, http.MethodPost, path+"/sales",
		`{`+whose+`,"amount":"250.50","items":[{"name":"Rice","quantity":"2","price":"125.25"}]}`, &sale)
	c.want(http.StatusCreated, http.MethodPost, path+"/payments",
		`{`+whose+`,"amount":"50","method":"upi","referenceId":"412345678901"}`, nil)
	c.want(http.StatusCreated, http.MethodPost, path+"/entries/"+sale.ID+"/reverse", `{"reason":"twice"}`, nil)
	c.want(http.StatusOK, http.MethodPut, path+"/customers/+"+bookCustomer,
		`{"name":"Asha","creditLimit":"1500","reminders":true,"settingsVersion":0}`, nil)
	for range 2 { // the second is answered as the first
		request := c.r.request(c.t, c.r.Addresses.Token, http.MethodPost, path+"/sales", `{`+whose+`,"amount":"400"}`)
		request.Header.Set("Idempotency-Key", "sale-400")
		if status, answer := do(c.t, request); status != http.StatusCreated ||
			!strings.Contains(answer, `"balanceAfter":"450.00"`) {
			c.t.Fatalf("%d %s", status, answer)
		}
	}
	c.want(http.StatusOK, http.MethodGet, path+"/entries/"+sale.ID, "", nil)
}

// lists reads everything.
func (c *bookClient) lists(path string) {
	c.t.Helper()
	customer := "/customers/+" + bookCustomer
	var entries struct{ Items []sold }
	c.r.get(c.t, path+"/entries", &entries, func() bool { return len(entries.Items) == 5 })
	for _, list := range []string{
		path + "/entries?customer=%2B" + bookCustomer, path + "/customers", path + "/customers?order=dues",
		path + customer, path + "/ageing",
		path + customer + "/statement?from=2026-01-01&to=2036-01-01",
		path + customer + "/statement/export?from=2026-01-01&to=2036-01-01",
		path + customer + "/statement/export?format=pdf&language=hi&from=2026-01-01&to=2036-01-01",
		"/v1/khata/+" + bookCustomer + "/entries?tenantId=demo",
		"/v1/khata/+" + bookCustomer + "/balances?tenantId=demo",
	} {
		// whose calls are counted anew
		if status, answer := c.r.callAs(c.t, c.r.mintFor(c.t, "book keeper", "tenant:demo"), http.MethodGet, list,
			""); status != http.StatusOK {
			c.t.Fatalf("%s: %d %s", list, status, answer)
		}
	}
	for cursor, more := "", true; more; more = cursor != "" {
		var checked struct {
			Findings []any
			Cursor   string
		}
		c.want(http.StatusOK, http.MethodPost, path+"/check", `{"mend":true,"cursor":"`+cursor+`"}`, &checked)
		if cursor = checked.Cursor; len(checked.Findings) > 0 {
			c.t.Errorf("%+v", checked.Findings)
		}
	}
}

// breaks makes a balance wrong, and has the schedule mend it.
func (c *bookClient) breaks(store model.Name) {
	c.t.Helper()
	err := c.r.engine().Update(c.t.Context(), dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(store, "+"+bookCustomer),
		Do: "SET outstanding_balance = :wrong", If: dynamo.IfPresent,
		Values: dynamo.Item{":wrong": dynamo.N(7)},
	})
	if err == nil {
		_, err = c.r.Trigger(c.t.Context(), "books-check")
	}
	if err != nil {
		c.t.Fatal(err)
	}
	var owed struct{ Balance string }
	c.r.get(c.t, "/v1/stores/"+string(store)+"/khata/customers/+"+bookCustomer, &owed,
		func() bool { return owed.Balance == "300.00" })
}

// said waits until a conversation has some messages, and returns the newest one's content.
func (c *bookClient) said(customer string, messages int) string {
	c.t.Helper()
	var page struct {
		Messages []json.RawMessage `json:"items"`
	}
	c.r.get(c.t, "/v1/conversations/"+bookPhone+":"+customer+"/messages", &page,
		func() bool { return len(page.Messages) >= messages })
	return string(page.Messages[0])
}

// claims has a customer say that they have paid, several times. The shop's people settle it, and the customer takes
// one back.
func (c *bookClient) claims(path string) {
	c.t.Helper()
	const payer = "919876544460"
	c.want(http.StatusCreated, http.MethodPost, path+"/sales", `{"customer":"+`+payer+`","amount":"75"}`, nil)
	var open struct {
		Items []struct{ ID, MessageID, EntryID string }
	}
	for i, text := range []string{"paid 30", "paid 20", "paid 10"} {
		c.r.simulate(c.t, "/say", `{"from":"`+payer+`","phoneNumberId":"`+bookPhone+`","text":"`+text+`"}`)
		c.r.get(c.t, path+"/claims", &open, func() bool { return len(open.Items) == i+1 })
	}
	c.want(http.StatusOK, http.MethodPost, path+"/claims/"+open.Items[2].ID+"/confirm", "", nil)
	c.want(http.StatusOK, http.MethodPost, path+"/claims/"+open.Items[1].ID+"/refuse", "", nil)
	c.r.simulate(c.t, "/say", `{"from":"`+payer+`","phoneNumberId":"`+bookPhone+
		`","message":{"type":"revoke","revoke":{"original_message_id":"`+open.Items[0].MessageID+`"}}}`)
	for _, state := range []string{"confirmed", "refused", "withdrawn"} {
		c.r.get(c.t, path+"/claims?state="+state, &open, func() bool { return len(open.Items) > 0 })
	}
	var owed struct{ Balance string }
	c.want(http.StatusOK, http.MethodGet, path+"/customers/+"+payer, "", &owed)
	if owed.Balance != "45.00" {
		c.t.Errorf("%+v", owed)
	}
	c.want(http.StatusOK, http.MethodGet, "/v1/conversations/"+bookPhone+":"+payer+"/person", "", nil)
}

// speaks has the owner and the customer write about credit.
func (c *bookClient) speaks(path string) {
	c.t.Helper()
	say := func(from, text string) {
		c.t.Helper()
		c.r.simulate(c.t, "/say", `{"from":"`+from+`","phoneNumberId":"`+bookPhone+`","text":"`+text+`"}`)
	}
	say(bookKeeper, "+50 "+bookCustomer+" rice")
	c.said(bookKeeper, 2)
	say(bookCustomer, "mera kitna baaki hai")
	c.said(bookCustomer, 2)
	say(bookCustomer, "mera hisaab bhejo")
	c.said(bookCustomer, 5) // and the answer, and the statement
	say(bookCustomer, "paid 200")
	c.said(bookCustomer, 7)
	var asked struct {
		Messages []saidMessage `json:"items"`
	}
	c.r.get(c.t, "/v1/conversations/"+bookPhone+":"+bookKeeper+"/messages?limit=1", &asked, func() bool {
		return len(asked.Messages) == 1 && strings.Contains(asked.Messages[0].Text, "have paid") &&
			asked.Messages[0].Delivery.Status == "read"
	})
	for range 2 {
		c.r.simulate(c.t, "/say",
			`{"from":"`+bookKeeper+`","phoneNumberId":"`+bookPhone+`","button":"Yes, write it down"}`)
	}
	var owed struct{ Balance string }
	c.r.get(c.t, path+"/customers/+"+bookCustomer, &owed, func() bool { return owed.Balance == "300.00" })
	c.want(http.StatusAccepted, http.MethodPost, path+"/customers/+"+bookCustomer+"/statement/send",
		`{"from":"2026-01-01","to":"2036-01-01"}`, nil)
	const stranger = "919876544445" // who has never written: it goes in a template
	c.want(http.StatusCreated, http.MethodPost, path+"/sales",
		`{"customer":"+`+stranger+`","customerName":"Kamla Devi","amount":"10"}`, nil)
	c.want(http.StatusAccepted, http.MethodPost, path+"/customers/+"+stranger+"/statement/send",
		`{"from":"2026-01-01","to":"2036-01-01"}`, nil)
	for _, line := range []struct{ text, balance string }{
		{"kamla devi 5 udhaar", "15.00"}, {"undo", "10.00"}, {"kamla devi ka hisaab", "10.00"}} {
		say(bookKeeper, line.text)
		c.r.get(c.t, path+"/customers/+"+stranger, &owed, func() bool { return owed.Balance == line.balance })
	}
	var page struct {
		Messages []saidMessage `json:"items"`
	}
	c.r.get(c.t, "/v1/conversations/"+bookPhone+":"+bookKeeper+"/messages?limit=1", &asked, func() bool {
		return len(asked.Messages) == 1 && strings.Contains(asked.Messages[0].Text, "Kamla Devi owes")
	})
	for _, line := range []struct{ text, answer string }{
		{"sabka hisaab", "Who owes you"}, {"mohan lal 20 udhaar", "nobody called Mohan Lal"},
		{"98765 44451", "₹20 on credit for Mohan Lal"}, {"mohan ko 5 diye", "what shall I write down?"}} {
		say(bookKeeper, line.text)
		c.r.get(c.t, "/v1/conversations/"+bookPhone+":"+bookKeeper+"/messages?limit=1", &asked, func() bool {
			return len(asked.Messages) == 1 && strings.Contains(asked.Messages[0].Text, line.answer)
		})
	}
	c.r.get(c.t, "/v1/conversations/"+bookPhone+":"+bookCustomer+"/messages?limit=1", &page, func() bool {
		return len(page.Messages) == 1 && page.Messages[0].Type == "document" &&
			page.Messages[0].Delivery.Status == "read"
	})
}

// merges has people buy, write and order under a user id and under a number, and then show both: in a text, and in
// something that the assistant does not read.
func (c *bookClient) merges(store string) {
	c.t.Helper()
	c.merge(store, "919876544447", "IN.876544447", `"text":"thanks"`)
	c.merge(store, "919876544448", "IN.876544448", `"message":{"type":"hologram","hologram":{"id":"1"}}`)
}

func (c *bookClient) merge(store, number, userID, shown string) {
	c.t.Helper()
	say := func(body string) {
		c.t.Helper()
		c.r.simulate(c.t, "/say", `{"phoneNumberId":"`+bookPhone+`",`+body+`}`)
	}
	say(`"userId":"` + userID + `","text":"hello"`)
	c.said(userID, 2)
	say(`"from":"` + number + `","text":"2 packets Tata Salt"`)
	c.said(number, 2)
	var order sold
	c.want(http.StatusCreated, http.MethodPost, store+"/orders",
		`{"customer":"+`+number+`","items":[{"productId":"salt","quantity":"1"}]}`, &order)
	for who, amount := range map[string]string{userID: "30", "+" + number: "40"} {
		c.want(http.StatusCreated, http.MethodPost, store+"/khata/sales",
			`{"customer":"`+who+`","amount":"`+amount+`"}`, nil)
	}
	say(`"userId":"` + userID + `","text":"paid 5"`)
	say(`"from":"` + number + `","text":"paid 6"`)
	var open struct{ Items []struct{ Customer string } }
	claimed := func(by string) (all int) {
		c.r.get(c.t, store+"/khata/claims", &open, func() bool { return true })
		for _, one := range open.Items {
			if one.Customer == by {
				all++
			}
		}
		return all
	}
	c.r.get(c.t, store+"/khata/claims", &open, func() bool { return claimed(userID) == 1 && claimed("+"+number) == 1 })
	say(`"from":"` + number + `","userId":"` + userID + `",` + shown)
	var owed struct{ Balance string }
	for _, who := range []string{userID, "+" + number} {
		c.r.get(c.t, store+"/khata/customers/"+who, &owed, func() bool { return owed.Balance == "70.00" })
	}
	var orders struct{ Items []sold }
	c.r.get(c.t, store+"/orders?customer="+userID, &orders,
		func() bool { return len(orders.Items) == 1 && orders.Items[0].ID == order.ID })
}

// orders has an order on credit delivered and refunded.
func (c *bookClient) orders(store string) {
	c.t.Helper()
	var order sold
	c.want(http.StatusCreated, http.MethodPost, store+"/orders",
		`{"customer":"+`+bookCustomer+`","items":[{"productId":"salt","quantity":"4"}]}`, &order)
	for _, move := range []struct{ to, owed string }{
		{"preparing", "300.00"}, {"ready", "300.00"}, {"delivered", "400.00"}, {"refunded", "300.00"}} {
		c.want(http.StatusOK, http.MethodPost, store+"/orders/"+order.ID+"/move",
			`{"status":"`+move.to+`","reason":"broken"}`, nil)
		var owed struct{ Balance string }
		c.r.get(c.t, store+"/khata/customers/+"+bookCustomer, &owed, func() bool { return owed.Balance == move.owed })
	}
}
