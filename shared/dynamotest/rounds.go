package dynamotest

import (
	"net/http"
	"sync"
	"time"
)

// Rounds is a transport that holds calls until those before them have ended and no other comes, and then lets all of
// them through: it counts how many calls were made in a row, however long the engine takes.
type Rounds struct {
	mu      sync.Mutex
	waiting []chan struct{}
	running int // calls that have been let through and have not ended
	timer   *time.Timer
	rounds  int
}

// RoundTrip makes a call in its round.
func (r *Rounds) RoundTrip(request *http.Request) (*http.Response, error) {
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
func (r *Rounds) waitForMore() {
	const quiet = 150 * time.Millisecond
	if r.timer != nil {
		r.timer.Stop()
	}
	r.timer = time.AfterFunc(quiet, r.release)
}

func (r *Rounds) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 || r.running > 0 {
		return
	}
	r.rounds++
	for _, turn := range r.waiting {
		close(turn)
	}
	r.running, r.waiting = len(r.waiting), nil
}

// Rounds is how many calls were made in a row.
func (r *Rounds) Rounds() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rounds
}
