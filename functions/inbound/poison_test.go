package main

import (
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	lanesOfAShard = 4
	recordsAtOnce = 25 // as in the function's event source
)

// appended appends bodies to the log together and returns the entries' images in the order of the bodies.
func appended(t testing.TB, db *dynamotest.DB, bodies ...[]byte) []dynamo.Item {
	t.Helper()
	var entries []whatsapp.Entry
	for _, body := range bodies {
		decoded, err := whatsapp.DecodeWebhook(body)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, decoded...)
	}
	if err := (webhooklog.Appender{DB: db.Client, Now: clock}).Append(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
	byID := map[string]dynamo.Item{}
	for _, item := range db.Items(t, tables.Messages) {
		byID[dynamo.Text(item, "eventId")] = item
	}
	var images []dynamo.Item
	for _, entry := range entries {
		images = append(images, byID[entry.ID])
	}
	return images
}

// inLanes delivers records as Lambda does: in batches, several at a time, each batch again from its first failure on.
// It returns how many batches it delivered.
func inLanes(t testing.TB, worker *stream.Worker, images []dynamo.Item, most int) int {
	t.Helper()
	var mu sync.Mutex
	brought := 0
	next := func() []dynamo.Item {
		mu.Lock()
		defer mu.Unlock()
		batch := images[:min(recordsAtOnce, len(images))]
		images = images[len(batch):]
		return batch
	}
	var running sync.WaitGroup
	for range lanesOfAShard {
		running.Go(func() {
			for batch := next(); len(batch) > 0; batch = next() {
				for len(batch) > 0 {
					mu.Lock()
					brought++
					tooMany := brought > most
					mu.Unlock()
					if tooMany {
						return
					}
					records := dynamotest.Records(t, batch)
					response, err := worker.Handle(t.Context(), events.DynamoDBEvent{Records: records})
					if err != nil {
						t.Error(err)
						return
					}
					failed := len(batch)
					for i, record := range records {
						if len(response.BatchItemFailures) > 0 &&
							record.Change.SequenceNumber == response.BatchItemFailures[0].ItemIdentifier {
							failed = i
							break
						}
					}
					batch = batch[failed:]
				}
			}
		})
	}
	running.Wait()
	return brought
}

func poisonedCustomer(n int) model.CustomerID {
	return model.CustomerID(fmt.Sprintf("91777777777%d", n))
}

// Two of 1,002 records cannot be processed: one fails its condition for ever, the other one has an error of unknown
// class. Nobody waits for them, and they are processed once the cause is gone.
func TestAPoisonedRecordDelaysNoOther(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	sound := model.Conversation{
		ItemType: model.ItemConversation, FirstOrder: model.OrderOf(model.At(at(0)), 0), ReceivedAt: model.At(at(0))}
	seed := func(n int, broken dynamo.Item) {
		c := sound
		c.PK, c.From = keys.Conversation(wt.Phone, poisonedCustomer(n)).Partition, string(poisonedCustomer(n))
		item, err := dynamo.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(item, broken)
		if err := db.Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}); err != nil {
			t.Fatal(err)
		}
	}
	seed(0, dynamo.Item{"lastMessagePk": dynamo.S("")})    // reads as absent, but exists
	seed(1, dynamo.Item{"unreadCount": dynamo.S("a lot")}) // not a number

	const many = 1000
	person := func(n int) string { return fmt.Sprintf("9180%08d", n) }
	var bodies [][]byte
	for n := range many {
		bodies = append(bodies, wt.Body(wt.Messages(nil, wt.Text(person(n), fmt.Sprint("wamid.", n), "hello", at(1)))))
		if n == 30 || n == 630 {
			ill := n / 600
			bodies = append(bodies,
				wt.Body(wt.Messages(nil,
					wt.Text(string(poisonedCustomer(ill)), fmt.Sprint("wamid.ill-", ill), "hello", at(1)))))
		}
	}
	images := appended(t, db, bodies...)
	now := noon
	rooms := messaging.Receiving(messaging.Config{
		DB: db.Client, Now: func() time.Time { return now }, DefaultTenant: "demo"})
	batches := (len(images) + recordsAtOnce - 1) / recordsAtOnce

	began := time.Now()
	brought := inLanes(t, NewHandler(rooms, slog.New(slog.DiscardHandler)).Worker, images, batches+10)
	t.Logf("%d records in %d batches took %s", len(images), brought, time.Since(began))
	if brought > batches+2 { // the error of unknown class is delivered three times
		t.Errorf("%d batches were brought, of %d", brought, batches)
	}
	unread := func(customer model.CustomerID) int64 {
		var item map[string]any
		if err := db.Get(t.Context(), tables.Messages, keys.Conversation(wt.Phone, customer), &item); err != nil {
			return 0
		}
		n, _ := item["unreadCount"].(float64)
		return int64(n)
	}
	for n := range many {
		if unread(model.CustomerID(person(n))) != 1 {
			t.Fatalf("customer %d is not in the inbox", n)
		}
	}
	if aside := len(db.Index(t, tables.Messages, "gsi_webhook_attention")); aside != 2 {
		t.Errorf("%d records are set aside", aside)
	}

	seed(0, nil)
	seed(1, nil)
	now = now.Add(2 * time.Minute)
	if _, err := NewHandler(rooms, slog.New(slog.DiscardHandler)).Run(t.Context(),
		[]byte(`{"source":"haatline.schedule","detail-type":"inbound-sweep"}`)); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if unread(poisonedCustomer(n)) != 1 {
			t.Errorf("what was poisoned in way %d is not in the inbox", n)
		}
	}
	if aside := len(db.Index(t, tables.Messages, "gsi_webhook_attention")); aside != 0 {
		t.Errorf("%d records are still set aside", aside)
	}
}

// noticeOf returns Meta's notice that a customer has another number or user id.
func noticeOf(kind, from, id string, minute int, system wt.Object) wt.Object {
	system["type"] = kind
	return wt.Message(from, id, "system", at(minute), wt.Object{"system": system})
}

// The same notice arrives twice, and notices arrive in the wrong order. None of them may block later ones.
func TestNoNoticeBlocksLaterOnes(t *testing.T) {
	const old, now = "16505550001", "16505550002"
	changed := func(id string) []byte {
		return wt.Body(
			wt.Messages(nil,
				noticeOf("user_changed_number", old, id, 2, wt.Object{"wa_id": now, "body": "User changed number"})))
	}
	userID := func(previous, current, id string, minute int) []byte {
		notice := noticeOf("user_changed_user_id", "", id, minute,
			wt.Object{"user_id": current, "previous_user_id": previous})
		delete(notice, "from")
		notice["from_user_id"] = previous
		return wt.Body(wt.Messages(nil, notice))
	}
	says := func(id, words string, minute int) []byte {
		return wt.Body(wt.Messages(nil, wt.Object{
			"from_user_id": id, "id": words, "type": "text", "timestamp": fmt.Sprint(at(minute).Unix()),
			"text": wt.Object{"body": "hello"},
		}))
	}
	both := wt.Text("919876543210", "wamid.a", "hello", at(1))
	both["from_user_id"] = "IN.1"
	aliases := [][]byte{
		wt.Body(wt.Messages(nil, both)), userID("IN.2", "IN.3", "wamid.b", 2), userID("IN.1", "IN.2", "wamid.c", 3)}
	for n := range 9 {
		aliases = append(aliases, says("IN.3", fmt.Sprint("wamid.d", n), 4+n))
	}
	for name, bodies := range map[string][][]byte{
		"a change of number, told twice": {
			wt.Body(wt.Messages(wt.List{wt.Contact(old, "Sheena")},
				wt.Text(old, "wamid.1", "Does it come in another color?", at(1)))),
			changed("wamid.2"), changed("wamid.3"),
			wt.Body(wt.Messages(wt.List{wt.Contact(now, "Sheena")}, wt.Text(now, "wamid.4", "hello?", at(3)))),
		},
		"an alias that leads to a merged conversation": aliases,
	} {
		for _, together := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, in one batch %v", name, together), func(t *testing.T) {
				db := dynamotest.Start(t, tables.Messages, tables.Outbox, tables.OutboxSequences)
				images := messagingtest.Logged(t, db, clock, bodies...)
				batches := [][]dynamo.Item{images}
				if !together {
					batches = nil
					for _, image := range images {
						batches = append(batches, []dynamo.Item{image})
					}
				}
				for _, batch := range batches {
					if response, err := consume(t.Context(), db.Client,
						events.DynamoDBEvent{Records: dynamotest.Records(t, batch)}); err != nil ||
						len(response.BatchItemFailures) > 0 {
						t.Fatalf("%+v, %v", response, err)
					}
				}
				for _, item := range db.Items(t, tables.Messages) {
					if dynamo.Text(item, "itemType") == model.ItemWebhookEvent &&
						(item["processedAt"] == nil || item["failures"] != nil || item["processingError"] != nil) {
						t.Errorf("%s: failures %v, %q, %q", dynamo.Text(item, "eventId"), item["failures"],
							dynamo.Text(item, "lastError"), dynamo.Text(item, "processingError"))
					}
				}
			})
		}
	}
}
