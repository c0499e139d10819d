package telemetry

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
)

// Namespace is where CloudWatch keeps the metrics.
const Namespace = "haatline"

// The dimensions of every metric. There are no others: CloudWatch charges for each combination of values.
const (
	DimensionStage    = "stage"
	DimensionFunction = "function"
)

// Metric is something measured, in a unit of CloudWatch.
type Metric struct{ Name, Unit string }

// What is measured. What was done once may count twice, or not at all, where something dies or the platform repeats itself:
// metrics are for watching, and nothing is decided by them.
var (
	MessagesIn        = Metric{"MessagesIn", "Count"}        // messages stored that were not there before
	MessagesOut       = Metric{"MessagesOut", "Count"}       // messages the platform took
	StatusSent        = Metric{"StatusSent", "Count"}        // statuses of the platform, by kind
	StatusDelivered   = Metric{"StatusDelivered", "Count"}   //
	StatusRead        = Metric{"StatusRead", "Count"}        //
	StatusFailed      = Metric{"StatusFailed", "Count"}      //
	StatusOther       = Metric{"StatusOther", "Count"}       // played, deleted, payments, and kinds nobody knows yet
	DuplicatesRefused = Metric{"DuplicatesRefused", "Count"} // log entries and messages that were there already
	EventsParked      = Metric{"EventsParked", "Count"}      // log entries set aside for a person
	LogOldest         = Metric{"LogOldest", "Seconds"}       // age of the oldest log entry that waits, at each sweep; 0 for none
	LogSetAside       = Metric{"LogSetAside", "Count"}       // log entries that are set aside, at each sweep
	OutboxAge         = Metric{"OutboxAge", "Milliseconds"}  // from the decision to send to the platform's answer
	OutboxOldest      = Metric{"OutboxOldest", "Seconds"}    // age of the oldest pending event, at each sweep; 0 for none
	OutboxRetries     = Metric{"OutboxRetries", "Count"}     // attempts that failed and will be made again
	OutboxErrors      = Metric{"OutboxErrors", "Count"}      // events no attempt could be made at: errors of ours, unknown types
	DeadLetters       = Metric{"DeadLetters", "Count"}       // events given up on
	SendersStopped    = Metric{"SendersStopped", "Count"}    // times a number was stopped from sending
	WriteUnits        = Metric{"WriteUnits", "Count"}        // DynamoDB's, of an invocation; a refused write reports none
	ReadUnits         = Metric{"ReadUnits", "Count"}         //
)

// Metrics are all of them.
func Metrics() []Metric {
	return []Metric{
		MessagesIn, MessagesOut, StatusSent, StatusDelivered, StatusRead, StatusFailed, StatusOther, DuplicatesRefused,
		EventsParked, LogOldest, LogSetAside, OutboxAge, OutboxOldest, OutboxRetries, OutboxErrors, DeadLetters, SendersStopped, WriteUnits, ReadUnits,
	}
}

type meterKey struct{}

// meter collects what one invocation measures.
type meter struct {
	mu     sync.Mutex
	values map[Metric][]float64
}

// Count adds to a metric of the invocation. Outside of one it does nothing.
func Count(ctx context.Context, metric Metric, n float64) {
	if m, ok := ctx.Value(meterKey{}).(*meter); ok && n != 0 {
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.values[metric]) == 0 {
			m.values[metric] = []float64{0}
		}
		m.values[metric][0] += n
	}
}

// Observe records one value of a metric whose distribution matters. Outside of an invocation it does nothing.
func Observe(ctx context.Context, metric Metric, value float64) {
	if m, ok := ctx.Value(meterKey{}).(*meter); ok {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.values[metric] = append(m.values[metric], value)
	}
}

// Unmeasured is a context in which nothing is counted: for what a process does once, which is not the cost of the message
// that happens to be its first.
func Unmeasured(ctx context.Context) context.Context { return context.WithValue(ctx, meterKey{}, nil) }

// Measured has a handler's metrics written at the end of each invocation, as one line of the log in CloudWatch's embedded
// metric format: no call leaves the function for it.
func Measured[I, O any](logger *slog.Logger, handle func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	stage := cmp.Or(os.Getenv("STAGE"), "dev")
	return func(ctx context.Context, in I) (O, error) {
		m := &meter{values: map[Metric][]float64{}}
		ctx = context.WithValue(ctx, meterKey{}, m)
		defer m.write(ctx, logger, stage)
		return handle(ctx, in)
	}
}

// The head of a line in the embedded metric format.
type (
	embedded struct {
		Timestamp         int64
		CloudWatchMetrics []directive
	}
	directive struct {
		Namespace  string
		Dimensions [][]string
		Metrics    []Metric
	}
)

// maxValues is how many values of a metric a line may hold.
const maxValues = 100

// write writes the lines. The dimension function is the logger's own attribute.
func (m *meter) write(ctx context.Context, logger *slog.Logger, stage string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.values) > 0 {
		var metrics []Metric
		for metric := range m.values {
			metrics = append(metrics, metric)
		}
		slices.SortFunc(metrics, func(a, b Metric) int { return cmp.Compare(a.Name, b.Name) })
		attrs := []slog.Attr{
			slog.String(DimensionStage, stage),
			slog.Any("_aws", embedded{time.Now().UnixMilli(), []directive{{Namespace, [][]string{{DimensionStage, DimensionFunction}}, metrics}}}),
		}
		for _, metric := range metrics {
			values := m.values[metric]
			size := min(len(values), maxValues)
			if len(values) == 1 {
				attrs = append(attrs, slog.Float64(metric.Name, values[0]))
			} else {
				attrs = append(attrs, slog.Any(metric.Name, values[:size]))
			}
			if m.values[metric] = values[size:]; size == len(values) {
				delete(m.values, metric)
			}
		}
		logger.LogAttrs(ctx, slog.LevelInfo, "metrics", attrs...)
	}
}
