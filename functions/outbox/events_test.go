package main

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
)

// text stores what the sample event refers to: the outbox event, its sequence, and the queued message.
func text(t *testing.T, db *dynamotest.DB, sample json.RawMessage) model.OutboxEvent {
	t.Helper()
	var batch events.DynamoDBEvent
	if err := json.Unmarshal(sample, &batch); err != nil {
		t.Fatal(err)
	}
	item := stream.Item(batch.Records[0].Change.NewImage)
	var event model.OutboxEvent
	if err := dynamo.Unmarshal(item, &event); err != nil {
		t.Fatal(err)
	}
	if err := db.Put(t.Context(), dynamo.Put{Table: tables.Outbox, Item: item, If: dynamo.Unconditional}); err != nil {
		t.Fatal(err)
	}
	entity := keys.OutboxEntityKey(event.EcosystemID, event.EntityType, event.EntityID)
	if id := keys.OutboxEventID(keys.OutboxSequenceID(entity), event.SequenceNumber); id != event.EventID {
		t.Errorf("the sample's event has the id %s, not that of its sequence, %s", event.EventID, id)
	}
	db.Seed(t, tables.OutboxSequences,
		model.OutboxSequence{
			SequenceID: keys.OutboxSequenceID(entity), EntityKey: entity, Current: event.SequenceNumber})
	var payload struct{ MessageID model.MessageID }
	if err := json.Unmarshal(event.Payload, &payload); err != nil {
		t.Fatal(err)
	}
	db.Seed(t, tables.Messages, model.Message{
		PK: keys.Message(payload.MessageID).Partition, ItemType: model.ItemMessage, Direction: model.Outbound,
		DeliveryStatus: model.Queued, OutboxEventID: event.EventID,
	})
	return event
}

// The sweep finds the event whose stream record nobody processed.
func TestSampleEventsSendWaitingMessages(t *testing.T) {
	samples := dynamotest.Samples[json.RawMessage](t, "outbox", map[string]bool{"sweep": true, "text": true})
	for name, sample := range samples {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			waiting := text(t, db, samples["text"])
			graph := &answering{sends: map[string]int{}}
			server := httptest.NewServer(graph)
			defer server.Close()
			response, err := relay(db.Client, server.URL, 0).Handle(t.Context(), sample)
			if err != nil || len(response.BatchItemFailures) > 0 {
				t.Fatalf("%+v, %v", response, err)
			}
			if diff := cmp.Diff(map[string]int{outbox.Callback(waiting): 1}, graph.sends); diff != "" {
				t.Errorf("sends by callback data:\n%s", diff)
			}
			var settled model.OutboxEvent
			if err := db.Get(t.Context(), tables.Outbox, keys.OutboxEvent(waiting.EventID), &settled); err != nil ||
				settled.Status != model.OutboxSent {
				t.Errorf("%+v, %v", settled, err)
			}
			var m model.Message
			if err := db.Get(t.Context(), tables.Messages, keys.Message(model.MessageID(settled.ExternalID)),
				&m); err != nil || m.SentAt == "" {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}
