// Command web keeps what is posted to the webhook as an item, and echoes everything else.
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
	lambda.Start(
		func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			if event.RawPath != "/webhooks/whatsapp" {
				echo, err := json.Marshal(map[string]any{"event": event, "environment": os.Environ()})
				return events.APIGatewayV2HTTPResponse{
					StatusCode: 200, Headers: map[string]string{"Content-Type": "application/json"},
					Body: string(echo)}, err
			}
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
				TableName: aws.String(os.Getenv("MESSAGES_TABLE_NAME")),
				Item: map[string]types.AttributeValue{
					"pk":       &types.AttributeValueMemberS{Value: event.Body},
					"itemType": &types.AttributeValueMemberS{Value: "WEBHOOK_EVENT"},
				},
			})
			return events.APIGatewayV2HTTPResponse{StatusCode: 200}, err
		})
}
