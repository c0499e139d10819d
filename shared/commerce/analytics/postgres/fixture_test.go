package postgres

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/analytics"
	"github.com/haatline/haatline/shared/commerce/analytics/pgtest"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func amount(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

// order is a version of an order with lines of so much each.
func order(n int, version int64, quantities ...string) commercemodel.AnalyticsOrder {
	o := commercemodel.AnalyticsOrder{
		StoreID: "STR-K3FJ82", OrderID: model.Name(fmt.Sprintf("ORD-20261121-%08d", n)), Version: version,
		TenantID: "demo", CustomerID: "CUST-AB12CD34",
		Status: commercemodel.OrderPending, Channel: commercemodel.WhatsApp, Language: "en", PaymentMethod: "cod",
		Date:      "2026-11-21",
		CreatedAt: "2026-11-21T12:00:00.000Z", UpdatedAt: "2026-11-21T12:00:00.000Z",
	}
	for _, quantity := range quantities {
		sum := model.Amount{Decimal: amount(quantity).Mul(decimal.NewFromInt(25))}
		o.Lines = append(o.Lines,
			commercemodel.AnalyticsLine{
				ProductID: "salt", Name: "Tata Salt", Unit: "packet", Quantity: amount(quantity), Price: amount("25"),
				Amount: sum})
		o.TotalAmount = model.Amount{Decimal: o.TotalAmount.Add(sum.Decimal)}
	}
	return o
}

// database is a database of the test's own, by its DSN and with other variables of the environment.
func database(dsn string, env ...string) *Database {
	d := Open(func(name string) string {
		for i := 0; i < len(env); i += 2 {
			if env[i] == name {
				return env[i+1]
			}
		}
		return map[string]string{Variable: dsn}[name]
	}).(*Database)
	d.pause = 0
	return d
}

// put gives orders to a database, which takes them all.
func put(t testing.TB, d *Database, orders ...commercemodel.AnalyticsOrder) {
	t.Helper()
	if err := errors.Join(d.Put(t.Context(), orders)...); err != nil {
		t.Fatal(err)
	}
}

// contents lists the orders with their lines, in short.
func contents(t testing.TB, dsn string) string {
	t.Helper()
	rows, err := pgtest.Connect(t, dsn).Query(t.Context(), `
		SELECT o.order_id || ' ' || o.version || ' ' || o.status || ' ' || trim_scale(o.total_amount) || ' ' || coalesce(o.customer_id, '-') || ' ' ||
			coalesce(to_char(o.order_date, 'YYYY-MM-DD'), '-') || CASE WHEN o.deleted_at IS NULL THEN '' WHEN o.expired THEN ' expired' ELSE ' deleted' END || ':' ||
			coalesce((SELECT string_agg(' ' || trim_scale(l.quantity) || ' ' || l.name, ',' ORDER BY line_number) FROM order_lines l
				WHERE l.store_id = o.store_id AND l.order_id = o.order_id), '')
		FROM orders o ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimPrefix(line, "ORD-20261121-0000000"))
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return strings.Join(all, "\n")
}

// soon fails a test in which something took longer than a person would wait.
func soon(t testing.TB, begun time.Time, longest time.Duration) {
	t.Helper()
	if took := time.Since(begun); took > longest {
		t.Errorf("it took %s", took)
	}
}

var kinds = []error{analytics.ErrUnavailable, analytics.ErrRefused}

// kindOf returns which of the kinds an error is.
func kindOf(err error) error {
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return err
}
