package dynamo

import (
	"context"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// Rows reads all pages of a query.
func (c *Client) Rows(ctx context.Context, q Query) ([]Item, error) {
	var rows []Item
	for {
		page, err := c.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page.Items...)
		if q.After = page.Next; q.After == nil {
			return rows, nil
		}
	}
}

// Whole reads the items of an index's rows consistently, in the rows' order. It leaves out a row whose item is gone, because an index may
// be behind its table. The table's partition key is pk.
func Whole[T any](ctx context.Context, c *Client, table tables.Table, rows []Item) ([]T, error) {
	refs := make([]Ref, len(rows))
	for i, row := range rows {
		refs[i] = Ref{Table: table, Key: keys.Key{
			PartitionName: keys.PK, Partition: Text(row, keys.PK), SortName: table.Sort.Name, Sort: Text(row, table.Sort.Name),
		}}
	}
	found, err := c.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	all := make([]T, 0, len(refs))
	for _, ref := range refs {
		item := ref.Found(found)
		if item == nil {
			continue
		}
		var entity T
		if err := Unmarshal(item, &entity); err != nil {
			return nil, err
		}
		all = append(all, entity)
	}
	return all, nil
}
