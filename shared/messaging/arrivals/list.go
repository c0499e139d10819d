package arrivals

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Place is that of a message in a list. The zero value is before the first one.
type Place struct {
	At model.Time
	ID model.EventID
}

// OfNobody returns a page of the texts and the emails of a tenant that nobody has got, the newest first: those with the
// outcome Unclaimed or Held. Those that are erased meanwhile are missing. last is the place at which the next page goes
// on; the zero value if none follows.
func (a *Arrivals) OfNobody(ctx context.Context, tenant model.TenantID, outcome string, limit int,
	after Place) (all []model.Received, last Place, err error) {
	partition := keys.AttentionArrivals(tenant, outcome)
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookAttention, Where: "attentionPk = :list", Backwards: true,
		Limit:  int32(limit + 1), // one more shows whether a page follows
		Values: dynamo.Item{":list": dynamo.S(partition)},
	}
	if after.ID != "" {
		query.After = dynamo.Item{
			"pk": dynamo.S(keys.Received(after.ID).Partition), "attentionPk": dynamo.S(partition),
			"attentionAt": dynamo.S(after.At)}
	}
	page, err := a.DB.Query(ctx, query)
	if err != nil {
		return nil, last, fmt.Errorf("list arrivals: %w", err)
	}
	rows := page.Items
	if len(rows) > limit {
		rows = rows[:limit]
		last.At = model.Time(dynamo.Text(rows[limit-1], "attentionAt"))
		last.ID, _ = keys.ReceivedID(dynamo.Text(rows[limit-1], "pk"))
	}
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(dynamo.Text(row, "pk"))}
	}
	found, err := a.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, last, fmt.Errorf("list arrivals: %w", err)
	}
	for _, ref := range refs {
		item := ref.Found(found)
		if item == nil {
			continue
		}
		var m model.Received
		if err := dynamo.Unmarshal(item, &m); err != nil {
			return nil, last, err
		}
		all = append(all, m)
	}
	return all, last, nil
}
