package main

import (
	"maps"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
)

func TestSampleEventsAreKeptAndProcessed(t *testing.T) {
	const sent = "wamid.HBgMOTE5ODc2NTQzMjEwFQIAERgSQjA5QzdENkU1RjRBM0IyQzFEAA=="
	cases := map[string][]string{ // the message's delivery history
		"statuses":          {"sent", "delivered", "read"},
		"account-disabled":  nil,
		"call":              nil,
		"group":             nil,
		"marketing-stopped": nil,
		"template-approved": nil,
		"unknown-field":     nil,
	}
	all := maps.Clone(cases)
	all["sweep"] = nil             // it has no status itself: see log_sweep_test.go
	all["templates-sync"] = nil    // see schedules_test.go
	all["community-digests"] = nil // see digests_test.go
	samples := dynamotest.Samples[events.DynamoDBEvent](t, "status", all)
	for name, history := range cases {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			logged := samples[name].Records[0].Change.NewImage
			if err := db.Put(t.Context(),
				dynamo.Put{Table: tables.Messages, Item: stream.Item(logged), If: dynamo.Unconditional}); err != nil {
				t.Fatal(err)
			}
			response, err := consume(t.Context(), db.Client, samples[name])
			if err != nil || len(response.BatchItemFailures) > 0 {
				t.Fatalf("%+v, %v", response, err)
			}
			var event model.WebhookEvent
			err = db.Get(t.Context(), tables.Messages, keys.WebhookEvent(model.EventID(logged["eventId"].String())),
				&event)
			if err != nil || event.ProcessedAt == "" || event.ProcessingError != "" {
				t.Errorf("%+v, %v", event, err)
			}
			if history == nil {
				return
			}
			var m model.Message
			if err := db.Get(t.Context(), tables.Messages, keys.Message(sent), &m); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, update := range m.DeliveryStatusHistory {
				got = append(got, update.Status)
			}
			if diff := cmp.Diff(history, got); diff != "" || m.DeliveryStatus != model.Read {
				t.Errorf("state %s:\n%s", m.DeliveryStatus, diff)
			}
		})
	}
}
