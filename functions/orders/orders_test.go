package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/figures"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
)

// said returns the messages to somebody, in the order of their ids.
func said(t testing.TB, db *dynamotest.DB, to model.CustomerID) []string {
	t.Helper()
	var all []string
	for _, item := range db.Items(t, tables.Messages) {
		if messagingtest.IsOurs(item) &&
			strings.Contains(dynamo.Text(item, "conversationPk"), string(to)) {
			all = append(all, dynamo.Text(item, "textBody"))
		}
	}
	slices.Sort(all)
	return all
}

func stockOf(t testing.TB, db *dynamotest.DB) string {
	t.Helper()
	product, err := shops(db.Client).Catalogue.Get(t.Context(), shop, "salt")
	if err != nil {
		t.Fatal(err)
	}
	return product.StockQuantity.String()
}

func dayOf(t testing.TB, db *dynamotest.DB) commercemodel.Metric {
	t.Helper()
	days, err := shops(db.Client).Figures.Days(t.Context(), shop, date, date)
	if err != nil || len(days) != 1 {
		t.Fatalf("%+v, %v", days, err)
	}
	return days[0]
}

// life is what happens to three orders: one that goes its way, one that waits for the shop, and one that is cancelled.
func life() (final []commercemodel.Order, steps [][2]*commercemodel.Order) {
	for _, o := range []struct {
		first commercemodel.Order
		then  []commercemodel.OrderStatus
	}{
		{ordered(1, asha, commercemodel.OrderConfirmed, "0192-user", "7"),
			[]commercemodel.OrderStatus{commercemodel.OrderPreparing, commercemodel.OrderReady}},
		{ordered(2, asha, commercemodel.OrderPending, "customer", "2"), nil},
		{ordered(3, ravi, commercemodel.OrderConfirmed, "0192-user", "1"),
			[]commercemodel.OrderStatus{commercemodel.OrderCancelled}},
	} {
		now := o.first
		steps = append(steps, [2]*commercemodel.Order{nil, &o.first})
		for _, status := range o.then {
			was, next := now, moved(now, status, "out of salt")
			steps, now = append(steps, [2]*commercemodel.Order{&was, &next}), next
		}
		final = append(final, now)
	}
	return final, steps
}

func records(t testing.TB, steps [][2]*commercemodel.Order) []events.DynamoDBEventRecord {
	var all []events.DynamoDBEventRecord
	for _, s := range steps {
		all = append(all, record(t, s[0], s[1]))
	}
	return all
}

func TestFiguresStockAndNoticesFollowFromOrders(t *testing.T) {
	db := dynamotest.Start(t, together...)
	open(t, db)
	final, steps := life()
	for _, o := range final {
		db.Seed(t, tables.Orders, o)
	}
	c := consumer(db.Client, 0)
	for range 2 { // the second time changes nothing
		if err := handle(t.Context(), c, records(t, steps)...); err != nil {
			t.Fatal(err)
		}
		day := dayOf(t, db)
		want := commercemodel.Figures{
			TotalOrders: 3, ConfirmedOrders: 1, CancelledOrders: 1, TotalRevenue: amount("175"),
			AverageOrderValue: amount("58.33"), UniqueCustomers: 2}
		if diff := cmp.Diff(want, day.Values); diff != "" || day.Version != 1 || day.GSI1PK != "DATE#"+date ||
			day.GSI1SK != "STORE#"+string(shop) {
			t.Errorf("%+v: %s", day, diff)
		}
		if got := stockOf(t, db); got != "3" {
			t.Errorf("%s salts are left", got)
		}
		if diff := cmp.Diff([]string{
			"Your order ORD-20261121-00000001 for ₹175 is confirmed.",
			"Your order ORD-20261121-00000001 is being packed.", "Your order ORD-20261121-00000001 is ready.",
		}, said(t, db, asha)); diff != "" {
			t.Errorf("the customer who has just written is told:\n%s", diff)
		}
		if got := said(t, db, ravi); len(got) != 2 {
			t.Errorf("the customer who has not written is told %q", got)
		}
		if got := said(t, db, owner); len(got) != 2 { // an order to confirm, and little salt
			t.Errorf("the shop is told %q", got)
		}
		if got := said(t, db, meena); len(got) != 1 { // the order to confirm
			t.Errorf("a helper is told %q", got)
		}
	}
	// A deleted order leaves the figures, an expired one does not.
	gone := final[0]
	for _, id := range []model.Name{final[0].ID, final[2].ID} {
		if err := db.Transact(t.Context(),
			[]dynamo.Write{dynamo.Delete{Table: tables.Orders, Key: keys.Order(shop, id)}}); err != nil {
			t.Fatal(err)
		}
	}
	expired := record(t, &final[2], nil)
	expired.UserIdentity = &events.DynamoDBUserIdentity{Type: "Service", PrincipalID: "dynamodb.amazonaws.com"}
	if err := handle(t.Context(), c, append(records(t, steps), expired, record(t, &gone, nil))...); err != nil {
		t.Fatal(err)
	}
	if err := handle(t.Context(), c, records(t, steps)...); err != nil {
		t.Fatal(err)
	}
	if v := dayOf(t, db).Values; v.TotalOrders != 2 || v.ConfirmedOrders != 0 || !v.TotalRevenue.IsZero() ||
		v.UniqueCustomers != 2 || v.CancelledOrders != 1 {
		t.Errorf("after a deletion: %+v", v)
	}
}

// An order at a time: messages into one conversation may change places when one of them was set aside.
func TestFollowingSurvivesEveryCrashPoint(t *testing.T) {
	cancelled := ordered(3, ravi, commercemodel.OrderConfirmed, "0192-user", "1")
	after := moved(cancelled, commercemodel.OrderCancelled, "out of salt")
	after.Stock = []commercemodel.Taken{{ProductID: "salt", Asked: amount("1"), Quantity: amount("1")}}
	large, waiting := ordered(1, asha, commercemodel.OrderConfirmed, "0192-user", "7"),
		ordered(2, asha, commercemodel.OrderPending, "customer", "2")
	for name, step := range map[string][2]*commercemodel.Order{
		"confirmed, and little is left": {nil, &large}, "waits for the shop": {nil, &waiting},
		"cancelled": {&cancelled, &after}, "deleted": {&after, nil},
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: together, Ignore: []string{"updated_at"},
				Seed: func(t testing.TB, db *dynamotest.DB) {
					open(t, db)
					if step[1] != nil {
						db.Seed(t, tables.Orders, *step[1])
						return
					}
					db.Seed(t, tables.Orders, *step[0])
					if err := handle(t.Context(), consumer(db.Client, 0), record(t, nil, step[0])); err != nil {
						t.Fatal(err)
					}
					gone := dynamo.Delete{Table: tables.Orders, Key: keys.Order(shop, step[0].ID)}
					if err := db.Transact(t.Context(), []dynamo.Write{gone}); err != nil {
						t.Fatal(err)
					}
				},
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					c := consumer(client, run)
					if err := handle(ctx, c, record(t, step[0], step[1])); err != nil || run == 0 {
						return err
					}
					return c.Sweep(ctx)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

func TestFollowingEndsTheSameHoweverTheStreamComes(t *testing.T) {
	dynamotest.StreamReplay(t, dynamotest.Replay{
		Tables: together, Ignore: []string{"updated_at", "version", "created_at"},
		Seed: func(t testing.TB, db *dynamotest.DB) (images []dynamo.Item) {
			open(t, db)
			final, steps := life()
			for _, o := range final {
				db.Seed(t, tables.Orders, o)
			}
			for _, s := range steps {
				images = append(images, image(t, *s[1]))
			}
			return images
		},
		Handle: func(ctx context.Context, client *dynamo.Client,
			event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			return consumer(client, 0).Handle(ctx, event)
		},
	})
}

// A failure of one order delays no other order. It is tried again, and parked in the end.
func TestAChangeThatFailsIsSetAsideTriedAgainAndParked(t *testing.T) {
	db := dynamotest.Start(t, together...)
	open(t, db)
	good, bad := ordered(1, asha, commercemodel.OrderConfirmed, "0192-user", "1"),
		ordered(2, ravi, commercemodel.OrderConfirmed, "0192-user", "1")
	bad.Date = "no day"
	other := ordered(3, ravi, commercemodel.OrderConfirmed, "0192-user", "1")
	other.StoreID = "STR-GONE00" // there is no such store
	for _, o := range []commercemodel.Order{good, bad, other} {
		db.Seed(t, tables.Orders, o)
	}
	if err := handle(t.Context(), consumer(db.Client, 0), record(t, nil, &bad), record(t, nil, &other),
		record(t, nil, &good)); err != nil {
		t.Fatal(err)
	}
	if v := dayOf(t, db).Values; v.TotalOrders != 1 || stockOf(t, db) != "8" || len(said(t, db, asha)) != 1 {
		t.Errorf("the good order is held up: %+v, %s, %q", v, stockOf(t, db), said(t, db, asha))
	}
	states := func() (all []string) {
		for _, item := range db.Items(t, tables.Metrics) {
			if state := dynamo.Text(item, "gsi1pk"); strings.HasPrefix(state, "FOLLOW_UPS") {
				all = append(all, state+" "+dynamo.Text(item, "sk"))
			}
		}
		slices.Sort(all)
		return all
	}
	if diff := cmp.Diff([]string{
		"FOLLOW_UPS#aside FOLLOW_UP#ORD-20261121-00000003#1", "FOLLOW_UPS#parked FOLLOW_UP#ORD-20261121-00000002#1"},
		states()); diff != "" {
		t.Error(diff)
	}
	db.Seed(t, tables.Stores,
		commercemodel.Store{
			PK: other.StoreID, ID: other.StoreID, StoreID: other.StoreID, TenantID: "demo", Version: 1,
			GSI1PK: "OWNER#2", GSI1SK: model.At(noon), CreatedAt: model.At(noon)})
	if err := consumer(db.Client, 1).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := states(); len(got) != 1 {
		t.Errorf("after the store is there: %q", got)
	}
	waiting := shops(db.Client).Waiting
	if err := waiting.Again(t.Context(), shop, good.ID, 1); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a change that does not wait: %v", err)
	}
	if err := waiting.Again(t.Context(), shop, bad.ID, 1); err != nil ||
		!strings.HasPrefix(states()[0], keys.FollowUpsAside) {
		t.Errorf("%q, %v", states(), err)
	}
	if err := consumer(db.Client, 1).Sweep(t.Context()); err != nil || len(states()) != 1 ||
		!strings.HasPrefix(states()[0], keys.FollowUpsParked) {
		t.Errorf("%q, %v", states(), err)
	}
	if all, err := waiting.List(t.Context(), shop, 10, ""); err != nil || len(all) != 1 || all[0].Failures != 2 ||
		all[0].LastError == "" {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestSampleEventsAreFollowed(t *testing.T) {
	samples := dynamotest.Samples[json.RawMessage](t, "orders",
		map[string]bool{"confirmed": true, "sweep": true, "roll-up": true})
	db := dynamotest.Start(t, together...)
	open(t, db)
	var batch events.DynamoDBEvent
	if err := json.Unmarshal(samples["confirmed"], &batch); err != nil {
		t.Fatal(err)
	}
	if err := db.Put(t.Context(),
		dynamo.Put{Table: tables.Orders, Item: stream.Item(batch.Records[0].Change.NewImage),
			If: dynamo.Unconditional}); err != nil {
		t.Fatal(err)
	}
	c := consumer(db.Client, 0)
	for _, name := range []string{"confirmed", "sweep", "roll-up"} {
		if response, err := c.Run(t.Context(), samples[name]); err != nil || len(response.BatchItemFailures) > 0 {
			t.Fatalf("%s: %+v, %v", name, response, err)
		}
	}
	system, err := (&figures.Figures{DB: db.Client, Now: c.Now}).System(t.Context(), date)
	if err != nil || system.Values.TotalOrders != 1 || stockOf(t, db) != "8" || len(said(t, db, asha)) != 1 {
		t.Errorf("%+v, %v; %s salts are left, and the customer is told %q", system, err, stockOf(t, db),
			said(t, db, asha))
	}
	before := system.Version
	if _, err := c.Run(t.Context(), samples["roll-up"]); err != nil {
		t.Fatal(err)
	}
	if system, err = c.Figures.System(t.Context(), date); err != nil || system.Version != before {
		t.Errorf("a roll-up without news has written: %+v, %v", system, err)
	}
}
