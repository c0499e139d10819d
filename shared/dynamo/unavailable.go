package dynamo

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/aws/smithy-go"
)

// Unavailable reports whether err means that DynamoDB as a whole cannot serve us, rather than that one record fails: a
// throttle, a 5xx, a broken connection, an invocation out of time, expired credentials. Consumers set no record aside
// for such an error. A missing permission or table does not count, because it may concern only one kind of record.
func Unavailable(err error) bool {
	return err != nil && !errors.Is(err, ErrConflict) && (throttled(err) || broken(err))
}

// Throttled reports whether err means that DynamoDB lacked the capacity for a write, so that nothing was written by it.
func Throttled(err error) bool {
	return err != nil && !errors.Is(err, ErrConflict) && throttled(err)
}

// throttled reports whether DynamoDB lacked capacity for a call, a transaction, or a part of a batch.
func throttled(err error) bool {
	var canceled *TransactionCancelled
	if errors.As(err, &canceled) {
		return canceled.throttled()
	}
	var refused smithy.APIError
	if errors.As(err, &refused) {
		switch refused.ErrorCode() {
		case "ProvisionedThroughputExceededException", "ThrottlingException", "Throttling", "RequestLimitExceeded",
			"LimitExceededException", "TransactionInProgressException":
			return true
		}
	}
	return errors.Is(err, errUnprocessed)
}

// broken reports whether a call failed on the network, inside DynamoDB, or for lack of time or valid credentials.
func broken(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	var refused smithy.APIError
	if errors.As(err, &refused) {
		switch refused.ErrorCode() {
		case "InternalServerError", "InternalServerErrorException", "ServiceUnavailable", "ServiceUnavailableException",
			"ExpiredToken", "ExpiredTokenException", "UnrecognizedClientException", "InvalidClientTokenId":
			return true
		}
	}
	var answered interface{ HTTPStatusCode() int }
	if errors.As(err, &answered) && answered.HTTPStatusCode() >= 500 {
		return true
	}
	var unsent interface{ ConnectionError() bool }
	var network net.Error
	var unreadable *smithy.DeserializationError
	return errors.As(err, &unsent) && unsent.ConnectionError() || errors.As(err, &network) ||
		errors.As(err, &unreadable)
}
