package main

import (
	"encoding/json"
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

func TestTheSweepProcessesEntriesThatTheStreamMissed(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	log := webhooklog.Appender{DB: db.Client, Now: clock, Sources: &webhooklog.Sources{}}
	entries := messagingtest.Append(t, log, wt.Body(
		wt.Messages(wt.List{wt.Contact("919876543210", "Asha")}, wt.Text("919876543210", "wamid.1", "2 kg rice", noon)),
		wt.Statuses(wt.Status("wamid.2", "sent", "919876543210", noon, nil)), // the status function's entry
	))
	rooms := messaging.Receiving(messaging.Config{
		DB: db.Client, Now: func() time.Time { return noon.Add(6 * time.Minute) }, DefaultTenant: "demo"})
	sample, err := json.Marshal(map[string]string{"source": "haatline.schedule", "detail-type": "inbound-sweep"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewHandler(rooms, slog.New(slog.DiscardHandler)).Run(t.Context(), sample); err != nil {
		t.Fatal(err)
	}
	var c model.Conversation
	if err := db.Get(t.Context(), tables.Messages, keys.Conversation(wt.Phone, "919876543210"), &c); err != nil ||
		c.UnreadCount != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	for i, want := range []bool{true, false} {
		var event model.WebhookEvent
		if err := db.Get(t.Context(), tables.Messages, keys.WebhookEvent(model.EventID(entries[i].ID)),
			&event); err != nil || (event.ProcessedAt != "") != want {
			t.Errorf("entry %d: %+v, %v", i, event, err)
		}
	}
}
