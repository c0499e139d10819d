package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// Every log line costs money. The messages of an entry are named on the entry's own line, and on more only if they are
// many.
func TestOneLogLineNamesAllMessagesOfAnEntry(t *testing.T) {
	for _, count := range []int{1, 3, 450} {
		db := dynamotest.Start(t, tables.Messages)
		var messages []wt.Object
		var want []string
		for n := range count {
			id := fmt.Sprintf("wamid.%d", n)
			messages, want = append(messages, wt.Text(customer(1), id, "hello", at(0))), append(want, id)
		}
		images := messagingtest.Logged(t, db, clock,
			wt.Body(wt.Messages(wt.List{wt.Contact(customer(1), "Asha")}, messages...)))
		var out bytes.Buffer
		handler := NewHandler(messaging.Receiving(messaging.Config{DB: db.Client, Now: clock, DefaultTenant: "demo"}),
			telemetry.Logger("inbound", &out))
		if response, err := handler.Handle(t.Context(),
			events.DynamoDBEvent{Records: dynamotest.Records(t, images)}); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
		var got []string
		lines := 0
		for text := range strings.Lines(out.String()) {
			var line struct {
				Messages      []string
				CorrelationID string
			}
			if err := json.Unmarshal([]byte(text), &line); err != nil || line.CorrelationID == "" {
				t.Fatalf("%s: %v", text, err)
			}
			got = append(got, line.Messages...)
			lines++
		}
		if diff := cmp.Diff(want, got); diff != "" || lines != 1+count/200 {
			t.Errorf("%d lines of %d messages\n%s", lines, count, diff)
		}
	}
}
