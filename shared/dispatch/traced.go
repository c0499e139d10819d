package dispatch

import (
	"context"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

// Traced gives each send a segment of its own, because a batch contains events of many flows.
func Traced(handlers map[string]outbox.Handler) map[string]outbox.Handler {
	all := map[string]outbox.Handler{}
	for name, handler := range handlers {
		send := handler.Send
		handler.Send = func(ctx context.Context, event model.OutboxEvent) (id string, err error) {
			err = tracing.Step(ctx, name, func(ctx context.Context) error {
				id, err = send(ctx, event)
				return err
			})
			return id, err
		}
		all[name] = handler
	}
	return all
}
