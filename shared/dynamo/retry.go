package dynamo

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Two things are tried again, in two places. A call that DynamoDB could not serve just now (a throttle, a 5xx, a broken
// connection, another transaction at the item) is repeated as it is, by the client's retryer. A write whose condition no
// longer holds is decided anew on what is there now, by Retry. All waits are jittered: writers
// that have collided would collide again after equal waits.

const (
	// callAttempts and the waits between them end within two seconds: the shortest time-out of a function is 15 s, and an
	// invocation makes several calls.
	callAttempts  = 6
	callFirstWait = 50 * time.Millisecond
	callLongest   = time.Second
	// callTimeout ends an attempt that gets no answer, or a third of the invocation's time does: a connection that died while
	// the function was frozen must not take the invocation with it. DynamoDB answers in milliseconds; what takes seconds is
	// reading some megabytes with a small function's processor.
	callTimeout = 5 * time.Second

	// A read, decide and write takes some 25 ms. The first waits are shorter, because mostly two collide; the longest gives
	// a hundred that collide room to follow one another.
	retryFirstWait = 5 * time.Millisecond
	retryLongest   = time.Second
	// retryMargin is what Retry leaves of the context's time for the last try and for the answer.
	retryMargin = time.Second
)

// retryer is the SDK's standard retryer, which also repeats what no list of the SDK has: a single write that met a
// transaction at its item, and a transaction that was throttled.
func retryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = callAttempts
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
			return jittered(callFirstWait, callLongest, attempt), nil
		})
		o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
			var conflict *types.TransactionConflictException
			if errors.As(err, &conflict) || throttled(translate(err)) {
				return aws.TrueTernary
			}
			return aws.UnknownTernary
		}))
	})
}

// retriesNothing reports whether a client was made to show every failure, as tests want it: one that does not even repeat
// a throttled call.
func retriesNothing(r aws.Retryer) bool {
	return r != nil && !r.IsErrorRetryable(&types.ProvisionedThroughputExceededException{})
}

// jittered is a random wait after a failed attempt, counted from 1: between nothing and a limit that doubles with every
// attempt until it is the longest.
func jittered(first, longest time.Duration, attempt int) time.Duration {
	limit := longest
	if attempt < 20 { // further doubling would overflow, and has passed the longest long before
		limit = min(first<<max(attempt-1, 0), longest)
	}
	return rand.N(limit) + 1
}

// Retry runs work until it returns anything but a conflict, at most attempts times and never past the context's deadline.
// A conflict is what work says it is: it read, decided, and somebody else wrote in between. Where attempts or time are
// used up it returns the last conflict.
func Retry(ctx context.Context, attempts int, work func() error) error {
	for attempt := 1; ; attempt++ {
		err := work()
		if err == nil || !errors.Is(err, ErrConflict) || attempt >= attempts {
			return err
		}
		wait := jittered(retryFirstWait, retryLongest, attempt)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait+retryMargin {
			return err
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// sleep waits, or returns the context's error when that ends first.
func sleep(ctx context.Context, wait time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
