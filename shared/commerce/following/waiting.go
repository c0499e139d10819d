package following

import (
	"context"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Waiting are the changes of orders that were set aside or parked.
type Waiting struct {
	DB  *dynamo.Client
	Now func() time.Time
}

// List returns up to limit of a store's changes that were set aside or parked, by order and version, from after a place
// ("" for the first).
func (w *Waiting) List(ctx context.Context, store model.Name, limit int,
	after string) ([]commercemodel.FollowUp, error) {
	q := dynamo.Query{
		Table: tables.Metrics, Where: "pk = :pk AND begins_with(sk, :follow_up)", Limit: int32(limit),
		Values: dynamo.Item{":pk": dynamo.S(keys.StoreScope(store)), ":follow_up": dynamo.S(keys.FollowUpPrefix)},
	}
	if after != "" {
		q.After = dynamo.Item{"pk": q.Values[":pk"], "sk": dynamo.S(after)}
	}
	page, err := w.DB.Query(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("changes that were set aside: %w", err)
	}
	return dynamo.Entities[commercemodel.FollowUp](page.Items)
}

// Again has the next sweep try a change, and then for as long as a new one. It returns dynamo.ErrNotFound for a change
// that does not wait.
func (w *Waiting) Again(ctx context.Context, store, order model.Name, version int64) error {
	now := dynamo.S(model.At(w.Now()))
	err := w.DB.Update(ctx, dynamo.Update{
		Table: tables.Metrics, Key: keys.FollowUp(store, order, version), If: dynamo.IfPresent,
		Do: "SET gsi1pk = :aside, gsi1sk = :now, first_failed_at = :now, #ttl = :ttl",
		Values: dynamo.Item{
			":aside": dynamo.S(keys.FollowUpsAside), ":now": now, ":ttl": dynamo.N(w.Now().Add(kept).Unix())},
	})
	if dynamo.IsConditionFailed(err) {
		return dynamo.ErrNotFound
	}
	return err
}
