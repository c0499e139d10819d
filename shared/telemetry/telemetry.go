// Package telemetry owns how the system speaks of itself: structured logs with ids and never with bodies, names or
// numbers. It is the one place that knows a vendor.
package telemetry

import (
	"context"
	"io"
	"log/slog"

	"github.com/aws/aws-lambda-go/lambdacontext"
)

// Logger writes JSON lines for a function, each with the request it belongs to.
func Logger(function string, out io.Writer) *slog.Logger {
	return slog.New(requestHandler{slog.NewJSONHandler(out, nil)}).With("function", function)
}

// requestHandler adds the Lambda request id of the context to each line.
type requestHandler struct{ slog.Handler }

func (h requestHandler) Handle(ctx context.Context, record slog.Record) error {
	if lc, ok := lambdacontext.FromContext(ctx); ok {
		record.AddAttrs(slog.String("requestId", lc.AwsRequestID))
	}
	return h.Handler.Handle(ctx, record)
}

func (h requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestHandler{h.Handler.WithAttrs(attrs)}
}

func (h requestHandler) WithGroup(name string) slog.Handler {
	return requestHandler{h.Handler.WithGroup(name)}
}
