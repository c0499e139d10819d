package dynamotest

import (
	"net/http"
	"sync"
	"testing"
	"time"
)

// InARow fails a test if work makes more than so many calls one after the other, however long the engine takes. work
// makes its calls through the transport. It may run several times, each time on tables of its own: on a machine that is
// busy with other work a call may come late, so a count that is too high is made again with more patience.
func InARow(t testing.TB, most int, work func(through http.RoundTripper)) {
	t.Helper()
	const patient = 4 * time.Second
	for quiet := 150 * time.Millisecond; ; quiet *= 5 {
		r := rounds{quiet: quiet}
		work(&r)
		if n := r.counted(); n <= most {
			return
		} else if quiet > patient/5 {
			t.Errorf("%d calls in a row, want at most %d", n, most)
			return
		}
	}
}

// rounds is a transport that holds calls until those before them have ended and no other comes, and then lets all of
// them through.
type rounds struct {
	quiet   time.Duration // no other call comes if none has come for so long
	mu      sync.Mutex
	waiting []chan struct{}
	running int // calls that have been let through and have not ended
	timer   *time.Timer
	n       int
}

// RoundTrip makes a call in its round.
func (r *rounds) RoundTrip(request *http.Request) (*http.Response, error) {
	turn := make(chan struct{})
	r.mu.Lock()
	r.waiting = append(r.waiting, turn)
	r.waitForMore()
	r.mu.Unlock()
	<-turn
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.running--
		r.waitForMore()
	}()
	return connections.RoundTrip(request)
}

// waitForMore lets the waiting calls through when nothing has happened for a while.
func (r *rounds) waitForMore() {
	if r.timer != nil {
		r.timer.Stop()
	}
	r.timer = time.AfterFunc(r.quiet, r.release)
}

func (r *rounds) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 || r.running > 0 {
		return
	}
	r.n++
	for _, turn := range r.waiting {
		close(turn)
	}
	r.running, r.waiting = len(r.waiting), nil
}

func (r *rounds) counted() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}
