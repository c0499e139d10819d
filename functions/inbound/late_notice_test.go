package main

import (
	"context"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A notice of a changed number arrives after a stranger has written from the old number. It moves the messages.
func TestALateNoticeSurvivesEveryCrashPoint(t *testing.T) {
	const before, after = "919876543210", "918888888888"
	says := func(from, id, text string, minute int) []byte {
		return wt.Body(wt.Messages(wt.List{wt.Contact(from, "Asha")}, wt.Text(from, id, text, at(minute))))
	}
	notice := wt.Body(
		wt.Messages(nil,
			wt.Message(before, "wamid.n", "system", at(2),
				wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": after}})))
	var late []dynamo.Item
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			early := messagingtest.Logged(t, db, clock, says(before, "wamid.1", "mine", 1),
				says(before, "wamid.2", "STOP", 3), says(after, "wamid.3", "mine", 4),
				says(before, "wamid.4", "theirs", 5))
			if err := dynamotest.Reported(
				consume(t.Context(), db.Client,
					events.DynamoDBEvent{Records: dynamotest.Records(t, early)})); err != nil {
				t.Fatal(err)
			}
			late = messagingtest.Logged(t, db, clock, notice)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return dynamotest.Reported(consume(ctx, client, events.DynamoDBEvent{Records: dynamotest.Records(t, late)}))
		},
	})
	t.Logf("%d crash points", points)
}
