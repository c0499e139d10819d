package assistant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/addressform"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging/answers"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// asksByForm makes a store one that asks for addresses by its form.
func asksByForm(s *commercemodel.Store) {
	brings(s)
	s.Settings.Delivery.AddressFlow = "4711"
}

// fills returns the entry of the log of a customer who sends a form.
func (h *house) fills(id, name, answers string) []model.WebhookEvent {
	h.t.Helper()
	h.said++
	m := wt.Message(asha, id, "interactive", h.now, wt.Object{"interactive": wt.Object{
		"type": "nfm_reply", "nfm_reply": wt.Object{"name": name, "body": "Sent", "response_json": answers}}})
	events := h.logged(wt.Body(wt.Messages(wt.List{wt.Contact(asha, "Asha Rao")}, m)))
	return events[len(events)-1:]
}

// last returns what the assistant has said last.
func (h *house) last() model.Message {
	all := h.answers()
	return all[len(all)-1]
}

func TestAStoreAsksForTheAddressByItsForm(t *testing.T) {
	h := newHouse(t, asksByForm)
	h.say("1 kg tur dal")
	asked := string(h.last().Content)
	for _, part := range []string{`"flow_id":"4711"`, `"flow_token":"token"`, `"flow_action":"data_exchange"`} {
		if !strings.Contains(asked, part) {
			t.Fatalf("%s is missing in %s", part, asked)
		}
	}
	form, err := h.rooms.Forms.Find(t.Context(), "token")
	if err != nil || form.Form != addressform.Name || form.Customer != asha || form.CustomerPhone != asha {
		t.Fatalf("%+v, %v", form, err)
	}
	fill := h.rooms.Screens()[addressform.Name]
	first, err := fill(t.Context(), form, forms.Ask{Action: forms.Init})
	if err != nil || first.Name != "ADDRESS" || first.Done {
		t.Fatalf("%+v, %v", first, err)
	}
	screen := func(answers string) forms.Screen {
		t.Helper()
		next, err := fill(t.Context(), form, forms.Ask{
			Action: forms.Exchange, Screen: "ADDRESS", Data: whatsapp.ObjectOf([]byte(answers))})
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	again := screen(`{"address":"MG Road","postal_code":"0123","phone_number":"abc"}`)
	wrong, _ := again.Data["error_messages"].(map[string]any)
	if len(wrong) != 3 || wrong["city"] == nil || wrong["postal_code"] == nil || wrong["phone_number"] == nil {
		t.Errorf("%v", wrong)
	}
	done := screen(`{"address":"14 MG Road","house_number":"flat 3","city":"Pune","postal_code":"411 001","default":true}`)
	if !done.Done || done.Data["postal_code"] != "411001" || done.Data["form"] != "address_message" {
		t.Fatalf("%+v", done)
	}
	const sent = `{"form":"address_message","house_number":"flat 3","address":"14 MG Road","city":"Pune",` +
		`"postal_code":"411001","default":"true","flow_token":"token"}`
	h.must(h.receive(t.Context(), h.fills("wamid.form", "flow", sent)))
	said := h.last().TextBody + string(h.last().Content)
	if !strings.Contains(said, "To: flat 3, 14 MG Road, Pune, 411001") {
		t.Fatalf("answered %s", said)
	}
	if said := h.say("yes"); !strings.Contains(said, "is confirmed") {
		t.Fatal(said)
	}
	if placed := h.orders(); len(placed) != 1 || placed[0].DeliveryAddress != "flat 3, 14 MG Road, Pune, 411001" {
		t.Fatalf("%+v", placed)
	}
	// The form shows the default address, and the next order goes there.
	again, err = fill(t.Context(), form, forms.Ask{Action: forms.Init})
	if values, _ := again.Data["values"].(map[string]any); err != nil || values["address"] != "flat 3, 14 MG Road" {
		t.Errorf("%+v, %v", again, err)
	}
	of := contacts.KnownByKey(wt.Phone, asha)
	_, err = h.rooms.Answers.PutAddress(t.Context(), of, "office", answers.Place{Address: "1 Tower Lane", City: "Pune"})
	h.must(err)
	_, err = h.rooms.Answers.MakeDefault(t.Context(), of, "office")
	h.must(err)
	if said := h.say("1 kg tur dal"); !strings.Contains(said, "To: 1 Tower Lane, Pune") {
		t.Error(said)
	}
}

// A customer reads the form in the language in which they are answered.
func TestTheFormOpensInTheCustomersLanguage(t *testing.T) {
	for said, want := range map[string]string{"1 kg tur dal": "en", "एक किलो अरहर दाल चाहिए": "hi",
		"mujhe ek kilo arhar dal chahiye": "hi-Latn"} {
		h := newHouse(t, asksByForm)
		h.say(said)
		form, err := h.rooms.Forms.Find(t.Context(), "token")
		if err != nil || form.Language != want {
			t.Errorf("%s: %+v, %v", said, form, err)
			continue
		}
		screen, err := h.rooms.Screens()[addressform.Name](t.Context(), form, forms.Ask{Action: forms.Init})
		if label := screen.Data["label_city"]; err != nil || label != map[string]string{
			"en": "City", "hi": "शहर", "hi-Latn": "Sheher"}[want] {
			t.Errorf("%s: %v, %v", said, label, err)
		}
	}
}

// A store takes an address in words as well, and an address in WhatsApp's own form, even if haatline has not sent the
// form.
func TestAnAddressCountsHoweverItComes(t *testing.T) {
	h := newHouse(t, asksByForm)
	h.say("1 kg tur dal")
	h.must(h.receive(t.Context(), h.fills("wamid.form", "address_message",
		`{"values":{"name":"Asha","address":"14 MG Road","city":"Pune","in_pin_code":"411001"}}`)))
	if said := h.say("yes"); !strings.Contains(said, "is confirmed") {
		t.Fatal(said)
	}
	h = newHouse(t, asksByForm)
	h.say("1 kg tur dal")
	if said := h.say("14 MG Road, flat 3"); !strings.Contains(said, "To: 14 MG Road, flat 3") {
		t.Error(said)
	}
	h = newHouse(t, asksByForm)
	h.say("1 kg tur dal") // another form is none of the store's
	before := len(h.answers())
	h.must(h.receive(t.Context(), h.fills("wamid.form", "flow", `{"rating":"5"}`)))
	if len(h.answers()) != before {
		t.Errorf("another form is answered %+v", h.last())
	}
}

func TestAnOrderWithAFormSurvivesEveryCrashPoint(t *testing.T) {
	var events []model.WebhookEvent
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: allTables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			h := on(t, db, db.Client, noon)
			h.furnish(asksByForm)
			events = append(h.messages("1 kg tur dal"), h.fills("wamid.form", "flow",
				`{"form":"address_message","address":"14 MG Road","city":"Pune","postal_code":"411001"}`)...)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return on(t, nil, client, noon).receive(ctx, events)
		},
	})
	t.Logf("%d crash points", points)
}
