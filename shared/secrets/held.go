package secrets

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// restsFor is how long a reference that could not be read is not read again.
const restsFor = time.Minute

// errRests means that a reference could not be read a moment ago.
var errRests = errors.New("it could not be read a moment ago")

// Held keeps secrets by their references, so that a value is not fetched anew with each reading. A reference that
// cannot be read is left alone for a minute: anybody may post what makes a function read it. It is safe for concurrent
// use.
type Held struct {
	Getenv func(string) string
	Now    func() time.Time

	mu  sync.Mutex
	all map[string]*held
}

type held struct {
	*Secret
	restsUntil time.Time
}

// Get returns the value of a reference; "" for an empty variable. Its errors name the reference and never a value.
func (h *Held) Get(ctx context.Context, ref string) (string, error) {
	h.mu.Lock()
	if h.all == nil {
		h.all = map[string]*held{}
	}
	if h.all[ref] == nil {
		h.all[ref] = &held{Secret: New(ref, h.Getenv)}
	}
	secret := h.all[ref]
	rests := h.Now().Before(secret.restsUntil)
	h.mu.Unlock()
	if rests {
		return "", fmt.Errorf("secret %s: %w", ref, errRests)
	}
	value, err := secret.Get(ctx)
	if err != nil {
		h.mu.Lock()
		secret.restsUntil = h.Now().Add(restsFor)
		h.mu.Unlock()
	}
	return value, err
}
