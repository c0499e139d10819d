// Package postgres keeps the analytics of orders in PostgreSQL: a plain one, or Aurora DSQL. It opens its connection
// when the first order comes.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/haatline/haatline/shared/commerce/analytics"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/secrets"
)

// Variable is the environment variable with the DSN.
const Variable = "ANALYTICS_DSN"

// Database is the database. It is safe for concurrent use, and does one thing at a time: a function handles one batch
// at a time.
type Database struct {
	dsn    *secrets.Secret
	getenv func(string) string
	pause  time.Duration // how long a database that failed is left alone

	mu        sync.Mutex
	conn      *pgx.Conn
	used      time.Time // when conn last answered
	migrated  bool
	downUntil time.Time
	cause     error // why it is left alone
}

// pause spares the batches of a stream the wait for a database that does not answer.
const pause = 30 * time.Second

// Open returns the database of ANALYTICS_DSN; nil if there is none. It connects to nothing.
func Open(getenv func(string) string) analytics.Sink {
	dsn := getenv(Variable)
	if dsn == "" {
		return nil
	}
	return &Database{dsn: secrets.New(dsn, getenv), getenv: getenv, pause: pause}
}

// Put implements analytics.Sink. Where one order is refused, the others are written without it.
func (d *Database) Put(ctx context.Context, orders []commercemodel.AnalyticsOrder) []error {
	d.mu.Lock()
	defer d.mu.Unlock()
	failures := make([]error, len(orders))
	for from := 0; from < len(orders); {
		to := from + chunk(orders[from:])
		d.put(ctx, orders[from:to], failures[from:to])
		from = to
	}
	return failures
}

// maxRows bounds the rows that a transaction writes and deletes: Aurora DSQL takes 3000.
const maxRows = 1500

// chunk returns how many of the orders fit into a transaction, if they had as many lines before. It is at least one.
func chunk(orders []commercemodel.AnalyticsOrder) int {
	rows := 0
	for i, order := range orders {
		if rows += 1 + 2*len(order.Lines); rows > maxRows && i > 0 {
			return i
		}
	}
	return len(orders)
}

// put writes orders together. If they are refused, it halves them until the one at fault is alone.
func (d *Database) put(ctx context.Context, orders []commercemodel.AnalyticsOrder, failures []error) {
	err := d.write(ctx, orders)
	if errors.Is(err, analytics.ErrRefused) && len(orders) > 1 {
		half := len(orders) / 2
		d.put(ctx, orders[:half], failures[:half])
		d.put(ctx, orders[half:], failures[half:])
		return
	}
	for i := range failures {
		failures[i] = err
	}
}

// maxAttempts is how often a transaction is tried that met another one.
const maxAttempts = 6

// write writes orders in one transaction. It repeats one that met another, or whose connection had died while the
// process was frozen: writing an order twice changes nothing.
func (d *Database) write(ctx context.Context, orders []commercemodel.AnalyticsOrder) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: no time is left", analytics.ErrUnavailable)
	}
	if time.Now().Before(d.downUntil) {
		return d.cause
	}
	var err error
	for attempt := range maxAttempts {
		reused := d.conn != nil
		err = d.connected(ctx, func(conn *pgx.Conn) error { return store(ctx, conn, orders) })
		died := reused && d.conn == nil && err != nil
		if !died && !isConflict(err) || !wait(ctx, attempt) {
			break
		}
	}
	err = plain(err)
	if errors.Is(err, analytics.ErrUnavailable) {
		d.downUntil, d.cause = time.Now().Add(d.pause), err
	}
	return err
}

// wait waits before the next attempt. It reports whether there was time.
func wait(ctx context.Context, attempt int) bool {
	const first = 10 * time.Millisecond
	select {
	case <-time.After(rand.N(first << attempt)):
		return true
	case <-ctx.Done():
		return false
	}
}
