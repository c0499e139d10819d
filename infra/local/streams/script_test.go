package streams

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

const streamARN = "arn:aws:dynamodb:dynoxide:000000000000:table/messages/stream/1"

// script is a stream of one shard with fixed records, and a function with scripted answers.
type script struct {
	records []types.Record
	answer  func(call int, sequences []string) (string, error)

	mu    sync.Mutex
	calls [][]string
}

// stream returns a stream of records 1 to count, which change the items with the given keys in turn.
func stream(count int, keys ...string) *script {
	s := &script{answer: func(int, []string) (string, error) { return `{"batchItemFailures":[]}`, nil }}
	for i := range count {
		key := fmt.Sprintf("item %d", i)
		if len(keys) > 0 {
			key = keys[i%len(keys)]
		}
		s.records = append(s.records, types.Record{
			EventName: types.OperationTypeInsert,
			Dynamodb: &types.StreamRecord{
				SequenceNumber: aws.String(strconv.Itoa(i + 1)), ApproximateCreationDateTime: aws.Time(time.Now()),
				Keys:     map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: key}},
				NewImage: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: key}},
			},
		})
	}
	return s
}

func (s *script) DescribeStream(context.Context, *dynamodbstreams.DescribeStreamInput,
	...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error) {
	return &dynamodbstreams.DescribeStreamOutput{
		StreamDescription: &types.StreamDescription{Shards: []types.Shard{{ShardId: aws.String("shard")}}}}, nil
}

func (s *script) GetShardIterator(_ context.Context, in *dynamodbstreams.GetShardIteratorInput,
	_ ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetShardIteratorOutput, error) {
	position := "0"
	if in.ShardIteratorType == types.ShardIteratorTypeAfterSequenceNumber {
		position = *in.SequenceNumber
	}
	return &dynamodbstreams.GetShardIteratorOutput{ShardIterator: &position}, nil
}

func (s *script) GetRecords(_ context.Context, in *dynamodbstreams.GetRecordsInput,
	_ ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error) {
	from, _ := strconv.Atoi(*in.ShardIterator)
	to := min(from+int(*in.Limit), len(s.records))
	return &dynamodbstreams.GetRecordsOutput{
		Records: s.records[min(from, to):to], NextShardIterator: aws.String(strconv.Itoa(to))}, nil
}

func (s *script) invoke(_ context.Context, event []byte) ([]byte, error) {
	var decoded events.DynamoDBEvent
	if err := json.Unmarshal(event, &decoded); err != nil {
		return nil, err
	}
	var sequences []string
	for _, r := range decoded.Records {
		sequences = append(sequences, r.Change.SequenceNumber)
	}
	s.mu.Lock()
	call := len(s.calls)
	s.calls = append(s.calls, sequences)
	s.mu.Unlock()
	answer, err := s.answer(call, sequences)
	return []byte(answer), err
}

func (s *script) seen() [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}
