package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Get reads one item consistently into entity; ErrNotFound when it is not there.
func (c *Client) Get(ctx context.Context, table tables.Table, key keys.Key, entity any) error {
	out, err := c.api.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: c.name(table), Key: keyItem(key), ConsistentRead: aws.Bool(true),
		ReturnConsumedCapacity: reportCapacity,
	})
	if err != nil {
		return translate(err)
	}
	consumed(ctx, telemetry.ReadUnits, one(out.ConsumedCapacity)...)
	if len(out.Item) == 0 {
		return ErrNotFound
	}
	return Unmarshal(out.Item, entity)
}

// Ref names an item for a batch.
type Ref struct {
	Table tables.Table
	Key   keys.Key
}

// batchLimit is how many items DynamoDB reads in one batch.
const batchLimit = 100

// BatchGet reads items consistently, in as few round trips as possible, and returns them by reference; what is not there is absent
// from the result.
func (c *Client) BatchGet(ctx context.Context, refs []Ref) (Found, error) {
	found := make(Found, len(refs))
	asked := make(map[refID]bool, len(refs))
	var pending []Ref
	for _, ref := range refs { // a batch may not name an item twice
		if id := ref.id(); !asked[id] {
			asked[id] = true
			pending = append(pending, ref)
		}
	}
	for len(pending) > 0 {
		size := min(len(pending), batchLimit)
		if err := c.batch(ctx, pending[:size], found); err != nil {
			return nil, err
		}
		pending = pending[size:]
	}
	return found, nil
}

// Found is what a batch read, by reference.
type Found map[refID]Item

// refID is the comparable form of a Ref.
type refID struct{ Table, Partition, Sort string }

func (r Ref) id() refID { return refID{r.Table.ID, r.Key.Partition, r.Key.Sort} }

// Found is the item a batch read for the reference, nil when it is not there.
func (r Ref) Found(in Found) Item { return in[r.id()] }

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
		out, err := c.api.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: request, ReturnConsumedCapacity: reportCapacity})
		if err != nil {
			return translate(err)
		}
		consumed(ctx, telemetry.ReadUnits, out.ConsumedCapacity...)
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

// maxUnprocessed bounds how often a batch is asked again for what a throttled table left out.
const (
	maxUnprocessed       = 8
	unprocessedFirstWait = 20 * time.Millisecond
	unprocessedLongest   = 400 * time.Millisecond
)

// errUnprocessed means that a throttled table kept leaving items out of a batch.
var errUnprocessed = errors.New("items left unprocessed")

// pause waits before the next try for what a batch left out: long enough for a throttled table to recover a little.
func pause(ctx context.Context, attempt int) error {
	if attempt > maxUnprocessed {
		return fmt.Errorf("batch get: %w", errUnprocessed)
	}
	return sleep(ctx, jittered(unprocessedFirstWait, unprocessedLongest, attempt))
}

// Query is one page of a partition of a table or an index.
type Query struct {
	Table     tables.Table
	Index     string // empty for the table itself
	Where     string // the key condition
	Filter    string // applied after reading: a page may hold fewer items than Limit, and still not be the last
	Names     map[string]string
	Values    Item
	Backwards bool
	Limit     int32
	After     Item // the last key of the page before; nil for the first
}

// Page is what a query found, and where the next page starts; nil after the last.
type Page struct {
	Items []Item
	Next  Item
}

// Query reads one page.
func (c *Client) Query(ctx context.Context, q Query) (Page, error) {
	in := &dynamodb.QueryInput{
		TableName: c.name(q.Table), KeyConditionExpression: aws.String(q.Where), FilterExpression: expression(q.Filter),
		ExpressionAttributeNames: names(q.Names, q.Where, q.Filter), ExpressionAttributeValues: q.Values,
		ScanIndexForward: aws.Bool(!q.Backwards), ExclusiveStartKey: q.After,
		ReturnConsumedCapacity: reportCapacity,
	}
	if q.Index != "" {
		in.IndexName = aws.String(q.Index)
	} else {
		in.ConsistentRead = aws.Bool(true) // which no global index can be
	}
	if q.Limit > 0 {
		in.Limit = aws.Int32(q.Limit)
	}
	out, err := c.api.Query(ctx, in)
	if err != nil {
		return Page{}, translate(err)
	}
	consumed(ctx, telemetry.ReadUnits, one(out.ConsumedCapacity)...)
	page := Page{Items: out.Items}
	if len(out.LastEvaluatedKey) > 0 {
		page.Next = out.LastEvaluatedKey
	}
	return page, nil
}
