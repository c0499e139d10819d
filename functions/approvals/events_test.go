package main

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var (
	noon     = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	dueAt    = noon.Add(48*time.Hour + 2*time.Second)
	together = []tables.Table{
		tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs, tables.CardUsers, tables.CardRequests,
		tables.CardIdempotency,
		tables.WhatsAppNotifications, tables.PendingApprovals,
	}
)

// open wires the domain as the function does, at a time.
func open(client *dynamo.Client, at time.Time, newID func() string) *cards.Domain {
	return registry.Cards(registry.Open(messaging.Config{
		DB: client, Now: func() time.Time { return at }, NewID: newID, NewToken: func() string { return "token" },
		DefaultTenant: "demo",
	}))
}

var boss = changes.By{Via: cardsmodel.ViaAPI, Actor: audit.Actor{Subject: "boss"}}

// seed has three users ask for cards: two whose requests expire at dueAt, and one later. The notification to the last
// one's admin has failed, and is due again.
func seed(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	newID := dynamotest.IDs("01a1fbae-3de3-707d-9ea6-%012d")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo"})
	_, err := open(db.Client, noon, newID).Programs.Set(t.Context(), cardsmodel.Program{
		TenantID: "demo", PhoneNumberID: wt.Phone, Language: "en", Policy: policy.Default(),
		Admins: []cardsmodel.Admin{{ID: "ravi", Name: "Ravi", Phone: "+919811111111"}},
	}, boss)
	must(err)
	var last cardsmodel.Request
	for i, at := range []time.Time{noon, noon.Add(time.Second), noon.Add(time.Hour)} {
		store := open(db.Client, at, newID)
		user, err := store.Users.Create(t.Context(),
			users.New{Tenant: "demo", Name: "Asha", Phone: fmt.Sprintf("+91987654321%d", i), Role: cardsmodel.RoleUser,
				Score: 600}, idempotency.Request{}, boss)
		must(err)
		last, err = store.Requests.Make(t.Context(),
			requests.Ask{Tenant: "demo", User: user.EcosystemID, Product: "standard", By: boss})
		must(err)
	}
	id := model.Name(string(last.RequestID) + ".approval_request.ravi")
	due := model.At(noon.Add(2 * time.Hour))
	err = db.Update(t.Context(), dynamo.Update{
		Table: tables.WhatsAppNotifications, Key: keys.Notification(id), If: "attribute_exists(notificationId)",
		Do:    "SET deliveryStatus = :failed, tenantStatus = :tenant, nextRetryAt = :at, #sort = :sort",
		Names: map[string]string{"#sort": tables.SortNextRetryAtNotificationID},
		Values: dynamo.Item{
			":failed": dynamo.S(cardsmodel.NotificationFailed),
			":tenant": dynamo.S(keys.OfTenant("demo", cardsmodel.NotificationFailed)),
			":at":     dynamo.S(due), ":sort": dynamo.S(keys.Joined(due, string(id))),
		},
	})
	must(err)
}

// statuses returns how many items of a table have each value of an attribute.
func statuses(t *testing.T, db *dynamotest.DB, table tables.Table, attribute string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, item := range db.Items(t, table) {
		if value := dynamo.Text(item, attribute); value != "" {
			counts[value]++
		}
	}
	return counts
}

func TestTheSampleEventExpiresWhatIsDueAndSendsAgain(t *testing.T) {
	samples := dynamotest.Samples[json.RawMessage](t, "approvals", map[string]bool{"sweep": true})
	db := dynamotest.Start(t, together...)
	seed(t, db)
	store := open(db.Client, dueAt, dynamotest.IDs("run-%d"))
	for range 2 { // the second finds nothing to do
		if _, err := NewHandler(store)(t.Context(), samples["sweep"]); err != nil {
			t.Fatal(err)
		}
	}
	if got := statuses(t, db, tables.PendingApprovals, "approvalStatus"); got["expired"] != 2 || got["pending"] != 1 {
		t.Errorf("approvals: %v", got)
	}
	if got := statuses(t, db, tables.CardRequests, "status"); got["rejected"] != 2 || got["pending"] != 1 {
		t.Errorf("requests: %v", got)
	}
	if got := statuses(t, db, tables.WhatsAppNotifications, "deliveryStatus"); got["failed"] != 0 ||
		got["pending"] != 5 {
		t.Errorf("notifications: %v", got)
	}
	// three questions, one of them again, and two customers who are told
	if got := len(db.Items(t, tables.Outbox)); got != 6 {
		t.Errorf("%d outbox events", got)
	}
	if got := statuses(t, db, tables.AuditLogs, "action"); got["card-request.expired"] != 2 {
		t.Errorf("audit records: %v", got)
	}
}

func TestApprovalsSurviveEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together,
		Seed:   seed,
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			store := open(client, dueAt, func() string { return "the-same" }) // whichever attempt commits
			_, err := NewHandler(store)(ctx, nil)
			return err
		},
	})
	t.Logf("%d crash points", points)
}
