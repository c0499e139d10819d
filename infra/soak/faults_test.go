package soak

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/haatline/haatline/shared/dynamotest"
)

var errInjected = errors.New("injected fault")

// faults is a transport that makes calls fail, each way a DynamoDB call can, with a probability that the history sets.
type faults struct {
	mu     sync.Mutex
	rng    *rand.Rand
	every  atomic.Int64 // one call in so many fails; 0 for none
	counts [calls + 1]atomic.Int64
	lag    *lagging // nil if indexes are never behind
	now    func() time.Time
	note   func(operation string, body []byte) // called before and after each call; may be nil
}

const (
	failBefore = iota
	loseAnswer
	throttle
	conflict
	inPart
	calls
)

func (f *faults) draw() int {
	f.counts[calls].Add(1)
	every := f.every.Load()
	if every == 0 {
		return -1
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rng.Int64N(every) != 0 {
		return -1
	}
	return f.rng.IntN(calls)
}

func (f *faults) RoundTrip(request *http.Request) (*http.Response, error) {
	if f.note != nil && request.Body != nil {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		request.Body = io.NopCloser(bytes.NewReader(body))
		operation := request.Header.Get("X-Amz-Target")
		f.note(operation, body)
		defer f.note(operation, body)
	}
	fault := f.draw()
	if fault >= 0 {
		f.counts[fault].Add(1)
	}
	switch fault {
	case failBefore:
		return nil, errInjected
	case loseAnswer:
		response, err := dynamotest.Transport().RoundTrip(request)
		if err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
		return nil, errInjected
	case throttle:
		return refused(request, "ProvisionedThroughputExceededException", ""), nil
	case conflict:
		return f.conflicting(request)
	case inPart:
		if response, made, err := partly(request); made {
			return response, err
		}
	}
	if f.lag != nil {
		if response, made, err := f.lag.query(request, f.now(), f.every.Load() > 0); made {
			return response, err
		}
	}
	return dynamotest.Transport().RoundTrip(request)
}

func (f *faults) conflicting(request *http.Request) (*http.Response, error) {
	switch target := request.Header.Get("X-Amz-Target"); {
	case strings.HasSuffix(target, "TransactWriteItems"):
		return refused(request, "TransactionCanceledException",
			`,"CancellationReasons":[{"Code":"TransactionConflict","Message":"injected"}]`), nil
	case strings.HasSuffix(target, "PutItem"), strings.HasSuffix(target, "UpdateItem"),
		strings.HasSuffix(target, "DeleteItem"):
		return refused(request, "TransactionConflictException", ""), nil
	}
	return dynamotest.Transport().RoundTrip(request)
}

func refused(request *http.Request, code, more string) *http.Response {
	body := fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"injected"%s}`, code, more)
	return &http.Response{
		StatusCode: http.StatusBadRequest, Status: "400 Bad Request", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:          io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), Request: request,
	}
}
