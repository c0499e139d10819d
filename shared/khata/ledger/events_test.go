package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tables"
)

// An entry is published with the entry, once, wherever the process dies, and names nobody.
func TestAnEntryIsPublishedWhereSomebodyListens(t *testing.T) {
	used := append(ledgerTables, tables.Outbox)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	sells := func(ctx context.Context, client *dynamo.Client, subscribed bool) error {
		clock := func() time.Time { return now }
		l := &ledger.Ledger{DB: client, Now: clock, Publisher: &publishing.Publisher{DB: client, Now: clock}}
		s := kirana()
		s.Subscribed = subscribed
		request, err := ledger.Request(s, idempotency.API, "k1", nil)
		if err == nil {
			_, err = l.Add(ctx, s, ledger.Draft{
				Customer: "+919876543210", Name: "Asha", Type: khatamodel.CreditSale, Amount: rupees("50")}, request)
		}
		return err
	}
	for subscribed, want := range map[bool]int{false: 0, true: 1} {
		db := dynamotest.Start(t, used...)
		for range 2 {
			if err := sells(t.Context(), db.Client, subscribed); err != nil {
				t.Fatal(err)
			}
		}
		all := db.Items(t, tables.Outbox)
		if len(all) != want {
			t.Errorf("subscribed %t: %d events", subscribed, len(all))
		}
		for _, event := range all {
			if dynamo.Text(event, "eventType") != publishing.EventPublish {
				t.Errorf("%v", event)
			}
		}
	}
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used, Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return sells(ctx, client, true)
		},
	})
	db := dynamotest.Start(t, used...)
	if err := sells(t.Context(), db.Client, true); err != nil {
		t.Fatal(err)
	}
	for _, item := range db.Dump(t)[tables.Outbox.ID] {
		if text := strings.ToLower(fmt.Sprint(item)); !strings.Contains(text, ledger.EventPosted) ||
			strings.Contains(text, "919876543210") || strings.Contains(text, "asha") {
			t.Error(text)
		}
	}
}
