package assistant_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/assistant"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
)

// promises gives the store a code of ten per cent.
func (h *house) promises(code model.Name, set func(c *commercemodel.Code)) {
	h.t.Helper()
	was, _ := h.shop.Codes.Get(h.t.Context(), h.furnished().ID, code)
	_, err := h.shop.Codes.Set(h.t.Context(), h.furnished(), code, was.Version, func(c *commercemodel.Code) {
		c.Discount.Percent = &model.Amount{Decimal: decimal.NewFromInt(10)}
		if set != nil {
			set(c)
		}
	})
	h.must(err)
}

func TestADiscountCodeInTheChat(t *testing.T) {
	h := newHouse(t, nil)
	one := int64(1)
	h.promises("DIWALI10", func(c *commercemodel.Code) {
		c.MaxPerCustomer, c.Discount.From = &one, model.Amount{Decimal: decimal.NewFromInt(100)}
	})
	h.promises("OLD5", func(c *commercemodel.Code) { c.Ends = "2026-11-20" })
	h.promises("SOON5", func(c *commercemodel.Code) { c.Starts = "2026-11-22" })
	for _, turn := range []struct{ says, want string }{
		{"DIWALI10", "kept for your next order"},
		{"1 kg kolam rice", "is for orders of ₹100 or more"},
		{"2 kg kolam rice", "Goods ₹124\nDiscount with DIWALI10 ₹-12.40\nTotal ₹111.60"},
		{"coupon OLD5 laga do", "OLD5 has expired"}, {"coupon soon5 lagao", "SOON5 cannot be used yet"},
		{"apply code nope99", "no code NOPE99.\n"}, // what is open is shown again
		{"yes", "₹111.60"},
		{"1 kg tur dal code DIWALI10", "You have used the code DIWALI10 already"},
		{"yes", "₹160"}, {"do you have any coupon?", ""},
	} {
		if said := h.say(turn.says); !strings.Contains(said, turn.want) {
			t.Fatalf("%q is answered %q, want %q", turn.says, said, turn.want)
		}
	}
	c, err := h.shop.Codes.Get(t.Context(), h.furnished().ID, "DIWALI10")
	if h.must(err); c.Used != 1 {
		t.Errorf("used %d times", c.Used)
	}
}

// used returns how often a code counts as used.
func (h *house) used(code model.Name) int64 {
	h.t.Helper()
	c, err := h.shop.Codes.Get(h.t.Context(), h.furnished().ID, code)
	h.must(err)
	return c.Used
}

// moves brings the only order into a state.
func (h *house) moves(to commercemodel.OrderStatus) {
	h.t.Helper()
	o := h.orders()[0]
	_, err := h.shop.Orders.Move(h.t.Context(), o.StoreID, o.ID, orders.Move{To: to, By: "clerk", Reason: "closed"})
	h.must(err)
}

// A code that is said after the yes counts for the order that is placed, while it is not prepared.
func TestACodeAfterTheYes(t *testing.T) {
	h := newHouse(t, nil)
	one := int64(1)
	h.promises("DIWALI10", func(c *commercemodel.Code) { c.MaxUses = &one })
	h.promises("BIG5", func(c *commercemodel.Code) { c.Discount.From = model.Amount{Decimal: store100.Add(store100)} })
	h.promises("OLD5", func(c *commercemodel.Code) { c.Ends = "2026-11-20" })
	h.promises("EID5", nil)
	for _, turn := range []struct{ says, want string }{
		{"1 kg tur dal", "₹160"}, {"yes", "₹160"}, {"code NOPE99", "no code NOPE99"}, {"OLD5", "OLD5 has expired"},
		{"coupon BIG5 laga do", "is for orders of ₹200 or more"},
		{"mere order me coupon DIWALI10 laga do", "takes ₹16 off"}, {"DIWALI10", "used up"},
		{"EID5", "has the code DIWALI10 already"},
		{"add 1 packet catch salt to my order code EID5", "has the code DIWALI10 already"},
		{"yes", "comes to ₹168.30"},
	} {
		if said := h.say(turn.says); !strings.Contains(said, turn.want) {
			t.Fatalf("%q is answered %q, want %q", turn.says, said, turn.want)
		}
	}
	o := h.orders()[0]
	if o.TotalAmount.String() != "168.3" || o.Code == nil || o.Code.Code != "DIWALI10" || h.used("DIWALI10") != 1 ||
		h.used("EID5")+h.used("BIG5") != 0 {
		t.Errorf("%+v", o)
	}
	if change := o.History[2]; change.Total == nil || change.Total.String() != "160" || change.By != "customer" {
		t.Errorf("%+v", change)
	}
}

// A code comes with what is added to an order, or too late for one that is being prepared.
func TestACodeForAnOrderThatGoesOn(t *testing.T) {
	h := newHouse(t, nil)
	h.promises("DIWALI10", nil)
	h.say("1 kg tur dal")
	h.say("yes")
	said := h.say("add 1 packet catch salt to my order code DIWALI10")
	if !strings.Contains(said, "Discount with DIWALI10 ₹-18.70\nTotal ₹168.30") || h.used("DIWALI10") != 0 {
		t.Fatalf("%q", said)
	}
	if said := h.say("yes"); !strings.Contains(said, "₹168.30") || h.used("DIWALI10") != 1 {
		t.Errorf("%q, used %d times", said, h.used("DIWALI10"))
	}
	h.moves(commercemodel.OrderCancelled)
	h.must(h.shop.Codes.GiveBack(t.Context(), h.orders()[0], marks.Marks{}))
	if h.used("DIWALI10") != 0 {
		t.Error("a cancelled order keeps its use")
	}
	h = newHouse(t, nil)
	h.promises("DIWALI10", nil)
	h.say("1 kg tur dal")
	h.say("yes")
	h.moves(commercemodel.OrderPreparing)
	if said := h.say("DIWALI10"); !strings.Contains(said, "is being prepared already") {
		t.Errorf("%q", said)
	}
	if said := h.say("2 kg kolam rice"); !strings.Contains(said, "Discount with DIWALI10") {
		t.Errorf("%q", said)
	}
	if o := h.orders()[0]; o.Code != nil || o.TotalAmount.String() != "160" {
		t.Errorf("%+v", o)
	}
}

func TestACodeAfterTheYesSurvivesEveryCrashPoint(t *testing.T) {
	var said []model.WebhookEvent
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: allTables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			h := on(t, db, db.Client, noon)
			h.furnish(nil)
			h.promises("DIWALI10", nil)
			h.say("1 kg tur dal")
			h.say("yes")
			said = h.messages("DIWALI10")
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return on(t, nil, client, noon).receive(ctx, said)
		},
	})
}

// A cart's goods are in the cart, whatever is written beside.
func TestACodeBesideACart(t *testing.T) {
	h := newHouse(t, nil)
	h.promises("DIWALI10", nil)
	for _, says := range []string{"cart SALT-1 with DIWALI10", "cart RICE-1 with coupon DIWALI10 laga do"} {
		if said := h.say(says); !strings.Contains(said, "Discount with DIWALI10") {
			t.Errorf("%q is answered %q", says, said)
		}
	}
	if said := h.say("yes"); len(h.orders()) != 1 || len(h.orders()[0].Items) != 2 {
		t.Errorf("%q, %+v", said, h.orders())
	}
}

// The yes is to the discount that was shown: a code that has changed, or is used up by then, is shown again.
func TestTheYesIsToTheDiscountThatWasShown(t *testing.T) {
	h := newHouse(t, nil)
	h.promises("DIWALI10", nil)
	h.say("1 kg tur dal, promo code DIWALI10")
	h.promises("DIWALI10", func(c *commercemodel.Code) {
		c.Discount.Percent = &model.Amount{Decimal: decimal.NewFromInt(5)}
	})
	if said := h.say("yes"); !strings.Contains(said, "has changed") || !strings.Contains(said, "Total ₹152") {
		t.Errorf("%q", said)
	}
	h.promises("DIWALI10", func(c *commercemodel.Code) { c.Ends = "2026-11-20" })
	if said := h.say("yes"); !strings.Contains(said, "DIWALI10 has expired") || !strings.Contains(said, "Total ₹160") {
		t.Errorf("%q", said)
	}
	if said := h.say("yes"); !strings.Contains(said, "₹160") || len(h.orders()) != 1 {
		t.Errorf("%q", said)
	}
}

func TestWhichCodeAMessageNames(t *testing.T) {
	for text, want := range map[string]string{
		"code DIWALI10":                              "DIWALI10 true ",
		"coupon SAVE50 laga do":                      "SAVE50 true ",
		"SAVE50 coupon laga do please":               "SAVE50 true ",
		"save50 code use karo":                       "SAVE50 true ",
		"mera coupon code hai eid2026":               "EID2026 true ",
		"कूपन SAVE50 लगा दो":                         "SAVE50 true ",
		"2 kg rice, code: FESTIVE":                   "FESTIVE false 2 kg rice,",
		"coupon pe 2 atta SAVE50":                    "SAVE50 true 2 atta",
		"style code KT204 2 piece":                   " false ",
		"coupon hai? AMUL butter 2 bhejna":           "AMUL false butter 2 bhejna",
		"2 kg chawal bhej do coupon SAVE50 ke saath": "SAVE50 true 2 kg chawal bhej",
		"DIWALI10":                "DIWALI10 false ",
		"code festive":            "FESTIVE false ",
		"SEND ME A COUPON NOW":    "NOW false SEND ME",
		"2 kg rice":               " false ",
		"rice":                    " false ",
		"ghar ka pin code 452001": " false ",
		"do you have any coupon?": "ANY false do you",
	} {
		code, sure, rest := assistant.ParseCode(text)
		if got := fmt.Sprint(code, " ", sure, " ", rest); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
