package messagingapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const secretCode = "483920"

// tells has a domain send a code to an identifier.
func (w *world) tells(customer string) (sending.Accepted, error) { return w.tellsSince(customer, "") }

// tellsSince has a domain send a code to whoever has had an identifier since an instant; "" for since now.
func (w *world) tellsSince(customer string, since model.Time) (taken sending.Accepted, err error) {
	out := sending.Outgoing{
		Tenant: shop, Phone: number, Customer: model.CustomerID(customer), SentBy: "community", Secret: true,
		Since: since, Content: content.Template{
			Name: "code", Language: "en", Category: "authentication",
			Body:    []content.TemplateParameter{{Text: secretCode}},
			Buttons: []content.TemplateButton{{Type: "otp", Value: secretCode}},
		},
	}
	return taken, dynamo.Retry(w.t.Context(), dynamo.MaxAttempts, func() error {
		found, err := w.db.BatchGet(context.Background(), w.rooms.Sender.Refs(out))
		if err != nil {
			return err
		}
		prepared, err := w.rooms.Sender.Prepare(w.t.Context(), out, found)
		if err != nil {
			return err
		}
		taken = prepared.Accepted
		return dynamo.Conflict(w.db.Transact(w.t.Context(), prepared.Writes))
	})
}

// What a message says for its recipient alone goes to WhatsApp, and is shown to nobody else: while it waits, after it
// has failed, when it is sent again, and in an export.
func TestWhatIsForTheRecipientAloneIsShownToNobody(t *testing.T) {
	w := open(t)
	taken, err := w.tells(asha)
	if err != nil {
		t.Fatal(err)
	}
	hidden := func(when string) {
		t.Helper()
		for _, path := range []string{
			"/v1/outbox/" + taken.OutboxEventID, toAsha + "/messages", "/v1/conversations", "/v1/outbox"} {
			answer := w.get(operator(shop), path, nil)
			if answer.Status != http.StatusOK || strings.Contains(answer.Body, secretCode) {
				t.Errorf("%s: %s: %d %s", when, path, answer.Status, answer.Body)
			}
		}
		for _, item := range w.db.Items(t, tables.Messages) {
			var m model.Message
			if err := dynamo.Unmarshal(item, &m); err != nil || strings.Contains(fmt.Sprintf("%+v %s", m, m.Content),
				secretCode) {
				t.Errorf("%s: %+v, %v", when, m, err)
			}
		}
		records, _ := w.exportsOf(operator(shop), asha, "100")
		for _, r := range records {
			if strings.Contains(string(r.Data), secretCode) {
				t.Errorf("%s: exported: %s", when, r.Data)
			}
		}
	}
	hidden("queued")
	if body := string(w.sendings()[taken.OutboxEventID]); strings.Count(body, secretCode) != 2 {
		t.Errorf("WhatsApp gets %s", body)
	}
	w.relays(taken.OutboxEventID, refuses)
	hidden("failed")
	var again accepted
	w.post(operator(shop), "/v1/outbox/"+taken.OutboxEventID+"/replay", nil).Want(t, http.StatusAccepted, &again)
	if body := string(w.sendings()[again.OutboxEventID]); strings.Count(body, secretCode) != 2 {
		t.Errorf("sent again, WhatsApp gets %s", body)
	}
	taken.OutboxEventID = again.OutboxEventID
	hidden("sent again")
	w.relays(taken.OutboxEventID, takes("wamid.CODE"))
	hidden("sent")
	var shown messageList
	w.get(operator(shop), toAsha+"/messages", url.Values{"limit": {"1"}}).Want(t, http.StatusOK, &shown)
	if len(shown.Items) != 1 || shown.Items[0].Type != "template" ||
		!strings.Contains(shown.Items[0].Preview, "code") {
		t.Errorf("%+v", shown.Items)
	}
}

// A code proves that somebody has a number, so it does not follow them to another one.
func TestWhatIsForANumberAloneGoesToNoOther(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.OLD", "hi", minutesAgo(30)))
	const after = "919811111111"
	message := wt.Message(asha, "wamid.MOVES", "system", minutesAgo(5),
		wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": after}})
	w.receives(number, waba, wt.Contact(asha, "Asha"), message)
	w.receives(number, waba, wt.Contact(after, "Asha"), wt.Text(after, "wamid.NEW", "hi", minutesAgo(1)))
	if _, err := w.tells(asha); !errors.Is(err, sending.ErrUnreachable) {
		t.Errorf("the number before: %v", err)
	}
	w.receives(number, waba, wt.Contact(asha, "Ravi"), wt.Text(asha, "wamid.NEXT", "hi", minutesAgo(1)))
	next, err := w.tells(asha)
	if err != nil || !strings.Contains(string(w.sendings()[next.OutboxEventID]), `"to":"+`+asha+`"`) ||
		next.ConversationPK == "CONV#"+number+"#"+asha {
		t.Errorf("who has it next: %v, %+v", err, next)
	}
	at := func(seconds int) model.Time {
		return model.At(w.now.Add(-time.Duration(seconds) * time.Second))
	}
	if _, err := w.tellsSince(asha, at(600)); !errors.Is(err, sending.ErrUnreachable) {
		t.Errorf("what is for who had it before: %v", err)
	}
	if _, err := w.tellsSince(asha, at(30)); err != nil {
		t.Errorf("what is for who has it since: %v", err)
	}
	taken, err := w.tells(after)
	if err != nil || !strings.Contains(string(w.sendings()[taken.OutboxEventID]), `"to":"+`+after+`"`) {
		t.Errorf("the number now: %v, %s", err, w.sendings()[taken.OutboxEventID])
	}
}
