package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return noon.Add(time.Duration(minutes-600) * time.Minute) }

// stores are the tables that the function writes.
var stores = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

func clock() time.Time { return noon }

func consume(ctx context.Context, client *dynamo.Client,
	event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	rooms := messaging.Receiving(messaging.Config{
		DB: client, Now: clock, DefaultTenant: "demo", NewToken: func() string { return "token" }})
	return NewHandler(rooms, slog.New(slog.DiscardHandler)).Handle(ctx, event)
}

// bodies returns what inbound must handle: a new customer with a photo, the same one by another identifier, an opt-out,
// several people in one body, an echo, malformed messages, erased messages, among them an opt-out word, an edit, a
// reaction, and a deletion that comes before its message.
func bodies() [][]byte {
	asha := wt.List{wt.Contact("919876543210", "Asha")}
	both := wt.List{wt.Object{"wa_id": "919876543210", "user_id": "IN.77", "profile": wt.Object{"name": "Asha"}}}
	return [][]byte{
		wt.Body(wt.Messages(asha,
			wt.Text("919876543210", "wamid.1", "2 kg rice chahiye", at(1)),
			wt.Message("919876543210", "wamid.2", "image", at(2),
				wt.Object{"image": wt.Object{"id": "media-1", "mime_type": "image/jpeg", "caption": "this one"}}))),
		wt.Body(wt.Messages(both,
			wt.Message("919876543210", "wamid.3", "text", at(3),
				wt.Object{"from_user_id": "IN.77", "text": wt.Object{"body": "STOP"}}))),
		wt.Body(wt.Messages(wt.List{wt.Object{"user_id": "IN.77"}},
			wt.Object{"from_user_id": "IN.77", "id": "wamid.4", "type": "text", "timestamp": "1795200000",
				"text": wt.Object{"body": "start"}})),
		wt.Body(wt.Messages(wt.List{wt.Contact("918888888888", "Ravi"), wt.Contact("917777777777", "Meena")},
			wt.Text("918888888888", "wamid.5", "hello", at(4)), wt.Text("917777777777", "wamid.6", "namaste", at(5)),
			wt.Text("918888888888", "wamid.7", "again", at(6)))),
		wt.Body(wt.Change("smb_message_echoes", wt.Object{
			"metadata": wt.Object{"phone_number_id": wt.Phone, "display_phone_number": wt.Display},
			"message_echoes": wt.List{
				wt.Message(wt.Display, "wamid.8", "text", at(7),
					wt.Object{"to": "918888888888", "text": wt.Object{"body": "on its way"}})},
		})),
		wt.Body(wt.Messages(nil, wt.Object{"type": "text", "text": wt.Object{"body": "from nobody"}, "id": "wamid.9"},
			wt.Object{"type": "text"})),
		wt.Body(wt.Messages(wt.List{wt.Contact("916666666666", "Sita")},
			wt.Text("916666666666", "wamid.erased-1", "STOP", at(8)),
			wt.Message("916666666666", "wamid.erased-2", "image", at(8),
				wt.Object{"image": wt.Object{"id": "media-erased", "mime_type": "image/jpeg"}}))),
		wt.Body(wt.Messages(wt.List{wt.Contact("917777777777", "Meena"), wt.Contact("918888888888", "Ravi")},
			wt.Text("917777777777", "wamid.erased-3", "stop", at(9)),
			wt.Text("918888888888", "wamid.10", "more", at(10)), wt.Text("917777777777", "wamid.11", "hello", at(11)))),
		wt.Body(wt.Messages(nil,
			wt.Message("918888888888", "wamid.12", "edit", at(12),
				wt.Object{"edit": wt.Object{
					"original_message_id": "wamid.7",
					"message":             wt.Object{"type": "text", "text": wt.Object{"body": "once more"}}}}),
			wt.Message("918888888888", "wamid.13", "reaction", at(13),
				wt.Object{"reaction": wt.Object{"message_id": "wamid.8", "emoji": "👍"}}),
			wt.Message("919876543210", "wamid.14", "revoke", at(15),
				wt.Object{"revoke": wt.Object{"original_message_id": "wamid.15"}}))),
		wt.Body(wt.Messages(nil, wt.Text("919876543210", "wamid.15", "sorry", at(14)))),
	}
}

// logged appends bodies to the log and stores the tombstones of their erased messages.
func logged(t testing.TB, db *dynamotest.DB, bodies ...[]byte) []dynamo.Item {
	t.Helper()
	for _, id := range []model.MessageID{"wamid.erased-1", "wamid.erased-2", "wamid.erased-3"} {
		db.Seed(t, tables.Messages,
			model.Message{
				PK: keys.Message(id).Partition, ItemType: model.ItemMessage, ErasedAt: model.At(noon), TTL: 1})
	}
	db.Seed(t, tables.Messages,
		model.Media{
			PK: keys.Media("media-erased").Partition, ItemType: model.ItemMedia, MediaID: "media-erased",
			ErasedAt: model.At(noon), TTL: 1})
	return messagingtest.Logged(t, db, clock, bodies...)
}

func TestErasedMessagesAreRemovedFromTheLogAndStoreNothing(t *testing.T) {
	db := dynamotest.Start(t, stores...)
	images := logged(t, db, bodies()...)
	if response, err := consume(t.Context(), db.Client,
		events.DynamoDBEvent{Records: dynamotest.Records(t, images)}); err != nil ||
		len(response.BatchItemFailures) > 0 {
		t.Fatalf("%+v, %v", response, err)
	}
	for key, item := range db.Dump(t)["Messages"] {
		if text := fmt.Sprint(key, item); strings.Contains(text, "916666666666") || strings.Contains(text, "Sita") ||
			strings.Contains(text, "[stop]") {
			t.Errorf("%s: %s", key, text)
		}
	}
	var meena model.Conversation
	if err := db.Get(t.Context(), tables.Messages, keys.Conversation(wt.Phone, "917777777777"), &meena); err != nil ||
		meena.UnreadCount != 2 || meena.OptedOutAt != "" {
		t.Errorf("%+v, %v", meena, err)
	}
}

func TestInboundSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPointInParts(t, dynamotest.Replay{
		Tables: stores, Handle: consume,
		Seed: func(t testing.TB, db *dynamotest.DB) []dynamo.Item { return logged(t, db, bodies()...) },
	}, 3)
	t.Logf("%d crash points", points)
}

func TestInboundEndsTheSameHoweverTheStreamComes(t *testing.T) {
	dynamotest.StreamReplay(t, dynamotest.Replay{
		Tables: stores,
		Seed: func(t testing.TB, db *dynamotest.DB) []dynamo.Item {
			return logged(t, db, bodies()...)
		},
		Handle: consume,
	})
}

// The first identifier names a conversation, so the name depends on the order, and a late echo is counted. Nothing else
// may.
func TestInboundEndsTheSameInWhateverOrderEventsCome(t *testing.T) {
	dynamotest.StreamReplay(t, dynamotest.Replay{
		Tables: stores,
		Seed: func(t testing.TB, db *dynamotest.DB) []dynamo.Item {
			all := bodies()
			return logged(t, db, append(append(all[:2:2], all[3]), all[5:]...)...)
		},
		Handle: consume, Unordered: true,
	})
}
