// Package analytics copies orders to a database outside, where they can be counted and compared. The stream of orders
// says what to copy. A copy that the database refuses waits in the metrics table and is tried again. It does not delay
// other copies.
package analytics

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
)

// Sink is the database. It keeps of each order the latest version that it was given, in whatever order and however
// often they come.
type Sink interface {
	// Put gives orders to the database. It returns one error for each, in their order: nil if the database has the
	// order in this version or a later one, else ErrUnavailable or ErrRefused. The errors contain nothing of an order.
	Put(ctx context.Context, orders []commercemodel.AnalyticsOrder) []error
}

var (
	// ErrUnavailable means that the database takes no orders at present.
	ErrUnavailable = errors.New("the analytics database takes no orders")
	// ErrRefused means that the database does not take this order.
	ErrRefused = errors.New("the analytics database refuses the order")
)

// Copier copies orders to the sink.
type Copier struct {
	DB   *dynamo.Client
	Now  func() time.Time
	Log  *slog.Logger
	Sink Sink
}

const (
	// putTime bounds how long a batch waits for the database.
	putTime = 10 * time.Second
	// reserve is how much of the invocation is left for noting what the database has not taken.
	reserve = 8 * time.Second
)

// Copy copies the orders of a batch of the stream, the latest version of each. It returns an error for each record that
// has to come again: its order was neither taken nor noted.
func (c *Copier) Copy(ctx context.Context, records []events.DynamoDBEventRecord) []error {
	var rows []commercemodel.AnalyticsOrder
	rowOf := make([]int, len(records)) // -1 for a record that changes nothing here
	places := map[keys.Key]int{}       // of the orders in rows
	for i, record := range records {
		row, news, err := RowOf(record, c.Now())
		if err != nil { // it fails for the figures as well, which park it
			c.Log.ErrorContext(ctx, "an order cannot be read for analytics", "sequence", record.Change.SequenceNumber,
				"error", err)
		}
		if rowOf[i] = -1; !news || err != nil {
			continue
		}
		at, known := places[keyOf(row)]
		if !known {
			at = len(rows)
			places[keyOf(row)], rows = at, append(rows, row)
		} else if row.Version > rows[at].Version {
			rows[at] = row
		}
		rowOf[i] = at
	}
	unnoted := c.noteFailed(ctx, rows, c.put(ctx, rows))
	failures := make([]error, len(records))
	for i, at := range rowOf {
		if at >= 0 {
			failures[i] = unnoted[at]
		}
	}
	return failures
}

// put gives orders to the database, within the time that there is.
func (c *Copier) put(ctx context.Context, rows []commercemodel.AnalyticsOrder) []error {
	if len(rows) == 0 {
		return nil
	}
	limit := putTime
	if end, limited := ctx.Deadline(); limited {
		limit = min(limit, time.Until(end)-reserve)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return c.Sink.Put(ctx, rows)
}

func keyOf(row commercemodel.AnalyticsOrder) keys.Key { return keys.Uncopied(row.StoreID, row.OrderID) }
