package messagingapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// says seeds a message of Asha's into one of her conversations.
func (w *world) says(customer, id, text string, at time.Time) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Message{
		PK: keys.Message(model.MessageID(id)).Partition, ItemType: model.ItemMessage, Direction: model.Inbound,
		ReceivedAt:     model.At(at),
		ConversationPK: keys.Conversation(number, model.CustomerID(customer)).Partition, Type: "text", TextBody: text,
	})
}

func TestTheTimelineIsReadNewestFirstWithNoMessageLostOrDoubled(t *testing.T) {
	for name, prepare := range map[string]func(w *world) []string{
		"one after the other": func(w *world) []string {
			want := []string{"wamid.ASHA1"}
			for i := range 25 {
				id := fmt.Sprintf("wamid.%02d", i)
				w.says(asha, id, "x", minutesAgo(100+i))
				want = append(want, id)
			}
			return want
		},
		"all at the same time": func(w *world) []string {
			var want []string
			for i := range 25 {
				id := fmt.Sprintf("wamid.%02d", i)
				w.says(asha, id, "x", minutesAgo(100))
				want = append(want, id)
			}
			slices.Reverse(want)
			return append([]string{"wamid.ASHA1"}, want...)
		},
		"of two conversations that became one": func(w *world) []string {
			merged(w)
			want := []string{"wamid.BOTH", "wamid.YOUNGER", "wamid.ASHA1"}
			for i := range 24 {
				id := fmt.Sprintf("wamid.%02d", i)
				w.says([]string{asha, "IN.77"}[i%2], id, "x", minutesAgo(100+i))
				want = append(want, id)
			}
			return want
		},
		"of two conversations, at the same time": func(w *world) []string {
			merged(w)
			var want []string
			for i := range 24 {
				id := fmt.Sprintf("wamid.%02d", i)
				w.says([]string{asha, "IN.77"}[i%2], id, "x", minutesAgo(100))
				want = append(want, id)
			}
			slices.Reverse(want)
			return append([]string{"wamid.BOTH", "wamid.YOUNGER", "wamid.ASHA1"}, want...)
		},
		// A page ends where a megabyte ends. The other conversation's small messages reach further back.
		"of two conversations, one with large messages": func(w *world) []string {
			merged(w)
			want := []string{"wamid.BOTH", "wamid.YOUNGER", "wamid.ASHA1"}
			for i := range 16 {
				id := fmt.Sprintf("wamid.%02d", i)
				w.says([]string{asha, "IN.77"}[i%2], id, strings.Repeat("x", i%2*300_000+1), minutesAgo(100+i))
				want = append(want, id)
			}
			return want
		},
	} {
		w := open(t)
		want := prepare(w)
		for _, limit := range []string{"1", "2", "3", "10", "100"} {
			t.Run(name+" by "+limit, func(t *testing.T) {
				got := walk(w, operator(shop), toAsha+"/messages", url.Values{"limit": {limit}})
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// Who looks again asks for what is new, page by page.
func TestTheTimelineIsReadFromATimeOn(t *testing.T) {
	w := open(t)
	merged(w)
	want := []string{"wamid.BOTH", "wamid.YOUNGER", "wamid.ASHA1"}
	for i := range 12 {
		id := fmt.Sprintf("wamid.%02d", i)
		w.says([]string{asha, "IN.77"}[i%2], id, "x", minutesAgo(100+i))
		if i <= 7 {
			want = append(want, id)
		}
	}
	for _, limit := range []string{"1", "3", "100"} {
		got := walk(w, operator(shop), toAsha+"/messages",
			url.Values{"limit": {limit}, "since": {minutesAgo(107).Format(time.RFC3339)}})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by %s: %s", limit, diff)
		}
	}
	w.get(operator(shop), toAsha+"/messages", url.Values{"since": {"yesterday"}}).WantProblem(t,
		http.StatusUnprocessableEntity)
}

// A person may turn up under a third identifier, too, with a conversation younger or older than the one that took in
// the second.
func TestNoMessageIsLostWhenThreeConversationsBecomeOne(t *testing.T) {
	for name, third := range map[string]time.Time{
		"the third is the youngest": minutesAgo(0), "the third is the oldest": minutesAgo(30)} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			merged(w)
			alone := wt.Text("", "wamid.THIRD", "my other name", third)
			delete(alone, "from")
			alone["from_user_id"] = "IN.78"
			w.receives(number, waba, wt.Object{"user_id": "IN.78"}, alone)
			both := wt.Text(asha, "wamid.SAME", "it is me", minutesAgo(0))
			both["from_user_id"] = "IN.78"
			w.receives(number, waba, wt.Object{"wa_id": asha, "user_id": "IN.78"}, both)
			var stands conversation
			w.get(operator(shop), toAsha, nil).Want(t, http.StatusOK, &stands)
			if stands.MergedInto != "" {
				w.get(operator(shop), "/v1/conversations/"+stands.MergedInto, nil).Want(t, http.StatusOK, &stands)
			}
			got := walk(w, operator(shop), "/v1/conversations/"+stands.ID+"/messages", url.Values{"limit": {"2"}})
			slices.Sort(got)
			if diff := cmp.Diff([]string{"wamid.ASHA1", "wamid.BOTH", "wamid.SAME", "wamid.THIRD", "wamid.YOUNGER"},
				got); diff != "" {
				t.Errorf("the timeline of %s:\n%s", stands.ID, diff)
			}
		})
	}
}

func TestAnEmptyTimelineAndOneThatIsNotThere(t *testing.T) {
	w := open(t)
	w.db.Seed(t, tables.Messages,
		model.Conversation{PK: keys.Conversation(number, "1").Partition, ItemType: model.ItemConversation})
	if got := w.get(operator(shop), "/v1/conversations/"+number+":1/messages", nil); got.Status != http.StatusOK ||
		got.Body != "{\"items\":[]}\n" {
		t.Errorf("answered %d: %s", got.Status, got.Body)
	}
	w.get(operator(shop), "/v1/conversations/"+number+":2/messages", nil).WantProblem(t, http.StatusNotFound)
}

func TestAMessageIsFoundByMetasIDHoweverItIsWritten(t *testing.T) {
	w := open(t)
	const wamid = "wamid.HBgLMTY1M/TA3MjgwODMV+AgARGBI5QTN/DQTVBRDFBRjBBOEYwODlC=="
	w.says(asha, wamid, "odd id", noon)
	w.says(asha, "wamid.AB", "another", noon)
	for name, path := range map[string]string{
		"encoded, decoded by the gateway": url.PathEscape(wamid),
		"as it is":                        wamid,
		"everything encoded": strings.NewReplacer("/", "%2F", "+", "%2B", "=",
			"%3D").Replace(wamid),
		"encoded twice, decoded once by a gateway": url.PathEscape(
			strings.NewReplacer("/", "%2F", "+", "%2B", "=", "%3D").Replace(wamid)),
	} {
		t.Run(name, func(t *testing.T) {
			var m message
			w.get(operator(shop), "/v1/messages/"+path, nil).Want(t, http.StatusOK, &m)
			if m.ID != wamid || m.Text != "odd id" {
				t.Errorf("found %+v", m)
			}
		})
	}
}

func TestTheIDAMessageGotWhenItWasAcceptedStaysValid(t *testing.T) {
	w := open(t)
	var taken accepted
	w.post(operator(shop), sendPath, wt.Object{"body": "It is packed."}).Want(t, http.StatusAccepted, &taken)
	w.relays(taken.OutboxEventID, takes("wamid.SENT/1"))
	var byQueued, byWamid message
	w.get(operator(shop), "/v1/messages/"+taken.ID, nil).Want(t, http.StatusOK, &byQueued)
	w.get(operator(shop), "/v1/messages/wamid.SENT%2F1", nil).Want(t, http.StatusOK, &byWamid)
	if diff := cmp.Diff(byWamid, byQueued); diff != "" {
		t.Error(diff)
	}
	if byWamid.ID != "wamid.SENT/1" || byWamid.QueuedID != taken.ID || byWamid.OutboxEventID != taken.OutboxEventID ||
		byWamid.SentAt == "" {
		t.Errorf("shows %+v", byWamid)
	}
	if got := walk(w, operator(shop), toAsha+"/messages", url.Values{}); !slices.Equal(got,
		[]string{"wamid.SENT/1", "wamid.ASHA1"}) {
		t.Errorf("the timeline shows %v", got)
	}
}

func TestAMessageShowsItsDeliveryAndWhyItFailed(t *testing.T) {
	w := open(t)
	var taken accepted
	w.post(operator(shop), sendPath, wt.Object{"body": "It is packed."}).Want(t, http.StatusAccepted, &taken)
	w.relays(taken.OutboxEventID, takes("wamid.SENT"))
	statuses := wt.Statuses(
		wt.Status("wamid.SENT", "sent", asha, noon,
			wt.Object{"pricing": wt.Object{"billable": true, "category": "service"}}),
		wt.Status("wamid.SENT", "failed", asha, noon.Add(time.Second),
			wt.Object{"errors": wt.List{wt.Object{"code": 131026, "title": "Message undeliverable"}}}),
	)
	event := w.logs(waba, "messages", statuses["value"].(wt.Object))
	if err := w.rooms.StatusReader().Apply(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	var m message
	w.get(operator(shop), "/v1/messages/wamid.SENT", nil).Want(t, http.StatusOK, &m)
	why := explain("131026")
	undeliverable := []problem{{Code: 131026, Title: "Message undeliverable", Meaning: why.Meaning, Action: why.Action}}
	want := &Delivery{Status: "failed", History: []update{
		{Status: "sent", Timestamp: "2026-11-21T12:00:00.000Z",
			Pricing: map[string]any{"billable": true, "category": "service"}},
		{Status: "failed", Timestamp: "2026-11-21T12:00:01.000Z", Errors: undeliverable},
	}}
	if diff := cmp.Diff(want, m.Delivery); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(undeliverable, m.Errors); diff != "" {
		t.Error(diff)
	}
}

func TestARefusedMessageNamesTheReasonOnce(t *testing.T) {
	w := open(t)
	var taken accepted
	w.post(operator(shop), sendPath, wt.Object{"body": "It is packed."}).Want(t, http.StatusAccepted, &taken)
	w.relays(taken.OutboxEventID, refuses)
	var m message
	w.get(operator(shop), "/v1/messages/"+taken.ID, nil).Want(t, http.StatusOK, &m)
	if len(m.Errors) != 1 || m.Errors[0].Code != 131026 || m.Delivery.Status != "failed" {
		t.Errorf("shows %+v", m)
	}
}

func TestAStatusWithoutItsMessageIsNotFound(t *testing.T) {
	w := open(t)
	statuses := wt.Statuses(wt.Status("wamid.EARLY", "sent", asha, noon, nil))
	event := w.logs(waba, "messages", statuses["value"].(wt.Object))
	if err := w.rooms.StatusReader().Apply(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	w.get(operator(shop), "/v1/messages/wamid.EARLY", nil).WantProblem(t, http.StatusNotFound)
}

func TestMediaAndContentShowAsMetaWroteThem(t *testing.T) {
	w := open(t)
	entry := w.receives(number, waba, wt.Contact(asha, "Asha"),
		wt.Message(asha, "wamid.PHOTO", "image", noon, wt.Object{
			"image":   wt.Object{"id": "media-1", "mime_type": "image/jpeg", "caption": "this one"},
			"context": wt.Object{"id": "wamid.ASHA1", "from": "15550783881"},
		}))
	var m message
	w.get(operator(shop), "/v1/messages/wamid.PHOTO", nil).Want(t, http.StatusOK, &m)
	want := message{
		ID: "wamid.PHOTO", ConversationID: ashas, Direction: "inbound", Type: "image", Preview: "📷 this one",
		Caption: "this one", From: asha, To: "1555",
		SenderName: "Asha", ReceivedAt: "2026-11-21T12:00:00.000Z", ReplyTo: "wamid.ASHA1",
		WebhookEventID: string(entry.EventID), Media: &media{ID: "media-1", MimeType: "image/jpeg"},
		Content: map[string]any{
			"image": map[string]any{"id": "media-1", "mime_type": "image/jpeg", "caption": "this one"}},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
}

// A page keeps room for a file and shows what it looks like, before it loads the file.
func TestAFileShowsItsLookBeforeItIsLoaded(t *testing.T) {
	w := open(t)
	w.receives(number, waba, wt.Contact(asha, "Asha"),
		wt.Message(asha, "wamid.PHOTO", "image", noon, wt.Object{"image": wt.Object{"id": "media-1"}}),
		wt.Message(asha, "wamid.VOICE", "audio", noon, wt.Object{"audio": wt.Object{"id": "media-2"}}))
	looks := map[model.MediaID]*model.Look{
		"media-1": {Width: 900, Height: 1200, Thumbnail: "image/jpeg"}, "media-2": {Millis: 12_400}}
	stored := func(id model.MediaID, key keys.Key) {
		t.Helper()
		look, err := dynamo.Value(looks[id])
		if err == nil {
			err = w.rooms.DB.Update(t.Context(), dynamo.Update{Table: tables.Messages, Key: key,
				Do: "SET s3Key = :key, contentLength = :size, look = :look", If: "attribute_exists(pk)",
				Values: dynamo.Item{":key": dynamo.S("files/" + string(id)), ":size": dynamo.N(7000), ":look": look}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	stored("media-1", keys.Media("media-1"))
	stored("media-1", keys.Message("wamid.PHOTO"))
	stored("media-2", keys.Media("media-2"))
	stored("media-2", keys.Message("wamid.VOICE"))
	var listed messageList
	w.get(operator(shop), "/v1/conversations/"+ashas+"/messages", nil).Want(t, http.StatusOK, &listed)
	shown := map[string]*media{}
	for _, m := range listed.Items {
		shown[m.ID] = m.Media
	}
	photo, voice := Look{Width: 900, Height: 1200}, Look{Duration: 12.4}
	if diff := cmp.Diff(&media{ID: "media-1", Fetched: true, Size: 7000, Look: photo, Thumbnail: true},
		shown["wamid.PHOTO"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&media{ID: "media-2", Fetched: true, Size: 7000, Look: voice},
		shown["wamid.VOICE"]); diff != "" {
		t.Error(diff)
	}
	for id, want := range map[string]Look{"media-1": photo, "media-2": voice} {
		var file storedMedia
		w.get(operator(shop), "/v1/media/"+id, nil).Want(t, http.StatusOK, &file)
		if has := file.Thumbnail != nil; file.Look != want || has != (id == "media-1") ||
			has && (file.Thumbnail.ContentType != "image/jpeg" ||
				!strings.Contains(file.Thumbnail.URL, "files/media-1.thumbnail?")) {
			t.Errorf("%s: %+v", id, file)
		}
		w.get(operator("other"), "/v1/media/"+id, nil).WantProblem(t, http.StatusNotFound)
	}
}

// The list shows a message as it reads now. Only the message by itself shows what it said before.
func TestAnEditedMessageShowsItsVersionsByItself(t *testing.T) {
	w := open(t)
	w.receives(number, waba, wt.Contact(asha, "Asha"),
		wt.Text(asha, "wamid.1", "2 kg", noon), wt.Text(asha, "wamid.2", "never mind", noon),
		wt.Message(asha, "wamid.3", "edit", noon,
			wt.Object{"edit": wt.Object{
				"original_message_id": "wamid.1",
				"message":             wt.Object{"type": "text", "text": wt.Object{"body": "3 kg"}}}}),
		wt.Message(asha, "wamid.4", "revoke", noon, wt.Object{"revoke": wt.Object{"original_message_id": "wamid.2"}}),
		wt.Message(asha, "wamid.5", "reaction", noon,
			wt.Object{"reaction": wt.Object{"message_id": "wamid.1", "emoji": "👍"}}),
	)
	var list messageList
	w.get(operator(shop), "/v1/conversations/"+number+":"+asha+"/messages", nil).Want(t, http.StatusOK, &list)
	if len(list.Items) != 3 { // one is there from the start
		t.Fatalf("%+v", list)
	}
	for id, want := range map[string][]string{
		"wamid.1": {"2 kg", "3 kg"}, "wamid.3": {"2 kg", "3 kg"}, "wamid.4": {"never mind", ""}} {
		var m message
		w.get(operator(shop), "/v1/messages/"+id, nil).Want(t, http.StatusOK, &m)
		var texts []string
		for _, v := range m.Versions {
			texts = append(texts, v.Text)
		}
		if !slices.Equal(texts, want) || m.Text != want[len(want)-1] {
			t.Errorf("%s: %+v", id, m)
		}
	}
	for _, m := range list.Items {
		if m.Versions != nil || (m.ID == "wamid.2") != (m.RevokedAt != "") ||
			m.ID == "wamid.1" && (m.EditedAt == "" || len(m.Reactions) != 1) {
			t.Errorf("listed: %+v", m)
		}
	}
}
