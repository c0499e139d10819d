package postgres

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
)

// The columns, in the order of orderValues and lineValues.
var (
	orderColumns = []string{
		"store_id", "order_id", "version", "tenant_id", "customer_id", "status", "channel", "language",
		"payment_method", "total_amount",
		"order_date", "created_at", "updated_at", "deleted_at", "expired",
	}
	lineColumns = []string{
		"store_id", "order_id", "line_number", "product_id", "sku", "name", "unit", "quantity", "price", "amount"}
)

// deleteLines deletes the lines of an order.
const deleteLines = `DELETE FROM order_lines WHERE store_id = $1 AND order_id = $2`

// upsertOrders returns the statement that writes so many orders and returns those that it has written. Its condition is
// that the stored version is an earlier one.
func upsertOrders(count int) string {
	var sets []string
	for _, column := range orderColumns[2:] {
		sets = append(sets, column+" = excluded."+column)
	}
	return insert("orders", orderColumns, count) + " ON CONFLICT (store_id, order_id) DO UPDATE SET " +
		strings.Join(sets, ", ") +
		" WHERE orders.version < excluded.version RETURNING store_id, order_id"
}

// insert returns the statement that inserts so many rows.
func insert(table string, columns []string, count int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES ")
	for n := range count * len(columns) {
		switch {
		case n == 0:
			b.WriteString("(")
		case n%len(columns) == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(n+1))
	}
	return b.String() + ")"
}

func orderValues(o commercemodel.AnalyticsOrder) []any {
	return []any{
		text(o.StoreID), text(o.OrderID), o.Version, text(o.TenantID), some(text(o.CustomerID)), text(o.Status),
		text(o.Channel), text(o.Language),
		text(o.PaymentMethod), o.TotalAmount.String(), day(o.Date), instant(o.CreatedAt), instant(o.UpdatedAt),
		instant(o.DeletedAt), o.Expired,
	}
}

func lineValues(o commercemodel.AnalyticsOrder, n int) []any {
	l := o.Lines[n]
	return []any{
		text(o.StoreID), text(o.OrderID), n + 1, text(l.ProductID), text(l.SKU), text(l.Name), text(l.Unit),
		l.Quantity.String(), l.Price.String(), l.Amount.String(),
	}
}

// text returns a text as PostgreSQL takes it: without zero bytes and broken characters.
func text[T ~string](value T) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(value), "\uFFFD"), "\x00", "")
}

// some returns null for an empty text.
func some(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// day returns null for a text that is no day, so that the order is not lost for it.
func day(date string) any {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return nil
	}
	return date
}

// instant returns null for a text that is no instant.
func instant(t model.Time) any {
	if t.Go().IsZero() {
		return nil
	}
	return string(t)
}

// store writes orders, each of another id, in one transaction. The lines of an order are replaced if the order was
// written. The orders are sorted, so that two transactions do not wait for each other.
func store(ctx context.Context, conn *pgx.Conn, orders []commercemodel.AnalyticsOrder) error {
	orders = slices.SortedFunc(slices.Values(orders), func(a, b commercemodel.AnalyticsOrder) int {
		return cmp.Or(cmp.Compare(a.StoreID, b.StoreID), cmp.Compare(a.OrderID, b.OrderID))
	})
	return pgx.BeginTxFunc(ctx, conn, begin(isDSQL(conn.Config().Host)), func(tx pgx.Tx) error {
		written, err := upsert(ctx, tx, orders)
		if err != nil {
			return err
		}
		return replaceLines(ctx, tx,
			slices.DeleteFunc(orders, func(o commercemodel.AnalyticsOrder) bool { return !written[idOf(o)] }))
	})
}

// begin says how a transaction begins. In a plain PostgreSQL it waits only so long for a row that somebody else has
// locked: then this row is refused, and no other. Aurora DSQL has no locks.
func begin(dsql bool) pgx.TxOptions {
	if dsql {
		return pgx.TxOptions{}
	}
	return pgx.TxOptions{BeginQuery: "BEGIN; SET LOCAL lock_timeout = '500ms'"}
}

// id is an order's primary key.
type id struct{ store, order string }

func idOf(o commercemodel.AnalyticsOrder) id { return id{text(o.StoreID), text(o.OrderID)} }

// upsert writes orders and returns the ids of those whose stored version was an earlier one.
func upsert(ctx context.Context, tx pgx.Tx, orders []commercemodel.AnalyticsOrder) (map[id]bool, error) {
	var values []any
	for _, order := range orders {
		values = append(values, orderValues(order)...)
	}
	rows, err := tx.Query(ctx, upsertOrders(len(orders)), values...)
	if err != nil {
		return nil, err
	}
	written := map[id]bool{}
	var one id
	_, err = pgx.ForEachRow(rows, []any{&one.store, &one.order}, func() error {
		written[one] = true
		return nil
	})
	return written, err
}

// replaceLines replaces the lines of orders, in one round trip.
func replaceLines(ctx context.Context, tx pgx.Tx, orders []commercemodel.AnalyticsOrder) error {
	var batch pgx.Batch
	var values []any
	count := 0
	for _, order := range orders {
		batch.Queue(deleteLines, text(order.StoreID), text(order.OrderID))
		for n := range order.Lines {
			values = append(values, lineValues(order, n)...)
			count++
		}
	}
	if count > 0 {
		batch.Queue(insert("order_lines", lineColumns, count), values...)
	}
	if batch.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, &batch).Close()
}
