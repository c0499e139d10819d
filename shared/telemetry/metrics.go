package telemetry

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"
)

// Namespace is where CloudWatch keeps the metrics.
const Namespace = "haatline"

// The dimensions of the metrics. There are no others: CloudWatch charges for each combination of values.
const (
	DimensionStage    = "stage"
	DimensionFunction = "function"
)

// Kept says what CloudWatch makes of what is measured. It charges for each series by the month, so it keeps what an alarm
// watches or the dashboard draws. All else stands in the line of the invocation, where a query of the logs finds and sums it.
type Kept int

const (
	InTheLine  Kept = iota // no metric of CloudWatch
	ByStage                // one series, of all functions together
	ByFunction             // a series for each function that measures it
)

// dimensions are those of the series.
func (k Kept) dimensions() []string {
	if k == ByFunction {
		return []string{DimensionStage, DimensionFunction}
	}
	return []string{DimensionStage}
}

// Metric is something measured, in a unit of CloudWatch.
type Metric struct {
	Name, Unit string
	Kept       Kept `json:"-"`
}

// What is measured. What was done once may count twice, or not at all, where something dies or the platform repeats itself:
// metrics are for watching, and nothing is decided by them.
var (
	MessagesIn        = Metric{"MessagesIn", "Count", ByStage}          // messages stored that were not there before
	MessagesOut       = Metric{"MessagesOut", "Count", ByStage}         // messages the platform took
	StatusSent        = Metric{"StatusSent", "Count", InTheLine}        // statuses of the platform, by kind
	StatusDelivered   = Metric{"StatusDelivered", "Count", InTheLine}   //
	StatusRead        = Metric{"StatusRead", "Count", InTheLine}        //
	StatusFailed      = Metric{"StatusFailed", "Count", ByStage}        //
	StatusOther       = Metric{"StatusOther", "Count", InTheLine}       // played, deleted, payments, and kinds nobody knows yet
	DuplicatesRefused = Metric{"DuplicatesRefused", "Count", InTheLine} // log entries and messages that were there already
	EventsParked      = Metric{"EventsParked", "Count", ByStage}        // log entries set aside for a person
	LogOldest         = Metric{"LogOldest", "Seconds", ByFunction}      // age of the oldest log entry that waits, at each sweep; 0 for none
	LogSetAside       = Metric{"LogSetAside", "Count", InTheLine}       // log entries that are set aside, at each sweep
	OutboxAge         = Metric{"OutboxAge", "Milliseconds", ByStage}    // from the decision to send to the platform's answer
	OutboxOldest      = Metric{"OutboxOldest", "Seconds", ByStage}      // age of the oldest pending event, at each sweep; 0 for none
	OutboxRetries     = Metric{"OutboxRetries", "Count", InTheLine}     // attempts that failed and will be made again
	OutboxErrors      = Metric{"OutboxErrors", "Count", InTheLine}      // events no attempt could be made at: errors of ours, unknown types
	DeadLetters       = Metric{"DeadLetters", "Count", ByStage}         // events given up on
	SendersStopped    = Metric{"SendersStopped", "Count", ByStage}      // times a number was stopped from sending
	WriteUnits        = Metric{"WriteUnits", "Count", InTheLine}        // DynamoDB's, of an invocation; a refused write reports none
	ReadUnits         = Metric{"ReadUnits", "Count", InTheLine}         //
)

// Metrics are all of them.
func Metrics() []Metric {
	return []Metric{
		MessagesIn, MessagesOut, StatusSent, StatusDelivered, StatusRead, StatusFailed, StatusOther, DuplicatesRefused,
		EventsParked, LogOldest, LogSetAside, OutboxAge, OutboxOldest, OutboxRetries, OutboxErrors, DeadLetters, SendersStopped, WriteUnits, ReadUnits,
	}
}

type meterKey struct{}

// meter collects what one invocation measures, and holds its last line.
type meter struct {
	mu     sync.Mutex
	values map[Metric][]float64
	line   held
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

// Measured has a handler's metrics written at the end of each invocation, in CloudWatch's embedded metric format, on the
// invocation's last line: no call leaves the function for them, and most invocations write that one line.
func Measured[I, O any](logger *slog.Logger, handle func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	stage := cmp.Or(os.Getenv("STAGE"), "dev")
	return func(ctx context.Context, in I) (O, error) {
		m := &meter{values: map[Metric][]float64{}}
		ctx = context.WithValue(ctx, meterKey{}, m)
		defer m.write(ctx, logger, stage)
		if deadline, ok := ctx.Deadline(); ok { // an invocation that runs out of time ends without a word
			defer time.AfterFunc(time.Until(deadline)-lastWords, m.line.release).Stop()
		}
		return handle(ctx, in)
	}
}

// lastWords is how long before an invocation runs out of time its line is held no longer.
const lastWords = 500 * time.Millisecond

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

// write writes the lines, the first of them at the end of the line that is held. The dimension function is the logger's own
// attribute.
func (m *meter) write(ctx context.Context, logger *slog.Logger, stage string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.line.release()
	for first := true; len(m.values) > 0; first = false {
		attrs := m.next(stage)
		if !first || !m.line.add(attrs) {
			logger.LogAttrs(Unmeasured(ctx), slog.LevelInfo, "metrics", attrs...)
		}
	}
}

// next takes as many values as a line may hold, and returns them as attributes.
func (m *meter) next(stage string) []slog.Attr {
	metrics := slices.SortedFunc(maps.Keys(m.values), func(a, b Metric) int { return cmp.Compare(a.Name, b.Name) })
	attrs := []slog.Attr{slog.String(DimensionStage, stage)}
	if directives := directivesOf(metrics); len(directives) > 0 {
		attrs = append(attrs, slog.Any("_aws", embedded{time.Now().UnixMilli(), directives}))
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
	return attrs
}

// directivesOf tells CloudWatch which of the line's values are metrics, and of which series.
func directivesOf(metrics []Metric) []directive {
	var list []directive
	for _, kept := range []Kept{ByStage, ByFunction} {
		d := directive{Namespace: Namespace, Dimensions: [][]string{kept.dimensions()}}
		for _, metric := range metrics {
			if metric.Kept == kept {
				d.Metrics = append(d.Metrics, metric)
			}
		}
		if len(d.Metrics) > 0 {
			list = append(list, d)
		}
	}
	return list
}
