package campaigns_test

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// shows receives a message of a customer who shows a number, a user id, or both.
func (w *world) shows(number model.CustomerID, userID string, ago time.Duration) {
	w.t.Helper()
	at := w.clock.Now().Add(-ago)
	contact := wt.Object{"profile": wt.Object{"name": "Asha"}}
	message := wt.Text(string(number), "wamid.in."+ago.String(), "hello", at)
	if number != "" {
		contact["wa_id"] = string(number)
	} else {
		delete(message, "from")
	}
	if userID != "" {
		contact["user_id"], message["from_user_id"] = userID, userID
	}
	w.receives(wt.Messages(wt.List{contact}, message))
}

// moves receives WhatsApp's notice that a customer has another number.
func (w *world) moves(from, to model.CustomerID, ago time.Duration) {
	w.t.Helper()
	w.receives(wt.Messages(nil, wt.Message(string(from), "wamid.in."+ago.String(), "system", w.clock.Now().Add(-ago),
		wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": string(to), "body": "moved"}})))
}

func (w *world) receives(change wt.Object) {
	w.t.Helper()
	for _, item := range messagingtest.Logged(w.t, w.db, w.clock.Now, wt.Body(change)) {
		var event model.WebhookEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			w.t.Fatal(err)
		}
		if err := w.MessageReader(w.OptOut()).Apply(w.t.Context(), event); err != nil {
			w.t.Fatal(err)
		}
	}
}

// A file may name one person by the number, by the user id, and by a number that is somebody else's by now.
func TestAPersonWithSeveralNamesGetsTheMessageOnce(t *testing.T) {
	for name, lists := range map[string][][]model.CustomerID{
		"in one batch":    {{person(1), "IN.1", person(4), person(2), person(3)}},
		"in two lists":    {{"IN.1", person(2)}, {person(1), person(3), person(4)}},
		"the other order": {{person(3), person(2)}, {person(4), person(1), "IN.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.shows(person(1), "", 9*time.Hour) // one person
			w.shows(person(1), "IN.1", 8*time.Hour)
			w.shows(person(2), "", 7*time.Hour)
			w.moves(person(2), person(4), 6*time.Hour) // another one, whose number is somebody else's by now
			w.shows(person(2), "", 5*time.Hour+time.Minute)
			w.shows(person(3), "", 5*time.Hour) // two conversations that have become one
			w.shows("", "IN.3", 4*time.Hour)
			w.shows(person(3), "IN.3", 3*time.Hour)
			c := w.campaign(facts(), 0)
			for i, names := range lists {
				var all []model.CampaignRecipient
				for _, to := range names {
					all = append(all, model.CampaignRecipient{To: to, Values: []string{"Asha"}})
				}
				w.add(c, model.Name("list-"+string(rune('1'+i))), all)
			}
			w.add(c, "list-9", []model.CampaignRecipient{{To: "IN.3", Values: []string{"Asha"}}})
			w.start(c)
			got := w.until(c, model.CampaignCompleted)
			by, _ := w.recount(c)
			for i := range 4 {
				if to := string(person(i + 1)); w.sent.to[to] != 1 {
					t.Errorf("%d messages to %s", w.sent.to[to], to)
				}
			}
			if len(w.sent.at) != 4 || got.Skipped["same_person"] != 2 || got.SentCount != 4 ||
				by[campaigns.OutcomeSent] != 4 || by[campaigns.OutcomeSkipped] != 2 {
				t.Errorf("%d messages to %v: %v, %v", len(w.sent.at), w.sent.to, got.Skipped, by)
			}
		})
	}
}

// Meta writes numbers of some countries in two forms. A file may have both, before anybody has written.
func TestAPersonWhoseNumberHasTwoFormsGetsTheMessageOnce(t *testing.T) {
	for name, lists := range map[string][][]model.CustomerID{
		"in Mexico":    {{"5215512345678", "525512345678"}},
		"in Brazil":    {{"551187654321", person(1), "5511987654321"}},
		"in Argentina": {{"541123456789", person(1)}, {person(2), "5491123456789"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := w.campaign(facts(), 0)
			want := -1
			for i, names := range lists {
				var all []model.CampaignRecipient
				for _, to := range names {
					all = append(all, model.CampaignRecipient{To: to, Values: []string{"Asha"}})
				}
				want += len(all)
				w.add(c, model.Name("list-"+string(rune('1'+i))), all)
			}
			w.start(c)
			got := w.until(c, model.CampaignCompleted)
			if len(w.sent.at) != want || got.SentCount != int64(want) || got.TotalRecipients != int64(want) {
				t.Errorf("messages to %v: %+v", w.sent.to, got)
			}
		})
	}
}
