package cloud

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Stopped returns a line for each number that is stopped: until when, and why. A stop is stored data and survives a
// restart, so somebody who has set another token needs to know about it.
func (c *Cloud) Stopped(ctx context.Context) ([]string, error) {
	stops, err := scan[model.OutboxSequence](ctx, c, tables.OutboxSequences, "stoppedTo > :now",
		map[string]types.AttributeValue{
			":now": &types.AttributeValueMemberN{Value: strconv.FormatInt(time.Now().UnixMilli(), 10)}})
	if err != nil || len(stops) == 0 {
		return nil, err
	}
	of := map[string]model.OutboxSequence{} // by sequence id, which is a hash
	for _, stop := range stops {
		of[stop.SequenceID] = stop
	}
	phones, err := scan[model.Phone](ctx, c, tables.Messages, "itemType = :phone",
		map[string]types.AttributeValue{":phone": &types.AttributeValueMemberS{Value: model.ItemPhone}})
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, phone := range phones {
		if stop, stopped := of[keys.OutboxSequenceID(sending.SenderGroup(phone.PhoneNumberID))]; stopped {
			lines = append(lines,
				fmt.Sprintf("%s sends nothing until %s: %s; POST /v1/numbers/%s/resume tries at once",
					phone.PhoneNumberID,
					time.UnixMilli(stop.StoppedTo).Local().Format("15:04:05"),
					cmp.Or(stop.StopReason, "WhatsApp refused the number or its token"), phone.PhoneNumberID))
		}
	}
	return lines, nil
}

// scan returns the items of a table that match a filter. It runs once, on a laptop's small tables.
func scan[T any](ctx context.Context, c *Cloud, table tables.Table, filter string,
	values map[string]types.AttributeValue) ([]T, error) {
	var all []T
	pages := dynamodb.NewScanPaginator(engine.Client(c.endpoint), &dynamodb.ScanInput{
		TableName: aws.String(table.Name(stage)), FilterExpression: &filter, ExpressionAttributeValues: values,
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", table.ID, err)
		}
		var items []T
		if err := attributevalue.UnmarshalListOfMaps(page.Items, &items); err != nil {
			return nil, fmt.Errorf("read %s: %w", table.ID, err)
		}
		all = append(all, items...)
	}
	return all, nil
}
