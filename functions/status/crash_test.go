package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var (
	noon     = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	together = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}
)

func clock() time.Time { return noon }

func at(seconds int) time.Time { return noon.Add(time.Duration(seconds-600) * time.Second) }

func consume(ctx context.Context, client *dynamo.Client,
	event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	rooms := messaging.New(messaging.Config{DB: client, Now: clock})
	return NewHandler(rooms, slog.New(slog.DiscardHandler)).Handle(ctx, event)
}

// accepted puts two messages into the outbox. The answers to both sends were lost, so only statuses tell how they
// ended.
func accepted(t testing.TB, db *dynamotest.DB) map[string]sending.Accepted {
	t.Helper()
	all := map[string]sending.Accepted{}
	for id, customer := range map[string]model.CustomerID{"queued-1": "919876543210", "queued-2": "918888888888"} {
		rooms := messaging.New(messaging.Config{
			DB: db.Client, Now: clock, NewID: func() string { return id }, NewToken: func() string { return "token" }})
		out, err := rooms.Accept(t.Context(), sending.Outgoing{
			Tenant: "demo", Phone: wt.Phone, Customer: customer, SentBy: "user-1",
			Content: content.Template{Name: "hello_world", Language: "en_US"},
		}, idempotency.Request{})
		if err != nil {
			t.Fatal(err)
		}
		all[id] = out
	}
	return all
}

// seed logs what status must handle: states out of order, duplicates, an unknown message, statuses that settle or fail
// a send, a payment's status, a changed user id, other kinds of events, statuses without an id, of an erased message,
// of an erased send, and news about the number.
func seed(t testing.TB, db *dynamotest.DB) []dynamo.Item {
	t.Helper()
	sends := accepted(t, db)
	db.Seed(t, tables.Messages, model.Conversation{
		PK: keys.Conversation(wt.Phone, "IN.1").Partition, ItemType: model.ItemConversation, From: "IN.1",
		FirstOrder: model.OrderOf(model.At(noon), 0), ReceivedAt: model.At(noon),
	})
	db.Seed(t, tables.Messages,
		model.Message{
			PK: keys.Message("wamid.erased").Partition, ItemType: model.ItemMessage, ErasedAt: model.At(noon), TTL: 1})
	gone := wt.Object{"biz_opaque_callback_data": keys.OutboxEventID(keys.OutboxSequenceID("demo:whatsapp:erased"), 7)}
	first := wt.Object{"biz_opaque_callback_data": sends["queued-1"].OutboxEventID + ".token"}
	second := wt.Object{
		"biz_opaque_callback_data": sends["queued-2"].OutboxEventID + ".token", "recipient_user_id": "IN.9",
		"errors": wt.List{wt.Object{"code": 131026, "title": "Message undeliverable"}}}
	bodies := [][]byte{
		wt.Body(wt.Statuses(wt.Status("wamid.1", "delivered", "919876543210", at(2), first),
			wt.Status("wamid.1", "sent", "919876543210", at(1), first))),
		wt.Body(wt.Statuses(wt.Status("wamid.1", "read", "919876543210", at(3), first),
			wt.Status("wamid.1", "read", "919876543210", at(3), first))),
		wt.Body(wt.Statuses(wt.Status("wamid.2", "failed", "918888888888", at(4), second))),
		wt.Body(wt.Statuses(wt.Status("wamid.unknown", "delivered", "917777777777", at(5), nil),
			wt.Status("wamid.unknown", "failed", "917777777777", at(6), nil),
			wt.Status("wamid.unknown", "deleted", "917777777777", at(7), nil))),
		wt.Body(wt.Statuses(wt.Object{"status": "sent"},
			wt.Status("pay-1", "captured", "919876543210", at(8),
				wt.Object{"type": "payment", "payment": wt.Object{"reference_id": "r1"}}),
			wt.Status("pay-1", "pending", "919876543210", at(7),
				wt.Object{"type": "payment", "payment": wt.Object{"reference_id": "r1"}}))),
		wt.Body(wt.Change("user_id_update", wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone},
			"user_id_update": wt.List{wt.Object{"user_id": wt.Object{"previous": "IN.1", "current": "IN.2"}}}})),
		wt.Body(wt.Statuses(wt.Status("wamid.erased", "delivered", "916666666666", at(9), nil),
			wt.Status("wamid.erased", "failed", "916666666666", at(10), first),
			wt.Status("wamid.erased", "warning", "916666666666", at(10), nil),
			wt.Status("wamid.erased", "captured", "916666666666", at(10), wt.Object{"type": "payment"}))),
		wt.Body(wt.Statuses(wt.Status("wamid.gone", "sent", "916666666666", at(11), gone),
			wt.Status("wamid.gone", "failed", "916666666666", at(12), gone))),
		wt.Body(wt.Statuses(wt.Status("wamid.gone", "warning", "916666666666", at(13), gone))),
		wt.Body(wt.Change("account_update", wt.Object{"event": "ACCOUNT_RESTRICTION"}),
			wt.Change("something_new", wt.Object{"a": 1})),
		wt.BodyAt(at(24),
			wt.Change("account_update",
				wt.Object{"event": "DISABLED_UPDATE", "ban_info": wt.Object{"waba_ban_state": "DISABLE"}})),
		wt.BodyAt(at(20), wt.QualityUpdate("FLAGGED", "TIER_10K"), wt.NameUpdate("APPROVED", "Haat")),
		wt.BodyAt(at(22), wt.NameUpdate("APPROVED", "Haat Line"),
			wt.QualityUpdate("THROUGHPUT_UPGRADE", "TIER_UNLIMITED")),
		wt.BodyAt(at(21), wt.QualityUpdate("UNFLAGGED", "TIER_2K")),
		wt.BodyAt(at(23), wt.TemplateStatus("offer", "en-US", "PAUSED"),
			wt.Change("template_category_update",
				wt.Template("offer", "en_US", wt.Object{"new_category": "MARKETING"}))),
		wt.BodyAt(at(22), wt.TemplateStatus("offer", "en_US", "APPROVED")),
		wt.Body(wt.Calls(
			wt.Call("wacid.1", "919876543210", "terminate", at(29),
				wt.Object{"status": "COMPLETED", "start_time": at(28).Unix(), "duration": 1}))),
		wt.Body(wt.Calls(wt.Call("wacid.1", "919876543210", "connect", at(27), nil),
			wt.Call("wacid.2", "915555555555", "connect", at(27), nil))),
		wt.Body(wt.Group("group_participants_update", "G1", at(31),
			wt.Object{"type": "group_participants_add", "added_participants": wt.List{wt.Object{"wa_id": "1"}}}),
			wt.Group("group_lifecycle_update", "G1", at(30), wt.Object{"type": "group_create", "subject": "Rice"})),
		wt.Body(wt.Preference("919876543210", "stop", at(25)), wt.Preference("919876543210", "resume", at(24)),
			wt.Named("919876543210", "Asha of the corner", at(26))),
	}
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display,
	})
	return messagingtest.Logged(t, db, clock, bodies...)
}

func TestStatusSurvivesEveryCrashPoint(t *testing.T) {
	t.Logf("%d crash points",
		dynamotest.EveryCrashPointInParts(t, dynamotest.Replay{Tables: together, Seed: seed, Handle: consume}, 3))
}

func TestStatusEndsTheSameHoweverTheStreamComes(t *testing.T) {
	dynamotest.StreamReplay(t, dynamotest.Replay{Tables: together, Seed: seed, Handle: consume})
}

// The history keeps the order of arrival. The state, the outbox and everything else must not depend on it.
func TestStatusEndsTheSameInWhateverOrderEventsCome(t *testing.T) {
	dynamotest.StreamReplay(t, dynamotest.Replay{
		Tables: together, Seed: seed, Handle: consume, Unordered: true,
		Ignore: []string{"deliveryStatusHistory", "lastError"},
	})
}

func TestStatusesOfErasedMessagesStoreNothing(t *testing.T) {
	db := dynamotest.Start(t, together...)
	images := seed(t, db)
	if response, err := consume(t.Context(), db.Client,
		events.DynamoDBEvent{Records: dynamotest.Records(t, images)}); err != nil ||
		len(response.BatchItemFailures) > 0 {
		t.Fatalf("%+v, %v", response, err)
	}
	for _, id := range []model.MessageID{"wamid.erased", "wamid.gone"} {
		item := db.Dump(t)[tables.Messages.ID][keys.Message(id).Partition]
		if len(item) != 4 || item["erasedAt"] == nil || item["ttl"] == nil {
			t.Errorf("%s holds %v", id, item)
		}
	}
}

func TestAStatusSettlesASendWhoseAnswerWasLost(t *testing.T) {
	db := dynamotest.Start(t, together...)
	images := seed(t, db)
	if _, err := consume(t.Context(), db.Client,
		events.DynamoDBEvent{Records: dynamotest.Records(t, images)}); err != nil {
		t.Fatal(err)
	}
	events := outbox.Outbox{DB: db.Client, Now: clock}
	for customer, want := range map[string]struct {
		status     model.OutboxStatus
		externalID string
	}{"919876543210": {model.OutboxSent, "wamid.1"}, "918888888888": {model.OutboxDeadLetter, "wamid.2"}} {
		sequence := keys.OutboxSequenceID(keys.OutboxEntityKey("demo", "whatsapp", wt.Phone+":"+customer))
		event, err := events.Get(t.Context(), keys.OutboxEventID(sequence, 1))
		if err != nil {
			t.Fatal(err)
		}
		if event.Status != want.status || event.ExternalID != want.externalID {
			t.Errorf("the event is %s %q, want %s %q", event.Status, event.ExternalID, want.status, want.externalID)
		}
	}
	rooms := messaging.New(messaging.Config{DB: db.Client, Now: clock})
	m, err := rooms.Message(t.Context(), "queued-1")
	if err != nil {
		t.Fatal(err)
	}
	if m.PK != "MSG#wamid.1" || m.DeliveryStatus != model.Read || m.Direction != model.Outbound ||
		len(m.DeliveryStatusHistory) != 3 {
		t.Errorf("the message is %s, %s, %d updates", m.PK, m.DeliveryStatus, len(m.DeliveryStatusHistory))
	}
}
