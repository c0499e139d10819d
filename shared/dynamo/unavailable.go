package dynamo

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/aws/smithy-go"
)

// Unavailable reports whether err is a failure of everything rather than of one record: a throttle, a 5xx, a connection
// that broke, an invocation that ran out of time, credentials that are not good now. A consumer sets no
// record aside for it. A missing right or table is not among these: it may concern one kind of record only.
func Unavailable(err error) bool {
	return err != nil && !errors.Is(err, ErrConflict) && (throttled(err) || broken(err))
}

// throttled reports whether DynamoDB had no capacity for a call, a transaction, or a part of a batch.
func throttled(err error) bool {
	var canceled *Canceled
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

// broken reports whether a call failed on its way, on DynamoDB's side, or for want of time or credentials.
func broken(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, io.ErrUnexpectedEOF) {
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
	return errors.As(err, &unsent) && unsent.ConnectionError() || errors.As(err, &network) || errors.As(err, &unreadable)
}
