package dynamotest

import (
	"net/http"
	"sync"
	"time"
)

// Rounds is a transport that holds calls until no other comes, and then lets all of them through: it counts how many calls
// were made in a row, however long the engine takes.
type Rounds struct {
	mu      sync.Mutex
	waiting []chan struct{}
	timer   *time.Timer
	rounds  int
}

// RoundTrip makes a call in its round.
func (r *Rounds) RoundTrip(request *http.Request) (*http.Response, error) {
	const quiet = 150 * time.Millisecond
	turn := make(chan struct{})
	r.mu.Lock()
	r.waiting = append(r.waiting, turn)
	if r.timer != nil {
		r.timer.Stop()
	}
	r.timer = time.AfterFunc(quiet, r.release)
	r.mu.Unlock()
	<-turn
	return connections.RoundTrip(request)
}

func (r *Rounds) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) > 0 {
		r.rounds++
	}
	for _, turn := range r.waiting {
		close(turn)
	}
	r.waiting = nil
}

// Rounds is how many calls were made in a row.
func (r *Rounds) Rounds() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rounds
}
