// Package aside keeps what could not follow from an order yet: notes in the metrics table, each with the time of its
// next try. A sweep tries those again that are due.
package aside

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// pageSize is how many notes are tried again at once.
const pageSize = 100

// Sweep gives retry the notes of a kind that are due, the longest due first, page by page. It ends if retry fails or
// wants no more, or if less than the reserve is left of the invocation. A page has at least one note.
func Sweep(
	ctx context.Context, db *dynamo.Client, kind string, now time.Time, reserve time.Duration,
	retry func(ctx context.Context, notes []dynamo.Item) (more bool, err error),
) error {
	q := dynamo.Query{
		Table: tables.Metrics, Index: "GSI1", Where: "gsi1pk = :aside AND gsi1sk <= :now", Limit: pageSize,
		Values: dynamo.Item{":aside": dynamo.S(kind), ":now": dynamo.S(model.At(now))},
	}
	for {
		page, err := db.Query(ctx, q)
		if err != nil || len(page.Items) == 0 {
			return err
		}
		more, err := retry(ctx, page.Items)
		if q.After = page.Next; err != nil || !more || q.After == nil || !invocation.HasMore(ctx, reserve) {
			return err
		}
	}
}

// Forget removes a note. Its condition is that nothing has failed since it was read, by the count of its failures: else
// the next sweep sees it.
func Forget(ctx context.Context, db *dynamo.Client, key keys.Key, failures int64) error {
	err := db.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.Metrics, Key: key, If: "failures = :seen",
		Values: dynamo.Item{":seen": dynamo.N(failures)},
	}})
	if errors.Is(dynamo.Conflict(err), dynamo.ErrConflict) {
		return nil
	}
	return err
}
