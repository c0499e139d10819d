// Command reference is the baseline for measurements: a Lambda function with one explicitly configured DynamoDB client.
// It verifies a body's signature, decodes it, puts one item through the SDK, and does nothing else.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func main() {
	client := dynamodb.New(dynamodb.Options{
		Region: os.Getenv("AWS_REGION"), BaseEndpoint: aws.String(os.Getenv("DYNAMODB_ENDPOINT")),
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
	})
	secret := []byte(os.Getenv("WHATSAPP_APP_SECRET"))
	lambda.Start(
		func(ctx context.Context, request events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			body := []byte(request.Body)
			mac := hmac.New(sha256.New, secret)
			mac.Write(body)
			given, err := hex.DecodeString(request.Headers["x-hub-signature-256"][len("sha256="):])
			if err != nil || !hmac.Equal(mac.Sum(nil), given) {
				return events.APIGatewayV2HTTPResponse{}, errors.New("bad signature")
			}
			var decoded map[string]any
			if err := json.Unmarshal(body, &decoded); err != nil {
				return events.APIGatewayV2HTTPResponse{}, err
			}
			_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
				TableName: aws.String("reference"),
				Item: map[string]types.AttributeValue{
					"pk":      &types.AttributeValueMemberS{Value: "one"},
					"payload": &types.AttributeValueMemberS{Value: request.Body}},
			})
			return events.APIGatewayV2HTTPResponse{StatusCode: 200}, err
		})
}
