package messagingtest

import (
	"slices"
	"sync"
)

// Asked records what a test's provider was asked, in order. Handlers may ask at the same time.
type Asked struct {
	mu    sync.Mutex
	calls []string
}

// Add records a call.
func (a *Asked) Add(call string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, call)
}

// All returns the calls since the last Forget.
func (a *Asked) All() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.calls)
}

// Forget drops the calls so far.
func (a *Asked) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = nil
}
