package streams

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/haatline/haatline/shared/golden"
)

func TestARecordHasTheShapeThatLambdaGivesIt(t *testing.T) {
	in := types.Record{
		EventID: aws.String("1"), EventName: types.OperationTypeModify, AwsRegion: aws.String("dynoxide"),
		UserIdentity: &types.Identity{Type: aws.String("Service"), PrincipalId: aws.String("dynamodb.amazonaws.com")},
		Dynamodb: &types.StreamRecord{
			ApproximateCreationDateTime: aws.Time(time.Unix(1795221658, 0)),
			SequenceNumber:              aws.String("42"), SizeBytes: aws.Int64(67),
			StreamViewType: types.StreamViewTypeNewAndOldImages,
			Keys:           map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}},
			OldImage: map[string]types.AttributeValue{
				"pk": &types.AttributeValueMemberS{Value: "a"},
			},
			NewImage: map[string]types.AttributeValue{
				"pk":     &types.AttributeValueMemberS{Value: "a"},
				"number": &types.AttributeValueMemberN{Value: "12345678901234567890.5"},
				"bytes":  &types.AttributeValueMemberB{Value: []byte{0, 1, 2}},
				"bool":   &types.AttributeValueMemberBOOL{Value: true},
				"null":   &types.AttributeValueMemberNULL{Value: true},
				"ss":     &types.AttributeValueMemberSS{Value: []string{"x", "y"}},
				"ns":     &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
				"bs":     &types.AttributeValueMemberBS{Value: [][]byte{{0}, {1}}},
				"list": &types.AttributeValueMemberL{
					Value: []types.AttributeValue{&types.AttributeValueMemberN{Value: "1"}}},
				"none": &types.AttributeValueMemberL{},
				"map": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{
					"inner": &types.AttributeValueMemberS{Value: ""},
				}},
			},
		},
	}
	r, err := newRecord(in, "shard", Config{
		Table: "orders", Region: "ap-south-1",
		StreamARN: "arn:aws:dynamodb:dynoxide:000000000000:table/orders/stream/1795221658.5",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.encode(); err != nil {
		t.Fatal(err)
	}
	event := encodeEvent([]*record{r})
	golden.CompareJSON(t, "testdata/event.json", event)

	// Decoded with the handlers' types and encoded again, the record is the same.
	var decoded events.DynamoDBEvent
	if err := json.Unmarshal(event, &decoded); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(decoded)
	if err != nil {
		t.Fatal(err)
	}
	golden.CompareJSON(t, "testdata/event.json", again)
}
