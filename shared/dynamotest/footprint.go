package dynamotest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/tables"
)

// touch is what a call does to one item: to all of a partition if sort is empty, and to all of a table if partition is,
// too.
type touch struct {
	table, partition, sort string
	write                  bool
}

// footprint is what a call touches. A write whose condition fails counts as a write.
type footprint []touch

// conflicts reports whether the order of two calls can matter: both touch one item, and one of them writes to it.
func (f footprint) conflicts(g footprint) bool {
	for _, a := range f {
		for _, b := range g {
			if (a.write || b.write) && a.table == b.table && meet(a.partition, b.partition) && meet(a.sort, b.sort) {
				return true
			}
		}
	}
	return false
}

func meet(a, b string) bool { return a == b || a == "" || b == "" }

// shape is the footprint without what distinguishes one schedule's items from those of another, which are numbers.
func (f footprint) shape() string {
	withoutNumbers := func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}
	return strings.Map(withoutNumbers, fmt.Sprint(f))
}

type itemCall struct {
	TableName string
	Key, Item attributes
}

type attributes map[string]json.RawMessage

// query has only what tells the partition that is read.
type query struct {
	IndexName                 string
	KeyConditionExpression    string
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues attributes
}

// partition returns the partition of the table that is read, or nothing where an index is.
func (q query) partition(table tables.Table) attributes {
	words := strings.Fields(q.KeyConditionExpression)
	if q.IndexName != "" || len(words) < 3 || words[1] != "=" {
		return nil
	}
	if words[0] != table.Partition.Name && q.ExpressionAttributeNames[words[0]] != table.Partition.Name {
		return nil
	}
	return attributes{table.Partition.Name: q.ExpressionAttributeValues[words[2]]}
}

type batchedCall struct {
	Keys                      []attributes
	PutRequest, DeleteRequest itemCall
}

// footprintOf reads from a call what it touches. The call is one that the SDK made.
func footprintOf(operation string, body []byte, list []tables.Table) footprint {
	operation = operation[strings.LastIndex(operation, ".")+1:]
	schema := map[string]tables.Table{}
	for _, table := range list {
		schema[table.Name(tables.Dev)] = table
	}
	var call struct {
		itemCall
		query
		RequestItems  map[string]json.RawMessage
		TransactItems []map[string]itemCall
	}
	if json.Unmarshal(body, &call) != nil {
		return everything(list)
	}
	var touched footprint
	one := func(name string, item attributes, write bool) {
		table := schema[name]
		touched = append(touched, touch{name, string(item[table.Partition.Name]), string(item[table.Sort.Name]), write})
	}
	switch operation {
	case "GetItem":
		one(call.TableName, call.Key, false)
	case "UpdateItem", "DeleteItem":
		one(call.TableName, call.Key, true)
	case "PutItem":
		one(call.TableName, call.Item, true)
	case "Query", "Scan":
		one(call.TableName, call.partition(schema[call.TableName]), false)
	case "TransactWriteItems", "TransactGetItems":
		for _, item := range call.TransactItems {
			for kind, c := range item {
				if kind == "Put" {
					c.Key = c.Item
				}
				one(c.TableName, c.Key, kind != "Get" && kind != "ConditionCheck")
			}
		}
	case "BatchGetItem", "BatchWriteItem":
		for name, requests := range call.RequestItems {
			for _, c := range batched(requests) {
				for _, key := range c.Keys {
					one(name, key, false)
				}
				for _, item := range []attributes{c.PutRequest.Item, c.DeleteRequest.Key} {
					if item != nil {
						one(name, item, true)
					}
				}
			}
		}
	default:
		return everything(list)
	}
	return touched
}

// batched reads the part of a batch about one table: keys in one object, or a list of writes.
func batched(requests json.RawMessage) []batchedCall {
	var writes []batchedCall
	if json.Unmarshal(requests, &writes) == nil {
		return writes
	}
	var reads batchedCall
	if json.Unmarshal(requests, &reads) != nil {
		return nil
	}
	return []batchedCall{reads}
}

// everything is the footprint of a call that is not understood: its order with any other matters.
func everything(list []tables.Table) footprint {
	var all footprint
	for _, table := range list {
		all = append(all, touch{table: table.Name(tables.Dev), write: true})
	}
	return all
}

// letters lists the operations that have a call waiting, in their order.
func letters(waiting map[byte]footprint) []byte { return slices.Sorted(maps.Keys(waiting)) }
