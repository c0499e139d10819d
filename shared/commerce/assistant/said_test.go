package assistant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
)

// A yes is to what was shown: with another price it is shown again, and nothing is ordered.
func TestAYesIsToWhatWasShown(t *testing.T) {
	h := newHouse(t, nil)
	if said := h.say("2 kg tur dal"); !strings.Contains(said, "₹320") {
		t.Fatal(said)
	}
	p, err := h.shop.Catalogue.Get(t.Context(), h.furnished().ID, "DAL-1")
	h.must(err)
	_, err = h.shop.Catalogue.Set(t.Context(), h.furnished(), "DAL-1", p.Version,
		func(p *commercemodel.Product) { p.Price = model.Amount{Decimal: store100} })
	h.must(err)
	if said := h.say("haan"); !strings.Contains(said, "₹200") || len(h.orders()) != 0 {
		t.Fatalf("answered %q, %d orders", said, len(h.orders()))
	}
	if h.say("haan"); ordered(h.orders()) != "2 Tur Dal: 200.00 confirmed" {
		t.Error(ordered(h.orders()))
	}
}

func TestAThingWhoseNameSaysDoubleIsNotDoubled(t *testing.T) {
	h := newHouse(t, nil)
	_, err := h.shop.Catalogue.Set(t.Context(), h.furnished(), "BED-2", 0,
		func(p *commercemodel.Product) {
			p.Name, p.Unit, p.Price, p.IsActive = "Double Bedsheet", "piece", model.Amount{Decimal: store100}, true
		})
	h.must(err)
	h.say("1 double bedsheet")
	if said := h.say("double bedsheet, cash on delivery"); !strings.Contains(said, "How much Double Bedsheet") {
		t.Errorf("the name is answered %q", said)
	}
}

func TestWhatIsSaidBesideTheGoodsIsKeptWithTheOrder(t *testing.T) {
	h := newHouse(t, func(s *commercemodel.Store) { s.Settings.PaymentMethods = []string{"cod", "upi"} })
	for _, says := range []string{
		"1 kg tur dal. pata: B-45 Sudama Nagar, mandir ke paas", "kal subah 10 baje chahiye", "upi se dunga",
		"ok but no plastic bag please"} {
		if said := h.say(says); !strings.Contains(said, "doon?") && !strings.Contains(said, "place it?") ||
			len(h.orders()) != 0 {
			t.Fatalf("%q is answered %q, %d orders", says, said, len(h.orders()))
		}
	}
	h.say("haan")
	o := h.orders()[0]
	if o.DeliveryAddress != "B-45 Sudama Nagar, mandir ke paas" || o.WantedAt != "kal subah 10 baje" ||
		o.PaymentMethod != "upi" || o.DeliveryNotes != "no plastic bag please" || o.Fulfilment != "delivery" {
		t.Errorf("%+v", o)
	}
}

// The answer names a way to pay that the shop does not take, and the order keeps its own.
func TestAWayToPayThatTheShopDoesNotTakeIsNamed(t *testing.T) {
	h := newHouse(t, nil)
	h.say("1 kg tur dal")
	if said := h.say("card se dunga"); !strings.Contains(said, "card nahi leti") {
		t.Errorf("%q", said)
	}
}

func TestWhatCannotBeReadIsAnsweredOnceAndMarked(t *testing.T) {
	h := newHouse(t, nil)
	if said := h.say("voice"); !strings.Contains(said, "look at it") {
		t.Errorf("%q", said)
	}
	if said := h.say("voice"); said != "" {
		t.Errorf("answered again: %q", said)
	}
	c, err := h.rooms.CurrentConversation(t.Context(), "106540352242922", asha)
	h.must(err)
	if c.NeedsPersonSince == "" {
		t.Error("the conversation is not marked")
	}
	if said := h.say("1 kg tur dal"); !strings.Contains(said, "₹160") {
		t.Errorf("the assistant does not go on: %q", said)
	}
}

func TestWhatACustomerChangesSurvivesEveryCrashPoint(t *testing.T) {
	for name, says := range map[string][]string{
		"an addition to an order": {"2 kg kolam rice", "haan", "mere order me 1 namak bhi daal do", "haan"},
		"a cancellation":          {"2 kg kolam rice", "haan", "1 kg tur dal", "jo order kiya tha wo cancel kar do"},
		"an address and a place":  {"1 kg tur dal. pata: B-45 Sudama Nagar", "location", "haan"},
		"what cannot be read":     {"voice", "voice", "1 kg tur dal", "haan"},
	} {
		t.Run(name, func(t *testing.T) {
			var events []model.WebhookEvent
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: allTables,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					h := on(t, db, db.Client, noon)
					h.furnish(nil)
					events = h.messages(says...)
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					return on(t, nil, client, noon).receive(ctx, events)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

// A store that speaks another language answers in it. A customer who writes English is answered in English.
func TestAStoreAnswersInMarathi(t *testing.T) {
	h := newHouse(t, func(s *commercemodel.Store) { s.Settings.Languages = []string{"mr", "en"} })
	for _, turn := range []struct{ says, want string }{
		{"2 किलो कोलम चावल", "2 किलो कोलम चावल (खुला) – ₹124\nएकूण ₹124. ऑर्डर करू का?"},
		{"हो, पाठवा", "धन्यवाद! तुमची ₹124 ची ऑर्डर"}, {"in english please", "in English from now on"},
		{"1 kg tur dal", "Total ₹160"}, {"मराठीत", "एकूण ₹160"}, {"नको", "काही ऑर्डर केलेले नाही"},
	} {
		if said := h.say(turn.says); !strings.Contains(said, turn.want) {
			t.Fatalf("%q is answered %q, want %q", turn.says, said, turn.want)
		}
	}
}

// A message that asks for other goods confirms nothing, even if its words could say yes.
func TestAWishForOtherGoodsPlacesNothing(t *testing.T) {
	for says, placed := range map[string]int{
		"dal do": 0, "daal de do": 0,
		"dal bhej do": 0, "haan dal bhej do": 0, "दाल भेज दो": 0, "ice bhej do": 0, "baby bhej do": 0, "तीस भेज दो": 0,
		"लीक हो रहा है": 0, "rice bhej do": 1, "haan 4 kg chawal bhej do": 1, "order dal do": 1, "good, bhej do": 1,
	} {
		h := newHouse(t, nil)
		h.say("4 kg kolam rice")
		if said := h.say(says); len(h.orders()) != placed {
			t.Errorf("%q is answered %q: %d orders, want %d", says, said, len(h.orders()), placed)
		}
	}
}
