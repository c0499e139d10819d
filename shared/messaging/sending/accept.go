package sending

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
)

// Accept prepares a message and commits it in a transaction of its own. A repeated request gets the first one's answer.
// It returns the errors of Prepare, and idempotency.ErrKeyReused.
func (s *Sender) Accept(ctx context.Context, out Outgoing, request idempotency.Request) (Accepted, error) {
	var accepted Accepted
	err := dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() (err error) {
		accepted, err = s.accept(ctx, out, request)
		out.Read = nil // another attempt reads anew
		return err
	})
	return accepted, err
}

// accept makes one attempt.
func (s *Sender) accept(ctx context.Context, out Outgoing, request idempotency.Request) (accepted Accepted, err error) {
	found := out.Read
	if found == nil {
		if found, err = s.DB.BatchGet(ctx, append(request.Refs(), s.Refs(out)...)); err != nil {
			return Accepted{}, err
		}
	}
	if repeated, err := request.Earlier(found, s.Now(), &accepted); repeated || err != nil {
		return accepted, err
	}
	prepared, err := s.Prepare(ctx, out, found)
	if err != nil {
		return Accepted{}, err
	}
	remember, err := request.Writes(s.Now(), prepared.Accepted)
	if err != nil {
		return Accepted{}, err
	}
	writes := append(prepared.Writes, remember...)
	if out.With != nil {
		more, err := out.With(ctx)
		if err != nil {
			return Accepted{}, err
		}
		writes = append(writes, more...)
	}
	return prepared.Accepted, dynamo.Conflict(s.DB.Transact(ctx, writes))
}
