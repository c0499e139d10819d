package soak

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
)

// diary is what the clients of the ledgers know together: the requests, and what each client was told. It owns
// its state: clients reach it through its methods, which lock, and a request in it never changes.
type diary struct {
	mu       sync.Mutex
	requests []*effect
	first    map[string]*effect                // the request that brought a key
	told     map[string]khatamodel.Transaction // by key
	entries  []khatamodel.Transaction          // that can be reversed
}

// add notes a new request.
func (d *diary) add(e *effect) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.first == nil {
		d.first, d.told = map[string]*effect{}, map[string]khatamodel.Transaction{}
	}
	d.requests, d.first[e.key] = append(d.requests, e), e
}

// earlier returns a random request, and whether a client was told what it led to; nil if there is none.
func (d *diary) earlier(rng *rand.Rand) (e *effect, answered bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.requests) == 0 {
		return nil, false
	}
	e = d.requests[rng.IntN(len(d.requests))]
	_, answered = d.told[e.key]
	return e, answered
}

// reversible returns a random entry that somebody was told of.
func (d *diary) reversible(rng *rand.Rand) (khatamodel.Transaction, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.entries) == 0 {
		return khatamodel.Transaction{}, false
	}
	return d.entries[rng.IntN(len(d.entries))], true
}

// all returns the requests.
func (d *diary) all() []*effect {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.requests)
}

// toldOf returns what the clients were told that a key led to, and whether they were.
func (d *diary) toldOf(key string) (khatamodel.Transaction, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	entry, answered := d.told[key]
	return entry, answered
}

// note keeps the answer to a request. It returns what is wrong with it; "" for nothing.
func (d *diary) note(e *effect, entry khatamodel.Transaction, err error) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	told, answered := d.told[e.key]
	switch first := d.first[e.key]; {
	case errors.Is(err, idempotency.ErrKeyReused):
		if e == first {
			return e.key + " was refused as used"
		}
	case first != e && e.draft.Notes != "" && err == nil && answered:
		return e.key + " came with another body, and was taken"
	case err == nil && answered && told.TransactionID != entry.TransactionID:
		return fmt.Sprintf("%s led to %s and to %s", e.key, told.TransactionID, entry.TransactionID)
	case err == nil && !answered:
		d.told[e.key] = entry
		if d.entries = append(d.entries, entry); len(d.entries) > 500 {
			d.entries = slices.Clone(d.entries[100:])
		}
	}
	return ""
}
