package dynamotest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
)

// Fault is a way a DynamoDB call can fail.
type Fault int

const (
	FailBefore Fault = iota // it never reached DynamoDB
	LostAnswer              // it was made, and the answer was lost
	Throttle                // DynamoDB had no capacity: as a refusal, of a transaction as a cancellation
	Conflict                // another transaction was at the same item
)

func (f Fault) String() string {
	return [...]string{"fails before", "answer lost", "throttled", "conflicts"}[f]
}

// errFault is what a faulty call returns to the SDK.
var errFault = errors.New("injected fault")

// faulty is a transport that makes one call fail, and, when the process dies there, every call after it.
type faulty struct {
	at    int64 // the call that fails, from 1; 0 for none
	fault Fault
	dies  bool

	mu    sync.Mutex
	calls []string // the operations that were called
}

func (f *faulty) RoundTrip(request *http.Request) (*http.Response, error) {
	f.mu.Lock()
	f.calls = append(f.calls, request.Header.Get("X-Amz-Target"))
	call := int64(len(f.calls))
	f.mu.Unlock()
	switch {
	case f.at == 0 || call < f.at || call > f.at && !f.dies:
		return connections.RoundTrip(request)
	case call > f.at:
		return nil, errFault
	}
	switch f.fault {
	case LostAnswer:
		response, err := connections.RoundTrip(request)
		if err == nil {
			response.Body.Close()
		}
		return nil, errFault
	case Throttle:
		return throttle(request)
	case Conflict:
		return conflict(request)
	}
	return nil, errFault
}

// refusing is a transport on which every nth write is refused.
type refusing struct {
	every  int64
	with   func(request *http.Request) (*http.Response, error)
	writes atomic.Int64
}

func (r *refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	write := !calls(request, "GetItem") && !calls(request, "BatchGetItem") && !calls(request, "Query")
	if write && r.writes.Add(1)%r.every == 0 {
		return r.with(request)
	}
	return connections.RoundTrip(request)
}

// Conflicting is a client of the engine on which every nth write meets another transaction at its item, which the
// engine itself never lets happen. It returns how many writes were tried as well.
func (db *DB) Conflicting(every int64) (client *dynamo.Client, tried func() int64) {
	r := &refusing{every: every, with: conflict}
	return db.through(r), r.writes.Load
}

// Throttling is a client of the engine on which every nth write finds no capacity, which the engine itself never lets
// happen.
func (db *DB) Throttling(every int64) *dynamo.Client {
	return db.through(&refusing{every: every, with: throttle})
}

// full is a transport on which every write to a table is refused.
type full struct{ table string }

func (f full) RoundTrip(request *http.Request) (*http.Response, error) {
	if calls(request, "GetItem") || calls(request, "BatchGetItem") || calls(request, "Query") {
		return connections.RoundTrip(request)
	}
	body, err := bodyOf(request)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(body, []byte(`"`+f.table+`"`)) {
		return throttle(request)
	}
	return connections.RoundTrip(request)
}

// Full is a client of the engine on which every write to a table finds no capacity.
func (db *DB) Full(table tables.Table) *dynamo.Client {
	return db.through(full{table.Name(tables.Dev)})
}

// throttle is how DynamoDB refuses a call for which it has no capacity.
func throttle(request *http.Request) (*http.Response, error) {
	if calls(request, "TransactWriteItems") {
		return canceled(request, "ThrottlingError")
	}
	return refusal(request, "ProvisionedThroughputExceededException", "")
}

// calls reports whether a request calls an operation of DynamoDB.
func calls(request *http.Request, operation string) bool {
	return strings.HasSuffix(request.Header.Get("X-Amz-Target"), "."+operation)
}

// canceled is how DynamoDB refuses a transaction of which one write could not be made, here the last.
func canceled(request *http.Request, code string) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	reasons := strings.Repeat(`{"Code":"None"},`, bytes.Count(body, []byte(`"TableName"`))-1) + `{"Code":"` + code +
		`","Message":"injected"}`
	return refusal(request, "TransactionCanceledException", `,"CancellationReasons":[`+reasons+`]`)
}

// conflict is how DynamoDB refuses an item that another transaction is at: reads are never refused that way.
func conflict(request *http.Request) (*http.Response, error) {
	switch {
	case calls(request, "TransactWriteItems"):
		return canceled(request, "TransactionConflict")
	case calls(request, "PutItem"), calls(request, "UpdateItem"), calls(request, "DeleteItem"):
		return refusal(request, "TransactionConflictException", "")
	}
	return connections.RoundTrip(request)
}

func refusal(request *http.Request, code, more string) (*http.Response, error) {
	body := fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"injected"%s}`, code, more)
	return &http.Response{
		StatusCode: http.StatusBadRequest, Status: "400 Bad Request", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:          io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), Request: request,
	}, nil
}

// Crash describes a handler to be broken at every DynamoDB call it makes.
type Crash struct {
	Tables []tables.Table
	// Seed fills the tables, once: every attempt begins with what they hold then.
	Seed func(t testing.TB, db *DB)
	// Run runs the handler once on a client. run is 0 for the first run and counts the re-runs, so that a handler with
	// a clock can let time pass. Everything it keeps outside the tables must be new in each call, as in another
	// process: what it does may depend on what the tables hold and on run, and on nothing else.
	Run func(ctx context.Context, client *dynamo.Client, run int) error
	// Ignore lists attributes that say how often something was tried: those may differ from a clean run's.
	Ignore []string
}

// maxReruns is how often a handler is run again before the test takes it for stuck.
const maxReruns = 6

// EveryCrashPoint runs a handler for the state it should end in, and then again and again: for each of its DynamoDB
// calls, that call fails, each way it can, with the process going on and with it dying there. The
// handler is re-run as Lambda would until it succeeds, and must end in the very same state. It returns how many points
// there were.
//
// Many points leave the tables alike: a call that was refused and one that never arrived, or a read that failed and the
// next one. The re-runs from one such state all do the same, so they are made once, and the next point that leaves it
// has passed.
func EveryCrashPoint(t *testing.T, c Crash) int {
	t.Helper()
	db := Start(t, c.Tables...)
	if c.Seed != nil {
		c.Seed(t, db)
	}
	b := breaker{Crash: c, db: db, again: db.Again(t), converged: map[mark]bool{}}
	clean := &faulty{}
	want, err := b.attempt(t, clean)
	if err != nil {
		t.Fatalf("clean run: %v", err)
	}
	if len(clean.calls) == 0 {
		t.Fatal("the handler makes no DynamoDB call: there is nothing to break")
	}
	second := &faulty{}
	if _, err := b.attempt(t, second); err != nil {
		t.Fatalf("second clean run: %v", err)
	}
	b.want = want
	inOrder := slices.Equal(clean.calls, second.calls)
	points := 0
	for i, operation := range clean.calls {
		reads, left := inOrder && isRead(operation), readWays()
		if !reads {
			left = append(left, writeWays()...)
		}
		for len(left) > 0 {
			way := left[0]
			left = left[1:]
			points++
			way.at = int64(i + 1)
			b.check(t, way)
			if reads && !way.brokeRead() { // two runs had the same order by chance
				reads, left = false, append(left, writeWays()...)
			}
		}
	}
	return points
}

// readWays and writeWays return the ways in which a call can fail, without those that nobody can tell from another. A
// process that dies does not learn why its call failed. A read whose answer is lost is a read that failed, and no read
// conflicts. Calls side by side come in any order: what is a read in one run may be a write in the next.
func readWays() []*faulty {
	return []*faulty{{fault: FailBefore}, {fault: FailBefore, dies: true}, {fault: Throttle}}
}

func writeWays() []*faulty {
	return []*faulty{{fault: LostAnswer}, {fault: LostAnswer, dies: true}, {fault: Conflict}}
}

// brokeRead reports whether the call that was broken was a read, or the run ended before it.
func (f *faulty) brokeRead() bool {
	return int64(len(f.calls)) < f.at || isRead(f.calls[f.at-1])
}

// check runs with a fault and fails the test if the state in the end is not that of a clean run.
func (b *breaker) check(t *testing.T, way *faulty) {
	t.Helper()
	got, err := b.attempt(t, way)
	if err != nil {
		t.Errorf("call %d %s (dies: %v): never succeeded: %v", way.at, way.fault, way.dies, err)
	} else if diff := diff(t, b.want, got); diff != "" {
		t.Errorf("call %d %s (dies: %v): not the state of a clean run:\n%s", way.at, way.fault, way.dies, diff)
	}
}

// breaker runs one handler with fault after fault.
type breaker struct {
	Crash
	db        *DB
	again     func()        // makes the tables hold what they did before
	want      contents      // of the clean run
	converged map[mark]bool // states after a first run from which the re-runs have ended as wanted
}

// attempt runs with a fault and re-runs without until success. It returns what the tables hold then, and leaves them as
// they were before.
func (b *breaker) attempt(t *testing.T, transport *faulty) (contents, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := b.Run(ctx, b.db.through(transport), 0)
	after := b.db.fingerprint(t)
	if b.converged[after] {
		b.again()
		return b.want, nil
	}
	for run := 1; run < maxReruns && (err != nil || run <= b.settled(transport)); run++ {
		err = b.Run(ctx, b.db.Client, run)
	}
	ended := b.db.contents(t)
	b.again()
	got := ended.without(b.Ignore)
	if transport.at > 0 && err == nil && reflect.DeepEqual(b.want, got) {
		b.converged[after] = true
	}
	return got, err
}

// settled is how many re-runs a fault calls for at least: a handler that swallowed it is re-run once, as a redelivery
// would, to see that it converges.
func (b *breaker) settled(transport *faulty) int {
	if transport.at == 0 {
		return 0
	}
	return 1
}

// Failing is a client of the engine whose process dies with its nth call.
func (db *DB) Failing(n int) *dynamo.Client { return db.through(&faulty{at: int64(n), dies: true}) }

// interrupted is a transport that does something before its nth call.
type interrupted struct {
	at    int64
	does  func()
	calls atomic.Int64
}

func (i *interrupted) RoundTrip(request *http.Request) (*http.Response, error) {
	if i.calls.Add(1) == i.at {
		i.does()
	}
	return connections.RoundTrip(request)
}

// Interrupted is a client of the engine. Before its nth call, something is done.
func (db *DB) Interrupted(n int, does func()) *dynamo.Client {
	return db.through(&interrupted{at: int64(n), does: does})
}
