package registry_test

import (
	"context"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	shopowner "github.com/haatline/haatline/shared/commerce/owner"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// runs has the owner say something to a store with an order that waits, and returns the harness and what the owner is
// told.
func runs(t *testing.T, says ...string) (*credit, string) {
	t.Helper()
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "hello")
	if _, err := c.orders(t.Context(), "waits", "2"); err != nil {
		t.Fatal(err)
	}
	told := ""
	for _, text := range says {
		for to, said := range c.answered(owner, text) {
			if strings.HasPrefix(to, owner) {
				told = said
			}
		}
	}
	return c, told
}

func TestTheOwnerRunsTheDayInTheChat(t *testing.T) {
	for name, c := range map[string]struct {
		says   []string
		status commercemodel.OrderStatus
		price  string
		stock  string
	}{
		"an order goes on": {
			says: []string{"order pack kar rahe hain"}, status: commercemodel.OrderPreparing, price: "60"},
		"an order is refused with the reason": {
			says: []string{"order cancel karo, chawal khatam hai"}, status: commercemodel.OrderCancelled, price: "60"},
		"a price": {
			says: []string{"kolam rice ka rate 65"}, status: commercemodel.OrderConfirmed, price: "65"},
		"a price that may be a slip": {
			says: []string{"kolam rice ka rate 650"}, status: commercemodel.OrderConfirmed, price: "60"},
		"what has run out": {
			says: []string{"kolam rice khatam"}, status: commercemodel.OrderConfirmed, price: "60", stock: "0"},
		"what has run out, and is there again": {
			says: []string{"kolam rice khatam", "kolam rice aa gaya"}, status: commercemodel.OrderConfirmed,
			price: "60"},
		"how much there is": {
			says: []string{"kolam rice ka stock 25"}, status: commercemodel.OrderConfirmed, price: "60", stock: "25"},
		"a price without the word": {
			says: []string{"kolam rice 65 kar do"}, status: commercemodel.OrderConfirmed, price: "65"},
		"what is not so": {
			says:   []string{"order cancel mat karna", "order ready nahi hai", "kolam rice khatam nahi hua"},
			status: commercemodel.OrderConfirmed, price: "60"},
		"a yes that answers no question": {
			says: []string{"haan"}, status: commercemodel.OrderConfirmed, price: "60"},
		"a question about the orders": {
			says: []string{"aaj ke order dikhao"}, status: commercemodel.OrderConfirmed, price: "60"},
		"an order that cannot go where it says": {
			says: []string{"order deliver ho gaya"}, status: commercemodel.OrderConfirmed, price: "60"},
	} {
		t.Run(name, func(t *testing.T) {
			shop, _ := runs(t, c.says...)
			p, err := shop.shop.Catalogue.Get(t.Context(), creditStore, "RICE")
			shop.must(err)
			stock := ""
			if p.StockQuantity != nil {
				stock = p.StockQuantity.String()
			}
			var o commercemodel.Order
			for _, item := range shop.db.Items(t, tables.Orders) {
				shop.must(dynamo.Unmarshal(item, &o))
			}
			if o.Status != c.status || p.Price.String() != c.price || stock != c.stock {
				t.Errorf("the order is %s, the rice costs %s, and there is %q", o.Status, p.Price, stock)
			}
			if c.status == commercemodel.OrderCancelled && o.Reason != "chawal khatam hai" {
				t.Errorf("refused because of %q", o.Reason)
			}
		})
	}
}

func TestTheOwnerChangesTheLinesOfAnOrder(t *testing.T) {
	for name, c := range map[string]struct {
		says  string // {n} stands for the order's number, {end} for its end
		items string
		told  string // a part of what the owner is told
	}{
		"how much":            {says: "{n} kolam rice 5 kg kar do", items: "5 kg Kolam Rice", told: "is changed"},
		"by the end of it":    {says: "ord-{end} me kolam rice 3 kg", items: "3 kg Kolam Rice", told: "is changed"},
		"more of it":          {says: "{n} aur 2 kg kolam rice", items: "4 kg Kolam Rice", told: "is changed"},
		"something else, too": {says: "{n} add 1 kg sugar", items: "2 kg Kolam Rice, 1 kg Sugar", told: "is changed"},
		"it is so already":    {says: "{n} kolam rice 2 kg", items: "2 kg Kolam Rice", told: "like that already"},
		"nothing is left":     {says: "{n} no kolam rice", items: "2 kg Kolam Rice", told: "Nothing would be left"},
		"how much is open":    {says: "{n} kolam rice", items: "2 kg Kolam Rice", told: "Nothing is changed"},
		"what is not sold":    {says: "{n} 2 kg unicorn", items: "2 kg Kolam Rice", told: ""},
		"too much of it":      {says: "{n} kolam rice 500000 kg", items: "2 kg Kolam Rice", told: ""},
		"no such order": {
			says: "ORD-20200101-ABCDEFGH kolam rice 3 kg", items: "2 kg Kolam Rice", told: "cannot find that order"},
	} {
		t.Run(name, func(t *testing.T) {
			shop, _ := runs(t)
			if _, err := shop.shop.Catalogue.Import(t.Context(), commercemodel.Store{ID: creditStore},
				[]byte("product_id,name,unit,price\nRICE,Kolam Rice,kg,60\nSUGAR,Sugar,kg,45\n"), true); err != nil {
				t.Fatal(err)
			}
			shop = creditOn(t, shop.db, shop.db.Client) // one that has not read the catalogue yet
			before := shop.onlyOrder()
			number := string(before.OrderNumber)
			told := ""
			text := strings.NewReplacer("{n}", number, "{end}", number[len(number)-4:]).Replace(c.says)
			for to, said := range shop.answered(owner, text) {
				if strings.HasPrefix(to, owner) {
					told = said
				}
			}
			after := shop.onlyOrder()
			if got := shopowner.Items(after); got != c.items || !strings.Contains(told, c.told) {
				t.Errorf("%s: the order has %s, and the owner is told %q", text, got, told)
			}
			if changed := c.items != "2 kg Kolam Rice"; (after.Version > before.Version) != changed {
				t.Errorf("the version goes from %d to %d", before.Version, after.Version)
			}
		})
	}
}

// An owner who has asked for no messages meanwhile is not answered. What an earlier message asks for is done all the
// same, and once.
func TestWhatCannotBeAnsweredIsDoneOnce(t *testing.T) {
	c, _ := runs(t)
	said := c.says(owner, string(c.onlyOrder().OrderNumber)+" aur 2 kg kolam rice")
	c.answered(owner, "STOP")
	before := len(c.sent())
	for range 2 {
		c.must(c.receive(t.Context(), said))
		if got := shopowner.Items(c.onlyOrder()); got != "4 kg Kolam Rice" || len(c.sent()) != before {
			t.Errorf("the order has %s, and %d messages are sent", got, len(c.sent())-before)
		}
	}
}

func (c *credit) onlyOrder() (o commercemodel.Order) {
	c.t.Helper()
	for _, item := range c.db.Items(c.t, tables.Orders) {
		c.must(dynamo.Unmarshal(item, &o))
	}
	return o
}

// Anybody else's message runs no command: it goes on to the assistant.
func TestNobodyElseRunsTheDay(t *testing.T) {
	c, _ := runs(t)
	c.answered(asha, "kolam rice ka rate 65")
	c.answered(asha, "order pack kar rahe hain")
	p, err := c.shop.Catalogue.Get(t.Context(), creditStore, "RICE")
	c.must(err)
	var o commercemodel.Order
	for _, item := range c.db.Items(t, tables.Orders) {
		c.must(dynamo.Unmarshal(item, &o))
	}
	if p.Price.String() != "60" || o.Status != commercemodel.OrderConfirmed {
		t.Errorf("the rice costs %s, and the order is %s", p.Price, o.Status)
	}
}

func TestWhatTheOwnerDoesInTheChatSurvivesEveryCrashPoint(t *testing.T) {
	for name, text := range map[string]string{
		"a move": "order pack kar rahe hain", "a refusal": "order cancel karo, nahi hai",
		"a price": "kolam rice ka rate 65", "what has run out": "kolam rice khatam",
		"how much there is":   "kolam rice stock 25",
		"entries, one a line": "+50 98765 43210 rice\n-20 98765 43210", "an entry that is taken back": "galat",
		"an entry by name": "asha rao 30 udhaar", "an account": "asha rao ka hisaab",
		"an entry of yesterday": "kal asha rao 30 udhaar", "a name of two": "asha 30 udhaar",
		"what may be no entry": "asha rao ko 30 diye", "nobody of that name": "suresh 30 udhaar",
		"several entries": "asha rao 30 udhaar, asha verma 20 diye", "who owes what": "sabka hisaab",
		"a number":  "99887 76655",
		"a day off": "aaj dukaan band hai", "other hours": "timing 9 se 9",
		"the lines of an order": "{n} kolam rice 5 kg",
	} {
		t.Run(name, func(t *testing.T) {
			var said []model.WebhookEvent
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: tables.All(),
				Seed: func(t testing.TB, db *dynamotest.DB) {
					seedCredit(t, db)
					c := creditOn(t, db, db.Client)
					c.answered(owner, "hello")
					_, err := c.orders(t.Context(), "waits", "2")
					c.must(err)
					c.answered(owner, "+100 98765 43210")
					err = db.Update(t.Context(), dynamo.Update{
						Table: tables.CustomerBalances, Key: keys.KhataBalance(creditStore, model.PhoneOf(asha)),
						Do: "SET customer_name = :name", If: dynamo.IfPresent,
						Values: dynamo.Item{":name": dynamo.S("Asha Rao")},
					})
					c.must(err)
					c.opens("+919876500002", "Asha Verma")
					c.answered(owner, "mohan lal 40 jama") // asks for a number
					said = c.says(owner, strings.ReplaceAll(text, "{n}", string(c.onlyOrder().OrderNumber)))
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					return creditOn(t, nil, client).receive(ctx, said)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
