package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

func TestAFailureOfTheWholeSystemDiffersFromOneOfARecord(t *testing.T) {
	refused := func(code string) error { return fmt.Errorf("put: %w", &smithy.GenericAPIError{Code: code}) }
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"none":                              {nil, false},
		"an unknown error":                  {errors.New("what is this"), false},
		"not found":                         {dynamo.ErrNotFound, false},
		"a failed condition":                {&dynamo.ConditionFailed{}, false},
		"a conflict":                        {fmt.Errorf("put: %w", dynamo.ErrConflict), false},
		"another transaction at the item":   {&types.TransactionConflictException{}, false},
		"cancelled by a condition":          {canceled("", "ConditionalCheckFailed"), false},
		"cancelled by another transaction":  {canceled("TransactionConflict", ""), false},
		"cancelled and refused":             {canceled("", "ValidationError"), false},
		"cancelled, throttle and condition": {canceled("ThrottlingError", "ConditionalCheckFailed"), false},
		"cancelled, throttle and refusal":   {canceled("ThrottlingError", "ValidationError"), false},
		"cancelled without reasons":         {canceled(), false},
		"cancelled by a throttle":           {canceled("", "ThrottlingError"), true},
		"cancelled for want of capacity":    {canceled("ProvisionedThroughputExceeded"), true},
		"the same, seen as no conflict":     {dynamo.Conflict(canceled("ThrottlingError")), true},
		"throttled":                         {refused("ProvisionedThroughputExceededException"), true},
		"throttled, typed":                  {&types.ProvisionedThroughputExceededException{}, true},
		"the account's throttle":            {refused("RequestLimitExceeded"), true},
		"a throttle by another name":        {refused("ThrottlingException"), true},
		"DynamoDB's own trouble":            {refused("InternalServerError"), true},
		"a 502 without an error code": {
			&smithyhttp.ResponseError{
				Response: &smithyhttp.Response{Response: &http.Response{StatusCode: 502}}, Err: errors.New("?")}, true},
		"credentials that ran out": {refused("ExpiredTokenException"), true},
		"refused":                  {refused("ValidationException"), false},
		"no such table":            {refused("ResourceNotFoundException"), false},
		"no right":                 {refused("AccessDeniedException"), false},
		"out of time":              {fmt.Errorf("get: %w", context.DeadlineExceeded), true},
		"given up":                 {context.Canceled, true},
		"never sent":               {&smithyhttp.RequestSendError{Err: errors.New("refused")}, true},
		"a broken connection":      {&net.OpError{Op: "read", Err: errors.New("reset")}, true},
		"half an answer":           {fmt.Errorf("get: %w", io.ErrUnexpectedEOF), true},
	} {
		if got := dynamo.Unavailable(c.err); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestAStoppedEngineAndAThrottledBatchAreUnavailable(t *testing.T) {
	e := startEngine(t, tables.Dev)
	refs := []dynamo.Ref{{Table: tables.Messages, Key: keys.Message("1")}}
	if _, err := through(e.Endpoint, &throttling{times: 100}).BatchGet(t.Context(), refs); !dynamo.Unavailable(err) {
		t.Errorf("a throttled batch: %v", err)
	}
	e.Stop()
	client := through(e.Endpoint, &http.Transport{})
	for name, err := range map[string]error{
		"get": client.Get(t.Context(), tables.Messages, keys.Message("1"), &struct{}{}),
		"write": client.Transact(t.Context(),
			[]dynamo.Write{dynamo.Put{Table: tables.Messages, Item: messageItem("1", nil)}}),
	} {
		if !dynamo.Unavailable(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
