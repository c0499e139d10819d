package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestARetryWaitEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	err := dynamo.Retry(ctx, 100, func() error {
		runs++
		cancel()
		return dynamo.ErrConflict
	})
	if !errors.Is(err, context.Canceled) || runs != 1 {
		t.Errorf("%v after %d runs", err, runs)
	}
}

func TestConflictsAreRetriedUntilTheInvocationNeedsItsRemainingTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start, runs := time.Now(), 0
		err := dynamo.Retry(ctx, 1000, func() error { runs++; return dynamo.ErrConflict })
		if took := time.Since(start); !errors.Is(err, dynamo.ErrConflict) || took > 9*time.Second ||
			took < 7*time.Second || runs < 15 {
			t.Errorf("%v after %d runs and %s", err, runs, took)
		}
	})
}

// After equal waits, writers that collided would collide again. A fixed first wait would make every conflict slow.
func TestWaitsAfterAConflictStartShortGrowAndHaveJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const people = 50
		var at [people][]time.Duration
		for i := range people {
			start := time.Now()
			_ = dynamo.Retry(t.Context(), 12, func() error {
				at[i] = append(at[i], time.Since(start))
				return dynamo.ErrConflict
			})
		}
		var firsts, lasts, longest time.Duration
		distinct := map[time.Duration]bool{}
		for _, tries := range at {
			first, last := tries[1]-tries[0], tries[11]-tries[10]
			distinct[first] = true
			firsts, lasts, longest = firsts+first, lasts+last, max(longest, first)
		}
		if longest > 5*time.Millisecond || len(distinct) < people/2 || lasts < 20*firsts || lasts/people > time.Second {
			t.Errorf("first waits up to %s, %d distinct, %s on average; last ones %s", longest, len(distinct),
				firsts/people, lasts/people)
		}
	})
}

// refusing answers the first calls with a DynamoDB error.
type refusing struct {
	times, calls int
	status       int
	body         string
}

func (f *refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	if f.calls++; f.calls > f.times {
		return http.DefaultTransport.RoundTrip(request)
	}
	return &http.Response{
		StatusCode: f.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:   io.NopCloser(strings.NewReader(f.body)), ContentLength: int64(len(f.body)),
	}, nil
}

func refusal(code, more string) string {
	return fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"injected"%s}`, code, more)
}

func reasons(codes ...string) string {
	list := make([]string, len(codes))
	for i, code := range codes {
		list[i] = `{"Code":"` + code + `","Message":"injected"}`
	}
	return refusal("TransactionCanceledException", `,"CancellationReasons":[`+strings.Join(list, ",")+`]`)
}

func TestEveryClientRetriesTemporaryFailuresOfDynamoDB(t *testing.T) {
	e := startEngine(t, tables.Dev)
	for name, c := range map[string]struct {
		status int
		body   string
		calls  int // expected calls for a transaction that is refused twice
	}{
		"a throttle":                {400, refusal("ProvisionedThroughputExceededException", ""), 3},
		"the account's throttle":    {400, refusal("ThrottlingException", ""), 3},
		"DynamoDB's own trouble":    {500, refusal("InternalServerError", ""), 3},
		"a transaction at the item": {400, refusal("TransactionConflictException", ""), 3},
		"a throttled transaction":   {400, reasons("ThrottlingError"), 3},
		"over a table's capacity":   {400, reasons("ProvisionedThroughputExceeded"), 3},
		// Retry decides again; the client does not repeat it
		"a conflicting transaction":  {400, reasons("TransactionConflict"), 1},
		"a condition that failed":    {400, reasons("ConditionalCheckFailed"), 1},
		"a refused one":              {400, reasons("ValidationError"), 1},
		"a request nobody can serve": {400, refusal("ValidationException", ""), 1},
	} {
		transport := &refusing{times: 2, status: c.status, body: c.body}
		client := dynamo.Wrap(dynamodb.New(dynamodb.Options{
			BaseEndpoint: aws.String(e.Endpoint), Region: "ap-south-1", HTTPClient: &http.Client{Transport: transport},
			Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		}), tables.Dev)
		item := messageItem(model.MessageID(name), nil)
		err := client.Transact(t.Context(),
			[]dynamo.Write{dynamo.Put{Table: tables.Messages, Item: item, If: "attribute_not_exists(pk)"}})
		if (err == nil) != (c.calls == 3) || transport.calls != c.calls {
			t.Errorf("%s: %v after %d calls, want %d", name, err, transport.calls, c.calls)
		}
	}

	transport := &refusing{times: 2, status: 400, body: refusal("TransactionConflictException", "")}
	bare := through(e.Endpoint, transport)
	if err := bare.Get(t.Context(), tables.Messages, keys.Message("1"), &struct{}{}); err == nil ||
		transport.calls != 1 {
		t.Errorf("a client made to retry nothing hid a failure: %v after %d calls", err, transport.calls)
	}
}

func TestAnUnservedCallEndsWithinSeconds(t *testing.T) {
	transport := &refusing{times: 1000, status: 400, body: refusal("ProvisionedThroughputExceededException", "")}
	client := dynamo.Wrap(dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String("http://127.0.0.1:1"), Region: "ap-south-1",
		HTTPClient:  &http.Client{Transport: transport},
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	}), tables.Dev)
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := client.Get(t.Context(), tables.Messages, keys.Message("1"), &struct{}{})
		if took := time.Since(start); !dynamo.Unavailable(err) || transport.calls != 6 || took > 4*time.Second {
			t.Errorf("%v after %d calls and %s", err, transport.calls, took)
		}
	})
}
