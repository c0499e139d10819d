package dynamotest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
)

// Schedule is one order in which the DynamoDB calls of several operations are let through, one at a time.
type Schedule struct {
	Number int // of the schedule, from 1: a race makes the names of its customers of it

	choose func(waiting map[byte]footprint) byte
	trace  []byte
}

// String is the schedule as far as it has run: a letter for every call, A for the first operation's. Set as the
// environment variable SCHEDULE, it has Schedules run this one alone.
func (s *Schedule) String() string { return string(s.trace) }

// Operation is something that races. All its DynamoDB calls go through the client.
type Operation func(ctx context.Context, client *dynamo.Client) error

// Schedules runs a race under as many different schedules as are asked for, or under all there are. Two are different
// if a call of one operation that writes to an item comes before a call of another that touches the item in the one,
// and after it in the other. It ends with the first that fails, and names it. The choice of schedules is the same in
// every run.
func Schedules(t *testing.T, atMost int, race func(s *Schedule)) {
	t.Helper()
	orders := newOrders()
	given := os.Getenv("SCHEDULE")
	number := 0
	for number < atMost && !orders.root.exhausted && !t.Failed() {
		number++
		path := orders.path(given)
		s := &Schedule{Number: number, choose: path.choose}
		func() {
			defer func() {
				if t.Failed() {
					t.Logf("the race fails under SCHEDULE=%s", s)
				}
			}()
			race(s)
		}()
		path.end()
		if given != "" {
			break
		}
	}
	if orders.root.exhausted {
		t.Logf("all %d schedules", number)
	} else {
		t.Logf("%d schedules", number)
	}
}

// Run runs operations side by side on clients of the engine, and lets their calls through in the schedule's order: the
// next one only when every operation has a call waiting or has ended. Calls that one operation makes side by side go
// through one after the other. It returns what the operations returned.
func (s *Schedule) Run(t testing.TB, db *DB, operations ...Operation) []error {
	t.Helper()
	racers := make([]*racer, len(operations))
	errs := make([]error, len(operations))
	for i, operation := range operations {
		r := &racer{tables: db.tables, calls: make(chan *call), ended: make(chan struct{})}
		racers[i] = r
		go func() {
			defer close(r.ended)
			errs[i] = operation(t.Context(), db.through(r))
		}()
	}
	for {
		waiting := map[byte]footprint{}
		for i, r := range racers {
			if r.hasCall() {
				waiting['A'+byte(i)] = r.waiting.footprint
			}
		}
		if len(waiting) == 0 {
			return errs
		}
		chosen := s.choose(waiting)
		s.trace = append(s.trace, chosen)
		racers[chosen-'A'].letThrough()
	}
}

// Fails returns the errors of operations with their letters, nil if there are none.
func Fails(errs []error) error {
	var failed []string
	for i, err := range errs {
		if err != nil {
			failed = append(failed, fmt.Sprintf("%c: %v", 'A'+i, err))
		}
	}
	if failed == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(failed, "; "))
}

// racer is an operation that runs, and the transport of its client.
type racer struct {
	tables  []tables.Table
	calls   chan *call
	ended   chan struct{}
	waiting *call
}

// call is one DynamoDB call that waits for its turn.
type call struct {
	footprint  footprint
	turn, done chan struct{}
}

// RoundTrip makes a call when its turn comes.
func (r *racer) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := bodyOf(request)
	if err != nil {
		return nil, err
	}
	c := &call{turn: make(chan struct{}), done: make(chan struct{})}
	c.footprint = footprintOf(request.Header.Get("X-Amz-Target"), body, r.tables)
	select {
	case r.calls <- c:
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	<-c.turn
	defer close(c.done)
	return connections.RoundTrip(request)
}

// bodyOf reads the body of a request, and leaves it to be read again.
func bodyOf(request *http.Request) ([]byte, error) {
	body, err := io.ReadAll(request.Body)
	request.Body.Close()
	request.Body = io.NopCloser(bytes.NewReader(body))
	return body, err
}

// hasCall waits until the operation has a call waiting, or has ended.
func (r *racer) hasCall() bool {
	if r.waiting != nil {
		return true
	}
	select {
	case r.waiting = <-r.calls:
		return true
	case <-r.ended:
		return false
	}
}

func (r *racer) letThrough() {
	close(r.waiting.turn)
	<-r.waiting.done
	r.waiting = nil
}
