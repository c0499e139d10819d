package main

import (
	"maps"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
)

func TestSampleEventsReachTheInbox(t *testing.T) {
	type row struct {
		message model.MessageID
		preview string
		unread  int
	}
	cases := map[string]row{
		"text-message": {
			"wamid.HBgMOTE5ODc2NTQzMjEwFQIAEhgUM0E4RjdCMTJDNEQ1RTZGNzA4MTkA", "2 kg rice और 1 packet चाय bhej do 🙏", 1},
		"echo": {
			"wamid.HBgMOTE5ODc2NTQzMjEwFQIAERgUM0FFQ0hPMDEyMzQ1Njc4OTBBAA==", "आज शाम 5 बजे तक पहुँच जाएगा।", 0},
	}
	all := maps.Clone(cases)
	all["sweep"] = row{} // it has no message itself: see log_sweep_test.go
	samples := dynamotest.Samples[events.DynamoDBEvent](t, "inbound", all)
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, tables.Messages)
			logged := samples[name].Records[0].Change.NewImage
			if err := db.Put(t.Context(),
				dynamo.Put{Table: tables.Messages, Item: stream.Item(logged), If: dynamo.Unconditional}); err != nil {
				t.Fatal(err)
			}
			response, err := consume(t.Context(), db.Client, samples[name])
			if err != nil || len(response.BatchItemFailures) > 0 {
				t.Fatalf("%+v, %v", response, err)
			}
			var c model.Conversation
			if err := db.Get(t.Context(), tables.Messages, keys.Conversation("106540352242922", "919876543210"),
				&c); err != nil {
				t.Fatal(err)
			}
			if message, _ := keys.MessageIDOf(c.LastMessagePK); (row{message, c.LastPreview, c.UnreadCount}) != want {
				t.Errorf("shows %+v", c)
			}
			var m model.Message
			if err := db.Get(t.Context(), tables.Messages, keys.Message(want.message), &m); err != nil ||
				m.ConversationPK != c.PK {
				t.Errorf("%+v, %v", m, err)
			}
			var event model.WebhookEvent
			if err := db.Get(t.Context(), tables.Messages, keys.WebhookEvent(model.EventID(logged["eventId"].String())),
				&event); err != nil || event.ProcessedAt == "" {
				t.Errorf("%+v, %v", event, err)
			}
		})
	}
}
