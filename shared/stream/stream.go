// Package stream owns how a batch of a table's stream is worked through: record by record, a permanent failure parked, a
// transient one reported so that the stream stops there and comes back. It knows nothing of what the records mean.
package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/aws/aws-lambda-go/events"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/telemetry"
)

// Worker works through batches.
type Worker struct {
	// Work deals with one record's new image.
	Work func(ctx context.Context, image dynamo.Item) error
	// Permanent says whether trying a failed record again cannot help.
	Permanent func(err error) bool
	// Park records why a record could not be dealt with. A recovered panic is parked too.
	Park func(ctx context.Context, image dynamo.Item, reason string) error
	Log  *slog.Logger
}

// Handle works through a batch in order. It stops at the first transient failure and reports that record: Lambda keeps
// what came before it and brings the rest again.
func (w Worker) Handle(ctx context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	for _, record := range event.Records {
		if err := w.one(ctx, record); err != nil {
			w.Log.WarnContext(ctx, "record will be tried again", "sequence", record.Change.SequenceNumber, "error", err)
			return events.DynamoDBEventResponse{
				BatchItemFailures: []events.DynamoDBBatchItemFailure{{ItemIdentifier: record.Change.SequenceNumber}},
			}, nil
		}
	}
	return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}, nil
}

func (w Worker) one(ctx context.Context, record events.DynamoDBEventRecord) error {
	if len(record.Change.NewImage) == 0 {
		return nil // a deletion: there is nothing left to do
	}
	image := Item(record.Change.NewImage)
	ctx = telemetry.WithCorrelation(ctx, dynamo.Text(image, "eventId"))
	err := w.safely(ctx, image)
	var crashed panicked
	if err == nil || !w.Permanent(err) && !errors.As(err, &crashed) {
		return err
	}
	w.Log.ErrorContext(ctx, "record parked", "sequence", record.Change.SequenceNumber, "error", err)
	if err := w.Park(ctx, image, err.Error()); err != nil {
		return err
	}
	telemetry.Count(ctx, telemetry.EventsParked, 1)
	return nil
}

// safely turns a panic into a permanent error: the record that caused it would cause it again and hold up the shard.
func (w Worker) safely(ctx context.Context, image dynamo.Item) (err error) {
	defer func() {
		if r := recover(); r != nil {
			w.Log.ErrorContext(ctx, "panic", "at", string(debug.Stack()))
			err = panicked{fmt.Errorf("panic: %T", r)}
		}
	}()
	return w.Work(ctx, image)
}

type panicked struct{ error }

// Item makes an item of a stream image.
func Item(image map[string]events.DynamoDBAttributeValue) dynamo.Item {
	item := make(dynamo.Item, len(image))
	for name, value := range image {
		item[name] = attributeValue(value)
	}
	return item
}

func attributeValue(v events.DynamoDBAttributeValue) types.AttributeValue {
	switch v.DataType() {
	case events.DataTypeString:
		return &types.AttributeValueMemberS{Value: v.String()}
	case events.DataTypeNumber:
		return &types.AttributeValueMemberN{Value: v.Number()}
	case events.DataTypeBoolean:
		return &types.AttributeValueMemberBOOL{Value: v.Boolean()}
	case events.DataTypeBinary:
		return &types.AttributeValueMemberB{Value: v.Binary()}
	case events.DataTypeList:
		list := make([]types.AttributeValue, len(v.List()))
		for i, element := range v.List() {
			list[i] = attributeValue(element)
		}
		return &types.AttributeValueMemberL{Value: list}
	case events.DataTypeMap:
		return &types.AttributeValueMemberM{Value: Item(v.Map())}
	case events.DataTypeStringSet:
		return &types.AttributeValueMemberSS{Value: v.StringSet()}
	case events.DataTypeNumberSet:
		return &types.AttributeValueMemberNS{Value: v.NumberSet()}
	case events.DataTypeBinarySet:
		return &types.AttributeValueMemberBS{Value: v.BinarySet()}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}
