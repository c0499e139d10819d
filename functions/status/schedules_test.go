package main

import (
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// The accounts of tenants have their templates listed, each once.
func TestTheDailyScheduleListsTemplates(t *testing.T) {
	sample := dynamotest.Samples[json.RawMessage](t, "status", map[string]bool{
		"account-disabled": true, "call": true, "community-digests": true,
		"group": true, "marketing-stopped": true, "statuses": true,
		"sweep": true, "template-approved": true, "templates-sync": true, "unknown-field": true,
	})["templates-sync"]
	db := dynamotest.Start(t, together...)
	log := webhooklog.Appender{DB: db.Client, Now: clock, Sources: &webhooklog.Sources{}}
	nobodys := wt.Encode(wt.Object{
		"object": "whatsapp_business_account",
		"entry":  wt.List{wt.Object{"id": "4711", "changes": wt.List{wt.TemplateStatus("a", "en", "PAUSED")}}}})
	messagingtest.Append(t, log, wt.Body(wt.TemplateStatus("offer", "en", "APPROVED")))
	messagingtest.Append(t, log, nobodys)
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA,
	})
	rooms := messaging.New(messaging.Config{DB: db.Client, Now: clock})
	for range 2 {
		run := stream.WithSchedules(rooms.Schedules(), NewHandler(rooms, slog.New(slog.DiscardHandler)).Run)
		if _, err := run(t.Context(), sample); err != nil {
			t.Fatal(err)
		}
	}
	events := db.Items(t, tables.Outbox)
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	var event model.OutboxEvent
	if err := dynamo.Unmarshal(events[0], &event); err != nil || event.EventType != templates.EventSync ||
		event.EntityID != wt.WABA || event.EcosystemID != "demo" {
		t.Errorf("%+v, %v", event, err)
	}
}
