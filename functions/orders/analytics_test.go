package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/commerce/analytics"
	"github.com/haatline/haatline/shared/commerce/analytics/pgtest"
	"github.com/haatline/haatline/shared/commerce/analytics/postgres"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/following"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// books is a PostgreSQL database with a way to it that may fail, before the database has the orders or after.
type books struct {
	dsn   string
	below analytics.Sink
	fault func() int // 1 and 2 for the two ways; nil for none
}

func openBooks(t testing.TB) *books {
	dsn := pgtest.Database(t)
	return &books{
		dsn: dsn, below: postgres.Open(func(name string) string {
			return map[string]string{postgres.Variable: dsn}[name]
		})}
}

func (b *books) Put(ctx context.Context, orders []commercemodel.AnalyticsOrder) []error {
	fault := 0
	if b.fault != nil {
		fault = b.fault()
	}
	lost := slices.Repeat([]error{analytics.ErrUnavailable}, len(orders))
	if fault == 1 {
		return lost
	}
	taken := b.below.Put(ctx, orders)
	if fault == 2 {
		return lost
	}
	return taken
}

// copying is one process of the function that copies orders.
func copying(client *dynamo.Client, run int, to analytics.Sink) *following.Consumer {
	c := *consumer(client, run)
	c.Analytics = &analytics.Copier{DB: client, Now: c.Now, Log: slog.New(slog.DiscardHandler), Sink: to}
	return following.New(c)
}

// described is an order as the books should have it, in short.
func described(o commercemodel.Order, ending string) string {
	text := fmt.Sprintf("%s %d %s %s %s %s%s:", o.ID, o.Version, o.Status, o.TotalAmount, o.CustomerID, o.Date, ending)
	for _, line := range o.Items {
		text += fmt.Sprintf(" %s %s %s %s", line.Quantity, line.Name, line.Price, line.Amount)
	}
	return text
}

// listed lists the orders of a store in the books, in short.
func (b *books) listed(t testing.TB, store model.Name) []string {
	t.Helper()
	conn := pgtest.Connect(t, b.dsn)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `
		SELECT concat_ws(' ', order_id, CASE WHEN deleted_at IS NULL THEN version ELSE version - 1 END, status, trim_scale(total_amount), coalesce(customer_id, '-'), order_date)
			|| CASE WHEN deleted_at IS NULL THEN '' WHEN expired THEN ' expired' ELSE ' deleted' END || ':'
			|| coalesce((SELECT string_agg(concat_ws(' ', '', trim_scale(quantity), name, trim_scale(price), trim_scale(amount)), '' ORDER BY line_number)
				FROM order_lines l WHERE l.store_id = o.store_id AND l.order_id = o.order_id), '')
		FROM orders o WHERE store_id = $1 ORDER BY 1`, string(store))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return all
}

// waiting lists the orders that wait for the books, with their versions.
func waiting(t testing.TB, db *dynamotest.DB) (all []string) {
	t.Helper()
	for _, item := range db.Items(t, tables.Metrics) {
		if dynamo.Text(item, "gsi1pk") != keys.UncopiedOrders {
			continue
		}
		all = append(all, fmt.Sprint(dynamo.Text(item, "sk"), " ", dynamo.Int(item, "version")))
		var plain map[string]any
		if err := dynamo.Unmarshal(item, &plain); err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(plain); strings.Contains(text, "+"+string(asha)) ||
			strings.Contains(text, "customer_phone") || !strings.Contains(text, "Tata Salt") {
			t.Errorf("a person is named: %s", text)
		}
	}
	slices.Sort(all)
	return all
}

// A database that is away holds up neither figures nor stock nor notices. What it missed it gets later, each order
// once.
func TestWhatTheBooksMissTheyGetLater(t *testing.T) {
	db := dynamotest.Start(t, together...)
	open(t, db)
	b := openBooks(t)
	b.fault = func() int { return 1 }
	final, steps := life()
	for _, o := range final {
		db.Seed(t, tables.Orders, o)
	}
	all := records(t, steps)
	if err := handle(t.Context(), copying(db.Client, 0, b), all...); err != nil {
		t.Fatal(err)
	}
	if v := dayOf(t, db).Values; v.TotalOrders != 3 || stockOf(t, db) != "3" || len(said(t, db, asha)) != 3 {
		t.Errorf("the books hold up the rest: %+v, %s, %q", v, stockOf(t, db), said(t, db, asha))
	}
	wait := []string{
		"ANALYTICS#ORD-20261121-00000001 3", "ANALYTICS#ORD-20261121-00000002 1", "ANALYTICS#ORD-20261121-00000003 2"}
	if diff := cmp.Diff(wait, waiting(t, db)); diff != "" {
		t.Error(diff)
	}
	if err := handle(t.Context(), copying(db.Client, 0, b), all[0]); err != nil { // late: the later version stays noted
		t.Fatal(err)
	}
	c := copying(db.Client, 1, b)
	if err := c.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wait, waiting(t, db)); diff != "" {
		t.Errorf("while the database is away: %s", diff)
	}
	b.fault = nil
	pgtest.Exec(t, b.dsn, `CREATE TABLE orders (order_id text)`) // somebody else's table is in the way
	if err := c.Sweep(t.Context()); err != nil || len(waiting(t, db)) != 3 {
		t.Errorf("%q, %v", waiting(t, db), err)
	}
	pgtest.Exec(t, b.dsn, `DROP TABLE orders`, `DROP TABLE IF EXISTS schema_migrations`)
	b.below = postgres.Open(func(string) string { return b.dsn })
	if err := c.Sweep(t.Context()); err != nil || len(waiting(t, db)) != 0 {
		t.Errorf("%q, %v", waiting(t, db), err)
	}
	if diff := cmp.Diff([]string{described(final[0], ""), described(final[1], ""), described(final[2], "")},
		b.listed(t, shop)); diff != "" {
		t.Error(diff)
	}
	b.refuse(t, db, final[1])
	b.lose(t, db, final)
}

// refuse has the database refuse one order of two.
func (b *books) refuse(t *testing.T, db *dynamotest.DB, o commercemodel.Order) {
	t.Helper()
	pgtest.Exec(t, b.dsn, `ALTER TABLE orders ADD CONSTRAINT no_cancelled CHECK (version < 7 OR status <> 'cancelled')`)
	bad, good := o, ordered(7, asha, commercemodel.OrderConfirmed, "0192-user", "1")
	bad.Version, bad.Status = 7, commercemodel.OrderCancelled
	db.Seed(t, tables.Orders, bad, good)
	if err := handle(t.Context(), copying(db.Client, 0, b), record(t, &o, &bad), record(t, nil, &good)); err != nil {
		t.Fatal(err)
	}
	for run := range 3 {
		if diff := cmp.Diff([]string{"ANALYTICS#" + string(bad.ID) + " 7"}, waiting(t, db)); diff != "" {
			t.Error(diff)
		}
		if got := b.listed(t, shop); len(got) != 4 || !slices.Contains(got, described(good, "")) ||
			!slices.Contains(got, described(o, "")) {
			t.Errorf("%q", got)
		}
		if err := copying(db.Client, 60*(run+1), b).Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	pgtest.Exec(t, b.dsn, `ALTER TABLE orders DROP CONSTRAINT no_cancelled`)
	if err := copying(db.Client, 300, b).Sweep(t.Context()); err != nil || len(waiting(t, db)) != 0 {
		t.Errorf("%q, %v", waiting(t, db), err)
	}
}

// lose deletes one order, lets another expire, and erases the customer of a third.
func (b *books) lose(t *testing.T, db *dynamotest.DB, final []commercemodel.Order) {
	t.Helper()
	deleted, expired := record(t, &final[0], nil), record(t, &final[2], nil)
	expired.UserIdentity = &events.DynamoDBUserIdentity{Type: "Service", PrincipalID: "dynamodb.amazonaws.com"}
	nameless := final[1]
	nameless.Version, nameless.ErasedAt, nameless.CustomerPhone = 9, model.At(noon), ""
	db.Seed(t, tables.Orders, nameless)
	if err := handle(t.Context(), copying(db.Client, 0, b), deleted, expired,
		record(t, &final[1], &nameless)); err != nil {
		t.Fatal(err)
	}
	nameless.CustomerID = "-"
	got := b.listed(t, shop)
	for _, want := range []string{
		described(final[0], " deleted"), described(nameless, ""), described(final[2], " expired")} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not in %q", want, got)
		}
	}
}

// Wherever the function dies while the books are away and come back, they have the order in the end, and nothing waits
// for them.
func TestCopyingSurvivesEveryCrashPoint(t *testing.T) {
	b := openBooks(t)
	_ = b.Put(t.Context(), []commercemodel.AnalyticsOrder{{StoreID: "STR-000000"}}) // makes the schema
	one := ordered(1, asha, commercemodel.OrderPending, "0192-user", "1")
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together, Ignore: []string{"updated_at"},
		Seed: func(testing.TB, *dynamotest.DB) {},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			if run == 0 { // the books are empty, as the tables are what they were
				pgtest.Exec(t, b.dsn, `DELETE FROM orders`, `DELETE FROM order_lines`)
			}
			b.fault = func() int { return 1 }
			if err := errors.Join(
				copying(client, run, b).Analytics.Copy(ctx,
					[]events.DynamoDBEventRecord{record(t, nil, &one)})...); err != nil {
				return err
			}
			b.fault = nil
			if err := copying(client, run+1, b).Analytics.Sweep(ctx); err != nil {
				return err
			}
			if got := b.listed(t, shop); !slices.Equal(got, []string{described(one, "")}) {
				return fmt.Errorf("the books have %q", got)
			}
			return nil
		},
	})
	t.Logf("%d crash points", points)
}

// severed is a way to DynamoDB on which nothing arrives.
type severed struct{}

func (severed) RoundTrip(*http.Request) (*http.Response, error) { return nil, errShaky }

// A record whose order is neither copied nor noted comes again, and so does one that fails otherwise, in the batch's
// order.
func TestARecordThatIsNeitherCopiedNorNotedComesAgain(t *testing.T) {
	db := dynamotest.Start(t, together...)
	open(t, db)
	b := openBooks(t)
	b.fault = func() int { return 1 }
	_, steps := life()
	c := copying(db.Client, 0, b)
	c.Analytics.DB = db.Through(severed{})
	err := handle(t.Context(), c, records(t, steps)...)
	if err == nil || !strings.Contains(err.Error(), "1000") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second) // less than is left for noting
	defer cancel()
	b.fault = nil
	c.Analytics.DB = db.Client
	if failures := c.Analytics.Copy(ctx, records(t, steps)); errors.Join(failures...) != nil ||
		len(waiting(t, db)) != 3 {
		t.Errorf("%v, %q", failures, waiting(t, db))
	}
}
