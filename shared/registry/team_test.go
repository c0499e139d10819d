package registry_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	owners "github.com/haatline/haatline/shared/commerce/owner"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	meena = "919822222222" // a manager
	raju  = "919833333333" // a helper
)

// team gives the store a manager and a helper, who have written to it.
func (c *credit) team() {
	c.t.Helper()
	was := c.store()
	_, err := c.shop.Stores.Update(c.t.Context(), creditStore, was.Version, func(s *commercemodel.Store) {
		s.Settings.Team = []commercemodel.Member{
			{Name: "Meena", WhatsApp: "+" + meena, Role: commercemodel.RoleManager},
			{Name: "Raju", WhatsApp: "+" + raju, Role: commercemodel.RoleHelper},
		}
	})
	c.must(err)
	c.now = c.now.Add(time.Minute) // who writes before has no authority yet
	for _, who := range []string{owner, meena, raju} {
		c.answered(who, "hello")
	}
}

func (c *credit) costs() string {
	c.t.Helper()
	p, err := c.shop.Catalogue.Get(c.t.Context(), creditStore, "RICE")
	c.must(err)
	return p.Price.String()
}

// A price that changes by much takes two people. The first answer counts.
func TestAPriceThatIsFarOffTakesTwoPeople(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.team()
	told := c.answered(raju, "kolam rice ka rate 62")
	if !strings.Contains(told[raju], "may not") || c.costs() != "60" {
		t.Errorf("a helper: %q, %s", told[raju], c.costs())
	}
	asked := c.answered(owner, "kolam rice ka rate 90")
	if !strings.Contains(asked[owner], "Somebody else") || !strings.Contains(asked[meena], "₹90") ||
		c.costs() != "60" || asked[raju] != "" {
		t.Fatalf("%q, %s", asked, c.costs())
	}
	c.answered(owner, "tap "+asked[meena+" Yes"]) // nobody allows it to themselves
	if c.costs() != "60" {
		t.Errorf("the asker has allowed it: %s", c.costs())
	}
	told = c.answered(meena, "tap "+asked[meena+" Yes"])
	if c.costs() != "90" || !strings.Contains(told[owner], "₹90") || !strings.Contains(told[meena], "₹90") {
		t.Errorf("%q, %s", told, c.costs())
	}
	if told := c.answered(meena, "tap "+asked[meena+" No"])[meena]; !strings.Contains(told, "Nothing changed") ||
		c.costs() != "90" {
		t.Errorf("a second answer: %q, %s", told, c.costs())
	}
}

// limitsRefunds has the store's refunds of more than 100 take two people, and returns an order of 120 that was
// delivered.
func (c *credit) limitsRefunds() commercemodel.Order {
	c.t.Helper()
	_, err := c.shop.Stores.Update(c.t.Context(), creditStore, c.store().Version, func(s *commercemodel.Store) {
		limit := rupees("100")
		s.Settings.RefundLimit = &limit
	})
	c.must(err)
	order, err := c.orders(c.t.Context(), "refunded", "2")
	c.must(err)
	for _, to := range []commercemodel.OrderStatus{
		commercemodel.OrderPreparing, commercemodel.OrderReady, commercemodel.OrderDelivered} {
		order, err = c.shop.Orders.Move(c.t.Context(), creditStore, order.ID, orders.Move{To: to, By: "clerk"})
		c.must(err)
	}
	return order
}

// A refund over the store's limit takes two people. The first answer counts.
func TestARefundOverTheLimitTakesTwoPeople(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "hello")
	order := c.limitsRefunds()
	says := "refund " + string(order.ID) + ", maal | kharab tha"
	if owners.TakesTwo(c.store(), order) {
		t.Error("it takes two people in a shop of one")
	}
	if told := c.answered(owner, says)[owner]; !strings.Contains(told, "nobody else") {
		t.Errorf("alone: %q", told)
	}
	c.team()
	if !owners.TakesTwo(c.store(), order) {
		t.Error("it does not take two people")
	}
	if told := c.answered(raju, says)[raju]; !strings.Contains(told, "may not") {
		t.Errorf("a helper: %q", told)
	}
	asked := c.answered(owner, says)
	if !strings.Contains(asked[owner], "Somebody else") || !strings.Contains(asked[meena], "₹120") ||
		asked[raju] != "" ||
		c.order().Status != commercemodel.OrderDelivered {
		t.Fatalf("%q, %s", asked, c.order().Status)
	}
	if c.answered(owner, "tap "+asked[meena+" Yes"]); c.order().Status != commercemodel.OrderDelivered {
		t.Error("the asker has allowed it")
	}
	told := c.answered(meena, "tap "+asked[meena+" Yes"])
	last := c.order().History[len(c.order().History)-1]
	if c.order().Status != commercemodel.OrderRefunded || last.Reason != "maal / kharab tha" ||
		last.By != "+"+owner || last.AllowedBy != "+"+meena ||
		!strings.Contains(told[owner], "is refunded") || !strings.Contains(told[meena], "is refunded") {
		t.Errorf("%q, %+v", told, last)
	}
	if told := c.answered(meena, "tap "+asked[meena+" No"])[meena]; !strings.Contains(told, "Nothing changed") {
		t.Errorf("a second answer: %q", told)
	}
}

// limitsAdjustments has adjustments of more than 100 take two people.
func (c *credit) limitsAdjustments() {
	c.t.Helper()
	_, err := c.shop.Stores.Update(c.t.Context(), creditStore, c.store().Version, func(s *commercemodel.Store) {
		limit := rupees("100")
		s.Settings.Credit.AdjustmentLimit = &limit
	})
	c.must(err)
}

const adjusts = "adjust -300 98765 43210 counted twice"

// An adjustment of an account over the store's limit takes two people. The first answer counts.
func TestAnAdjustmentOverTheLimitTakesTwoPeople(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+900 98765 43210 tea")
	c.limitsAdjustments()
	owes := func(want string) {
		t.Helper()
		if have := c.owes(); have != want {
			t.Errorf("she owes %s, want %s", have, want)
		}
	}
	if told := c.answered(owner, "adjust -110 98765 43210 torn note")[owner]; !strings.Contains(told, "−₹110") {
		t.Errorf("alone: %q", told)
	}
	c.team()
	owes("790.00")
	for says, answer := range map[string]string{
		"adjust": "why", "adjust 98765 43210": "why", "adjust -50 98765 43210": "why", "adjust -50 Nobody twice": "why",
		"adjust -0 98765 43210 twice": "why", "adjust -100 98765 43210 broken jar": "Written: −₹100 for"} {
		if told := c.answered(owner, says)[owner]; !strings.Contains(told, answer) {
			t.Errorf("%s: %q", says, told)
		}
	}
	owes("690.00")
	if told := c.answered(raju, adjusts)[raju]; !strings.Contains(told, "may not") {
		t.Errorf("a helper: %q", told)
	}
	if told := c.answered(asha, adjusts); told[meena] != "" {
		t.Errorf("a customer: %q", told)
	}
	asked := c.answered(owner, adjusts)
	if !strings.Contains(asked[owner], "Somebody else") || !strings.Contains(asked[meena], "−₹300: counted twice") ||
		asked[raju] != "" {
		t.Fatalf("%q", asked)
	}
	c.answered(owner, "tap "+asked[meena+" Yes"]) // nobody allows it to themselves
	owes("690.00")
	c.answered(owner, "-90 98765 43210 cash") // what is owed may change meanwhile
	told := c.answered(meena, "tap "+asked[meena+" Yes"])
	if !strings.Contains(told[owner], "Owes ₹300") || !strings.Contains(told[meena], "Owes ₹300") {
		t.Errorf("%q", told)
	}
	for _, again := range []string{"Yes", "No"} {
		told := c.answered(meena, "tap "+asked[meena+" "+again])[meena]
		if !strings.Contains(told, "already") {
			t.Errorf("a second answer: %q", told)
		}
	}
	owes("300.00")
	latest, err := c.khata.Ledger.Latest(t.Context(), creditStore, model.PhoneOf(asha), 9)
	c.must(err)
	at := slices.IndexFunc(latest, func(e khatamodel.Transaction) bool { return e.Reason == "counted twice" })
	if at < 0 || latest[at].CreatedBy != "+"+owner || latest[at].Metadata["allowed_by"] != "+"+meena {
		t.Errorf("%+v", latest)
	}
	asked = c.answered(owner, adjusts)
	told = c.answered(meena, "tap "+asked[meena+" No"])
	if !strings.Contains(told[owner], "said no") || !strings.Contains(told[meena], "said no") {
		t.Errorf("%q", told)
	}
	c.answered(meena, "tap "+asked[meena+" Yes"])
	owes("300.00")
	c.must(c.erases(t.Context(), ""))
	for _, item := range c.db.Items(t, tables.Messages) {
		var m model.Message
		c.must(dynamo.Unmarshal(item, &m))
		nothing := m.From == raju || m.From == owner && m.Type != "text" // what has led to nothing
		if text := m.TextBody + string(m.Content); !nothing &&
			(strings.Contains(text, asha) || strings.Contains(text, "−₹") || text == adjusts) {
			t.Errorf("an erased customer is named: %s", text)
		}
	}
}

func TestWhatASecondPersonAllowsSurvivesEveryCrashPoint(t *testing.T) {
	for name, asks := range map[string]func(c *credit) string{
		"an adjustment": func(c *credit) string {
			c.answered(owner, "+900 98765 43210 tea")
			c.limitsAdjustments()
			return adjusts
		},
		"a price": func(*credit) string { return "kolam rice ka rate 90" },
		"a refund": func(c *credit) string {
			return "refund " + string(c.limitsRefunds().ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var said []model.WebhookEvent
			dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: tables.All(),
				Seed: func(t testing.TB, db *dynamotest.DB) {
					seedCredit(t, db)
					c := creditOn(t, db, db.Client)
					c.team()
					asked := c.answered(owner, asks(c))
					said = c.says(meena, "tap "+asked[meena+" Yes"])
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					c := creditOn(t, nil, client)
					c.now = c.now.Add(time.Minute)
					return c.receive(ctx, said)
				},
			})
		})
	}
}

// Everybody of a team is asked about a new order. The first answer counts, and who taps later is told whose it was.
func TestTheFirstAnswerOfATeamCounts(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.team()
	c.answered(asha, "hello")
	c.answered(raju, "order alerts band kar do")
	was := c.store()
	if team := was.Settings.Team; !team[1].Quiet || team[0].Quiet {
		t.Fatalf("%+v", team)
	}
	if told := c.answered(owner, "order alerts off")[owner]; !strings.Contains(told, "always") {
		t.Errorf("the shop's own number: %q", told)
	}
	_, err := c.shop.Stores.Update(t.Context(), creditStore, was.Version, func(s *commercemodel.Store) {
		s.Settings.Confirmation = commercemodel.ConfirmByShop
	})
	c.must(err)
	order, err := c.orders(t.Context(), "waits", "2")
	c.must(err)
	before := len(c.sent())
	c.must(c.follow(t.Context(), order))
	c.must(c.follow(t.Context(), order))
	if asked := len(c.sent()) - before; asked != 2 { // the owner and the manager
		t.Fatalf("%d messages", asked)
	}
	tap := func(who, state string) string {
		return c.answered(who, "tap own|"+state+"|"+string(order.ID)+"|1")[who]
	}
	if told := tap(meena, "change"); !strings.Contains(told, string(order.ID)+" Kolam Rice 2") {
		t.Errorf("who wants to change the order is told %q", told)
	}
	if told := tap(meena, "confirmed"); !strings.Contains(told, "confirmed") || strings.Contains(told, "Meena") {
		t.Errorf("%q", told)
	}
	for _, state := range []string{"cancelled", "confirmed"} {
		if told := tap(owner, state); !strings.Contains(told, "Meena has answered") ||
			c.order().Status != commercemodel.OrderConfirmed {
			t.Errorf("who taps %s later is told %q: the order is %s", state, told, c.order().Status)
		}
	}
	if tap(meena, "cancelled"); c.order().Status != commercemodel.OrderCancelled { // nobody has answered but herself
		t.Errorf("who has confirmed an order cannot refuse it: it is %s", c.order().Status)
	}
	c.answered(raju, "order alerts on")
	if c.store().Settings.Team[1].Quiet {
		t.Error("a helper hears of no orders still")
	}
	naming := func() (all int) {
		for _, m := range c.sent() {
			all += strings.Count(string(m.Content), "Asha")
		}
		return all
	}
	if naming() != 2 {
		t.Errorf("%d messages name the customer", naming())
	}
	c.must(c.erases(t.Context(), ""))
	if naming() != 0 {
		t.Error("an erased customer is named in what a team was asked")
	}
}

// The shop closes for a day and gets other hours in the chat.
func TestTheShopClosesForADayInTheChat(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "hello")
	for _, step := range []struct {
		text     string
		open     bool
		closedOn string
	}{
		{"aaj dukaan band hai", false, "2026-11-21"},
		{"dukaan phir se khol do", true, ""},
		{"kal chutti hai", true, "2026-11-22"},
		{"dukaan band hai kya?", true, "2026-11-22"},
		{"timing 6 pm se 9 pm", false, "2026-11-22"},
		{"timing 9 se 9", true, "2026-11-22"},
	} {
		c.answered(owner, step.text)
		if s := c.store(); stores.Open(s, c.now) != step.open || s.ClosedOn != step.closedOn {
			t.Errorf("%s: open %t, closed on %q, %v", step.text, stores.Open(s, c.now), s.ClosedOn,
				s.Settings.BusinessHours)
		}
	}
	if at := stores.OpensAt(c.store(), c.now.AddDate(0, 0, 1)); stores.Date(c.store(), at) != "2026-11-23" {
		t.Errorf("it opens at %s", at)
	}
}

// A colleague's conversation that nobody can read is asked nothing, and holds up no decision of the others.
func TestOneColleaguesConversationThatCannotBeReadHoldsUpNoRefund(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.team()
	order := c.limitsRefunds()
	asked := c.answered(owner, "refund "+string(order.ID)+", maal kharab tha")
	err := db.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Conversation(wt.Phone, owner), If: dynamo.IfPresent,
		Do: "SET unreadCount = :text", Values: dynamo.Item{":text": dynamo.S("a lot")}})
	c.must(err)
	c.answered(meena, "tap "+asked[meena+" Yes"])
	if c.order().Status != commercemodel.OrderRefunded {
		t.Errorf("the order is %s, because its asker cannot be told", c.order().Status)
	}
}
