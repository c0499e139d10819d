package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/shared/commerce/analytics/pgtest"
	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/figures"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// salts is how many packets of salt the store has at first.
const salts = 1000

// The function of orders is killed with -9 again and again while orders are made, changed and moved. In the end
// figures, stock and the copy for analytics are what a recount of the orders finds.
func TestOrdersKilledInMidWorkCountEveryOrderOnce(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	r := start(t, t.TempDir(), withAnalytics(dsn))
	store := r.create(t, "store", "/v1/stores", `{"name":"Sharma Kirana Store"}`)
	path := "/v1/stores/" + store.ID
	r.want(t, http.StatusOK, http.MethodPut, path, `{"name":"Sharma Kirana Store","status":"active","version":1}`)
	r.want(t, http.StatusOK, http.MethodPut, path+"/products/salt",
		fmt.Sprintf(
			`{"name":"Tata Salt","unit":"packet","packSize":"1 kg","price":"25.00","stockQuantity":"%d","version":0}`,
			salts))

	stop := make(chan struct{})
	var killer, shops sync.WaitGroup
	kills := 0
	killer.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				if r.Kill("orders") == nil {
					kills++
				}
			}
		}
	})
	for shop := range 4 {
		shops.Go(func() { r.sellAll(t, path, shop) })
	}
	shops.Wait()
	time.Sleep(time.Second) // under fire
	close(stop)
	killer.Wait()
	if kills < 5 {
		t.Errorf("it was killed %d times", kills)
	}
	r.recount(t, model.Name(store.ID), dsn)
}

// withAnalytics has orders copied to a database.
func withAnalytics(dsn string) func(*cloud.Config) {
	return func(c *cloud.Config) {
		env := c.Getenv
		c.Getenv = func(name string) string {
			if name == "ANALYTICS_DSN" {
				return dsn
			}
			return env(name)
		}
	}
}

// create makes something under an idempotency key.
func (r *running) create(t *testing.T, key, path, body string) (made sold) {
	t.Helper()
	request := r.request(t, r.Addresses.Token, http.MethodPost, path, body)
	request.Header.Set("Idempotency-Key", key)
	status, answer := do(t, request)
	if err := json.Unmarshal([]byte(answer), &made); status != http.StatusCreated || err != nil {
		t.Fatalf("%s: %d %s, %v", path, status, answer, err)
	}
	return made
}

// sellAll makes orders, of which some are changed, delivered or cancelled.
func (r *running) sellAll(t *testing.T, store string, shop int) {
	for n := range 18 {
		order := r.create(t, fmt.Sprint("order-", shop, "-", n), store+"/orders",
			fmt.Sprintf(`{"customer":"+9198765%05d","items":[{"productId":"salt","quantity":"%d"}]}`, shop, n%5+1))
		path := store + "/orders/" + order.ID
		if n%2 == 0 {
			r.want(t, http.StatusOK, http.MethodPatch, path,
				`{"version":1,"items":[{"productId":"salt","quantity":"7"}]}`)
		}
		for _, to := range [][]string{{"confirmed", "preparing"}, {"confirmed", "cancelled"}, nil}[n%3] {
			r.want(t, http.StatusOK, http.MethodPost, path+"/move",
				`{"status":"`+to+`","reason":"`+map[bool]string{true: "no salt"}[to == "cancelled"]+`"}`)
		}
	}
}

// recount waits until figures, stock and analytics are what the orders come to.
func (r *running) recount(t *testing.T, store model.Name, dsn string) {
	t.Helper()
	db := r.engine()
	items, err := db.Rows(t.Context(),
		dynamo.Query{Table: tables.Orders, Where: "store_id = :store", Values: dynamo.Item{":store": dynamo.S(store)}})
	if err != nil {
		t.Fatal(err)
	}
	var want, got counted
	for _, item := range items {
		var order commercemodel.Order
		if err := dynamo.Unmarshal(item, &order); err != nil {
			t.Fatal(err)
		}
		part := figures.PartOf(order)
		want.figures.TotalOrders++
		want.figures.ConfirmedOrders += part.Confirmed
		want.figures.CancelledOrders += part.Cancelled
		want.revenue = want.revenue.Add(part.Revenue.Decimal)
		want.copied = want.copied.Add(order.TotalAmount.Decimal)
		want.versions += order.Version
		if orders.StateOf(order.Status).Taken {
			want.taken = want.taken.Add(order.Items[0].Quantity.Decimal)
		}
	}
	want.figures.UniqueCustomers, want.rows = 4, len(items)
	deadline := time.Now().Add(3 * time.Minute) // what was set aside waits for a minute, and then for the sweep
	for n := 1; ; n++ {
		if got = r.count(t, db, store, dsn); got.String() == want.String() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("it stays at %s; the orders come to %s", got, want)
		}
		time.Sleep(50 * time.Millisecond)
		if n%200 == 0 {
			if _, err := r.Trigger(t.Context(), "orders-sweep"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// counted is what orders come to.
type counted struct {
	figures                commercemodel.Figures
	revenue, taken, copied decimal.Decimal
	rows                   int
	versions               int64
}

func (c counted) String() string {
	f := c.figures
	return fmt.Sprintf(
		"%d orders of %d customers, %d confirmed, %d cancelled, revenue %s, %s taken; %d rows of %s in %d versions",
		f.TotalOrders, f.UniqueCustomers, f.ConfirmedOrders, f.CancelledOrders, c.revenue, c.taken, c.rows, c.copied,
		c.versions)
}

// undefinedTable is PostgreSQL's code for a table that is not there.
const undefinedTable = "42P01"

// count reads what has been counted.
func (r *running) count(t *testing.T, db *dynamo.Client, store model.Name, dsn string) (c counted) {
	t.Helper()
	days, err := (&figures.Figures{DB: db, Now: time.Now}).Days(t.Context(), store, "2000-01-01", "3000-01-01")
	if err != nil {
		t.Fatal(err)
	}
	for _, day := range days { // a test may run over midnight
		c.figures.TotalOrders += day.Values.TotalOrders
		c.figures.ConfirmedOrders += day.Values.ConfirmedOrders
		c.figures.CancelledOrders += day.Values.CancelledOrders
		c.figures.UniqueCustomers = max(c.figures.UniqueCustomers, day.Values.UniqueCustomers)
		c.revenue = c.revenue.Add(day.Values.TotalRevenue.Decimal)
	}
	product, err := (&catalogue.Catalogue{DB: db, Now: time.Now}).Get(t.Context(), store, "salt")
	if err != nil {
		t.Fatal(err)
	}
	c.taken = decimal.NewFromInt(salts).Sub(product.StockQuantity.Decimal)
	conn := pgtest.Connect(t, dsn)
	defer conn.Close(t.Context())
	var copied string
	row := conn.QueryRow(t.Context(),
		`SELECT count(*), coalesce(sum(version), 0)::bigint, trim_scale(coalesce(sum((SELECT sum(amount) FROM `+
			`order_lines l
		WHERE l.store_id = o.store_id AND l.order_id = o.order_id)), 0))::text FROM orders o WHERE store_id = $1`, string(store))
	var missing *pgconn.PgError
	err = row.Scan(&c.rows, &c.versions, &copied)
	if errors.As(err, &missing) && missing.Code == undefinedTable {
		return c // no function has lived long enough yet to make the tables
	}
	if err != nil {
		t.Fatal(err)
	}
	c.copied = decimal.RequireFromString(copied)
	return c
}
