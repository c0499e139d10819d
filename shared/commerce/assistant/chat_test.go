package assistant_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/assistant"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// conversations are what a customer says and what the answer must hold: lines with > and <. "nothing" is no answer. The
// last line, with =, is what was ordered; "= nothing" is no order.
var conversations = map[string]string{
	"an order in three turns": `
> 2 kg chawal aur ek namak
< chawal mein kya chahiye
> kolam wala
< 2 kilo Kolam Rice (loose) – ₹124
> haan
< pakka ho gaya
= 1 Catch Salt 1 kg, 2 Kolam Rice (loose): 151.00 confirmed`,
	"buttons and rows": `
> rice 1 kg
< Which
> tap Daawat Basmati Rice 1 kg
< Total ₹165
> tap Yes
< confirmed
= 1 Daawat Basmati Rice 1 kg: 165.00 confirmed`,
	"a tap on what is not so any more shows how it is now": `
> 1 kg tur dal
< ₹160
> aur 1 kg tur dal
< 2 kilo
> tap Haan
< pakka
= 2 Tur Dal: 320.00 confirmed`,
	"a cart, at the store's prices": `
> cart SALT-1
< ₹54
> haan
< pakka
= 2 Catch Salt 1 kg: 54.00 confirmed`,
	"a cart of what is not sold": `
> cart GOLD
< GOLD
= nothing`,
	"a quantity is asked for": `
> तुअर दाल भेज दो
< तुअर दाल कितना
> 2 किलो
< 2 किलो तुअर दाल
> हाँ
< पक्का
= 2 Tur Dal: 320.00 confirmed`,
	"corrections, more and less": `
> 1 kg tur dal
< ₹160
> nahi 3 kg karo
< 3 kilo Tur Dal
> ek namak aur
< Catch Salt
> namak nahi chahiye
< 3 kilo Tur Dal – ₹480
Kul ₹480
> haan ji
< pakka
= 3 Tur Dal: 480.00 confirmed`,
	"so many rupees' worth": `
> 50 ka dhaniya
< ₹50 Coriander Powder
> yes
< 50
= 0.25 Coriander Powder: 50.00 confirmed`,
	"what is not sold": `
> 2 kg quinoa and 1 kg tur dal
< We do not have
> yes
< confirmed
= 1 Tur Dal: 160.00 confirmed`,
	"more than there is": `
> 8 kg tur dal
< only 5 kg left
> yes
< confirmed
= 5 Tur Dal: 800.00 confirmed`,
	"what is gone": `
> daawat basmati 5 kg packet 1
< out of stock
= nothing`,
	"a no": `
> 1 kg tur dal
< ₹160
> nahi rehne do
< kuch bhi order nahi kiya
> haan
< kuch nahi hai
= nothing`,
	"cancelled, and ordered again": `
> 1 kg tur dal
< ₹160
> haan
< pakka
> order cancel kar do
< cancel kar diya
> mera order kahan hai
< cancel ho gaya
> wahi pichla order bhej do
< 1 kilo Tur Dal
= 1 Tur Dal: 160.00 cancelled`,
	"questions": `
> tur dal ka kya bhav hai
< Tur Dal: ₹160
> namak hai kya
< Haan, hai: Catch Salt
> hello
< Namaste! Yeh Rao Kirana hai
= nothing`,
	"a yes that adds one more is no yes yet": `
> 1 catch salt
< ₹27
> yes! and 1 salt
< 2 pack
= nothing`,
	"how the goods are packed is no price": `
> 1 kg kolam rice
< ₹62
> 2 kg kolam rice, thaili me dena
< ₹124
> haan
< pakka
= 2 Kolam Rice (loose): 124.00 confirmed`,
	"a price that is offered orders nothing": `
> 1 kg kolam rice
< ₹62
> 50 rs me de do
< ₹62
> haan
< pakka
= 1 Kolam Rice (loose): 62.00 confirmed`,
	"other goods beside a word on the price are ordered": `
> 1 kg tur dal
< ₹160
> mehnga hai, 2 kg chawal bhi do
< chawal mein kya chahiye
= nothing`,
	"a person, on request": `
> kisi aadmi se baat karni hai
< koi aapko yahin jawab dega
> 1 kg tur dal
< nothing
= nothing`,
	"a cart of too many lines is for a person": `
> 2 kg kolam rice
< Total ₹124
> cart of 101 lines
< Somebody from Rao Kirana
> yes
< nothing
= nothing`,
	"a person, after two misunderstandings": `
> blorp frumble wexit
< did not understand
> krzt vlomp
< Somebody from Rao Kirana
> hello
< nothing
= nothing`,
	"one misunderstanding, and on it goes": `
> blorp frumble wexit
< did not understand
> 1 kg tur dal
< ₹160
> blorp frumble wexit
< did not understand
= nothing`,
}

func TestAConversationEndsInTheOrderThatTheCustomerMeans(t *testing.T) {
	for name, script := range conversations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, nil)
			answer := ""
			for _, line := range strings.Split(strings.TrimSpace(strings.ReplaceAll(script, "\nKul", " Kul")), "\n") {
				text := line[2:]
				switch line[0] {
				case '>':
					answer = h.say(text)
				case '<':
					shown := strings.ReplaceAll(answer, "\nKul", " Kul")
					if text == "nothing" && answer != "" || text != "nothing" && !strings.Contains(shown, text) {
						t.Fatalf("want %q, have %q", text, answer)
					}
				case '=':
					if got := ordered(h.orders()); got != text {
						t.Errorf("ordered %s, want %s", got, text)
					}
				}
			}
		})
	}
}

// ordered says what was ordered.
func ordered(all []commercemodel.Order) string {
	var said []string
	for _, o := range all {
		var lines []string
		for _, l := range o.Items {
			lines = append(lines, l.Quantity.String()+" "+l.Name)
		}
		said = append(said, fmt.Sprintf("%s: %s %s", strings.Join(lines, ", "), o.TotalAmount.StringFixed(2), o.Status))
	}
	if said == nil {
		return "nothing"
	}
	return strings.Join(said, "; ")
}

func TestAnOrderByChatSurvivesEveryCrashPoint(t *testing.T) {
	var events []model.WebhookEvent
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: allTables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			h := on(t, db, db.Client, noon)
			h.furnish(nil)
			events = h.messages("2 kg kolam rice", "aur 1 namak", "haan")
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			h := on(t, nil, client, noon)
			return h.receive(ctx, events)
		},
	})
	t.Logf("%d crash points", points)
}

// Two messages that are dealt with at once end in one session, in which both have had their effect.
func TestMessagesAtOnceMakeOneSession(t *testing.T) {
	h := newHouse(t, nil)
	events := h.messages("1 kg tur dal", "2 kg kolam rice")
	var all sync.WaitGroup
	for _, event := range events {
		all.Go(func() {
			if err := on(t, h.db, h.db.Client, noon).receive(t.Context(), []model.WebhookEvent{event}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	sessions := h.db.Items(t, tables.Sessions)
	var s commercemodel.Session
	h.must(dynamo.Unmarshal(sessions[0], &s))
	if len(sessions) != 1 || s.Context.CurrentOrder == nil || len(s.Context.CurrentOrder.Lines) != 2 ||
		len(h.answers()) != 2 {
		t.Errorf("%d sessions, %+v, %d answers", len(sessions), s.Context, len(h.answers()))
	}
}

func TestAStrangerToTheStoreIsNotAnswered(t *testing.T) {
	for name, change := range map[string]func(s *commercemodel.Store){
		"the assistant is off": func(s *commercemodel.Store) { s.Settings.Assistant = false },
		"no number":            func(s *commercemodel.Store) { s.PhoneNumberIDs = nil },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, change)
			if said := h.say("2 kg kolam rice"); said != "" || len(h.db.Items(t, tables.Sessions)) != 0 {
				t.Errorf("answered %q", said)
			}
		})
	}
}

// A late message is left to people, because an answer would surprise the customer.
func TestAnOldMessageIsNotAnswered(t *testing.T) {
	h := newHouse(t, nil)
	events := h.messages("2 kg kolam rice")
	h.now = noon.Add(2 * time.Hour)
	h.must(h.receive(t.Context(), events))
	if all := h.answers(); len(all) != 0 {
		t.Errorf("%d answers", len(all))
	}
}

func TestASessionIsForgottenAfterHalfAnHour(t *testing.T) {
	h := newHouse(t, nil)
	h.say("1 kg tur dal")
	h.now = noon.Add(31 * time.Minute)
	if said := h.say("haan"); !strings.Contains(said, "kuch nahi hai") || len(h.orders()) != 0 {
		t.Errorf("answered %q, %d orders", said, len(h.orders()))
	}
}

func TestAFloodMutesTheAssistantAndNotTheInbox(t *testing.T) {
	h := newHouse(t, nil)
	for range assistant.Limit.PerMinute {
		if h.say("tur dal ka bhav") == "" {
			t.Fatal("muted too early")
		}
	}
	for range 3 {
		if said := h.say("tur dal ka bhav"); said != "" {
			t.Errorf("answered %q", said)
		}
	}
	var limit struct{ Count int64 }
	for _, item := range h.db.Items(t, tables.RateLimits) {
		if dynamo.Text(item, "window") == "minute" {
			h.must(dynamo.Unmarshal(item, &limit))
		}
	}
	c, err := h.rooms.CurrentConversation(t.Context(), wt.Phone, asha)
	h.must(err)
	if want := int(assistant.Limit.PerMinute) + 3; c.UnreadCount != want || limit.Count != assistant.Limit.PerMinute {
		t.Errorf("%d unread of %d, counted %d", c.UnreadCount, want, limit.Count)
	}
	h.now = noon.Add(2 * time.Minute)
	if h.say("tur dal ka bhav") == "" {
		t.Error("still muted in the next minute")
	}
}

func TestAPersonHandsBack(t *testing.T) {
	h := newHouse(t, nil)
	store := h.furnished()
	h.say("kisi aadmi se baat karni hai")
	c, err := h.rooms.CurrentConversation(t.Context(), wt.Phone, asha)
	h.must(err)
	if c.NeedsPersonSince == "" {
		t.Error("the conversation is not marked")
	}
	h.now = noon.Add(24 * time.Hour)
	if said := h.say("1 kg tur dal"); said != "" {
		t.Errorf("answered %q", said)
	}
	for range 2 {
		if _, err := h.shop.HandBack(t.Context(), store, asha); err != nil {
			t.Fatal(err)
		}
	}
	c, err = h.rooms.CurrentConversation(t.Context(), wt.Phone, asha)
	h.must(err)
	if said := h.say("1 kg tur dal"); !strings.Contains(said, "₹160") || c.NeedsPersonSince != "" {
		t.Errorf("answered %q, marked %q", said, c.NeedsPersonSince)
	}
}

func TestOutsideOpeningHoursTheOrderIsForTheOpening(t *testing.T) {
	h := newHouse(t, func(s *commercemodel.Store) {
		s.Settings.BusinessHours = map[string]commercemodel.Hours{"monday": {Open: "08:00", Close: "21:00"}}
		minimum := model.Amount{}
		minimum.Decimal = minimum.Add(store100)
		s.Settings.MinOrderAmount = &minimum
		s.Settings.Texts = map[string]map[string]string{"order_confirmed": {"en": "Done: {number}"}}
	})
	if said := h.say("1 packet salt"); !strings.Contains(said, "We take orders of ₹100 or more. Yours comes to ₹27.") {
		t.Errorf("%q", said)
	}
	if said := h.say("and 1 kg tur dal please"); !strings.Contains(said, "open at 23.11. 08:00") {
		t.Errorf("%q", said)
	}
	if said := h.say("yes please"); !strings.HasPrefix(said, "Done: ORD-20261121-") {
		t.Errorf("%q", said)
	}
	if o := h.orders(); len(o) != 1 || o[0].CustomerName != "Asha Rao" || o[0].OpensAt != "2026-11-23T02:30:00.000Z" ||
		o[0].Intent != "order_create" || len(o[0].Entities) == 0 || o[0].Confidence == nil {
		t.Errorf("%+v", o)
	}
}
