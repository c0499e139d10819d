// Package streams imitates Lambda's event source mappings for table streams: reading and filtering records, batches
// with order per item, partial failures, bisection, retries, the failure destination and the checkpoint. It knows
// neither how functions run nor what records mean.
package streams

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// API is the part of DynamoDB Streams that a source needs.
type API interface {
	DescribeStream(context.Context, *dynamodbstreams.DescribeStreamInput,
		...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error)
	GetShardIterator(context.Context, *dynamodbstreams.GetShardIteratorInput,
		...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetShardIteratorOutput, error)
	GetRecords(context.Context, *dynamodbstreams.GetRecordsInput,
		...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error)
}

// Config describes one source: a stream and the function that processes its records.
type Config struct {
	Function    string
	FunctionARN string
	Table       string
	StreamARN   string
	Region      string

	Patterns       []Pattern // a record passes if any matches; none lets every record pass
	BatchSize      int
	Parallelism    int
	MaxAttempts    int // retries after the first attempt; -1 until MaxRecordAge
	MaxRecordAge   time.Duration
	BatchingWindow time.Duration

	API         API
	Invoke      func(ctx context.Context, event []byte) ([]byte, error)
	Checkpoint  string // the file with the position of the source
	FailuresDir string // the folder for given-up records
	Log         *slog.Logger
	Now         func() time.Time
	Backoff     func(attempt int) time.Duration // the wait before a retry, counted from 1
}

// Backoff returns a wait that doubles from 100 ms to a minute.
func Backoff(attempt int) time.Duration {
	return min(time.Minute, 100*time.Millisecond<<min(attempt-1, 10))
}

// Source is a running event source.
type Source struct {
	config  Config
	shards  *shardReader
	window  *window
	lanes   []*lane
	failure *failureDestination
}

// New returns a source that continues at the checkpoint, or at the stream's oldest record.
func New(config Config) (*Source, error) {
	config.BatchSize = max(1, config.BatchSize)
	config.Parallelism = max(1, config.Parallelism)
	start, err := readCheckpoint(config.Checkpoint, config.StreamARN)
	if err != nil {
		return nil, err
	}
	s := &Source{
		config: config,
		shards: &shardReader{api: config.API, stream: config.StreamARN, position: start},
		window: newWindow(start, func(p position) {
			if err := writeCheckpoint(config.Checkpoint, config.StreamARN, p); err != nil {
				config.Log.Error("checkpoint not written", "table", config.Table, "function", config.Function,
					"error", err)
			}
		}),
		failure: &failureDestination{config: config},
	}
	for range config.Parallelism {
		s.lanes = append(s.lanes, newLane())
	}
	return s, nil
}
