// Package telemetry owns structured logs and the metrics embedded in them; its subpackage tracing owns traces. Logs
// contain ids and never message bodies, names or phone numbers. No other package depends on a monitoring vendor.
package telemetry

import (
	"context"
	"io"
	"log/slog"

	"github.com/aws/aws-lambda-go/lambdacontext"
)

// Logger returns a logger that writes JSON lines. Each line names the function, the request and the correlation id.
func Logger(function string, out io.Writer) *slog.Logger {
	return slog.New(contextHandler{Handler: slog.NewJSONHandler(out, nil)}).With("function", function)
}

type correlationKey struct{}

// WithCorrelation sets the correlation id of the work under a context. The id names what began a flow and is on every
// log line of that flow, in whichever function. For a webhook it is the webhook entry id. For an API request it is API
// Gateway's request id, which the answer's header apigw-requestid has, too. An empty id changes nothing.
func WithCorrelation(ctx context.Context, id string) context.Context {
	if id == "" {
		return ctx
	}
	return context.WithValue(ctx, correlationKey{}, id)
}

// Correlation returns the correlation id of a context, or "".
func Correlation(ctx context.Context) string {
	id, _ := ctx.Value(correlationKey{}).(string)
	return id
}

// contextHandler adds the context's ids to each line. In a measured invocation it holds the last line back for the
// metrics.
type contextHandler struct {
	slog.Handler
	grouped bool // within a group: CloudWatch reads metrics only at the top level
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
	case record.Level > slog.LevelInfo || h.grouped: // warnings and errors are written at once
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
