package export

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// Part is a part of a list, such as what is kept under one key of the person.
type Part struct {
	ID   string // no other part of the list has it
	Read func(ctx context.Context, after string, limit int) (Rows, error)
}

// partPlace is a place in a list of parts.
type partPlace struct {
	ID    string `json:"id"`
	After string `json:"a,omitempty"`
}

func (p partPlace) String() string {
	text, _ := json.Marshal(p) // texts can always be encoded
	return string(text)
}

// Parts reads up to limit rows of a list of parts, in the order of their ids, from behind a place.
func Parts(ctx context.Context, parts []Part, after string, limit int) (rows Rows, err error) {
	var at partPlace
	if after != "" && json.Unmarshal([]byte(after), &at) != nil {
		return rows, ErrPlace
	}
	sorting.Func(parts, func(a, b Part) int { return cmp.Compare(a.ID, b.ID) })
	i := slices.IndexFunc(parts, func(p Part) bool { return p.ID >= at.ID })
	if i < 0 {
		return rows, nil
	}
	id := parts[i].ID
	if id != at.ID { // the one that was read is gone
		at.After = ""
	}
	if rows, err = parts[i].Read(ctx, at.After, limit); err != nil {
		return rows, err
	}
	for j := range rows.Rows {
		rows.Rows[j].At = partPlace{id, rows.Rows[j].At}.String()
	}
	switch {
	case rows.Next != "":
		rows.Next = partPlace{id, rows.Next}.String()
	case i+1 < len(parts):
		rows.Next = partPlace{ID: parts[i+1].ID}.String()
	}
	return rows, nil
}

// Query reads the rows of a query.
type Query struct {
	DB *dynamo.Client
	Of dynamo.Query
	// Whole is set if the query's index does not hold whole items. Then the items are read from the table.
	Whole bool
	// Show returns what is shown of an item, nil for nothing. It is nil if every item is shown as it is.
	Show func(ctx context.Context, item dynamo.Item) (dynamo.Item, error)
}

// Read reads up to limit rows behind a place.
func (q Query) Read(ctx context.Context, after string, limit int) (rows Rows, err error) {
	found, next, err := q.DB.Some(ctx, q.Of, limit, after)
	if err != nil {
		return rows, err
	}
	items := found
	if q.Whole {
		if items, err = q.whole(ctx, found); err != nil {
			return rows, err
		}
	}
	rows.Next = next
	for i, item := range items {
		if item != nil && q.Show != nil {
			if item, err = q.Show(ctx, item); err != nil {
				return rows, err
			}
		}
		if item != nil {
			rows.Rows = append(rows.Rows, Row{q.Of.PlaceOf(found[i]), item})
		}
	}
	return rows, nil
}

// whole returns the items of an index's rows; nil for one that is gone, because the index may be behind.
func (q Query) whole(ctx context.Context, rows []dynamo.Item) ([]dynamo.Item, error) {
	partition, sort := q.Of.Table.Partition.Name, q.Of.Table.Sort.Name
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: q.Of.Table, Key: keys.Key{
			PartitionName: partition, Partition: dynamo.Text(row, partition),
			SortName: sort, Sort: dynamo.Text(row, sort),
		}}
	}
	found, err := q.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	items := make([]dynamo.Item, len(rows))
	for i, ref := range refs {
		items[i] = ref.Found(found)
	}
	return items, nil
}

// Under returns the part of a list with what a query finds under a key.
func (q Query) Under(id string) Part { return Part{id, q.Read} }

// Short returns up to limit rows behind a place, of a list that is short enough to be read whole. No two items have the
// same values of the attributes.
func Short(items []dynamo.Item, after string, limit int, attributes ...string) (all Rows) {
	for _, item := range items {
		values := make([]string, len(attributes))
		for i, name := range attributes {
			values[i] = dynamo.Text(item, name)
		}
		if at := strings.Join(values, " "); at > after {
			all.Rows = append(all.Rows, Row{at, item})
		}
	}
	sorting.Func(all.Rows, func(a, b Row) int { return cmp.Compare(a.At, b.At) })
	if len(all.Rows) > limit {
		all.Rows = all.Rows[:limit]
		all.Next = all.Rows[limit-1].At
	}
	return all
}

// Without returns an item without some attributes.
func Without(item dynamo.Item, attributes ...string) dynamo.Item {
	item = maps.Clone(item)
	for _, name := range attributes {
		delete(item, name)
	}
	return item
}

// Stored returns an entity as it is stored.
func Stored[T any](entities ...T) ([]dynamo.Item, error) {
	items := make([]dynamo.Item, len(entities))
	for i, entity := range entities {
		var err error
		if items[i], err = dynamo.Marshal(entity); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// objectOf returns an item as a JSON object.
func objectOf(item dynamo.Item) (json.RawMessage, error) {
	var object model.Document
	err := object.UnmarshalDynamoDBAttributeValue(dynamo.M(item))
	return json.RawMessage(object), err
}
