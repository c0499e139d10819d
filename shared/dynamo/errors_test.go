package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/haatline/haatline/shared/dynamo"
)

func canceled(codes ...string) error {
	reasons := make([]dynamo.Reason, len(codes))
	for i, code := range codes {
		reasons[i].Code = code
	}
	return fmt.Errorf("settle: %w", &dynamo.TransactionCancelled{Reasons: reasons})
}

func TestNoErrorIsBothAConflictAndPermanent(t *testing.T) {
	refused := func(code string) error { return fmt.Errorf("put: %w", &smithy.GenericAPIError{Code: code}) }
	for name, c := range map[string]struct {
		err                 error
		conflict, permanent bool
	}{
		"none":               {nil, false, false},
		"an unknown error":   {errors.New("what is this"), false, false},
		"not found":          {dynamo.ErrNotFound, false, false},
		"a failed condition": {fmt.Errorf("put: %w", &dynamo.ConditionFailed{}), true, false},
		"a conflict already": {fmt.Errorf("put: %w", dynamo.ErrConflict), true, false},
		"a transaction in progress on the item": {
			fmt.Errorf("put: %w", &types.TransactionConflictException{}), true, false},
		"cancelled by a condition":           {canceled("", "ConditionalCheckFailed"), true, false},
		"cancelled by another transaction":   {canceled("TransactionConflict", ""), true, false},
		"cancelled by a throttle":            {canceled("", "ThrottlingError"), false, false},
		"cancelled, over a table's capacity": {canceled("ProvisionedThroughputExceeded", ""), false, false},
		"cancelled, throttled in a conflict": {canceled("TransactionConflict", "ThrottlingError"), false, false},
		"cancelled, throttle and condition":  {canceled("ThrottlingError", "ConditionalCheckFailed"), true, false},
		"cancelled and refused":              {canceled("", "ValidationError"), false, true},
		"cancelled, refused and a condition": {canceled("ConditionalCheckFailed", "ValidationError"), false, true},
		"cancelled, a local index is full":   {canceled("ItemCollectionSizeLimitExceeded"), false, true},
		"cancelled without reasons":          {canceled(), true, false},
		"refused":                            {refused("ValidationException"), false, true},
		"throttled":                          {refused("ProvisionedThroughputExceededException"), false, false},
		"the account's throttle":             {refused("RequestLimitExceeded"), false, false},
		"no such table":                      {refused("ResourceNotFoundException"), false, false},
		"no right, perhaps not yet":          {refused("AccessDeniedException"), false, false},
		"DynamoDB's own trouble":             {refused("InternalServerError"), false, false},
		"given up":                           {context.Canceled, false, false},
	} {
		if got := errors.Is(dynamo.Conflict(c.err), dynamo.ErrConflict); got != c.conflict {
			t.Errorf("%s: conflict %v, want %v", name, got, c.conflict)
		}
		if got := dynamo.Permanent(c.err); got != c.permanent {
			t.Errorf("%s: permanent %v, want %v", name, got, c.permanent)
		}
		if c.err != nil && !errors.Is(dynamo.Conflict(c.err), c.err) {
			t.Errorf("%s: the cause is gone", name)
		}
	}
	if err := dynamo.Conflict(nil); err != nil {
		t.Errorf("no error became %v", err)
	}
}

func TestOnlyAFailedConditionIsConditionFailed(t *testing.T) {
	for codes, want := range map[[2]string]bool{
		{"", "ConditionalCheckFailed"}: true, {"TransactionConflict", "ConditionalCheckFailed"}: true,
		{"TransactionConflict", ""}: false, {"ThrottlingError", "ValidationError"}: false, {"", ""}: false,
	} {
		var of *dynamo.TransactionCancelled
		if !errors.As(canceled(codes[:]...), &of) || of.AnyConditionFailed() != want {
			t.Errorf("%q: a condition failed %v, want %v", codes, of.AnyConditionFailed(), want)
		}
	}
}

func TestWorkIsRepeatedOnlyAfterAConflict(t *testing.T) {
	conflict := fmt.Errorf("%w: counter", dynamo.ErrConflict)
	other := errors.New("the engine is gone")
	for name, c := range map[string]struct {
		attempts int
		results  []error // by run; the last one repeats
		want     error
		runs     int
	}{
		"at once":                        {3, []error{nil}, nil, 1},
		"after two conflicts":            {3, []error{conflict, conflict, nil}, nil, 3},
		"conflicts to the end":           {3, []error{conflict}, dynamo.ErrConflict, 3},
		"another error":                  {3, []error{other}, other, 1},
		"another error after one":        {3, []error{conflict, other}, other, 2},
		"one attempt":                    {1, []error{conflict}, dynamo.ErrConflict, 1},
		"no attempt at all is still one": {0, []error{conflict}, dynamo.ErrConflict, 1},
		"more than a batch's patience": {
			10, []error{conflict, conflict, conflict, conflict, conflict, conflict, conflict, conflict, conflict, nil},
			nil, 10},
	} {
		runs := 0
		err := dynamo.Retry(t.Context(), c.attempts, func() error {
			runs++
			return c.results[min(runs, len(c.results))-1]
		})
		if !errors.Is(err, c.want) || runs != c.runs {
			t.Errorf("%s: %v after %d runs, want %v after %d", name, err, runs, c.want, c.runs)
		}
	}
}
