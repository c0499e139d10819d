// Package expiring ends conversations in which nobody writes any more.
package expiring

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// attempts is how often the end of a conversation is tried.
const attempts = 10

// Handlers returns the handler of the events by which conversations expire. It is one of the slow lane.
func Handlers(t *talks.Talks) map[string]outbox.Handler {
	return map[string]outbox.Handler{talks.ExpiryType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			var of talks.ID
			if err := json.Unmarshal(event.Payload, &of); err != nil || !of.Key().Whole() {
				return "", &outbox.Failure{Reason: "the stored event cannot be read", Attempts: 1}
			}
			err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error { return expire(ctx, t, of) })
			var later *outbox.Later
			if err != nil && !errors.As(err, &later) {
				err = &outbox.Failure{Reason: "the conversation could not be ended", Class: "expiry",
					Attempts: attempts, Wait: time.Minute}
			}
			return "", err
		},
	}}
}

// expire ends a conversation that has waited for the person for so long as its project says. It does nothing if the
// conversation does not wait any more: it has ended, a person of the company goes on with it, or it was erased. The
// condition of the write is the version that was read. It returns an *outbox.Later if something has happened since the
// event was planned.
func expire(ctx context.Context, t *talks.Talks, of talks.ID) error {
	c, err := t.Get(ctx, of.Key())
	switch {
	case errors.Is(err, dynamo.ErrNotFound) || err == nil && !c.Status.Waits():
		return nil
	case err != nil:
		return err
	}
	if now := t.Now(); c.ExpiresAt() > model.At(now) {
		return &outbox.Later{At: c.LookAt(now)}
	}
	if _, err := talks.Move(&c, conversationsmodel.Expired); err != nil {
		return err
	}
	writes, err := t.Write(&c)
	if err != nil {
		return err
	}
	return dynamo.Conflict(t.DB.Write(ctx, writes))
}
