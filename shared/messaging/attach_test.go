package messaging_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func editOf(original, text string) wt.Object {
	return wt.Object{
		"edit": wt.Object{
			"original_message_id": original, "message": wt.Object{"type": "text", "text": wt.Object{"body": text}}}}
}

func revokeOf(original string) wt.Object {
	return wt.Object{"revoke": wt.Object{"original_message_id": original}}
}

func reactionTo(original, emoji string) wt.Object {
	return wt.Object{"reaction": wt.Object{"message_id": original, "emoji": emoji}}
}

// A message, its edits, its deletion and reactions to it end in the same state in every order in which they arrive, and
// also if each comes twice.
func TestChangesOfAMessageEndAlikeInEveryOrder(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for name, c := range map[string]struct {
		changes []wt.Object
		want    model.Message
	}{
		"edits": {[]wt.Object{
			wt.Message("", ".e1", "edit", ago(8), editOf("", "2 kg")),
			wt.Message("", ".e2", "edit", ago(7), editOf("", "3 kg")),
		}, model.Message{TextBody: "3 kg", Preview: "3 kg", EditedAt: model.At(ago(7))}},
		"an edit and a deletion before it": {[]wt.Object{
			wt.Message("", ".r", "revoke", ago(9), revokeOf("")),
			wt.Message("", ".e2", "edit", ago(7), editOf("", "3 kg")),
		}, model.Message{Preview: model.RevokedPreview, RevokedAt: model.At(ago(9))}},
		"reactions, the last taken back": {[]wt.Object{
			wt.Message("", ".x1", "reaction", ago(8), reactionTo("", "👍")),
			wt.Message("", ".x2", "reaction", ago(7), reactionTo("", "🙏")),
			wt.Message("", ".x3", "reaction", ago(6), reactionTo("", "")),
		}, model.Message{TextBody: "1 kg", Preview: "1 kg"}},
		"a reaction": {[]wt.Object{
			wt.Message("", ".x1", "reaction", ago(8), reactionTo("", "👍")),
			wt.Message("", ".x2", "reaction", ago(7), reactionTo("", "🙏")),
		}, model.Message{TextBody: "1 kg", Preview: "1 kg", Reactions: []model.Reaction{{Emoji: "🙏"}}}},
	} {
		for round := range 2 { // in order, and backwards
			customer := fmt.Sprintf("91987654%02d%02d", len(name), round)
			id := "wamid." + customer
			bodies := []wt.Object{wt.Text(customer, id, "1 kg", ago(10))}
			for _, change := range c.changes {
				bodies = append(bodies, aimedAt(change, customer, id))
			}
			if round == 1 {
				slices.Reverse(bodies)
			}
			for i, body := range slices.Concat(bodies, bodies) {
				change := wt.Messages(wt.List{wt.Contact(customer, "Asha")}, body)
				change["value"].(wt.Object)["copy"] = i / len(bodies) // another entry of the log
				if err := w.post(change); err != nil {
					t.Fatal(err)
				}
			}
			got := w.message(model.MessageID(id))
			shown := model.Message{
				TextBody: got.TextBody, Preview: got.Preview, EditedAt: got.EditedAt, RevokedAt: got.RevokedAt,
				Reactions: got.ShownReactions()}
			same := cmp.Options{
				cmpopts.IgnoreFields(model.Reaction{}, "Order", "MessagePK", "By", "Phone"), cmpopts.EquateEmpty(),
				cmp.Comparer(func(a, b model.Time) bool {
					return a == b ||
						a != "" && b != "" && a.Go().Truncate(time.Second).Equal(b.Go().Truncate(time.Second))
				}),
			}
			if diff := cmp.Diff(c.want, shown, same); diff != "" {
				t.Errorf("%s, round %d: %s", name, round, diff)
			}
			conversation := w.conversation(model.CustomerID(customer))
			if conversation.UnreadCount != 1 || conversation.LastPreview != c.want.Preview ||
				len(w.timeline(model.CustomerID(customer))) != 1 {
				t.Errorf("%s, round %d: %d unread, shows %q, timeline %v", name, round, conversation.UnreadCount,
					conversation.LastPreview, w.timeline(model.CustomerID(customer)))
			}
		}
	}
}

// aimedAt returns a change of a customer's message.
func aimedAt(change wt.Object, customer, original string) wt.Object {
	body := wt.Object{}
	for name, value := range change {
		body[name] = value
	}
	body["from"], body["id"] = customer, original+change["id"].(string)
	for kind, name := range map[string]string{
		"edit": "original_message_id", "revoke": "original_message_id", "reaction": "message_id"} {
		if content, there := change[kind].(wt.Object); there {
			aimed := wt.Object{}
			for name, value := range content {
				aimed[name] = value
			}
			aimed[name] = original
			body[kind] = aimed
		}
	}
	return body
}

// Nobody changes what somebody else has said. The attempt is a message of its own, which says what is wrong with it.
func TestAChangeThatIsNotTheSendersIsKeptApart(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.says(asha, "wamid.1", "2 kg rice", 10)
	const stranger = "919811111111"
	for id, m := range map[string]wt.Object{
		"wamid.e": wt.Message(stranger, "wamid.e", "edit", ago(5), editOf("wamid.1", "20 kg rice")),
		"wamid.r": wt.Message(stranger, "wamid.r", "revoke", ago(4), revokeOf("wamid.1")),
		"wamid.x": wt.Message(stranger, "wamid.x", "reaction", ago(3), reactionTo("wamid.1", "👎")),
		"wamid.n": wt.Message(stranger, "wamid.n", "edit", ago(2), wt.Object{"edit": wt.Object{}}),
	} {
		if err := w.post(wt.Messages(nil, m)); err != nil {
			t.Fatal(err)
		}
		if got := w.message(model.MessageID(id)); len(got.Errors) != 1 || got.Errors[0].Code != model.CodeRemark ||
			got.Preview == "" {
			t.Errorf("%s: %+v", id, got)
		}
	}
	if got := w.message("wamid.1"); got.TextBody != "2 kg rice" || got.RevokedAt != "" ||
		len(got.Reactions)+len(got.Versions) > 0 {
		t.Errorf("the message: %+v", got)
	}
	if c := w.conversation(stranger); c.UnreadCount != 0 || c.WindowExpiresAt != "" || len(w.timeline(stranger)) != 4 {
		t.Errorf("the stranger's conversation: %+v", c)
	}
}

// Reactions of the customer and the business, and changes that the business makes on its phone, stand on the message.
func TestReactionsOfBothSidesStandOnTheMessage(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.says(asha, "wamid.1", "2 kg rice", 10)
	echo := func(id, kind string, minutes int, more wt.Object) wt.Object {
		change := wt.Messages(nil, wt.Message(wt.Display, id, kind, ago(minutes), more))
		value := change["value"].(wt.Object)
		value["messages"].([]any)[0].(wt.Object)["to"] = asha
		value["message_echoes"] = value["messages"]
		delete(value, "messages")
		change["field"] = "smb_message_echoes"
		return change
	}
	for _, change := range []wt.Object{
		echo("wamid.2", "text", 9, wt.Object{"text": wt.Object{"body": "yes"}}),
		echo("wamid.3", "reaction", 8, reactionTo("wamid.1", "👍")),
		wt.Messages(nil, wt.Message(asha, "wamid.4", "reaction", ago(7), reactionTo("wamid.1", "🙏"))),
		echo("wamid.5", "revoke", 6, revokeOf("wamid.2")),
		echo("wamid.6", "revoke", 5, revokeOf("wamid.1")), // not the business's to delete
	} {
		if err := w.post(change); err != nil {
			t.Fatal(err)
		}
	}
	var emoji []string
	for _, r := range w.message("wamid.1").ShownReactions() {
		emoji = append(emoji, fmt.Sprintf("%t%s", len(r.By) > 0, r.Emoji))
	}
	if !slices.Equal(emoji, []string{"false👍", "true🙏"}) || w.message("wamid.1").RevokedAt != "" {
		t.Errorf("reactions: %v", emoji)
	}
	if m := w.message("wamid.2"); m.RevokedAt == "" || m.TextBody != "" {
		t.Errorf("deleted by the business: %+v", m)
	}
	if m := w.message("wamid.4"); m.PK != "MSG#wamid.1" {
		t.Errorf("the id of a reaction leads to %s", m.PK)
	}
}

// inNumber returns a change as another number gets it.
func inNumber(phone, display string, change wt.Object) wt.Object {
	change["value"].(wt.Object)["metadata"] = wt.Object{"phone_number_id": phone, "display_phone_number": display}
	return change
}

// A change that comes before its message is checked when the message comes, as if it had come after it.
func TestAChangeThatIsNotTheSendersAndComesFirstChangesNothing(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	const stranger, other, otherDisplay = "919811111111", "209999888877776", "15559990000"
	echo := func(from, to, id, kind string, more wt.Object) wt.Object {
		m := wt.Message(from, id, kind, ago(5), more)
		m["to"] = to
		return wt.Change("smb_message_echoes",
			wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone, "display_phone_number": wt.Display},
				"message_echoes": wt.List{m}})
	}
	for _, change := range []wt.Object{
		wt.Messages(nil, wt.Message(stranger, "wamid.x", "reaction", ago(3), reactionTo("wamid.1", "👎"))),
		wt.Messages(nil, wt.Message(stranger, "wamid.e", "edit", ago(3), editOf("wamid.1", "20 kg rice"))),
		inNumber(other, otherDisplay,
			wt.Messages(nil, wt.Message(asha, "wamid.o", "reaction", ago(2), reactionTo("wamid.1", "👎")))),
		inNumber(other, otherDisplay,
			wt.Messages(nil, wt.Message(asha, "wamid.p", "revoke", ago(2), revokeOf("wamid.1")))),
		inNumber(other, otherDisplay, echo(otherDisplay, asha, "wamid.q", "revoke", revokeOf("wamid.2"))),
		wt.Messages(nil, wt.Message(asha, "wamid.y", "reaction", ago(4), reactionTo("wamid.1", "👍"))),
		wt.Messages(nil, wt.Text(asha, "wamid.1", "2 kg rice", ago(10))),
		echo(wt.Display, asha, "wamid.2", "text", wt.Object{"text": wt.Object{"body": "yes"}}),
	} {
		if err := w.post(change); err != nil {
			t.Fatal(err)
		}
	}
	m := w.message("wamid.1")
	if shown := m.ShownReactions(); m.TextBody != "2 kg rice" || m.RevokedAt != "" || len(shown) != 1 ||
		shown[0].Emoji != "👍" {
		t.Errorf("the customer's message: %+v, reactions %+v", m, shown)
	}
	if m := w.message("wamid.2"); m.TextBody != "yes" || m.RevokedAt != "" {
		t.Errorf("the business's message: %+v", m)
	}
}

// A change may name another change, or a message that is not sent yet. Neither is in the timeline.
func TestAChangeOfWhatIsNoMessageParksNothing(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.says(asha, "wamid.1", "2 kg rice", 10)
	w.settled(w.accept(asha), "wamid.2")
	for _, m := range []wt.Object{
		wt.Message(asha, "wamid.e", "edit", ago(5), editOf("wamid.1", "3 kg rice")),
		wt.Message(asha, "wamid.f", "edit", ago(4), editOf("wamid.e", "4 kg rice")),
		wt.Message(asha, "wamid.x", "reaction", ago(3), reactionTo("wamid.f", "👍")),
		wt.Message(asha, "wamid.y", "reaction", ago(3), reactionTo("queued-1", "👍")),
	} {
		if err := w.post(wt.Messages(nil, m)); err != nil {
			t.Error(err)
		}
	}
	if m := w.message("wamid.1"); m.TextBody != "4 kg rice" || len(m.ShownReactions()) != 1 {
		t.Errorf("%+v", m)
	}
}
