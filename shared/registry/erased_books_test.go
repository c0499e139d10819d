package registry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// erases erases Asha, in as many calls as it takes.
func (c *credit) erases(ctx context.Context, openOrders erasure.OpenOrders) error {
	for range 5 {
		done, err := c.rooms.Erase(ctx, erasure.Request{
			Tenant: "demo", Phone: wt.Phone, Customer: asha, By: audit.Actor{Subject: "operator"}, Reason: "asked",
			OpenOrders: openOrders,
		})
		if err != nil || done.CompletedAt != "" {
			return err
		}
	}
	return errors.New("the erasure does not end")
}

// named reports whether an order names its customer.
func (c *credit) named(id model.Name) bool {
	c.t.Helper()
	order, err := c.shop.Orders.Get(c.t.Context(), creditStore, id)
	c.must(err)
	return order.CustomerPhone != "" || order.CustomerName != "" || order.Customer != "" || order.GSI1PK != ""
}

func TestAnErasureSaysWhatStandsOpen(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(asha, "hello")
	order, err := c.orders(t.Context(), "open", "5")
	c.must(err)
	cash, err := c.shop.Orders.Create(t.Context(), c.store(), orders.Draft{
		Who:    orders.Who{Customer: asha, Name: "Asha"},
		Wanted: []orders.Wanted{{Product: "RICE", Quantity: rupees("1")}}, Channel: commercemodel.Web,
		PaymentMethod: "cod", Seed: "cash", At: c.now, By: "clerk",
	}, request(t, "cash"))
	c.must(err)

	err = c.erases(t.Context(), "")
	var told *problem.Error
	if !errors.As(err, &told) || told.Class != problem.Conflict || len(told.Fields) != 1 ||
		!strings.Contains(told.Fields[0].Path, string(order.ID)) {
		t.Fatalf("%+v, %v", told, err)
	}
	if !c.named(order.ID) || !c.named(cash.ID) || len(db.Items(t, tables.AuditLogs)) > 0 {
		t.Error("a refused erasure has begun")
	}
	c.must(c.erases(t.Context(), erasure.CancelOrders))
	for _, id := range []model.Name{order.ID, cash.ID} {
		if after, err := c.shop.Orders.Get(t.Context(), creditStore, id); err != nil ||
			after.Status != commercemodel.OrderCancelled || c.named(id) {
			t.Errorf("%+v, %v", after, err)
		}
	}
	if b := c.balance(); !b.Ordered().IsZero() || b.CustomerName != "" {
		t.Errorf("%+v", b)
	}
}

// An order on credit is made, delivered and refunded. Its customer is erased at any moment, and the stream is read at
// any moment after a step. The credit book comes to the same, whenever it happens.
func TestTheBooksSurviveAnErasureAtAnyMoment(t *testing.T) {
	steps := []string{"preparing", "ready", "delivered", "refunded"}
	for _, last := range []int{3, 4} { // delivered, or refunded as well
		for erased := 0; erased <= last; erased++ {
			for unread := range 4 { // of the last two steps
				t.Run(fmt.Sprint(steps[:last], " erased after ", erased, " unread ", unread), func(t *testing.T) {
					t.Parallel()
					db := dynamotest.Start(t, tables.All()...)
					seedCredit(t, db)
					c := creditOn(t, db, db.Client)
					c.answered(asha, "hello")
					order, err := c.orders(t.Context(), "open", "5")
					c.must(err)
					for i, step := range steps[:last] {
						if i == erased {
							c.must(c.erases(t.Context(), erasure.KeepOrders))
						}
						order, err = c.shop.Orders.Move(t.Context(), creditStore, order.ID,
							orders.Move{To: commercemodel.OrderStatus(step), Reason: "because"})
						c.must(err)
						if back := last - 1 - i; back > 1 || unread&(1<<back) == 0 {
							c.must(c.follow(t.Context(), order))
						}
					}
					if erased == last {
						c.must(c.erases(t.Context(), ""))
					}
					order, err = c.shop.Orders.Get(t.Context(), creditStore, order.ID)
					c.must(err)
					c.must(c.follow(t.Context(), order)) // the stream is read in the end
					owes := map[int]string{3: "300.00", 4: "0.00"}[last]
					if got := c.owes(); got != owes || c.named(order.ID) {
						t.Errorf("owes %s, want %s; the order names its customer: %v", got, owes, c.named(order.ID))
					}
					if b := c.balance(); len(b.OpenOrders) > 0 || b.ReminderEnabled {
						t.Errorf("%+v", b)
					}
				})
			}
		}
	}
}

func TestAnErasureWithMoneySurvivesEveryCrashPoint(t *testing.T) {
	for _, choice := range []erasure.OpenOrders{erasure.CancelOrders, erasure.KeepOrders} {
		t.Run(string(choice), func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: tables.All(),
				Seed: func(t testing.TB, db *dynamotest.DB) {
					seedCredit(t, db)
					c := creditOn(t, db, db.Client)
					for _, seed := range []string{"open", "got"} {
						order, err := c.orders(t.Context(), seed, "5")
						c.must(err)
						for _, to := range []commercemodel.OrderStatus{
							commercemodel.OrderPreparing, commercemodel.OrderReady, commercemodel.OrderDelivered} {
							if seed == "got" {
								order, err = c.shop.Orders.Move(t.Context(), creditStore, order.ID, orders.Move{To: to})
								c.must(err)
							}
						}
					}
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					c := creditOn(t, nil, client)
					_, err := c.shop.Part().Eraser.Erase(ctx, erasure.Subject{
						Tenant: "demo", Phone: wt.Phone, Accounts: []model.CustomerID{asha}, OpenOrders: choice,
					}, func(string, int) []dynamo.Write { return nil })
					return err
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

func TestMakingAnOrderOnCreditSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(), Seed: func(t testing.TB, db *dynamotest.DB) { seedCredit(t, db) },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			c := creditOn(t, nil, client)
			order, err := c.orders(ctx, "made", "5")
			if err != nil {
				return err
			}
			for _, to := range []commercemodel.OrderStatus{commercemodel.OrderPreparing, commercemodel.OrderCancelled} {
				if _, err := c.shop.Orders.Move(ctx, creditStore, order.ID,
					orders.Move{To: to, Reason: "because"}); err != nil && !errors.Is(err, orders.ErrMove) {
					return err
				}
			}
			return nil
		},
	})
	t.Logf("%d crash points", points)
}
