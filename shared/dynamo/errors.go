package dynamo

import (
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// ErrNotFound means that there is no such item.
var ErrNotFound = errors.New("not found")

// ConditionFailed means that a write's condition did not hold. Item is what was there, where the write asked for it.
type ConditionFailed struct{ Item Item }

func (e *ConditionFailed) Error() string { return "condition failed" }

// Reason is why one write of a cancelled transaction did not pass. It is zero for a write that nothing was wrong with.
type Reason struct {
	Code string // ConditionalCheckFailed, TransactionConflict, ThrottlingError, …
	Item Item   // what was there when the condition failed
}

// Failed reports whether the write's own condition did not hold.
func (r Reason) Failed() bool { return r.Code == "ConditionalCheckFailed" }

// Canceled means that none of a transaction's writes was made. Reasons are in the order of the writes.
type Canceled struct{ Reasons []Reason }

func (e *Canceled) Error() string {
	codes := make([]string, len(e.Reasons))
	for i, reason := range e.Reasons {
		codes[i] = reason.Code
	}
	return fmt.Sprintf("transaction cancelled: %v", codes)
}

// AnyFailed reports whether a condition did not hold. After a conflict or a throttle, which are no such failure, the same
// transaction may pass.
func (e *Canceled) AnyFailed() bool {
	for _, reason := range e.Reasons {
		if reason.Failed() {
			return true
		}
	}
	return false
}

// throttled reports whether the transaction was cancelled only because DynamoDB had no capacity for it: no condition
// failed, and nothing was wrong with a write.
func (e *Canceled) throttled() bool {
	some := false
	for _, reason := range e.Reasons {
		switch reason.Code {
		case "ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded":
			some = true
		case "", "TransactionConflict":
		default:
			return false
		}
	}
	return some
}

// Permanent reports whether trying again cannot help, because DynamoDB refuses the request itself or the error wraps
// ErrPermanent. Every other error is worth
// another try, also one that nobody has seen before.
func Permanent(err error) bool {
	if errors.Is(err, ErrPermanent) {
		return true
	}
	var canceled *Canceled
	if errors.As(err, &canceled) {
		for _, reason := range canceled.Reasons {
			if reason.Code == "ValidationError" || reason.Code == "ItemCollectionSizeLimitExceeded" {
				return true
			}
		}
		return false
	}
	var refused smithy.APIError
	return errors.As(err, &refused) && refused.ErrorCode() == "ValidationException"
}

func translate(err error) error {
	if err == nil {
		return nil
	}
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return &ConditionFailed{Item: failed.Item}
	}
	var canceled *types.TransactionCanceledException
	if errors.As(err, &canceled) {
		reasons := make([]Reason, len(canceled.CancellationReasons))
		for i, reason := range canceled.CancellationReasons {
			if reason.Code != nil && *reason.Code != "None" {
				reasons[i] = Reason{Code: *reason.Code, Item: reason.Item}
			}
		}
		return &Canceled{Reasons: reasons}
	}
	return err
}

// IsConditionFailed reports whether a single write's condition did not hold.
func IsConditionFailed(err error) bool {
	var failed *ConditionFailed
	return errors.As(err, &failed)
}

// ErrConflict means that somebody else wrote after the read that a write was decided on. Read again and decide anew.
var ErrConflict = errors.New("changed meanwhile")

// Conflict turns a failed or conflicting condition into ErrConflict and leaves other errors as they are. A throttled
// transaction is no conflict: nobody wrote in between, and another read would only use more of the capacity that is short.
func Conflict(err error) error {
	var canceled *Canceled
	if IsConditionFailed(err) || errors.As(err, &canceled) && !Permanent(err) && !canceled.throttled() {
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	var conflict *types.TransactionConflictException
	if errors.As(err, &conflict) {
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	return err
}
