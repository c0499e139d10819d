package conversationsapi

import (
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func (w *world) edit(id, original, text string) wt.Object {
	return wt.Message(asha, id, "edit", w.now, wt.Object{"edit": wt.Object{"original_message_id": original,
		"message": wt.Object{"type": "text", "text": wt.Object{"body": text}}}})
}

func (w *world) revoke(id, original string) wt.Object {
	return wt.Message(asha, id, "revoke", w.now, wt.Object{"revoke": wt.Object{"original_message_id": original}})
}

// stores stores a message to which no domain reacts.
func (w *world) stores(message wt.Object) {
	w.t.Helper()
	body := wt.Body(wt.Messages(wt.List{wt.Contact(asha, "Asha")}, message))
	for _, image := range messagingtest.Logged(w.t, w.db, func() time.Time { return w.now }, body) {
		var event model.WebhookEvent
		w.must(dynamo.Unmarshal(image, &event))
		w.must(w.rooms.MessageReader().Apply(w.t.Context(), event))
	}
}

// A conversation says what the person's messages say by now. One that is deleted says nothing, and waits for no answer.
func TestAConversationFollowsWhatThePersonEditsAndDeletes(t *testing.T) {
	w := firm(t)
	w.begins(asha, "r1", "").Want(t, http.StatusAccepted)
	w.says(w.text(asha, "wamid.1", "I am in Pune"), w.text(asha, "wamid.2", "my PIN is 1234"))
	w.says(w.edit("wamid.3", "wamid.1", "I am in Delhi"), w.revoke("wamid.4", "wamid.2"),
		w.edit("wamid.5", "wamid.2", "too late"), w.revoke("wamid.6", "wamid.none"))
	whole := w.talk(asha, "r1")
	if len(whole.Messages) != 3 {
		t.Fatalf("%+v", whole)
	}
	edited, deleted := whole.Messages[1], whole.Messages[2]
	if edited.Text != "I am in Delhi" || edited.EditedAt == "" || deleted.Text != "" || deleted.DeletedAt == "" {
		t.Errorf("%+v", whole.Messages)
	}
	if c := w.stored(asha, "r1"); c.Pending != "" || c.Entries != 3 {
		t.Errorf("%+v", c)
	}
}

// What the person makes of a message while it is being added to its conversation counts.
func TestAChangeThatComesBeforeTheReplyIsStoredCounts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *world) wt.Object
		want   string
	}{
		"edited":  {func(w *world) wt.Object { return w.edit("wamid.2", "wamid.1", "new") }, "; user: new"},
		"deleted": {func(w *world) wt.Object { return w.revoke("wamid.2", "wamid.1") }, ""},
	} {
		w := firm(t)
		w.begins(asha, "r1", "").Want(t, http.StatusAccepted)
		w.now = w.now.Add(time.Second)
		w.stores(w.text(asha, "wamid.1", "old"))
		w.says(c.change(w))
		for range 2 {
			_, err := w.domain.Replies.Subscription().React(t.Context(), inbound.Message{
				ID: "wamid.1", Phone: wt.Phone, Customer: asha, Customers: []model.CustomerID{asha},
				Channel: model.ChannelWhatsApp, Live: true, At: model.At(w.now), Kind: "text", Text: "old"})
			w.must(err)
		}
		if got := said(w.talk(asha, "r1")); got != "assistant: Is your CV up to date?"+c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
