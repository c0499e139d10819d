package bill

import (
	"testing"
	"time"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A message is stored in a transaction, and then its entry of the log is marked as processed. In the transaction the
// mark would save a round trip, and cost twice its units. Measured, that is dearer than the time of the round trip, by
// far: so the mark is a write of its own.
func TestAMarkOfItsOwnIsCheaperThanOneInTheTransaction(t *testing.T) {
	const (
		roundTrip = 10 * time.Millisecond // more than DynamoDB takes
		texts     = 150_000               // in a month of 10,000 messages a day
	)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	db := dynamotest.Start(t, tables.Messages)
	client, meter := db.Metered(t)
	log := &webhooklog.Log{DB: client, Now: func() time.Time { return now }}
	entry := func(id string) model.EventID {
		entries, err := whatsapp.DecodeWebhook(wt.Body(wt.Messages(wt.List{wt.Contact("919876543210", "Asha Rao")},
			wt.Text("919876543210", id, "Two kilos of basmati rice and one salt .", now))))
		if err == nil {
			err = webhooklog.Appender{DB: client, Now: log.Now}.Append(t.Context(), entries)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range db.Items(t, tables.Messages) {
			if dynamo.Text(item, "itemType") == model.ItemWebhookEvent && dynamo.Text(item, "processedAt") == "" {
				return model.EventID(dynamo.Text(item, "eventId"))
			}
		}
		t.Fatal("no entry")
		return ""
	}
	store := func(id string, mark ...dynamo.Write) float64 {
		message, err := dynamo.Marshal(model.Message{
			PK: keys.Message(model.MessageID(id)).Partition, ItemType: model.ItemMessage, TextBody: "Two kilos"})
		if err != nil {
			t.Fatal(err)
		}
		meter.Reset()
		if err := client.Transact(t.Context(), append(mark, dynamo.Put{
			Table: tables.Messages, Item: message, If: dynamo.IfAbsent})); err != nil {
			t.Fatal(err)
		}
		return dynamotest.Total(meter.Cost().Write)
	}

	own := entry("wamid.1")
	apart := store("wamid.1")
	meter.Reset()
	if err := log.MarkProcessed(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	apart += dynamotest.Total(meter.Cost().Write)

	together := store("wamid.2", dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookEvent(entry("wamid.2")), Do: "SET processedAt = :v",
		If: dynamo.IfPresent, Values: dynamo.Item{":v": dynamo.S(model.At(now))}})

	inbound, _ := topology.Named("inbound")
	dearer := (together - apart) * prices.writeUnit * texts
	saved := roundTrip.Seconds() * float64(inbound.MemoryMB) / 1024 * prices.gigabyteSecond * texts
	t.Logf("in a transaction %.0f write units, apart %.0f: %.4f USD a month more; the round trip costs %.4f USD",
		together, apart, dearer, saved)
	if together <= apart || saved >= dearer {
		t.Error("the mark belongs into the transaction now")
	}
}
