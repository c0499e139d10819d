package messaging_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/recorded"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// takes keeps the bodies that WhatsApp takes.
type takes struct{ bodies recorded.List[string] }

func (k *takes) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	k.bodies.Add(string(r.Body))
	return whatsapp.Taken{ID: "wamid.document"}, nil
}

// A message that commits together with its file is sent as soon as WhatsApp has the file, and the file is erased with
// the customer.
func TestAMessageWaitsForTheFileThatIsRecordedWithIt(t *testing.T) {
	w := newFixture(t)
	w.db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo"})
	w.says(asha, "wamid.1", "hello", 5)
	file := model.Media{
		PK: keys.Media("bill-1").Partition, ItemType: model.ItemMedia, MediaID: "bill-1", PhoneNumberID: wt.Phone,
		ContentType: "application/pdf", UploadedBy: "khata"}
	out := sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: asha, SentBy: "khata", ID: "bill-message",
		Attached: []model.Media{file},
		Content:  content.Document{File: content.File{MediaID: "bill-1"}, Filename: "bill.pdf"},
	}
	found, err := w.DB.BatchGet(t.Context(), w.Sender.Refs(out))
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := w.Sender.Prepare(t.Context(), out, found)
	if err != nil {
		t.Fatal(err)
	}
	orders, err := w.Files.Orders(t.Context(), wt.Phone, []model.MediaID{"bill-1"})
	if err != nil {
		t.Fatal(err)
	}
	attached, err := w.Files.Attach(t.Context(), orders, file, "bill-message")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.DB.Transact(t.Context(), append(prepared.Writes, attached...)); err != nil {
		t.Fatal(err)
	}

	whatsApp := &takes{}
	deliver := func() model.OutboxEvent {
		relay := w.relay(nil)
		relay.Handlers = w.Handlers(whatsApp)
		event, err := relay.Get(t.Context(), prepared.OutboxEventID)
		if err = errors.Join(err, relay.Deliver(t.Context(), event)); err != nil {
			t.Fatal(err)
		}
		event, err = relay.Get(t.Context(), prepared.OutboxEventID)
		if err != nil {
			t.Fatal(err)
		}
		return event
	}
	if event := deliver(); event.Status != model.OutboxFailed || event.PossibleDuplicate ||
		whatsApp.bodies.Len() != 0 || !strings.Contains(event.LastError, "does not have the file") {
		t.Errorf("%+v, and %v are sent", event, whatsApp.bodies.All())
	}
	file.Uploads = map[model.PhoneNumberID]model.Upload{
		wt.Phone: {ID: "900", At: model.At(noon), ExpiresAt: model.At(noon.Add(30 * 24 * time.Hour))}}
	w.db.Seed(t, tables.Messages, file)
	w.set(func(c *messaging.Config) { c.Now = func() time.Time { return noon.Add(time.Minute) } })
	if event := deliver(); event.Status != model.OutboxSent || whatsApp.bodies.Len() != 1 ||
		!strings.Contains(whatsApp.bodies.All()[0], `"id":"900"`) ||
		strings.Contains(whatsApp.bodies.All()[0], "bill-1") {
		t.Errorf("%+v, and %v are sent", event, whatsApp.bodies.All())
	}
	w.mustErase(asha)
	if record, err := w.Files.Record(t.Context(), "bill-1"); err != nil || record.ErasedAt == "" {
		t.Errorf("the file stays: %+v, %v", record, err)
	}
	if event := w.lastOf(media.EventFile); event.EntityID != "bill-1" {
		t.Errorf("nobody deletes the file: %+v", event)
	}
}

// lastOf returns the last outbox event of a type.
func (w *fixture) lastOf(kind string) (last model.OutboxEvent) {
	w.t.Helper()
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			w.t.Fatal(err)
		}
		if event.EventType == kind && event.SequenceNumber > last.SequenceNumber {
			last = event
		}
	}
	return last
}
