package commerce_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const asha, ravi = "919876543210", "918888888888"

// house is messaging with commerce.
func house(client *dynamo.Client) (*messaging.Domain, *commerce.Domain) {
	rooms := messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return noon }, DefaultTenant: "demo", NewID: func() string { return "id" }})
	shop := commerce.New(commerce.Config{
		DB: client, Now: rooms.Now, NewID: rooms.NewID, Sender: rooms.Sender, Numbers: rooms.Numbers})
	rooms.Join(shop.Part())
	return rooms, shop
}

// seed stores a customer's conversation, orders of two customers and two tenants, and their sessions.
func seed(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	for i, who := range []struct {
		customer model.CustomerID
		tenant   model.TenantID
	}{{asha, "demo"}, {asha, "demo"}, {ravi, "demo"}, {asha, "other"}} {
		at, phone := model.At(noon), orders.CustomerPhone(who.customer)
		store := model.Name("STR-" + who.tenant)
		id := model.Name(fmt.Sprintf("ORD-20261121-%08d", i))
		db.Seed(t, tables.Orders, commercemodel.Order{
			StoreID: store, ID: id, TenantID: who.tenant, CustomerID: "CUST-1", Customer: who.customer,
			CustomerPhone: phone, CustomerName: "SECRET",
			DeliveryAddress: "SECRET", DeliveryNotes: "SECRET", MessageID: "wamid.SECRET",
			Status: commercemodel.OrderConfirmed, Date: "2026-11-21", Version: 3,
			CreatedAt: at, UpdatedAt: at, GSI1PK: keys.OrdersOfCustomer(phone), GSI1SK: at, GSI2PK: "STORE", GSI2SK: at,
			GSI3PK: "STORE", GSI3SK: at,
		})
		session := model.Name(fmt.Sprint("sess-", i))
		db.Seed(t, tables.Sessions, commercemodel.Session{
			PK: keys.Session(session).Partition, SessionID: session, CustomerPhone: phone, StoreID: store,
			LastActivity: at, TenantID: who.tenant, Customer: who.customer,
			GSI1PK: keys.SessionsOf(phone), GSI1SK: at, Version: 1,
		})
	}
}

var erased = []tables.Table{
	tables.Orders, tables.Sessions, tables.Messages, tables.AuditLogs, tables.Outbox, tables.OutboxSequences}

func TestOrdersOfAnErasedCustomerNameNobody(t *testing.T) {
	db := dynamotest.Start(t, erased...)
	seed(t, db)
	rooms, shop := house(db.Client)
	for _, image := range messagingtest.Logged(t, db, rooms.Now,
		wt.Body(wt.Messages(nil, wt.Text(asha, "wamid.1", "hello", noon)))) {
		var event model.WebhookEvent
		if err := dynamo.Unmarshal(image, &event); err != nil {
			t.Fatal(err)
		}
		if err := rooms.MessageReader().Apply(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	before, err := shop.Orders.Get(t.Context(), "STR-demo", "ORD-20261121-00000000")
	if err != nil {
		t.Fatal(err)
	}
	// a later release has written something that this one does not know
	if err := db.Update(t.Context(), dynamo.Update{
		Table: tables.Orders, Key: orders.Ref("STR-demo", before.ID).Key, Do: "SET nickname = :name",
		If: dynamo.Unconditional, Values: dynamo.Item{":name": dynamo.S("SECRET")},
	}); err != nil {
		t.Fatal(err)
	}
	done, err := rooms.Erase(t.Context(),
		erasure.Request{
			Tenant: "demo", Phone: wt.Phone, Customer: asha, By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.CompletedAt == "" || done.Counts["orders"] != 2 || done.Counts["sessions"] != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, table := range []tables.Table{tables.Orders, tables.Sessions} {
		for key, item := range db.Dump(t)[table.ID] {
			ours := item["tenant_id"] == "demo" && item["customer"] != ravi
			if text := fmt.Sprint(key, item); ours &&
				(strings.Contains(text, "SECRET") || strings.Contains(text, asha)) ||
				!ours && !strings.Contains(text, "919") && !strings.Contains(text, ravi) {
				t.Errorf("%s %s: %s", table.ID, key, text)
			}
		}
	}
	after, err := shop.Orders.Get(t.Context(), "STR-demo", before.ID)
	if err != nil || after.ErasedAt == "" || after.CustomerID != before.CustomerID || after.Status != before.Status {
		t.Errorf("%+v, %v", after, err)
	}
	// A process that read the order before the erasure does not put the customer back.
	_, stale, err := shop.Orders.PrepareMove(t.Context(), before, orders.Move{To: commercemodel.OrderPreparing})
	if err != nil {
		t.Fatal(err)
	}
	if err := dynamo.Conflict(db.Transact(t.Context(), stale)); !errors.Is(err, dynamo.ErrConflict) {
		t.Errorf("a stale order was written: %v", err)
	}
	// Nor is the order lost to the shop.
	if moved, err := shop.Orders.Move(t.Context(), "STR-demo", before.ID,
		orders.Move{To: commercemodel.OrderPreparing}); err != nil || moved.GSI1PK != "" {
		t.Errorf("%+v, %v", moved, err)
	}
}

func TestErasingSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: erased,
		Seed:   func(t testing.TB, db *dynamotest.DB) { seed(t, db) },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			_, shop := house(client)
			_, err := shop.Part().Eraser.Erase(ctx,
				erasure.Subject{Tenant: "demo", Phone: wt.Phone, Accounts: []model.CustomerID{asha}},
				func(string, int) []dynamo.Write { return nil })
			return err
		},
	})
	t.Logf("%d crash points", points)
}
