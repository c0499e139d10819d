package main

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// scripted returns one answer per send, in turn.
type scripted []func() (string, error)

func (s *scripted) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	answer := (*s)[0]
	*s = (*s)[1:]
	id, err := answer()
	return whatsapp.Taken{ID: id}, err
}

// tried accepts a message and makes one attempt per answer, three minutes apart.
func tried(t testing.TB, db *dynamotest.DB, minutesAgo int, id string, customer model.CustomerID,
	answers ...func() (string, error)) sending.Accepted {
	t.Helper()
	now := noon.Add(-time.Duration(minutesAgo) * time.Minute)
	rooms := messaging.New(messaging.Config{
		DB: db.Client, Now: func() time.Time { return now }, NewID: func() string { return id },
		NewToken: func() string { return "token" }})
	accepted, err := rooms.Accept(t.Context(), sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: customer, SentBy: "user-1",
		Content: content.Template{Name: "hello_world", Language: "en_US"},
	}, idempotency.Request{})
	if err != nil {
		t.Fatal(err)
	}
	script := scripted(answers)
	relay := &outbox.Relay{
		Outbox: outbox.Outbox{DB: db.Client, Now: rooms.Now}, Handlers: rooms.Handlers(&script), Owner: "test",
		Log:   slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return context.Canceled },
	}
	for range answers {
		event, err := relay.Get(t.Context(), accepted.OutboxEventID)
		if err != nil {
			t.Fatal(err)
		}
		if err := relay.Deliver(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		now = now.Add(3 * time.Minute)
	}
	return accepted
}

func unanswered() (string, error) { return "", errors.New("connection lost") }

func refused() (string, error) {
	return "", &whatsapp.SendError{
		Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 131026, Message: "Message undeliverable"}}
}

func takenAs(wamid string) func() (string, error) {
	return func() (string, error) { return wamid, nil }
}

// seedLate logs statuses that arrive late: a dead letter was taken, a replayed one was taken, the first of two copies
// arrived before the second failed, and another sender's statuses that name our events.
func seedLate(t testing.TB, db *dynamotest.DB) []dynamo.Item {
	t.Helper()
	dead := tried(t, db, 60, "queued-dead", "919876543210", unanswered, refused)
	replayed := tried(t, db, 50, "queued-replayed", "918888888888", unanswered, refused)
	rooms := messaging.New(messaging.Config{
		DB: db.Client, Now: clock, NewID: func() string { return "queued-again" },
		NewToken: func() string { return "token" }})
	if _, err := rooms.ReplayDeadLetter(t.Context(),
		sending.Replay{EventID: replayed.OutboxEventID, SentBy: "user-2"}); err != nil {
		t.Fatal(err)
	}
	twice := tried(t, db, 40, "queued-twice", "917777777777", unanswered, takenAs("wamid.second"))
	pending := tried(t, db, 30, "queued-pending", "916666666666", unanswered)
	of := func(a sending.Accepted) wt.Object {
		return wt.Object{"biz_opaque_callback_data": a.OutboxEventID + ".token"}
	}
	return messagingtest.Logged(t, db, clock,
		wt.Body(wt.Statuses(wt.Status("wamid.dead", "delivered", "919876543210", at(1), of(dead)))),
		wt.Body(wt.Statuses(wt.Status("wamid.replayed", "sent", "918888888888", at(2), of(replayed)))),
		wt.Body(wt.Statuses(wt.Status("wamid.first", "delivered", "917777777777", at(3), of(twice)),
			wt.Status("wamid.second", "failed", "917777777777", at(4), of(twice)))),
		wt.Body(wt.Statuses(wt.Status("wamid.stranger", "sent", "915555555555", at(5), of(pending)),
			wt.Status("wamid.stranger", "failed", "915555555555", at(6), of(pending)))),
	)
}

func TestLateStatusesSurviveEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPointInParts(t, dynamotest.Replay{
		// written by the seed, with jitter
		Tables: together, Seed: seedLate, Handle: consume, Ignore: []string{"nextRetryAt", "nextRetryAt#eventId"},
	}, 2)
	t.Logf("%d crash points", points)
	db := dynamotest.Start(t, together...)
	if _, err := consume(t.Context(), db.Client,
		events.DynamoDBEvent{Records: dynamotest.Records(t, seedLate(t, db))}); err != nil {
		t.Fatal(err)
	}
	rooms := messaging.New(messaging.Config{DB: db.Client, Now: clock})
	for id, want := range map[model.MessageID]string{
		"queued-dead": "MSG#wamid.dead delivered", "queued-replayed": "MSG#wamid.replayed sent",
		"queued-twice": "MSG#wamid.first delivered",
		"queued-again": "MSG#queued-again queued", "queued-pending": "MSG#queued-pending queued",
	} {
		m, err := rooms.Message(t.Context(), id)
		if got := m.PK + " " + string(m.DeliveryStatus); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", id, got, err, want)
		}
	}
}
