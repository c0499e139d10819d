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

// Namespace is the CloudWatch namespace of the metrics.
const Namespace = "haatline"

// DimensionStage is the only dimension of the metrics, because CloudWatch charges for each combination of values.
const DimensionStage = "stage"

// Series says which CloudWatch series a metric has. CloudWatch charges per series and month, so only metrics that an
// alarm or the dashboard uses have one. All others are only on the invocation's log line, where a query of the logs can
// sum them.
type Series int

const (
	LogOnly  Series = iota // no CloudWatch metric
	PerStage               // one series for all functions together
)

// Metric is something that functions measure. Unit is a unit of CloudWatch.
type Metric struct {
	Name, Unit string
	Series     Series `json:"-"`
}

// Metrics are approximate: crashes and redelivery may lose or double-count. They are for monitoring, and no decision of
// the system uses them.
var (
	MessagesIn      = Metric{"MessagesIn", "Count", PerStage}     // messages stored for the first time
	MessagesOut     = Metric{"MessagesOut", "Count", PerStage}    // messages that WhatsApp accepted
	StatusSent      = Metric{"StatusSent", "Count", LogOnly}      // WhatsApp's message statuses, by kind
	StatusDelivered = Metric{"StatusDelivered", "Count", LogOnly} //
	StatusRead      = Metric{"StatusRead", "Count", LogOnly}      //
	StatusFailed    = Metric{"StatusFailed", "Count", PerStage}   //
	StatusOther     = Metric{"StatusOther", "Count", LogOnly}     // played, deleted, payments, and unknown kinds
	// log entries and messages that were stored already
	DuplicatesRefused = Metric{"DuplicatesRefused", "Count", LogOnly}
	// log entries that failed for good and wait for a person
	EventsParked = Metric{"EventsParked", "Count", PerStage}
	// age of the oldest waiting log entry, at each sweep; 0 for none
	LogOldest   = Metric{"LogOldest", "Seconds", PerStage}
	LogSetAside = Metric{"LogSetAside", "Count", LogOnly}       // log entries that are set aside, at each sweep
	OutboxAge   = Metric{"OutboxAge", "Milliseconds", PerStage} // from accepting a send to WhatsApp's answer
	// age of the oldest pending event, at each sweep; 0 for none
	OutboxOldest = Metric{"OutboxOldest", "Seconds", PerStage}
	// age of the oldest file, listing of templates or SMS that nobody has tried, at each sweep; no value for none
	SlowOldest = Metric{"SlowOldest", "Seconds", PerStage}
	// files that were brought from Meta into the bucket
	FilesFetched   = Metric{"FilesFetched", "Count", LogOnly}
	FilesForgotten = Metric{"FilesForgotten", "Count", LogOnly} // files that Meta does not have any more
	OutboxRetries  = Metric{"OutboxRetries", "Count", LogOnly}  // attempts that failed and will be made again
	// events that could not be tried: internal errors, unknown types
	OutboxErrors = Metric{"OutboxErrors", "Count", LogOnly}
	DeadLetters  = Metric{"DeadLetters", "Count", PerStage} // events that became dead letters
	// times a number was stopped from sending, or a token was found that ends soon
	SendersStopped = Metric{"SendersStopped", "Count", PerStage}
	TokensEnding   = Metric{"TokensEnding", "Count", LogOnly} // tokens of numbers that end within two weeks
	// for each hint of the live channel 1 if it was told, and 0 if it was lost
	LiveTold = Metric{"LiveTold", "Count", LogOnly}
	// DynamoDB units of an invocation; failed conditions report none
	WriteUnits = Metric{"WriteUnits", "Count", LogOnly}
	ReadUnits  = Metric{"ReadUnits", "Count", LogOnly} //
)

type meterKey struct{}

// meter collects what one invocation measures, and holds its last log line.
type meter struct {
	mu     sync.Mutex
	values map[Metric][]float64
	line   held
}

// Count adds n to a metric of the invocation. Outside of an invocation it does nothing.
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

// Unmeasured returns a context in which nothing is counted. It is for work that a process does once, because that work
// is not part of the cost of the first message.
func Unmeasured(ctx context.Context) context.Context { return context.WithValue(ctx, meterKey{}, nil) }

// Measured returns a handler that writes its metrics at the end of each invocation, in CloudWatch's embedded metric
// format. They are attributes of the invocation's last log line: this needs no network call and, usually, no additional
// line.
func Measured[I, O any](logger *slog.Logger,
	handle func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	stage := cmp.Or(os.Getenv("STAGE"), "dev")
	return func(ctx context.Context, in I) (O, error) {
		m := &meter{values: map[Metric][]float64{}}
		ctx = context.WithValue(ctx, meterKey{}, m)
		defer m.write(ctx, logger, stage)
		if deadline, ok := ctx.Deadline(); ok { // Lambda kills an invocation that runs out of time
			defer time.AfterFunc(time.Until(deadline)-flushMargin, m.line.release).Stop()
		}
		return handle(ctx, in)
	}
}

// flushMargin is how long before the deadline the held line is written.
const flushMargin = 500 * time.Millisecond

// The "_aws" attribute of a line in the embedded metric format.
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

// maxValues is how many values of a metric CloudWatch accepts on a line.
const maxValues = 100

// write writes the metrics' lines. The first one is appended to the held line.
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

// next removes as many values as one line may hold and returns them as attributes.
func (m *meter) next(stage string) []slog.Attr {
	metrics := slices.SortedFunc(maps.Keys(m.values), func(a, b Metric) int { return cmp.Compare(a.Name, b.Name) })
	attrs := []slog.Attr{slog.String(DimensionStage, stage)}
	if told := toldOf(metrics); len(told) > 0 {
		attrs = append(attrs, slog.Any("_aws", embedded{time.Now().UnixMilli(), []directive{
			{Namespace: Namespace, Dimensions: [][]string{{DimensionStage}}, Metrics: told}}}))
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

// toldOf returns the metrics that CloudWatch is told of.
func toldOf(metrics []Metric) (told []Metric) {
	for _, metric := range metrics {
		if metric.Series == PerStage {
			told = append(told, metric)
		}
	}
	return told
}
