package inbox

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
)

// decision remembers what the last attempt at a transaction was decided on and which of its conditions failed, so that
// what can never succeed is told from what somebody else's write has disturbed.
type decision struct {
	person  person
	failing []int // the writes whose conditions failed
	stuck   bool
}

// retryDecision runs work until it returns anything but a conflict: it reads, decides, and writes under the condition that
// nothing it was decided on has changed. It returns dynamo.ErrStuck for what can never succeed.
func (s *Inbox) retryDecision(ctx context.Context, work func(tried *decision) error) error {
	var tried decision
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		err := work(&tried)
		if tried.stuck && errors.Is(err, dynamo.ErrConflict) {
			return fmt.Errorf("%w: %v", dynamo.ErrStuck, err) // no conflict any more: it is not tried again here
		}
		return err
	})
}

// outcome turns the error of a transaction decided on a person into ErrConflict where others have written meanwhile.
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
