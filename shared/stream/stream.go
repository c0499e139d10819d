// Package stream processes batches of a DynamoDB stream. Records that share a key are processed in order, all others
// concurrently. A record that can never succeed is parked, a record that keeps failing is set aside so that it does not
// delay others, and every other failure is reported to Lambda for a retry. The package does not know what records mean.
package stream

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
)

// Job is one record of a batch, ready to be processed.
type Job struct {
	// Order holds the keys of what the record changes. Jobs that share a key run one after another in the batch's
	// order. Other jobs run concurrently.
	Order []string
	Do    func(ctx context.Context) error
}

// Worker processes batches. It must be used through a pointer, because it remembers when a job last succeeded.
type Worker struct {
	// ImageOf returns what is worked on of a record; nil for one that needs no work. If it is nil, that is the new
	// image, and a deletion needs no work.
	ImageOf func(record events.DynamoDBEventRecord) dynamo.Item
	// Open returns one job per image, in their order. It reads together what the batch shares; if that read fails, the
	// jobs return the error. If Open panics, it is called again for each image alone, and only the image at fault is
	// parked.
	Open func(ctx context.Context, images []dynamo.Item) []Job
	// Width bounds the lanes that run at once. 0 means 32.
	Width int
	// Permanent reports whether a retry of a failed record cannot help.
	Permanent func(err error) bool
	// Park stores why a record failed for good. Records that cause a panic are parked, too.
	Park     func(ctx context.Context, image dynamo.Item, reason string) error
	SetAside SetAside // if nil, no record is ever set aside
	Log      *slog.Logger

	lastSuccess atomic.Int64 // when a job last succeeded, in Unix nanoseconds
}

// SetAside counts a transient failure on its record and reports whether it has set the record aside. A record that is
// set aside is done for the stream, and something else retries it. othersSucceed says that another record succeeded
// recently, so that the failure is not one of the whole system.
type SetAside = func(ctx context.Context, image dynamo.Item, failure error, othersSucceed bool) (aside bool, err error)

const (
	defaultWidth = 32
	// startMargin is how long before the end of the invocation no new job starts. A job that did not start has not
	// failed, and Lambda delivers its record again.
	startMargin = 3 * time.Second
	// countMargin is the part of the invocation that is left to count a job that took too long.
	countMargin = 2 * time.Second
	// successWindow is how long a success counts as evidence that the whole system works. Lambda retries a failed
	// record alone, so its own batch cannot show that.
	successWindow = 10 * time.Second
)

// Handle processes a batch and reports every record that is to be retried, in the batch's order. Lambda continues at
// the first of them.
func (w *Worker) Handle(ctx context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	var images []dynamo.Item
	var sequences []string
	for _, record := range event.Records {
		image := w.imageOf(record)
		if image == nil {
			continue
		}
		images = append(images, image)
		sequences = append(sequences, record.Change.SequenceNumber)
	}
	response := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	for i, failure := range w.Work(ctx, images, w.SetAside) {
		if failure == nil {
			continue
		}
		w.Log.WarnContext(ctx, "record will be retried", "sequence", sequences[i], "error", failure)
		response.BatchItemFailures = append(response.BatchItemFailures,
			events.DynamoDBBatchItemFailure{ItemIdentifier: sequences[i]})
	}
	return response, nil
}

func (w *Worker) imageOf(record events.DynamoDBEventRecord) dynamo.Item {
	switch {
	case w.ImageOf != nil:
		return w.ImageOf(record)
	case len(record.Change.NewImage) == 0:
		return nil
	}
	return Item(record.Change.NewImage)
}
