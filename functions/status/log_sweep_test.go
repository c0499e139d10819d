package main

import (
	"log/slog"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestTheSweepAppliesStatusesThatTheStreamMissed(t *testing.T) {
	db := dynamotest.Start(t, together...)
	log := webhooklog.Appender{DB: db.Client, Now: clock, Sources: &webhooklog.Sources{}}
	entries := messagingtest.Append(t, log, wt.Body(
		wt.Statuses(wt.Status("wamid.2", "delivered", "919876543210", noon, nil)),
		wt.Change("something_new", wt.Object{"a": 1}),
	))
	rooms := messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return noon.Add(6 * time.Minute) }})
	if _, err := NewHandler(rooms, slog.New(slog.DiscardHandler)).Run(t.Context(),
		[]byte(`{"source":"haatline.schedule","detail-type":"status-sweep"}`)); err != nil {
		t.Fatal(err)
	}
	var m model.Message
	if err := db.Get(t.Context(), tables.Messages, keys.Message("wamid.2"), &m); err != nil ||
		m.DeliveryStatus != model.Delivered {
		t.Errorf("%+v, %v", m, err)
	}
	for _, entry := range entries {
		var event model.WebhookEvent
		if err := db.Get(t.Context(), tables.Messages, keys.WebhookEvent(model.EventID(entry.ID)),
			&event); err != nil || event.ProcessedAt == "" {
			t.Errorf("%+v, %v", event, err)
		}
	}
}
