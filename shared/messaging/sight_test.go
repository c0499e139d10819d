package messaging_test

import (
	"context"
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// Whatever shows a person's identifiers together leads all of them to one conversation.
func TestAPersonHasOneConversationHoweverTheirIdentifiersShow(t *testing.T) {
	t.Parallel()
	const dialled, answers, userID, parent = "5511987654321", "551187654321", "BR.1", "BR.ENT.9"
	from := func(userID string, id string, minutes int, more wt.Object) wt.Object {
		m := wt.Text("", id, "hello", ago(minutes))
		delete(m, "from")
		m["from_user_id"] = userID
		for name, value := range more {
			m[name] = value
		}
		return m
	}
	for name, story := range map[string]func(w *fixture) []string{
		"a status shows the number that answers, and the user id": func(w *fixture) []string {
			w.says(dialled, "wamid.0", "hi", 20)
			accepted := w.accept(dialled)
			status := func(kind string) wt.Object {
				change := wt.Statuses(
					wt.Status("wamid.1", kind, answers, ago(9),
						wt.Object{"recipient_user_id": userID,
							"biz_opaque_callback_data": accepted.OutboxEventID + ".token"}))
				change["value"].(wt.Object)["contacts"] = wt.List{
					wt.Object{"wa_id": answers, "user_id": userID, "parent_user_id": parent}}
				return change
			}
			w.posts(status("sent"))
			return w.sightedBy(userID, answers, parent)
		},
		"a message shows the parent company's user id": func(w *fixture) []string {
			w.posts(wt.Messages(nil, from(userID, "wamid.1", 9, wt.Object{"from_parent_user_id": parent})))
			return w.sightedBy(userID, parent)
		},
		"a customer shares the number that they have hidden": func(w *fixture) []string {
			w.posts(wt.Messages(nil, from(userID, "wamid.1", 9, nil)))
			shared := wt.Object{
				"type": "contacts",
				"contacts": wt.List{
					wt.Object{"origin": "contact_request",
						"phones": wt.List{wt.Object{"phone": "+55 11 98765-4321", "wa_id": dialled}}}}}
			w.posts(wt.Messages(nil, from(userID, "wamid.2", 8, shared)))
			if c := w.conversation(userID); c.From != dialled {
				t.Errorf("answers go to %s", c.From)
			}
			return w.sightedBy(userID, dialled)
		},
		"a change of the user id changes the parent company's, too": func(w *fixture) []string {
			w.posts(wt.Messages(nil, from("BR.0", "wamid.1", 9, wt.Object{"from_parent_user_id": "BR.ENT.0"})))
			notice := from("", "wamid.2", 8, wt.Object{"type": "system", "system": wt.Object{
				"type": "user_changed_user_id", "previous_user_id": "BR.0", "user_id": userID,
				"previous_parent_user_id": "BR.ENT.0", "parent_user_id": parent,
			}})
			delete(notice, "from_user_id")
			w.posts(wt.Messages(nil, notice))
			return w.sightedBy(userID, parent)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			if all := story(w); len(slices.Compact(all)) != 1 {
				t.Errorf("they lead to %v", all)
			}
		})
	}
}

// posts receives changes that all can be used.
func (w *fixture) posts(changes ...wt.Object) {
	w.t.Helper()
	if err := w.post(changes...); err != nil {
		w.t.Fatal(err)
	}
}

// sightedBy has each identifier write, and returns the conversations in which the messages are.
func (w *fixture) sightedBy(ids ...string) []string {
	w.t.Helper()
	var conversations []string
	for i, id := range ids {
		wamid := "wamid.by." + id
		m := wt.Text(id, wamid, "hello", ago(5-i))
		if model.CustomerID(id)[0] > '9' {
			delete(m, "from")
			m["from_user_id"] = id
		}
		w.posts(wt.Messages(nil, m))
		conversations = append(conversations, w.message(model.MessageID(wamid)).ConversationPK)
	}
	return conversations
}

// recipientIs takes every message, and names its recipient as WhatsApp does.
type recipientIs []string

func (r recipientIs) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	return whatsapp.Taken{ID: "wamid.1", Recipient: r}, nil
}

func TestTheAnswerToASendNamesTheCustomer(t *testing.T) {
	t.Parallel()
	s := newSendings(t)
	accepted := s.accept("5511987654321")
	s.relay.Handlers = s.Handlers(recipientIs{"551187654321", "BR.1"})
	if err := s.relay.Deliver(t.Context(), s.event(accepted.OutboxEventID)); err != nil {
		t.Fatal(err)
	}
	s.shows("wamid.1", "sent", s.callback(accepted),
		func(status, _ wt.Object) { status["recipient_id"] = "551187654321" })
	all := append(s.sightedBy("BR.1", "551187654321"), s.message("wamid.1").ConversationPK)
	if len(slices.Compact(all)) != 1 {
		t.Errorf("they lead to %v", all)
	}
}
