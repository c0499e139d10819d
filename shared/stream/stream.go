// Package stream owns how a batch of a table's stream is worked through: records that have nothing in common side by side,
// those that share something in order, a permanent failure parked, one that holds up the others set aside, and what is to
// come again reported. It knows nothing of what the records mean.
package stream

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamo"
)

// Job is one record of a batch, ready to be worked on.
type Job struct {
	// Order are the keys of what the record changes. Jobs that share a key run one after the other, in the batch's order;
	// others run side by side.
	Order []string
	Do    func(ctx context.Context) error
}

// Worker works through batches. It is used through a pointer, because it remembers when something last went well.
type Worker struct {
	// Open prepares the records' new images: one job for each, in order. It reads together what the batch shares; where
	// that fails, the jobs say so. An Open that panics is asked again image by image, and only the one at fault is parked.
	Open func(ctx context.Context, images []dynamo.Item) []Job
	// Width is how many lanes run at once; 32 where it is 0.
	Width int
	// Permanent reports whether trying a failed record again cannot help.
	Permanent func(err error) bool
	// Park records why a record could not be dealt with. A recovered panic is parked, too.
	Park     func(ctx context.Context, image dynamo.Item, reason string) error
	SetAside SetAside // nil means that nothing is ever set aside
	Log      *slog.Logger

	passed atomic.Int64 // when a job last went well, in nanoseconds of this process
}

// SetAside counts a failure that may pass on its record, and reports whether the record has been set aside: then it is
// done for the stream, and something else tries it again. othersPass says that another record went well just now, so that
// the failure is not one of everything.
type SetAside = func(ctx context.Context, image dynamo.Item, failure error, othersPass bool) (aside bool, err error)

const (
	defaultWidth = 32
	// closing is how long before the end of the invocation no new job is begun: what is not begun is no failure, and comes again.
	closing = 3 * time.Second
	// reserve is what is left of the invocation for counting a job that took too long.
	reserve = 2 * time.Second
	// recently is how long a job that went well speaks against a failure of everything. A record that failed comes again
	// alone, so that its own batch cannot tell.
	recently = 10 * time.Second
)

// Handle works through a batch and reports every record that is to come again, in the batch's order: Lambda goes on at
// the first of them.
func (w *Worker) Handle(ctx context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	var images []dynamo.Item
	var sequences []string
	for _, record := range event.Records {
		if len(record.Change.NewImage) == 0 {
			continue // a deletion: there is nothing left to do
		}
		images = append(images, Item(record.Change.NewImage))
		sequences = append(sequences, record.Change.SequenceNumber)
	}
	response := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	for i, failure := range w.Work(ctx, images, w.SetAside) {
		if failure == nil {
			continue
		}
		w.Log.WarnContext(ctx, "record will be tried again", "sequence", sequences[i], "error", failure)
		response.BatchItemFailures = append(response.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: sequences[i]})
	}
	return response, nil
}

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
