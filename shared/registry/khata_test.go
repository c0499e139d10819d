package registry_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/reconcile"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// These tests run the credit book with the stores and the messages that it meets in the registry.

const owner = "919811111111"

// credit is a store that gives credit.
type credit struct {
	t     testing.TB
	db    *dynamotest.DB
	rooms *messaging.Domain
	shop  *commerce.Domain
	khata *khata.Domain
	now   time.Time
	said  int
}

const creditStore = model.Name("STR-K3FJ82")

func creditOn(t testing.TB, db *dynamotest.DB, client *dynamo.Client) *credit {
	c := &credit{t: t, db: db, now: noon}
	c.rooms = registry.Reacting(registry.Open(messaging.Config{
		DB: client, Now: func() time.Time { return c.now }, DefaultTenant: "demo",
		NewToken: func() string { return "token" }, NewID: dynamotest.IDs("01a1fbae-3de3-707d-9ea6-%012d"),
	}))
	c.shop, c.khata = registry.Commerce(c.rooms), registry.Khata(c.rooms)
	return c
}

func (c *credit) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// seedCredit puts a store there that gives credit up to 1000, with what it sells.
func seedCredit(t testing.TB, db *dynamotest.DB) {
	limit := rupees("1000")
	at := model.At(noon.AddDate(0, 0, -1))
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE", PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA, DisplayPhoneNumber: "1", StoreID: creditStore,
	})
	store := commercemodel.Store{
		PK: creditStore, ID: creditStore, StoreID: creditStore, TenantID: "demo", Name: "Rao Kirana",
		Status: commercemodel.StoreActive, PhoneNumberIDs: []model.PhoneNumberID{wt.Phone},
		ContactInfo: commercemodel.ContactInfo{WhatsApp: "+" + owner}, GSI1PK: keys.StoresOf("OWNER-1"), GSI1SK: at,
		CreatedAt: at, UpdatedAt: at, Version: 1,
		Settings: commercemodel.Settings{
			Assistant: true, TimeZone: "Asia/Kolkata", Currency: "INR", Languages: []string{"en"},
			PaymentMethods: []string{"credit", "cod"}, Confirmation: commercemodel.ConfirmAutomatic,
			Credit: &commercemodel.Credit{DefaultLimit: &limit, Commands: true, Quiet: true},
		},
	}
	db.Seed(t, tables.Stores, store)
	shop := creditOn(t, db, db.Client).shop
	if _, err := shop.Catalogue.Import(t.Context(), store,
		[]byte("product_id,name,unit,price\nRICE,Kolam Rice,kg,60\n"), true); err != nil {
		t.Fatal(err)
	}
}

func rupees(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

// says has somebody say something to the store, or tap a button by its id.
func (c *credit) says(from, text string) []model.WebhookEvent {
	c.t.Helper()
	c.said++
	id, at := fmt.Sprintf("wamid.%s.%d", from, c.said), c.now.Add(time.Duration(c.said)*time.Second-time.Minute)
	message := wt.Text(from, id, text, at)
	if button, tapped := strings.CutPrefix(text, "tap "); tapped {
		message = wt.Tap(from, id, button, "?", c.under(from, button), at)
	}
	if text == "deletes" { // the message before
		message = wt.Message(from, id, "revoke", at,
			wt.Object{"revoke": wt.Object{"original_message_id": fmt.Sprintf("wamid.%s.%d", from, c.said-1)}})
	}
	return c.logged(wt.Body(wt.Messages(wt.List{wt.Contact(from, "Asha Rao")}, message)))
}

// logged posts a body, and returns the entry that it made.
func (c *credit) logged(body []byte) []model.WebhookEvent {
	c.t.Helper()
	var all []model.WebhookEvent
	for _, image := range messagingtest.Logged(c.t, c.db, func() time.Time { return c.now }, body) {
		var event model.WebhookEvent
		c.must(dynamo.Unmarshal(image, &event))
		all = append(all, event)
	}
	return all[len(all)-1:]
}

// forged has an operator send the owner a button with an id of the credit book's, and the owner tap it. It returns what
// is sent then.
func (c *credit) forged(button string) map[string]string {
	c.t.Helper()
	sent, err := c.rooms.Accept(c.t.Context(),
		sending.Outgoing{Tenant: "demo", Phone: wt.Phone, Customer: owner, SentBy: "somebody", Content: content.Buttons{
			Frame:   content.Frame{Body: "Shall I send it?"},
			Buttons: []content.Button{{ID: button, Title: "Yes, send it"}},
		}}, idempotency.Request{})
	c.must(err)
	before := len(c.sent())
	c.said++
	at := c.now.Add(time.Duration(c.said)*time.Second - time.Minute)
	tap := wt.Tap(owner, fmt.Sprint("wamid.forged.", c.said), button, "Yes, send it", string(sent.MessageID), at)
	var events []model.WebhookEvent
	for _, image := range messagingtest.Logged(c.t, c.db, func() time.Time { return c.now },
		wt.Body(wt.Messages(nil, tap))) {
		var event model.WebhookEvent
		c.must(dynamo.Unmarshal(image, &event))
		events = append(events, event)
	}
	c.must(c.receive(c.t.Context(), events[len(events)-1:]))
	if len(c.sent()) == before {
		return nil
	}
	return map[string]string{"sent": fmt.Sprint(len(c.sent())-before, " messages")}
}

// under returns the id of the message that has a button: the one that was sent to somebody, or else any; "" for none.
func (c *credit) under(from, button string) (found string) {
	c.t.Helper()
	for pk, m := range c.sent() {
		if m.Purpose == "" || !strings.Contains(string(m.Content), `"`+button+`"`) {
			continue
		}
		id, _ := keys.MessageIDOf(pk)
		if found = string(id); strings.HasSuffix(m.ConversationPK, from) {
			return found
		}
	}
	return found
}

func (c *credit) receive(ctx context.Context, said []model.WebhookEvent) error {
	for _, event := range said {
		if err := c.rooms.MessageReader(c.rooms.Subscriptions()...).Apply(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

// answered has somebody say something and returns what is sent then, by recipient.
func (c *credit) answered(from, text string) map[string]string {
	c.t.Helper()
	before := c.sent()
	c.must(c.receive(c.t.Context(), c.says(from, text)))
	all := map[string]string{}
	for id, m := range c.sent() {
		if _, known := before[id]; known {
			continue
		}
		_, customer, _ := keys.ConversationIDs(m.ConversationPK)
		all[string(customer)] = m.TextBody
		interactive := whatsapp.Text(m.Content).Object().Object("interactive")
		if m.TextBody == "" {
			all[string(customer)] = interactive.Object("body").Text("text")
		}
		for _, b := range interactive.Object("action").List("buttons").Objects() {
			all[string(customer)+" "+b.Object("reply").Text("title")] = b.Object("reply").Text("id")
		}
	}
	return all
}

func (c *credit) sent() map[string]model.Message {
	all := map[string]model.Message{}
	for _, item := range c.db.Items(c.t, tables.Messages) {
		if messagingtest.IsOurs(item) {
			var m model.Message
			c.must(dynamo.Unmarshal(item, &m))
			all[m.PK] = m
		}
	}
	return all
}

// owes returns what the customer owes, and fails the test if the books do not hold.
func (c *credit) owes() string {
	c.t.Helper()
	shop, err := c.khata.Shops.Shop(c.t.Context(), creditStore)
	c.must(err)
	checked, _, err := c.khata.Books.Customers(c.t.Context(), shop, 100, "", false)
	c.must(err)
	of, _, err := c.khata.Books.OrdersOf(c.t.Context(), shop, 100, "")
	c.must(err)
	records, _, err := c.khata.Books.Records(c.t.Context(), "", func() bool { return true })
	c.must(err)
	if found := append(append(checked.Findings, of.Findings...), records.Findings...); len(found) > 0 {
		c.t.Errorf("%+v", found)
	}
	owed, _, err := c.khata.Owed(c.t.Context(), creditStore, model.PhoneOf(asha))
	c.must(err)
	return owed.StringFixed(2)
}

func want(t testing.TB, got, part string) {
	t.Helper()
	if !strings.Contains(got, part) || part == "" && got != "" {
		t.Errorf("%q, want %q", got, part)
	}
}

func TestTheCreditBookInTheChat(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)

	want(t, c.answered(asha, "kitna baaki hai")[asha], "nothing")
	want(t, c.answered(owner, "+500 98765 43210 rice")[owner], "₹500 on credit for +919876543210. Owes ₹500 now")
	want(t, c.answered(owner, "+501 98765 43210 rice")[owner], "may owe 1000.00")
	want(t, c.answered(owner, "+50 rice")[owner], "Whose?")
	want(t, c.answered(asha, "mera kitna baaki hai")[asha], "₹500")
	want(t, c.answered(asha, "mera hisaab bhejo")[asha], "2026-11-21: +₹500 → ₹500")
	if got := c.owes(); got != "500.00" {
		t.Errorf("owes %s", got)
	}

	asked := c.answered(asha, "200 bhej diye gpay se ref 412345678901")
	want(t, asked[asha], "asked Rao Kirana to check ₹200")
	want(t, asked[owner], "says that they have paid ₹200. They owe ₹500")
	if got := c.owes(); got != "500.00" {
		t.Errorf("a claim is an entry: owes %s", got)
	}
	yes, no := asked[owner+" Yes, write it down"], asked[owner+" No"]
	if yes == "" || no == "" || len(yes) > 256 {
		t.Fatalf("%v", asked)
	}
	// a customer who forges the answer
	if told := c.answered(asha, "tap "+yes); len(told) > 1 || strings.Contains(told[asha], "Written") {
		t.Errorf("%v", told)
	}
	if told := c.forged(yes); len(told) != 0 || c.owes() != "500.00" {
		t.Errorf("an operator's button with the same id says %v; owes %s", told, c.owes())
	}
	settled := c.answered(owner, "tap "+yes)
	want(t, settled[owner], "Owes ₹300 now")
	want(t, settled[asha], "You owe ₹300 now")
	want(t, c.answered(owner, "tap "+yes)[owner], "Nothing changed: ₹200 of +919876543210 was written down before")
	want(t, c.answered(owner, "tap "+no)[owner], "Nothing changed: ₹200 of +919876543210 was written down before")
	if got := c.owes(); got != "300.00" {
		t.Errorf("owes %s", got)
	}
	if told := c.answered(owner, "tap "+strings.Replace(no, no[len(no)-4:], "ffff", 1)); len(told) != 0 {
		t.Errorf("the answer to a question that nobody asked says %v", told)
	}
	asked = c.answered(asha, "paid 100")
	refused := c.answered(owner, "tap "+asked[owner+" No"])
	want(t, refused[owner], "Nothing was written down")
	want(t, refused[asha], "not found your payment")

	want(t, c.answered(owner, "-300 9876543210 cash")[owner], "Owes ₹0 now")
	want(t, c.answered(owner, "-1 9876543210")[owner], "keeps no advances")
	if told := c.answered(asha, "paid 500"); strings.Contains(told[owner], "paid") {
		t.Errorf("who owes nothing has paid: %v", told)
	}
	if got := c.owes(); got != "0.00" {
		t.Errorf("owes %s", got)
	}
}

// A request from the shop's number that is read late is answered by a template. If no template may be sent, the shop's
// people see the conversation. Nothing is dropped in silence, and a repeated reading answers only once.
func TestWhatIsReadLateIsNotDroppedInSilence(t *testing.T) {
	for name, approved := range map[string]bool{"by template": true, "without the template": false} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, tables.All()...)
			seedCredit(t, db)
			c := creditOn(t, db, db.Client)
			want(t, c.answered(owner, "+500 98765 43210 rice")[owner], "Owes ₹500 now")
			asked := c.answered(asha, "paid 200")
			if !approved {
				db.Seed(t, tables.Messages, model.Account{
					PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount, WABAMetaID: wt.WABA,
					TemplatesSyncedAt: model.At(noon.AddDate(1, 0, 0)), Version: 1,
				})
			}
			late := c.says(owner, "+100 98765 43210 tea")
			before := c.sent()
			c.now = c.now.Add(25 * time.Hour)
			for range 2 {
				c.must(c.receive(t.Context(), late))
			}
			c.told(before, owner, approved, "Nothing was written down. Please send it again.")
			before = c.sent()
			c.must(c.receive(t.Context(), c.says(owner, "tap "+asked[owner+" Yes, write it down"])))
			c.told(before, asha, approved, "has got ₹200. You owe ₹300 now.")
			if got := c.owes(); got != "300.00" {
				t.Errorf("owes %s", got)
			}
		})
	}
}

// told checks that somebody is told something once by the template for what comes late, or that their conversation is
// marked.
func (c *credit) told(before map[string]model.Message, to string, byTemplate bool, part string) {
	c.t.Helper()
	var said []string
	for id, m := range c.sent() {
		if _, known := before[id]; !known && strings.Contains(m.ConversationPK, to) && m.Type == "template" {
			said = append(said, string(m.Content))
		}
	}
	talk, err := c.rooms.Inbox.CurrentConversation(c.t.Context(), wt.Phone, model.CustomerID(to))
	c.must(err)
	if byTemplate != (len(said) == 1) || byTemplate == (talk.NeedsPersonSince != "") ||
		byTemplate && !strings.Contains(said[0], part) {
		c.t.Errorf("%s is told %v, needs a person since %q", to, said, talk.NeedsPersonSince)
	}
}

func TestAnOrderOnCreditIsInTheBookOnceTheCustomerHasIt(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	want(t, c.answered(asha, "2 kg rice")[asha], "Shall I place it?")
	want(t, c.answered(asha, "yes")[asha], "confirmed")
	order := c.order()
	shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
	c.must(err)
	for _, key := range []string{"order ", "sale ", "refund "} { // a client guesses the keys of the order
		request, err := ledger.Request(shop, idempotency.API, key+string(order.ID), order.ID)
		c.must(err)
		_, err = c.khata.Ledger.Add(t.Context(), shop, ledger.Draft{
			Customer: "+919800000000", Type: khatamodel.CreditSale, Amount: rupees("1"), By: "somebody", Source: "api",
		}, request)
		c.must(err)
	}
	move := func(to commercemodel.OrderStatus) {
		t.Helper()
		moved, err := c.shop.Orders.Move(t.Context(), creditStore, order.ID, orders.Move{To: to, Reason: "broken bag"})
		c.must(err)
		c.must(c.follow(t.Context(), moved))
		c.must(c.follow(t.Context(), moved))
	}
	for _, step := range []struct {
		to   commercemodel.OrderStatus
		owes string
	}{{commercemodel.OrderPreparing, "0.00"}, {commercemodel.OrderReady, "0.00"}, {
		commercemodel.OrderDelivered, "120.00"}, {commercemodel.OrderRefunded, "0.00"}} {
		move(step.to)
		if got := c.owes(); got != step.owes {
			t.Errorf("%s: owes %s, want %s", step.to, got, step.owes)
		}
	}
	// An order above the limit is left to a person.
	want(t, c.answered(asha, "17 kg rice")[asha], "Shall I place it?")
	want(t, c.answered(asha, "yes")[asha], "more than we can put on your khata")
	_, err = c.shop.Orders.Create(t.Context(), c.store(), orders.Draft{
		Who: orders.Who{Customer: asha}, Wanted: []orders.Wanted{{Product: "RICE", Quantity: rupees("17")}},
		Channel: commercemodel.Web, PaymentMethod: "credit", Seed: "x", At: c.now,
	}, idempotency.Request{})
	if err == nil || !strings.Contains(err.Error(), "not on credit") {
		t.Errorf("%v", err)
	}
}

func (c *credit) store() commercemodel.Store {
	store, err := c.shop.Stores.Get(c.t.Context(), creditStore)
	c.must(err)
	return store
}

func (c *credit) order() commercemodel.Order {
	c.t.Helper()
	items := c.db.Items(c.t, tables.Orders)
	var order commercemodel.Order
	if len(items) != 1 {
		c.t.Fatalf("%d orders", len(items))
	}
	c.must(dynamo.Unmarshal(items[0], &order))
	return order
}

// follow has the orders stream see an order.
func (c *credit) follow(ctx context.Context, order commercemodel.Order) error {
	item, err := dynamo.Marshal(order)
	if err != nil {
		return err
	}
	records := dynamotest.Records(c.t, []dynamo.Item{item})
	response, err := c.shop.Following(slog.New(slog.DiscardHandler), nil).Handle(ctx,
		events.DynamoDBEvent{Records: records})
	return dynamotest.Reported(response, err)
}

// The check names everything that does not hold. It mends only the balance.
func TestBooksThatDoNotHoldAreNamed(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	for _, text := range []string{"+100 98765 43210", "+50 98765 43210", "-30 98765 43210"} {
		c.answered(owner, text)
	}
	shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
	c.must(err)
	kinds := func(mend bool) string {
		t.Helper()
		checked, _, err := c.khata.Books.Everybody(t.Context(), "", func() bool { return true }, mend)
		c.must(err)
		records, _, err := c.khata.Books.Records(t.Context(), "", func() bool { return true })
		c.must(err)
		text := ""
		for _, f := range append(checked.Findings, records.Findings...) {
			text += fmt.Sprintf("%s(%v) ", f.Kind, f.Mended)
		}
		return strings.TrimSpace(text)
	}
	if got := kinds(true); got != "" {
		t.Fatal(got)
	}
	balance := keys.KhataBalance(creditStore, model.PhoneOf(asha))
	set := func(do string, value int) {
		t.Helper()
		err := db.Update(t.Context(),
			dynamo.Update{
				Table: tables.CustomerBalances, Key: balance, Do: do, If: dynamo.IfPresent,
				Values: dynamo.Item{":n": dynamo.N(value)}})
		c.must(err)
	}
	set("SET outstanding_balance = :n", 7)
	if got := kinds(false); got != "wrong_balance(false)" {
		t.Error(got)
	}
	if got := kinds(true); got != "wrong_balance(true)" {
		t.Error(got)
	}
	if got := kinds(true); got != "" {
		t.Error(got)
	}
	if got := c.owes(); got != "120.00" {
		t.Errorf("owes %s", got)
	}
	entries := db.Items(t, tables.KhataTransactions)
	for _, item := range entries {
		if dynamo.Int(item, "version") == 2 {
			key := keys.Key{
				PartitionName: "pk", Partition: dynamo.Text(item, "pk"), SortName: "sk", Sort: dynamo.Text(item, "sk")}
			c.must(db.Transact(t.Context(),
				[]dynamo.Write{dynamo.Delete{Table: tables.KhataTransactions, Key: key, If: dynamo.IfPresent}}))
		}
	}
	if got := kinds(true); got != "gap(false) record_without_entry(false)" {
		t.Error(got)
	}
	db.Seed(t, tables.Orders, commercemodel.Order{
		StoreID: creditStore, ID: "ORD-1", CustomerPhone: model.PhoneOf(asha), TotalAmount: rupees("40"),
		Status: commercemodel.OrderDelivered, PaymentMethod: "credit", TenantID: "demo",
		CreatedAt: model.At(noon), GSI2PK: "x", GSI2SK: model.At(noon),
		GSI3PK: keys.OrdersInState(creditStore, "delivered"), GSI3SK: model.At(noon), Version: 1,
	})
	found, next, err := c.khata.Books.OrdersOf(t.Context(), shop, 10, "")
	if err != nil || next == "" || len(found.Findings) != 1 || found.Findings[0].Kind != reconcile.NoSale {
		t.Errorf("%+v %q %v", found, next, err)
	}
}

func TestTheCreditBookInTheChatSurvivesEveryCrashPoint(t *testing.T) {
	for name, text := range map[string]string{
		"a claim": "paid 200", "an entry of the owner's": "+50 98765 43210", "a confirmed payment": "tap yes",
		"a payment that was not found": "tap no", "a claim that is taken back": "deletes"} {
		t.Run(name, func(t *testing.T) {
			var said []model.WebhookEvent
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: tables.All(),
				Seed: func(t testing.TB, db *dynamotest.DB) {
					seedCredit(t, db)
					c := creditOn(t, db, db.Client)
					c.answered(owner, "+500 98765 43210")
					from := asha
					asked := c.answered(asha, "paid 100")
					switch text {
					case "tap yes":
						text, from = "tap "+asked[owner+" Yes, write it down"], owner
					case "tap no":
						text, from = "tap "+asked[owner+" No"], owner
					}
					if strings.HasPrefix(text, "+") {
						from = owner
					}
					said = c.says(from, text)
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					return creditOn(t, nil, client).receive(ctx, said)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

func TestOrdersOnCreditSurviveEveryCrashPoint(t *testing.T) {
	for _, status := range []commercemodel.OrderStatus{commercemodel.OrderDelivered,
		commercemodel.OrderRefunded} {
		t.Run(string(status), func(t *testing.T) {
			var order commercemodel.Order
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: tables.All(),
				Seed: func(t testing.TB, db *dynamotest.DB) {
					seedCredit(t, db)
					c := creditOn(t, db, db.Client)
					made, err := c.shop.Orders.Create(t.Context(), c.store(), orders.Draft{
						Who:    orders.Who{Customer: asha, Name: "Asha"},
						Wanted: []orders.Wanted{{Product: "RICE", Quantity: rupees("2")}}, Channel: commercemodel.Web,
						Seed: "x", At: c.now, By: "clerk",
					}, idempotency.Request{})
					c.must(err)
					for _, to := range []commercemodel.OrderStatus{
						commercemodel.OrderPreparing, commercemodel.OrderReady, commercemodel.OrderDelivered,
						commercemodel.OrderRefunded} {
						made, err = c.shop.Orders.Move(t.Context(), creditStore, made.ID,
							orders.Move{To: to, Reason: "broken", By: "clerk"})
						if c.must(err); to == status {
							break
						}
					}
					order = made
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					return creditOn(t, nil, client).follow(ctx, order)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
