// Command consumer copies the key of every record to the outbox table, counting how often it saw it.
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/engine"
)

func main() {
	client := engine.Client(os.Getenv("DYNAMODB_ENDPOINT"))
	count := func(ctx context.Context, id string) error {
		_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String(os.Getenv("OUTBOX_TABLE_NAME")),
			Key: map[string]types.AttributeValue{
				"eventId": &types.AttributeValueMemberS{Value: id}},
			UpdateExpression: aws.String("ADD seen :one"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":one": &types.AttributeValueMemberN{Value: "1"}},
		})
		return err
	}
	lambda.Start(func(ctx context.Context, raw json.RawMessage) (events.DynamoDBEventResponse, error) {
		var event events.DynamoDBEvent
		if err := json.Unmarshal(raw, &event); err != nil {
			return events.DynamoDBEventResponse{}, err
		}
		if len(event.Records) == 0 {
			return events.DynamoDBEventResponse{}, count(ctx, "schedule")
		}
		for _, record := range event.Records {
			if err := count(ctx, record.Change.Keys["pk"].String()); err != nil {
				return events.DynamoDBEventResponse{}, err
			}
		}
		return events.DynamoDBEventResponse{}, nil
	})
}
