package registry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// orders makes an order of rice on credit, at 60 a kilogram.
func (c *credit) orders(ctx context.Context, seed, kilograms string) (commercemodel.Order, error) {
	store, err := c.shop.Stores.Get(ctx, creditStore)
	if err != nil {
		return commercemodel.Order{}, err
	}
	return c.shop.Orders.Create(ctx, store, orders.Draft{
		Who:    orders.Who{Customer: asha, Name: "Asha"},
		Wanted: []orders.Wanted{{Product: "RICE", Quantity: rupees(kilograms)}}, Channel: commercemodel.Web,
		PaymentMethod: orders.OnCredit, Seed: seed, At: c.now, By: "clerk",
	}, request(c.t, seed))
}

// request identifies a request of a clerk's.
func request(t testing.TB, key string) idempotency.Request {
	request, err := idempotency.NewRequest(idempotency.API, "demo", "clerk", "order", key, nil)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// sells writes a sale of a clerk's.
func (c *credit) sells(ctx context.Context, key, amount string) error {
	shop, err := c.khata.Shops.Shop(ctx, creditStore)
	if err != nil {
		return err
	}
	request, err := ledger.Request(shop, idempotency.API, key, amount)
	if err != nil {
		return err
	}
	_, err = c.khata.Ledger.Add(ctx, shop,
		ledger.Draft{Customer: model.PhoneOf(asha), Type: khatamodel.CreditSale, Amount: rupees(amount), By: "clerk"},
		request)
	return err
}

func (c *credit) balance() khatamodel.Balance {
	c.t.Helper()
	b, err := c.khata.Ledger.Balance(c.t.Context(), creditStore, model.PhoneOf(asha))
	if !errors.Is(err, dynamo.ErrNotFound) {
		c.must(err)
	}
	return b
}

func TestOpenOrdersOnCreditCountAgainstTheLimit(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	counts := func(want string) {
		t.Helper()
		if got := c.balance().Ordered(); got.StringFixed(2) != want {
			t.Errorf("open orders of %s count, want %s", got.StringFixed(2), want)
		}
		c.owes() // the books hold
	}
	first, err := c.orders(t.Context(), "first", "10") // 600 of 1000
	c.must(err)
	counts("600.00")
	if _, err := c.orders(t.Context(), "second", "7"); !errors.Is(err, orders.ErrCredit) {
		t.Errorf("two orders together pass the limit: %v", err)
	}
	if err := c.sells(t.Context(), "sale", "420"); !errors.Is(err, ledger.ErrLimit) {
		t.Errorf("a sale passes the limit beside an open order: %v", err)
	}
	edit := func(order commercemodel.Order, kilograms, method string) error {
		_, err := c.shop.Orders.Edit(t.Context(), c.store(), order.ID, orders.Edit{
			Wanted: []orders.Wanted{{Product: "RICE", Quantity: rupees(kilograms)}}, PaymentMethod: &method,
			By: "clerk", Version: order.Version,
		})
		return err
	}
	if err := edit(first, "17", "credit"); !errors.Is(err, orders.ErrCredit) {
		t.Errorf("an edit passes the limit: %v", err)
	}
	c.must(edit(first, "9", "credit"))
	counts("540.00")
	cash, err := c.orders(t.Context(), "cash", "5")
	c.must(err)
	c.must(edit(cash, "5", "cod"))
	counts("540.00")
	dropped, err := c.orders(t.Context(), "dropped", "5")
	c.must(err)
	counts("840.00")
	move := func(order commercemodel.Order, to ...commercemodel.OrderStatus) commercemodel.Order {
		t.Helper()
		for _, status := range to {
			moved, err := c.shop.Orders.Move(t.Context(), creditStore, order.ID,
				orders.Move{To: status, Reason: "because"})
			c.must(err)
			order = moved
		}
		return order
	}
	move(dropped, commercemodel.OrderCancelled)
	counts("540.00")
	got := move(first, commercemodel.OrderPreparing, commercemodel.OrderReady, commercemodel.OrderDelivered)
	if b := c.balance(); b.Ordered().StringFixed(2) != "540.00" || !b.OutstandingBalance.IsZero() {
		t.Errorf("a delivered order counts until its sale is there: %+v", b)
	}
	c.must(c.follow(t.Context(), got))
	counts("0.00")
	if got := c.owes(); got != "540.00" {
		t.Errorf("owes %s", got)
	}
}

// Of orders, sales and edits at the same time, no more pass than the limit allows.
func TestTheCreditLimitHoldsUnderRaces(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	var jobs []func() error
	for i := range 8 {
		c := creditOn(t, db, db.Client)
		jobs = append(jobs, func() error {
			if i%2 == 0 {
				return c.sells(t.Context(), fmt.Sprint("sale ", i), "300")
			}
			_, err := c.orders(t.Context(), fmt.Sprint("order ", i), "5")
			return err
		})
	}
	passed := 0
	for _, err := range lanes.Concurrently(len(jobs), jobs...) {
		switch {
		case err == nil:
			passed++
		case !errors.Is(err, orders.ErrCredit) && !errors.Is(err, ledger.ErrLimit) &&
			!errors.Is(err, dynamo.ErrConflict):
			t.Error(err)
		}
	}
	c := creditOn(t, db, db.Client)
	b := c.balance()
	if taken := b.OutstandingBalance.Add(b.Ordered().Decimal); passed > 3 || taken.IntPart() != int64(300*passed) {
		t.Errorf("%d passed, and %s of 1000 is taken", passed, taken)
	}
	c.owes()
}

// An order that counts and is not open is found and removed. An expired order counts no more, which is no fault.
func TestOrdersThatAreNotOpenCountNoMore(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	var made []commercemodel.Order
	for _, seed := range []string{"open", "cancelled", "expired"} {
		order, err := c.orders(t.Context(), seed, "5")
		c.must(err)
		made = append(made, order)
	}
	err := db.Update(t.Context(), dynamo.Update{
		Table: tables.Orders, Key: orders.Ref(creditStore, made[1].ID).Key, Do: "SET #status = :status",
		If:     "attribute_exists(id)",
		Values: dynamo.Item{":status": dynamo.S(commercemodel.OrderCancelled)},
	})
	c.must(err)
	c.must(db.Transact(t.Context(),
		[]dynamo.Write{
			dynamo.Delete{
				Table: tables.Orders, Key: orders.Ref(creditStore, made[2].ID).Key, If: "attribute_exists(id)"}}))
	for _, want := range []int{1, 0} {
		checked, _, err := c.khata.Books.Everybody(t.Context(), "", func() bool { return true }, true)
		c.must(err)
		if len(checked.Findings) != want {
			t.Errorf("%+v", checked.Findings)
		}
	}
	if b := c.balance(); len(b.OpenOrders) != 1 || !b.OpenOrders[made[0].ID].Equal(made[0].TotalAmount.Decimal) {
		t.Errorf("%+v", b.OpenOrders)
	}
}

// A merge takes the open orders into the account that goes on, and an order that is changed later is found there.
func TestOpenOrdersFollowAMerge(t *testing.T) {
	const other = model.Name("+919800000001")
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	order, err := c.orders(t.Context(), "open", "5")
	c.must(err)
	shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
	c.must(err)
	for range 2 {
		c.must(c.khata.Ledger.Join(t.Context(), shop, model.PhoneOf(asha), other))
	}
	if b := c.balance(); b.CustomerPhone != other || b.Ordered().StringFixed(2) != "300.00" {
		t.Errorf("%+v", b)
	}
	_, err = c.shop.Orders.Move(t.Context(), creditStore, order.ID,
		orders.Move{To: commercemodel.OrderCancelled, Reason: "because"})
	c.must(err)
	if b := c.balance(); !b.Ordered().IsZero() {
		t.Errorf("%+v", b)
	}
}
