// Package asking says what follows if Meta refuses what it is asked beside messages. It may be asked again, and a
// refusal stops nothing that is sent.
package asking

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// ErrUnknown means that an event asks for something that another release knows.
var ErrUnknown = errors.New("the event asks for something that this release does not know")

// Patience is how long a request may wait for Meta's answer before another may be made. The outbox gives up before.
const Patience = 26 * time.Hour

// ProblemMoved is stored of a request that Meta was not asked for.
const ProblemMoved = "The number is not the tenant's any more."

// Waits reports whether a request waits for Meta's answer, by when it was made and answered.
func Waits(at, answeredAt model.Time, now time.Time) bool {
	return answeredAt == "" && at > model.At(now.Add(-Patience))
}

// AsFailure says what the outbox does about a refusal.
type AsFailure func(*whatsapp.SendError, model.OutboxEvent) *outbox.Failure

// Refused returns the failure of an attempt that Meta has refused, or that says itself how it has failed, after which
// Meta is asked again; nil for any other error. last reports whether the attempt is the last one of the failure's
// class.
func Refused(err error, event model.OutboxEvent, asFailure AsFailure) (failure *outbox.Failure, last bool) {
	var refused *whatsapp.SendError
	if errors.As(err, &refused) {
		failure = asFailure(refused, event)
		failure.Ambiguous, failure.Stop = false, 0
	} else if !errors.As(err, &failure) {
		return nil, false
	}
	return failure, event.FailuresByClass[failure.Class]+1 >= failure.Attempts
}

// Ended returns the error by which a handler tells the outbox how an attempt has ended: err is the attempt's own. After
// the last refusal Ended calls settle, which stores the reason, and Meta is not asked again. An event that this release
// does not know stays in the outbox for the release that knows it.
func Ended(ctx context.Context, err error, event model.OutboxEvent, asFailure AsFailure,
	settle func(ctx context.Context, reason string) error) error {
	var later *outbox.Later
	if errors.As(err, &later) {
		return later
	}
	if errors.Is(err, ErrUnknown) {
		return outbox.Unreadable(err)
	}
	failure, last := Refused(err, event, asFailure)
	if failure != nil && !last {
		return failure
	}
	if last {
		err = settle(ctx, failure.Reason)
	}
	return outbox.Unfinished(err, outbox.NotWritten)
}
