package messaging_test

import (
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// shows receives a message of a customer who shows a number, a user id, or both.
func (w *fixture) shows(number, userID, id string, minutesAgo int) {
	w.t.Helper()
	contact, message := wt.Object{"profile": wt.Object{"name": "Asha"}}, wt.Text(number, id, "hello", ago(minutesAgo))
	if number != "" {
		contact["wa_id"] = number
	} else {
		delete(message, "from")
	}
	if userID != "" {
		contact["user_id"], message["from_user_id"] = userID, userID
	}
	if err := w.post(wt.Messages(wt.List{contact}, message)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *fixture) system(id string, minutesAgo int, from string, system wt.Object) {
	w.t.Helper()
	message := wt.Message(from, id, "system", ago(minutesAgo), wt.Object{"system": system})
	if from == "" {
		delete(message, "from")
	}
	if err := w.post(wt.Messages(nil, message)); err != nil {
		w.t.Fatal(err)
	}
}

func TestOnePersonHasOneConversationWhateverTheyShow(t *testing.T) {
	w := newFixture(t)
	w.shows(asha, "", "wamid.1", 9)
	w.shows(asha, "IN.7", "wamid.2", 8)
	w.shows("", "IN.7", "wamid.3", 7)
	if got := w.inbox(); !slices.Equal(got, []model.CustomerID{asha}) {
		t.Fatalf("inbox: %v", got)
	}
	if c := w.conversation(asha); c.UnreadCount != 3 || c.UserID != "IN.7" {
		t.Errorf("conversation: %+v", c)
	}
}

func TestPeopleWithoutNumbersAreNotMerged(t *testing.T) {
	w := newFixture(t)
	w.shows("", "IN.7", "wamid.1", 9)
	w.shows("", "IN.8", "wamid.2", 8)
	if got := w.inbox(); len(got) != 2 {
		t.Errorf("inbox: %v", got)
	}
	if c := w.conversation("IN.7"); c.From != "IN.7" {
		t.Errorf("answers go to %q", c.From)
	}
}

func TestANumberShownLaterBecomesTheAddress(t *testing.T) {
	w := newFixture(t)
	w.shows("", "IN.7", "wamid.1", 9)
	w.shows(asha, "IN.7", "wamid.2", 8)
	if c := w.conversation("IN.7"); c.From != asha || c.UnreadCount != 2 {
		t.Errorf("conversation: %+v", c)
	}
	w.shows(asha, "", "wamid.3", 7)
	if got := w.inbox(); !slices.Equal(got, []model.CustomerID{"IN.7"}) {
		t.Errorf("inbox: %v", got)
	}
}

func TestTwoConversationsOfOnePersonBecomeOne(t *testing.T) {
	w := newFixture(t)
	w.shows(asha, "", "wamid.1", 9)
	w.shows("", "IN.7", "wamid.2", 8)
	w.shows(asha, "IN.7", "wamid.3", 7)
	if got := w.inbox(); !slices.Equal(got, []model.CustomerID{asha}) {
		t.Fatalf("inbox: %v", got)
	}
	if c := w.conversation(asha); c.UnreadCount != 3 ||
		!slices.Equal(c.MergedFrom, []string{"CONV#" + wt.Phone + "#IN.7"}) {
		t.Errorf("older: %+v", c)
	}
	if c := w.conversation("IN.7"); c.MergedInto != "CONV#"+wt.Phone+"#"+asha {
		t.Errorf("younger: %+v", c)
	}
	if got := w.timeline(asha); !slices.Equal(got, []model.MessageID{"wamid.3", "wamid.2", "wamid.1"}) {
		t.Errorf("timeline: %v", got)
	}
	w.shows("", "IN.7", "wamid.4", 6)
	if c := w.conversation(asha); c.UnreadCount != 4 {
		t.Errorf("%d unread", c.UnreadCount)
	}
}

func TestAChangedUserIDStaysTheSamePerson(t *testing.T) {
	for name, tell := range map[string]func(w *fixture){
		"by a system message": func(w *fixture) {
			w.system("wamid.sys", 8, "",
				wt.Object{"type": "user_changed_user_id", "previous_user_id": "IN.1", "user_id": "IN.2"})
		},
		"by a field of its own": func(w *fixture) {
			change := wt.Object{"user_id": wt.Object{"previous": "IN.1", "current": "IN.2"}}
			if err := w.post(
				wt.Change("user_id_update",
					wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone},
						"user_id_update": wt.List{change}})); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.shows("", "IN.1", "wamid.1", 9)
			tell(w)
			w.shows("", "IN.2", "wamid.2", 7)
			if got := w.inbox(); !slices.Equal(got, []model.CustomerID{"IN.1"}) {
				t.Errorf("inbox: %v", got)
			}
			if c := w.conversation("IN.1"); c.UnreadCount != 2 {
				t.Errorf("%d unread: a notice is no message", c.UnreadCount)
			}
		})
	}
}

func TestAGivenUpNumberBelongsToItsNextOwner(t *testing.T) {
	const before, after = asha, "917000000001"
	w := newFixture(t)
	w.shows(before, "", "wamid.1", 30)
	w.system("wamid.sys", 20, before, wt.Object{"type": "user_changed_number", "wa_id": after})
	w.shows(after, "", "wamid.2", 10)  // the person, with the new number
	w.shows(before, "", "wamid.3", 9)  // the next owner, with the old number
	w.shows(before, "", "wamid.4", 25) // the person, from before, delivered late
	if got := w.timeline(before); !slices.Equal(got, []model.MessageID{"wamid.2", "wamid.sys", "wamid.4", "wamid.1"}) {
		t.Errorf("the person's timeline: %v", got)
	}
	if c := w.conversation(before); c.From != after {
		t.Errorf("answers to the person go to %s", c.From)
	}
	inbox := w.inbox()
	if len(inbox) != 2 {
		t.Fatalf("inbox: %v", inbox)
	}
	stranger := inbox[0]
	if c := w.conversation(stranger); c.From != before || c.UnreadCount != 1 || stranger == before {
		t.Errorf("the stranger: %s %+v", stranger, c)
	}
}

func TestTheContactsNumberMayDifferFromTheSenders(t *testing.T) {
	w := newFixture(t)
	if err := w.post(
		wt.Messages(wt.List{wt.Contact("5511988887777", "Ana")},
			wt.Text("551188887777", "wamid.1", "oi", ago(2)))); err != nil {
		t.Fatal(err)
	}
	w.says("551188887777", "wamid.2", "oi?", 1)
	if got := w.inbox(); !slices.Equal(got, []model.CustomerID{"5511988887777"}) {
		t.Errorf("inbox: %v", got)
	}
}
