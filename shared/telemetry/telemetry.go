// Package telemetry owns how the system speaks of itself: structured logs with ids and never with bodies, names or
// numbers, metrics embedded in them, and, in the package below it, traces. It is the one place that knows a vendor.
package telemetry

import (
	"context"
	"io"
	"log/slog"

	"github.com/aws/aws-lambda-go/lambdacontext"
)

// Logger writes JSON lines for a function, each with the request it belongs to and the flow the request is part of.
func Logger(function string, out io.Writer) *slog.Logger {
	return slog.New(contextHandler{Handler: slog.NewJSONHandler(out, nil)}).With("function", function)
}

type correlationKey struct{}

// WithCorrelation says which flow the work under a context belongs to. The id is that of what began the flow, and it is
// in every line from there to its end, whichever function writes it: for what came from the platform, the id of its entry
// in the log; for what an operator asked for, the gateway's id of the request, which is in the answer's header
// apigw-requestid as well. An empty id changes nothing.
func WithCorrelation(ctx context.Context, id string) context.Context {
	if id == "" {
		return ctx
	}
	return context.WithValue(ctx, correlationKey{}, id)
}

// Correlation is the id of the flow, "" where nobody has said.
func Correlation(ctx context.Context) string {
	id, _ := ctx.Value(correlationKey{}).(string)
	return id
}

// contextHandler adds to each line what its context knows. Within an invocation that is measured it holds the last line
// back, for the metrics.
type contextHandler struct {
	slog.Handler
	grouped bool // CloudWatch reads metrics at the top of a line only
}

func (h contextHandler) Handle(ctx context.Context, record slog.Record) error {
	if lc, ok := lambdacontext.FromContext(ctx); ok {
		record.AddAttrs(slog.String("requestId", lc.AwsRequestID))
	}
	if id := Correlation(ctx); id != "" {
		record.AddAttrs(slog.String("correlationId", id))
	}
	m, measured := ctx.Value(meterKey{}).(*meter)
	switch {
	case !measured:
	case record.Level > slog.LevelInfo || h.grouped: // trouble is told at once
		m.line.release()
	default:
		m.line.hold(record, h.Handler.Handle)
		return nil
	}
	return h.Handler.Handle(ctx, record)
}

func (h contextHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return contextHandler{h.Handler.WithAttrs(attrs), h.grouped}
}

func (h contextHandler) WithGroup(name string) slog.Handler {
	return contextHandler{h.Handler.WithGroup(name), true}
}
