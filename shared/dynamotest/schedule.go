package dynamotest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
)

// Schedule is one order in which the DynamoDB calls of several operations are let through, one at a time.
type Schedule struct {
	Number int // of the schedule, from 1: a race makes the names of its customers of it

	choose func(unfinished []byte) byte
	trace  []byte
}

// String is the schedule as far as it has run: a letter for every call, A for the first operation's. Set as the environment
// variable SCHEDULE, it has Schedules run this one alone.
func (s *Schedule) String() string { return string(s.trace) }

// Operation is something that races. All its DynamoDB calls go through the client.
type Operation func(ctx context.Context, client *dynamo.Client) error

// Schedules runs a race under as many different schedules as are asked for, or under all there are. It ends with the first
// that fails, and names it. The choice of schedules is the same in every run.
func Schedules(t *testing.T, atMost int, race func(s *Schedule)) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	root := &branching{}
	given := os.Getenv("SCHEDULE")
	number := 0
	for number < atMost && !root.exhausted && !t.Failed() {
		number++
		path := &path{at: root, random: random, given: given}
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
	if root.exhausted {
		t.Logf("all %d schedules", number)
	} else {
		t.Logf("%d schedules", number)
	}
}

// branching remembers which schedules have run, as a tree of choices.
type branching struct {
	next      map[byte]*branching
	exhausted bool // everything below has run
}

// path is the way of one schedule through the tree.
type path struct {
	at     *branching
	taken  []*branching
	open   [][]byte // what could be chosen at each step
	random *rand.Rand
	given  string
}

// choose takes one of the operations that have a call waiting, and none after which everything has run already.
func (p *path) choose(unfinished []byte) byte {
	fresh := slices.DeleteFunc(slices.Clone(unfinished), func(o byte) bool { return p.at.next[o] != nil && p.at.next[o].exhausted })
	if len(fresh) == 0 { // an operation has made other calls than before
		fresh = unfinished
	}
	chosen := fresh[p.random.IntN(len(fresh))]
	if p.given != "" && slices.Contains(unfinished, p.given[0]) {
		chosen, p.given = p.given[0], p.given[1:]
	}
	if p.at.next == nil {
		p.at.next = map[byte]*branching{}
	}
	if p.at.next[chosen] == nil {
		p.at.next[chosen] = &branching{}
	}
	p.taken, p.open = append(p.taken, p.at), append(p.open, slices.Clone(unfinished))
	p.at = p.at.next[chosen]
	return chosen
}

// end notes that the schedule has run.
func (p *path) end() {
	p.at.exhausted = true
	for i := len(p.taken) - 1; i >= 0; i-- {
		at := p.taken[i]
		if slices.ContainsFunc(p.open[i], func(o byte) bool { return at.next[o] == nil || !at.next[o].exhausted }) {
			return
		}
		at.exhausted = true
	}
}

// Run runs operations side by side on clients of the engine, and lets their calls through in the schedule's order: the next
// one only when every operation has a call waiting or has ended. Calls that one operation makes side by side go through one
// after the other. It returns what the operations returned.
func (s *Schedule) Run(t testing.TB, db *DB, operations ...Operation) []error {
	t.Helper()
	racers := make([]*racer, len(operations))
	errs := make([]error, len(operations))
	for i, operation := range operations {
		r := &racer{calls: make(chan *call), ended: make(chan struct{})}
		racers[i] = r
		go func() {
			defer close(r.ended)
			errs[i] = operation(t.Context(), db.through(r))
		}()
	}
	for {
		var unfinished []byte
		for i, r := range racers {
			if r.hasCall() {
				unfinished = append(unfinished, 'A'+byte(i))
			}
		}
		if len(unfinished) == 0 {
			return errs
		}
		chosen := s.choose(unfinished)
		s.trace = append(s.trace, chosen)
		racers[chosen-'A'].letThrough()
	}
}

// Fails returns the errors of operations with their letters, nil where there are none.
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
	calls   chan *call
	ended   chan struct{}
	waiting *call
}

// call is one DynamoDB call that waits for its turn.
type call struct{ turn, done chan struct{} }

// RoundTrip makes a call when its turn comes.
func (r *racer) RoundTrip(request *http.Request) (*http.Response, error) {
	c := &call{turn: make(chan struct{}), done: make(chan struct{})}
	select {
	case r.calls <- c:
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	<-c.turn
	defer close(c.done)
	return connections.RoundTrip(request)
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
