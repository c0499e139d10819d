package dynamo

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

// PageOf reads one page of a query as entities, and returns the key behind which the next page begins; nil at the end.
func PageOf[T any](ctx context.Context, c *Client, q Query) ([]T, Item, error) {
	page, err := c.Query(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	all, err := Entities[T](page.Items)
	if err != nil {
		return nil, nil, err
	}
	return all, page.Next, nil
}

// Entities returns rows as entities, in the rows' order.
func Entities[T any](rows []Item) ([]T, error) {
	all := make([]T, len(rows))
	for i, row := range rows {
		if err := Unmarshal(row, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

const (
	// someReads and someItems bound how much one page of a filtered list reads: someReads times someItems items, or as
	// many MB.
	someReads, someItems = 8, 100
	// maxPlace is more bytes than the key of a row has.
	maxPlace = 8192
)

// ErrPlace means that a text is no place in a list.
var ErrPlace = errors.New("not a place in this list")

// Some reads up to limit rows of a query with a filter, from after a place ("" for the beginning), and returns the
// place behind which the next page begins; "" at the end. It reads a bounded number of items, whatever lies between
// those that pass the filter: then a page is short or empty, and has a next one.
func (c *Client) Some(ctx context.Context, q Query, limit int, after string) (rows []Item, next string, err error) {
	if q.After, err = q.itemAt(after); err != nil {
		return nil, "", err
	}
	q.Limit = int32(max(limit+1, someItems))
	for range someReads {
		page, err := c.Query(ctx, q)
		if err != nil {
			return nil, "", err
		}
		if rows = append(rows, page.Items...); len(rows) > limit {
			rows = rows[:limit]
			return rows, q.PlaceOf(rows[limit-1]), nil
		}
		if q.After = page.Next; q.After == nil {
			return rows, "", nil
		}
	}
	return rows, q.PlaceOf(q.After), nil
}

// PlaceOf returns the place of a row in what Some reads: the keys of the table and of the index, texts or numbers.
func (q Query) PlaceOf(row Item) string {
	place := map[string]string{}
	for _, attribute := range q.keys() {
		switch value := row[attribute.Name].(type) {
		case *types.AttributeValueMemberS:
			place[attribute.Name] = value.Value
		case *types.AttributeValueMemberN:
			place[attribute.Name] = value.Value
		}
	}
	text, _ := json.Marshal(place) // texts can always be encoded
	return string(text)
}

// keys returns the key attributes of what the query reads.
func (q Query) keys() []tables.Attribute {
	all := []tables.Attribute{q.Table.Partition, q.Table.Sort}
	for _, index := range q.Table.Indexes() {
		if index.Name == q.Index {
			all = append(all, index.Partition, index.Sort)
		}
	}
	return all
}

// itemAt returns the key at a place; nil for "".
func (q Query) itemAt(place string) (Item, error) {
	if place == "" {
		return nil, nil
	}
	var texts map[string]string
	if len(place) > maxPlace || json.Unmarshal([]byte(place), &texts) != nil || len(texts) == 0 {
		return nil, ErrPlace
	}
	key := Item{}
	for name, text := range texts {
		key[name] = S(text)
	}
	for _, attribute := range q.keys() {
		if text, there := texts[attribute.Name]; there && attribute.Type == tables.Number {
			key[attribute.Name] = Number(text)
		}
	}
	return key, nil
}

// Whole reads the items of an index's rows consistently, in the rows' order. It leaves out a row whose item is gone,
// because an index may be behind its table. The table's partition key is pk.
func Whole[T any](ctx context.Context, c *Client, table tables.Table, rows []Item) ([]T, error) {
	refs := make([]Ref, len(rows))
	for i, row := range rows {
		refs[i] = Ref{Table: table, Key: keys.Key{
			PartitionName: keys.PK, Partition: Text(row, keys.PK), SortName: table.Sort.Name,
			Sort: Text(row, table.Sort.Name),
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
