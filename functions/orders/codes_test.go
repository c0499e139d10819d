package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// promise gives the store a code of ten off.
func promise(t testing.TB, client *dynamo.Client, store commercemodel.Store, uses, each int64) {
	t.Helper()
	if _, err := shops(client).Codes.Set(t.Context(), store, "TEN", 0, func(c *commercemodel.Code) {
		c.Discount.Amount, c.MaxUses, c.MaxPerCustomer = some("10"), &uses, &each
	}); err != nil {
		t.Fatal(err)
	}
}

// uses has a customer order a salt with the code.
func uses(ctx context.Context, client *dynamo.Client, store commercemodel.Store, customer model.CustomerID,
	seed string) (commercemodel.Order, error) {
	return shops(client).Orders.Create(ctx, store, orders.Draft{
		Who: orders.Who{Customer: customer}, Wanted: []orders.Wanted{{Product: "salt", Quantity: amount("1")}},
		Channel: commercemodel.Web, CodeName: "ten", Seed: seed, At: noon, By: "0192-user",
	}, idempotency.Request{})
}

func used(t testing.TB, db *dynamotest.DB) int64 {
	t.Helper()
	c, err := shops(db.Client).Codes.Get(t.Context(), shop, "TEN")
	if err != nil {
		t.Fatal(err)
	}
	return c.Used
}

// However many order at once, a code counts as often as it says, in total and for one customer. A cancelled order gives
// its use back, once.
func TestACodeCountsAsOftenAsItSays(t *testing.T) {
	db := dynamotest.Start(t, together...)
	store := open(t, db)
	promise(t, db.Client, store, 3, 2)
	var all sync.WaitGroup
	var mu sync.Mutex
	made := map[model.CustomerID][]commercemodel.Order{}
	for i := range 8 {
		customer := []model.CustomerID{asha, ravi}[i%2]
		all.Go(func() {
			order, err := uses(t.Context(), db.Client, store, customer, fmt.Sprint("order ", i))
			for errors.Is(err, dynamo.ErrConflict) {
				order, err = uses(t.Context(), db.Client, store, customer, fmt.Sprint("order ", i))
			}
			if err != nil && !errors.Is(err, orders.ErrDetails) {
				t.Error(err)
			}
			if err == nil {
				mu.Lock()
				defer mu.Unlock()
				made[customer] = append(made[customer], order)
			}
		})
	}
	all.Wait()
	a, r := len(made[asha]), len(made[ravi])
	if a+r != 3 || a > 2 || r > 2 || used(t, db) != 3 || len(db.Items(t, tables.Orders)) != 3 {
		t.Fatalf("%d and %d orders have used it, it says %d", a, r, used(t, db))
	}
	first := append(made[asha], made[ravi]...)[0]
	if first.Bill == nil || first.Bill.Code != "TEN" || !first.TotalAmount.Equal(amount("15").Decimal) {
		t.Fatalf("%+v", first)
	}
	after, err := shops(db.Client).Orders.Move(t.Context(), shop, first.ID,
		orders.Move{To: commercemodel.OrderCancelled, Reason: "no salt", By: "0192-user"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := handle(t.Context(), consumer(db.Client, 0), record(t, &first, &after)); err != nil {
			t.Fatal(err)
		}
		if used(t, db) != 2 {
			t.Fatalf("after a cancelled order it says %d", used(t, db))
		}
	}
	if _, err := uses(t.Context(), db.Client, store, first.Customer, "again"); err != nil || used(t, db) != 3 {
		t.Errorf("what was given back cannot be used: %v, %d", err, used(t, db))
	}
}

func TestACodeIsGivenBackAtEveryCrashPoint(t *testing.T) {
	var was, after commercemodel.Order
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together, Ignore: []string{"updated_at"},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			store := open(t, db)
			promise(t, db.Client, store, 3, 2)
			var err error
			if was, err = uses(t.Context(), db.Client, store, ravi, "order"); err != nil {
				t.Fatal(err)
			}
			if after, err = shops(db.Client).Orders.Move(t.Context(), shop, was.ID,
				orders.Move{To: commercemodel.OrderCancelled, Reason: "no salt", By: "0192-user"}); err != nil {
				t.Fatal(err)
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			c := consumer(client, run)
			if err := handle(ctx, c, record(t, &was, &after)); err != nil || run == 0 {
				return err
			}
			return c.Sweep(ctx)
		},
	})
}
