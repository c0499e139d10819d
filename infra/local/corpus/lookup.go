package corpus

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// outcome is what the messages table contains of a corpus.
type outcome struct {
	missing     []string // ids without an item
	unprocessed []string // unprocessed webhook entries
	parked      []string // parked webhook entries, with their error
}

func (o outcome) settled() bool { return len(o.missing) == 0 && len(o.unprocessed) == 0 }

// lookUp waits until every id has its item and every webhook entry is processed or parked. It prints the totals and returns
// an error for what is lost. Parked entries are listed but are no error, because malformed bodies end there.
func lookUp(ctx context.Context, out io.Writer, s settings, bodies []body) error {
	table := tables.Messages.Resolve(os.Getenv, tables.Dev)
	client := engine.Client(s.dynamodb)
	var ids []string
	for _, b := range bodies {
		ids = append(ids, b.ids...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	deadline := time.Now().Add(s.wait)
	for {
		found, err := look(ctx, client, table, ids)
		if err != nil {
			return err
		}
		if found.settled() || time.Now().After(deadline) {
			return found.report(out, len(ids))
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (o outcome) report(out io.Writer, ids int) error {
	for _, id := range o.missing {
		fmt.Fprintf(out, "not found: %s\n", id)
	}
	for _, event := range o.unprocessed {
		fmt.Fprintf(out, "not processed: %s\n", event)
	}
	for _, event := range o.parked {
		fmt.Fprintf(out, "parked: %s\n", event)
	}
	fmt.Fprintf(out, "%d of %d messages and statuses found; logged events: %d not processed, %d parked\n",
		ids-len(o.missing), ids, len(o.unprocessed), len(o.parked))
	if o.settled() {
		return nil
	}
	return fmt.Errorf("%d messages or statuses are lost, %d events are not processed", len(o.missing), len(o.unprocessed))
}

func look(ctx context.Context, client *dynamodb.Client, table string, ids []string) (outcome, error) {
	var o outcome
	for chunk := range slices.Chunk(ids, 100) { // the limit of a batch
		present, err := present(ctx, client, table, chunk)
		if err != nil {
			return o, err
		}
		for _, id := range chunk {
			if !present[keys.Message(model.MessageID(id)).Partition] {
				o.missing = append(o.missing, id)
			}
		}
	}
	return o, o.readEvents(ctx, client, table)
}

// present returns which of the ids have an item.
func present(ctx context.Context, client *dynamodb.Client, table string, ids []string) (map[string]bool, error) {
	var wanted []map[string]types.AttributeValue
	for _, id := range ids {
		key := keys.Message(model.MessageID(id))
		wanted = append(wanted, map[string]types.AttributeValue{key.PartitionName: &types.AttributeValueMemberS{Value: key.Partition}})
	}
	found := map[string]bool{}
	for len(wanted) > 0 {
		got, err := client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			table: {Keys: wanted, ProjectionExpression: aws.String("pk"), ConsistentRead: aws.Bool(true)},
		}})
		if err != nil {
			return nil, fmt.Errorf("look up messages: %w", err)
		}
		for _, item := range got.Responses[table] {
			found[stringOf(item, "pk")] = true
		}
		wanted = got.UnprocessedKeys[table].Keys
	}
	return found, nil
}

// readEvents scans the table. The log has no index of unprocessed entries, and a corpus is small.
func (o *outcome) readEvents(ctx context.Context, client *dynamodb.Client, table string) error {
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{
		TableName:            aws.String(table),
		FilterExpression:     aws.String("itemType = :event AND (attribute_not_exists(processedAt) OR attribute_exists(processingError))"),
		ProjectionExpression: aws.String("pk, eventType, processingError"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":event": &types.AttributeValueMemberS{Value: "WEBHOOK_EVENT"},
		},
		ConsistentRead: aws.Bool(true),
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("scan the logged events: %w", err)
		}
		for _, item := range page.Items {
			event := stringOf(item, "pk") + " (" + stringOf(item, "eventType") + ")"
			if _, parked := item["processingError"]; parked {
				o.parked = append(o.parked, event+": "+stringOf(item, "processingError"))
				continue
			}
			o.unprocessed = append(o.unprocessed, event)
		}
	}
	return nil
}

func stringOf(item map[string]types.AttributeValue, name string) string {
	if value, ok := item[name].(*types.AttributeValueMemberS); ok {
		return value.Value
	}
	return ""
}
