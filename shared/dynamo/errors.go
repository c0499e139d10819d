package dynamo

import (
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/haatline/haatline/shared/problem"
)

// ErrNotFound means that there is no item with the key.
var ErrNotFound = problem.New("not found", problem.Error{Class: problem.NotFound})

// ConditionFailed means that a write's condition did not hold. Item is the stored item, if the write asked for it.
type ConditionFailed struct{ Item Item }

func (e *ConditionFailed) Error() string { return "condition failed" }

// Reason says why one write of a cancelled transaction failed. It is zero for a write that would have succeeded.
type Reason struct {
	Code string // ConditionalCheckFailed, TransactionConflict, ThrottlingError, …
	Item Item   // the stored item, for a failed condition
}

// Failed reports whether the write's own condition failed.
func (r Reason) Failed() bool { return r.Code == "ConditionalCheckFailed" }

// TransactionCancelled means that DynamoDB cancelled a transaction, so that none of its writes was made. Reasons has
// one entry per write, in their order.
type TransactionCancelled struct{ Reasons []Reason }

// Of returns the reason of write number i; the zero Reason where DynamoDB gives none.
func (e *TransactionCancelled) Of(i int) Reason {
	if i >= len(e.Reasons) {
		return Reason{}
	}
	return e.Reasons[i]
}

func (e *TransactionCancelled) Error() string {
	codes := make([]string, len(e.Reasons))
	for i, reason := range e.Reasons {
		codes[i] = reason.Code
	}
	return fmt.Sprintf("transaction cancelled: %v", codes)
}

// AnyConditionFailed reports whether any write's condition failed. If not, the transaction met a conflict or a
// throttle, and repeating it unchanged may succeed.
func (e *TransactionCancelled) AnyConditionFailed() bool {
	return e.FirstFailed() >= 0
}

// FirstFailed returns the number of the first write whose condition failed; -1 if there is none.
func (e *TransactionCancelled) FirstFailed() int { return slices.IndexFunc(e.Reasons, Reason.Failed) }

// throttled reports whether DynamoDB cancelled the transaction only for lack of capacity: no condition failed, and no
// write was invalid.
func (e *TransactionCancelled) throttled() bool {
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

// Permanent reports whether a retry cannot help, because DynamoDB rejects the request itself or the error wraps
// ErrPermanent. Any other error, including an unknown one, may pass.
func Permanent(err error) bool {
	if errors.Is(err, ErrPermanent) {
		return true
	}
	var canceled *TransactionCancelled
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
		return &TransactionCancelled{Reasons: reasons}
	}
	return err
}

// IsConditionFailed reports whether a single write failed because its condition did not hold.
func IsConditionFailed(err error) bool {
	var failed *ConditionFailed
	return errors.As(err, &failed)
}

// ErrConflict means that an optimistic lock failed: the item changed after it was read. Read again and decide again.
var ErrConflict = problem.New("changed since it was read", problem.Error{
	Class: problem.Conflict, Code: "conflict", Title: "Changed meanwhile",
	Detail: "Others kept changing the same thing. Try again.",
})

// Conflict turns a failed condition or a transaction conflict into an error that wraps ErrConflict, and returns other
// errors unchanged. A throttled transaction is no conflict: nobody wrote in between, and reading again would only use
// more of the capacity that is short.
func Conflict(err error) error {
	var canceled *TransactionCancelled
	if IsConditionFailed(err) || errors.As(err, &canceled) && !Permanent(err) && !canceled.throttled() {
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	var conflict *types.TransactionConflictException
	if errors.As(err, &conflict) {
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	return err
}
