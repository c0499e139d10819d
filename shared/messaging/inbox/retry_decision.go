package inbox

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
)

// decision records what the last attempt at a transaction was decided on and which of its conditions failed. It tells a
// transaction that can never succeed from one that a concurrent write has cancelled.
type decision struct {
	person  person
	failing []int // the writes whose conditions failed
	stuck   bool
}

// retryDecision runs work until it returns anything but a conflict. work reads, decides, and writes on the condition
// that nothing it depends on has changed. retryDecision returns dynamo.ErrStuck for a transaction that can never
// succeed.
func (s *Inbox) retryDecision(ctx context.Context, work func(tried *decision) error) error {
	var tried decision
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		err := work(&tried)
		if tried.stuck && errors.Is(err, dynamo.ErrConflict) {
			return fmt.Errorf("%w: %v", dynamo.ErrStuck, err) // not a conflict any more: not retried here
		}
		return err
	})
}

// outcome turns the error of a transaction decided on a person into dynamo.ErrConflict if another write has cancelled
// it.
func (d *decision) outcome(p person, err error) error {
	var canceled *dynamo.TransactionCancelled
	if errors.As(err, &canceled) {
		var failing []int
		for i, reason := range canceled.Reasons {
			if reason.Failed() {
				failing = append(failing, i)
			}
		}
		d.stuck = len(failing) > 0 && slices.Equal(failing, d.failing) && reflect.DeepEqual(p, d.person)
		d.person, d.failing = p, failing
	}
	return dynamo.Conflict(err)
}
