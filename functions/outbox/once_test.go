package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// WhatsApp takes a message, and its answer is lost. What follows is the number's setting: the message goes out again
// and says so, or it waits for a person and the conversation shows why. Other customers' messages go on.
func TestTheNumberSaysWhatBecomesOfASendWithoutAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		once   bool
		sends  int
		status model.OutboxStatus
	}{
		"it is repeated":            {false, 2, model.OutboxSent},
		"it is parked for a person": {true, 1, model.OutboxDeadLetter},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			sends := map[string]int{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body struct{ To string }
				text, _ := io.ReadAll(r.Body)
				_ = json.Unmarshal(text, &body)
				to := strings.TrimPrefix(body.To, "+")
				mu.Lock()
				sends[to]++
				n := sends[to]
				mu.Unlock()
				if to == "918888888888" && n == 1 {
					panic(http.ErrAbortHandler)
				}
				fmt.Fprintf(w, `{"messages":[{"id":"wamid.%s.%d"}]}`, to, n)
			}))
			defer server.Close()
			db := dynamotest.Start(t, together...)
			db.Seed(t, tables.Messages, model.Phone{PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE",
				PhoneNumberID: wt.Phone, TenantID: "demo", SendsOnce: c.once})
			waiting(t, db)
			for run := range 4 { // three minutes apart
				if err := dynamotest.Reported(relay(db.Client, server.URL, run).Handle(t.Context(),
					json.RawMessage(`{"detail-type":"outbox-sweep"}`))); err != nil {
					t.Fatal(err)
				}
			}
			if sends["918888888888"] != c.sends || sends["919876543210"] != 2 {
				t.Errorf("sent %v", sends)
			}
			for _, item := range db.Items(t, tables.Outbox) {
				var event model.OutboxEvent
				if err := dynamo.Unmarshal(item, &event); err != nil {
					t.Fatal(err)
				}
				if event.EntityID == keys.WhatsAppEntityID(wt.Phone, "918888888888") &&
					(event.Status != c.status || !event.PossibleDuplicate) {
					t.Errorf("%+v", event)
				}
			}
			var m model.Message
			err := db.Get(t.Context(), tables.Messages, keys.Message("queued-1"), &m)
			if failed := m.DeliveryStatus == model.Failed; err != nil || failed != c.once ||
				failed && len(m.DeliveryStatusHistory) == 0 {
				t.Errorf("the message says %+v, %v", m, err)
			}
		})
	}
}
