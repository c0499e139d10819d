package dynamo

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// In expressions, #word is replaced by the attribute name word. Names maps placeholders to attribute names that are no
// plain words.

// Put writes a whole item. If is its condition. A caller that needs no condition writes Unconditional and explains why.
type Put struct {
	Table  tables.Table
	Item   Item
	If     string
	Names  map[string]string
	Values Item
}

// Update changes attributes of one item.
type Update struct {
	Table  tables.Table
	Key    keys.Key
	Do     string // the update expression
	If     string
	Names  map[string]string
	Values Item
}

// Delete removes one item.
type Delete struct {
	Table  tables.Table
	Key    keys.Key
	If     string
	Names  map[string]string
	Values Item
}

// Check is a condition on an item that a transaction does not change.
type Check struct {
	Table  tables.Table
	Key    keys.Key
	If     string
	Names  map[string]string
	Values Item
}

// Unconditional is the condition of a write that is allowed in any state.
const Unconditional = ""

// IfAbsent and IfPresent are the conditions that an item is not stored, or is stored, in a table whose partition key is
// pk.
const (
	IfAbsent  = "attribute_not_exists(pk)"
	IfPresent = "attribute_exists(pk)"
)

// Write is one action of a transaction: a Put, Update, Delete or Check.
type Write interface {
	transactItem(c *Client) types.TransactWriteItem
	// item returns the table and the key of the item that is written.
	item() (tables.Table, keys.Key)
}

func (w Put) item() (tables.Table, keys.Key) {
	return w.Table, keys.Key{
		PartitionName: w.Table.Partition.Name, Partition: Text(w.Item, w.Table.Partition.Name),
		SortName: w.Table.Sort.Name, Sort: Text(w.Item, w.Table.Sort.Name)}
}

func (w Update) item() (tables.Table, keys.Key) { return w.Table, w.Key }
func (w Delete) item() (tables.Table, keys.Key) { return w.Table, w.Key }
func (w Check) item() (tables.Table, keys.Key)  { return w.Table, w.Key }

// errEmptyID is an error of the code that makes a key. A caller of the API gets it for an id that can be nothing's.
var errEmptyID = problem.New("an id in a key is empty", problem.Error{
	Class: problem.Unprocessable, Code: "empty-id", Title: "Empty id",
	Detail: "An id of the request has an empty part.",
})

// whole returns an error if an id in a key is empty. Such a key names the item of nobody, or of whoever made the same
// mistake, and a list under it is empty.
func whole(table tables.Table, key keys.Key) error {
	if key.Whole() {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrPermanent, table.ID, errEmptyID)
}

// Put writes an item. It returns a *ConditionFailed if the condition does not hold.
func (c *Client) Put(ctx context.Context, w Put) error {
	if err := whole(w.item()); err != nil {
		return err
	}
	defer written(ctx)()
	out, err := c.api.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: c.name(w.Table), Item: w.Item,
		ConditionExpression: expression(w.If), ExpressionAttributeNames: names(w.Names, w.If),
		ExpressionAttributeValues: values(w.Values),
		ReturnConsumedCapacity:    reportCapacity,
	})
	if err != nil {
		return translate(err)
	}
	countUnits(ctx, telemetry.WriteUnits, asSlice(out.ConsumedCapacity)...)
	return nil
}

// Update changes an item. If the condition does not hold, it returns a *ConditionFailed with the stored item.
func (c *Client) Update(ctx context.Context, w Update) error {
	_, err := c.update(ctx, w, types.ReturnValueNone)
	return err
}

// UpdateReturning changes an item as Update does, and returns the item as it was before. Update transfers and decodes
// no item.
func (c *Client) UpdateReturning(ctx context.Context, w Update) (Item, error) {
	return c.update(ctx, w, types.ReturnValueAllOld)
}

func (c *Client) update(ctx context.Context, w Update, returned types.ReturnValue) (Item, error) {
	if err := whole(w.item()); err != nil {
		return nil, err
	}
	defer written(ctx)()
	out, err := c.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: c.name(w.Table), Key: keyItem(w.Key), UpdateExpression: aws.String(w.Do),
		ConditionExpression: expression(w.If), ExpressionAttributeNames: names(w.Names, w.Do, w.If),
		ExpressionAttributeValues:           values(w.Values),
		ReturnValues:                        returned,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              reportCapacity,
	})
	if err != nil {
		return nil, translate(err)
	}
	countUnits(ctx, telemetry.WriteUnits, asSlice(out.ConsumedCapacity)...)
	return out.Attributes, nil
}

// Write makes all writes or none. A single put is no transaction, which would cost twice as much.
func (c *Client) Write(ctx context.Context, writes []Write) error {
	if len(writes) == 1 {
		if put, ok := writes[0].(Put); ok {
			return c.Put(ctx, put)
		}
	}
	return c.Transact(ctx, writes)
}

// Transact makes all writes or none. It returns a *TransactionCancelled with one reason per write if DynamoDB cancels
// the transaction.
func (c *Client) Transact(ctx context.Context, writes []Write) error {
	items := make([]types.TransactWriteItem, len(writes))
	for i, write := range writes {
		if err := whole(write.item()); err != nil {
			return err
		}
		items[i] = write.transactItem(c)
	}
	defer written(ctx)()
	out, err := c.api.TransactWriteItems(ctx,
		&dynamodb.TransactWriteItemsInput{TransactItems: items, ReturnConsumedCapacity: reportCapacity})
	if err != nil {
		return translate(err)
	}
	countUnits(ctx, telemetry.WriteUnits, out.ConsumedCapacity...)
	return nil
}

func (w Put) transactItem(c *Client) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName: c.name(w.Table), Item: w.Item,
		ConditionExpression: expression(w.If), ExpressionAttributeNames: names(w.Names, w.If),
		ExpressionAttributeValues:           values(w.Values),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}
}

func (w Update) transactItem(c *Client) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: c.name(w.Table), Key: keyItem(w.Key), UpdateExpression: aws.String(w.Do),
		ConditionExpression: expression(w.If), ExpressionAttributeNames: names(w.Names, w.Do, w.If),
		ExpressionAttributeValues:           values(w.Values),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}
}

func (w Delete) transactItem(c *Client) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{
		TableName: c.name(w.Table), Key: keyItem(w.Key),
		ConditionExpression: expression(w.If), ExpressionAttributeNames: names(w.Names, w.If),
		ExpressionAttributeValues: values(w.Values),
	}}
}

func (w Check) transactItem(c *Client) types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: c.name(w.Table), Key: keyItem(w.Key),
		ConditionExpression: aws.String(w.If), ExpressionAttributeNames: names(w.Names, w.If),
		ExpressionAttributeValues: values(w.Values),
	}}
}

func expression(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func values(v Item) Item {
	if len(v) == 0 {
		return nil
	}
	return v
}

// names maps every #word of the expressions to word, unless given maps it to another name.
func names(given map[string]string, expressions ...string) map[string]string {
	var all map[string]string
	for _, text := range expressions {
		for {
			start := strings.IndexByte(text, '#')
			if start < 0 {
				break
			}
			end := start + 1
			for end < len(text) && isWord(text[end]) {
				end++
			}
			placeholder := text[start:end]
			name, ok := given[placeholder]
			if !ok {
				name = placeholder[1:]
			}
			if all == nil {
				all = map[string]string{}
			}
			all[placeholder], text = name, text[end:]
		}
	}
	return all
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
