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

// Retries happen in two places. The client's retryer repeats a call unchanged if DynamoDB could not serve it: a
// throttle, a 5xx, a broken connection, a single write that met a transaction. Retry repeats a whole read-decide-write
// step after its condition failed. All waits have jitter, because writers that collided would collide again after equal
// waits.

const (
	// callAttempts and the waits between them take at most two seconds. The shortest time-out of a function is 15 s,
	// and an invocation makes several calls.
	callAttempts  = 6
	callFirstWait = 50 * time.Millisecond
	callLongest   = time.Second
	// callTimeout bounds one attempt, as does a third of the invocation's remaining time: a connection that died while
	// the function was frozen must not use up the invocation. DynamoDB answers in milliseconds; reading several
	// megabytes with a small function's processor takes seconds.
	callTimeout = 5 * time.Second

	// One read-decide-write step takes about 25 ms. The first waits are shorter, because usually two writers collide.
	// The longest wait gives a hundred colliding writers room to follow one another.
	retryFirstWait = 5 * time.Millisecond
	retryLongest   = time.Second
	// retryMargin is the part of the context's time that Retry leaves for the last attempt and for the answer.
	retryMargin = time.Second
)

// retryer returns the SDK's standard retryer, extended by two errors that the SDK does not retry: a single write that
// met a transaction on its item, and a throttled transaction.
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

// retriesNothing reports whether a client's retryer does not even retry a throttled call. Tests use such clients to see
// every failure.
func retriesNothing(r aws.Retryer) bool {
	return r != nil && !r.IsErrorRetryable(&types.ProvisionedThroughputExceededException{})
}

// jittered returns a random wait after failed attempt number attempt, which counts from 1. Its upper limit starts at
// first and doubles with every attempt up to longest.
func jittered(first, longest time.Duration, attempt int) time.Duration {
	limit := longest
	if attempt < 20 { // doubling more often would overflow, and longest is reached long before
		limit = min(first<<max(attempt-1, 0), longest)
	}
	return rand.N(limit) + 1
}

// Retry runs work until it returns anything but ErrConflict, at most attempts times and never past the context's
// deadline. work returns ErrConflict if an item changed between its read and its write. When attempts or time run out,
// Retry returns the last conflict.
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
		if err := Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// Sleep waits for d. It returns the context's error if the context ends first. What Remember has kept is forgotten: who
// waits wants to see what has changed.
func Sleep(ctx context.Context, d time.Duration) error {
	memoryOf(ctx).forget()
	if err := ctx.Err(); err != nil {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
