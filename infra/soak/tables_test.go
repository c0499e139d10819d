package soak

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/tables"
)

// madeIndexes are the indexes of the table of messages that the soak's world reads. The engine takes most of its time
// to keep the others, so they are not made: a query on one of them fails.
var madeIndexes = []string{
	tables.IndexFrom, tables.IndexConversation, tables.IndexWABAItemType, tables.IndexCustomerPhone,
	tables.IndexWebhookEvent, tables.IndexWebhookAttention, tables.IndexTenant,
}

// allTables are those of every domain, because an erasure looks everywhere.
var allTables = indexed(madeIndexes...)

// indexed returns the tables of every domain, that of the messages with these indexes alone.
func indexed(indexes ...string) []tables.Table {
	all := slices.Clone(tables.All())
	for i, table := range all {
		if table.ID == tables.Messages.ID {
			all[i] = dynamotest.Indexed(table, indexes...)
		}
	}
	return all
}

// checkIndexed checks what DynamoDB would have refused for the indexes that are not made: the keys of an item in an
// index are of the index's type and not empty.
func (w *simulation) checkIndexed() {
	for _, item := range w.items(tables.Messages) {
		for _, index := range tables.Messages.Global {
			for _, key := range []tables.Attribute{index.Partition, index.Sort} {
				switch value := item[key.Name].(type) {
				case nil:
				case *types.AttributeValueMemberS:
					if value.Value == "" || key.Type != tables.String {
						w.t.Errorf("%s has no place in %s: %s is %q", textOf(item, "pk"), index.Name, key.Name,
							value.Value)
					}
				default:
					if _, number := value.(*types.AttributeValueMemberN); !number || key.Type != tables.Number {
						w.t.Errorf("%s has no place in %s: %s is %v", textOf(item, "pk"), index.Name, key.Name, value)
					}
				}
			}
		}
	}
}
