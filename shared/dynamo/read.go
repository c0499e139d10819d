package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Get reads one item consistently into entity, which must be a pointer. It returns ErrNotFound if there is no such
// item.
func (c *Client) Get(ctx context.Context, table tables.Table, key keys.Key, entity any) error {
	if err := whole(table, key); err != nil {
		return err
	}
	if memoryOf(ctx) != nil {
		// What a function may call must not depend on what it remembers just then.
		ref := Ref{table, key}
		found, err := c.BatchGet(ctx, []Ref{ref})
		if err != nil {
			return err
		}
		return existing(ref.Found(found), entity)
	}
	out, err := c.api.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: c.name(table), Key: keyItem(key), ConsistentRead: aws.Bool(true),
		ReturnConsumedCapacity: reportCapacity,
	})
	if err != nil {
		return translate(err)
	}
	countUnits(ctx, telemetry.ReadUnits, asSlice(out.ConsumedCapacity)...)
	return existing(out.Item, entity)
}

// existing decodes an item that exists. It returns ErrNotFound for an absent one.
func existing(item Item, entity any) error {
	if len(item) == 0 {
		return ErrNotFound
	}
	return Unmarshal(item, entity)
}

// Ref refers to one item in a batch.
type Ref struct {
	Table tables.Table
	Key   keys.Key
}

// batchLimit is how many items DynamoDB allows in one batch.
const batchLimit = 100

// BatchGet reads items consistently, in as few round trips as possible. Items that do not exist are absent from the
// result. The refs may contain duplicates and may exceed DynamoDB's limit per batch.
func (c *Client) BatchGet(ctx context.Context, refs []Ref) (Found, error) {
	found := make(Found, len(refs))
	asked := make(map[refID]bool, len(refs))
	m := memoryOf(ctx)
	begun := m.begun()
	var pending []Ref
	for _, ref := range refs { // DynamoDB refuses a batch with duplicate keys
		if err := whole(ref.Table, ref.Key); err != nil {
			return nil, err
		}
		id := ref.id()
		if asked[id] {
			continue
		}
		asked[id] = true
		if item, known := m.get(id); !known {
			pending = append(pending, ref)
		} else if item != nil {
			found[id] = item
		}
	}
	for len(pending) > 0 {
		size := min(len(pending), batchLimit)
		if err := c.batch(ctx, pending[:size], found); err != nil {
			return nil, err
		}
		m.keep(begun, pending[:size], found)
		pending = pending[size:]
	}
	return found, nil
}

// Found holds the items that a batch read. Ref.Found looks an item up.
type Found map[refID]Item

// refID is the comparable form of a Ref.
type refID struct{ Table, Partition, Sort string }

func (r Ref) id() refID { return refID{r.Table.ID, r.Key.Partition, r.Key.Sort} }

// Found returns the item that a batch read for r, or nil if it does not exist.
func (r Ref) Found(in Found) Item { return in[r.id()] }

// Holding returns what a batch reads where r's item is this one; nil if there is none. A cancelled transaction tells
// the items whose conditions failed.
func (r Ref) Holding(item Item) Found {
	if item == nil {
		return nil
	}
	return Found{r.id(): item}
}

func (c *Client) batch(ctx context.Context, refs []Ref, found Found) error {
	byName := map[string]Ref{}
	request := map[string]types.KeysAndAttributes{}
	for _, ref := range refs {
		name := *c.name(ref.Table)
		byName[name] = ref
		entry := request[name]
		entry.ConsistentRead = aws.Bool(true)
		entry.Keys = append(entry.Keys, keyItem(ref.Key))
		request[name] = entry
	}
	for attempt := 0; len(request) > 0; attempt++ {
		if attempt > 0 {
			if err := pause(ctx, attempt); err != nil {
				return err
			}
		}
		out, err := c.api.BatchGetItem(ctx,
			&dynamodb.BatchGetItemInput{RequestItems: request, ReturnConsumedCapacity: reportCapacity})
		if err != nil {
			return translate(err)
		}
		countUnits(ctx, telemetry.ReadUnits, out.ConsumedCapacity...)
		for name, items := range out.Responses {
			of := byName[name]
			for _, item := range items {
				id := refID{of.Table.ID, Text(item, of.Key.PartitionName), ""}
				if of.Key.SortName != "" {
					id.Sort = Text(item, of.Key.SortName)
				}
				found[id] = item
			}
		}
		request = out.UnprocessedKeys
	}
	return nil
}

// maxUnprocessed bounds how often BatchGet repeats a batch for keys that a throttled table left unprocessed.
const (
	maxUnprocessed       = 8
	unprocessedFirstWait = 20 * time.Millisecond
	unprocessedLongest   = 400 * time.Millisecond
)

// errUnprocessed means that a throttled table kept leaving keys of a batch unprocessed.
var errUnprocessed = errors.New("items left unprocessed")

// pause waits before a batch is repeated, so that a throttled table can recover.
func pause(ctx context.Context, attempt int) error {
	if attempt > maxUnprocessed {
		return fmt.Errorf("batch get: %w", errUnprocessed)
	}
	return Sleep(ctx, jittered(unprocessedFirstWait, unprocessedLongest, attempt))
}

// Query describes one page of a partition of a table or an index.
type Query struct {
	Table     tables.Table
	Index     string // empty for the table itself
	Where     string // the key condition
	Filter    string // applied after reading, so a page with fewer items than Limit need not be the last
	Names     map[string]string
	Values    Item
	Backwards bool
	Limit     int32
	After     Item // Next of the previous page; nil for the first page
}

// Page is one page of a query's results. Next is where the next page starts, nil after the last page.
type Page struct {
	Items []Item
	Next  Item
}

// Query reads one page. Queries on the table itself are consistent; queries on a global index cannot be.
func (c *Client) Query(ctx context.Context, q Query) (Page, error) {
	if err := whole(q.Table, keys.Key{Partition: q.partition()}); err != nil {
		return Page{}, err
	}
	in := &dynamodb.QueryInput{
		TableName: c.name(q.Table), KeyConditionExpression: aws.String(q.Where), FilterExpression: expression(q.Filter),
		ExpressionAttributeNames: names(q.Names, q.Where, q.Filter), ExpressionAttributeValues: q.Values,
		ScanIndexForward: aws.Bool(!q.Backwards), ExclusiveStartKey: q.After,
		ReturnConsumedCapacity: reportCapacity,
	}
	if q.Index != "" {
		in.IndexName = aws.String(q.Index)
	} else {
		in.ConsistentRead = aws.Bool(true) // global indexes do not support it
	}
	if q.Limit > 0 {
		in.Limit = aws.Int32(q.Limit)
	}
	out, err := c.api.Query(ctx, in)
	if err != nil {
		return Page{}, translate(err)
	}
	countUnits(ctx, telemetry.ReadUnits, asSlice(out.ConsumedCapacity)...)
	page := Page{Items: out.Items}
	if len(out.LastEvaluatedKey) > 0 {
		page.Next = out.LastEvaluatedKey
	}
	return page, nil
}

// partition returns the partition that the query reads: the value that its first condition compares with.
func (q Query) partition() string {
	_, value, _ := strings.Cut(q.Where, "= ")
	value, _, _ = strings.Cut(value, " ")
	return Text(q.Values, value)
}

// Scan describes one page of a table, in no order. Reading a whole table belongs into a schedule, and never into a
// request.
type Scan struct {
	Table tables.Table
	Limit int32
	After Item // Next of the previous page; nil for the first page
}

// Scan reads one page. It may be behind by a moment.
func (c *Client) Scan(ctx context.Context, s Scan) (Page, error) {
	out, err := c.api.Scan(ctx, &dynamodb.ScanInput{
		TableName: c.name(s.Table), ExclusiveStartKey: s.After, Limit: aws.Int32(s.Limit),
		ReturnConsumedCapacity: reportCapacity,
	})
	if err != nil {
		return Page{}, translate(err)
	}
	countUnits(ctx, telemetry.ReadUnits, asSlice(out.ConsumedCapacity)...)
	page := Page{Items: out.Items}
	if len(out.LastEvaluatedKey) > 0 {
		page.Next = out.LastEvaluatedKey
	}
	return page, nil
}
