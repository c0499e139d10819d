package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// answering answers every call without a network, so that only our own CPU time is measured.
type answering struct{}

func (answering) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
}

func sdk() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "ap-south-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
		HTTPClient: &http.Client{Transport: answering{}},
	})
}

func text() []byte {
	return wt.Body(
		wt.Messages(wt.List{wt.Contact("919876543210", "Asha Rao")},
			wt.Text("919876543210", "wamid.HBgMOTE5ODc2NTQzMjEwFQIAEhgWM0EBMjM0NTY3ODkw",
				"Two kilos of basmati rice and one salt .", noon)))
}

func BenchmarkBody(b *testing.B) {
	h := handler(dynamo.Wrap(sdk(), tables.Dev))
	request := post(text())
	for b.Loop() {
		if response, err := h.Handle(b.Context(), request); err != nil || response.StatusCode != http.StatusOK {
			b.Fatal(response.StatusCode, err)
		}
	}
}

// The least that a webhook can do: verify, decode, one PutItem.
func BenchmarkBare(b *testing.B) {
	client := sdk()
	body := text()
	signature := whatsapp.Sign("s3cret", body)
	for b.Loop() {
		var decoded map[string]any
		if !whatsapp.VerifySignature([]string{"s3cret"}, signature, body) || json.Unmarshal(body, &decoded) != nil {
			b.Fatal("refused")
		}
		_, err := client.PutItem(b.Context(),
			&dynamodb.PutItemInput{TableName: aws.String("t"), Item: map[string]types.AttributeValue{
				"pk":      &types.AttributeValueMemberS{Value: "one"},
				"payload": &types.AttributeValueMemberS{Value: string(body)},
			}})
		if err != nil {
			b.Fatal(err)
		}
	}
}
