package main

import (
	"context"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/eum/notices"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Handler appends what AWS tells by a queue to the log of webhooks.
type Handler struct {
	Log    webhooklog.Appender
	Logger *slog.Logger
}

// Handle appends the messages of one batch. It names those that fail, so that the queue brings them again. A message
// that is no notice fails each time, and ends in the dead letter queue for people to see.
func (h Handler) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	failed := []events.SQSBatchItemFailure{}
	for _, message := range batch.Records {
		if err := h.append(ctx, message.Body); err != nil {
			h.Logger.ErrorContext(ctx, "append failed", "message", message.MessageId, "bytes", len(message.Body),
				"error", err)
			failed = append(failed, events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		}
	}
	return events.SQSEventResponse{BatchItemFailures: failed}, nil
}

func (h Handler) append(ctx context.Context, body string) error {
	entries, err := notices.Read([]byte(body))
	if err != nil {
		return err
	}
	isNew, err := h.Log.AppendEach(ctx, entries)
	if err != nil {
		return err
	}
	webhooklog.Tell(ctx, h.Logger, entries, isNew)
	return nil
}
