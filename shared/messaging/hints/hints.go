// Package hints tells open pages that something has changed in the conversations of a business number, so that they ask
// what. A function gathers the numbers while it works, and tells each once after it has committed. A hint that is lost
// costs nothing, because a page also asks by itself.
package hints

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/model"
)

// Kind is the kind of a hint: it names a number whose conversations have changed.
const Kind = "inbox"

// Hints tells hints.
type Hints struct {
	Live   *live.Publisher
	Number func(ctx context.Context, id model.PhoneNumberID) (model.Phone, error)
	Now    func() time.Time

	mu    sync.Mutex
	known map[model.PhoneNumberID]owner
}

// owner is whose a number is, as it was read.
type owner struct {
	tenant model.TenantID
	readAt time.Time
}

const (
	// remembered is for how long a process knows whose a number is, and atOnce how many hints it tells concurrently.
	remembered = time.Minute
	atOnce     = 8
)

// Gathered is the numbers to tell of.
type Gathered struct {
	mu     sync.Mutex
	phones []model.PhoneNumberID
}

type gatheredKey struct{}

// Gather returns a context in which Note gathers numbers.
func Gather(ctx context.Context) (context.Context, *Gathered) {
	gathered := &Gathered{}
	return context.WithValue(ctx, gatheredKey{}, gathered), gathered
}

// Note notes that something has changed in the conversations of a number. It does nothing if nobody gathers.
func Note(ctx context.Context, phone model.PhoneNumberID) {
	gathered, _ := ctx.Value(gatheredKey{}).(*Gathered)
	if gathered == nil || phone == "" {
		return
	}
	gathered.mu.Lock()
	defer gathered.mu.Unlock()
	if !slices.Contains(gathered.phones, phone) {
		gathered.phones = append(gathered.phones, phone)
	}
}

// After returns a handler that tells what another one has noted, after it has run.
func After[In, Out any](h *Hints, run func(context.Context, In) (Out, error)) func(context.Context, In) (Out, error) {
	return func(ctx context.Context, in In) (Out, error) {
		ctx, gathered := Gather(ctx)
		out, err := run(ctx, in)
		h.Tell(ctx, gathered.phones...)
		return out, err
	}
}

// Tell tells that something has changed at numbers. It waits for a short time at most, and returns nothing: what fails
// is logged by the publisher, and a number of no tenant has no listeners.
func (h *Hints) Tell(ctx context.Context, phones ...model.PhoneNumberID) {
	if h.Live == nil || h.Live.URL == "" {
		return
	}
	jobs := make([]func() error, len(phones))
	for i, phone := range phones {
		jobs[i] = func() error {
			if tenant := h.tenantOf(ctx, phone); tenant != "" {
				h.Live.Publish(ctx, live.OfNumber(tenant, phone), live.Hint{Kind: Kind, Of: string(phone)})
			}
			return nil
		}
	}
	lanes.Concurrently(atOnce, jobs...)
}

// tenantOf returns whose a number is; "" if nobody knows it.
func (h *Hints) tenantOf(ctx context.Context, phone model.PhoneNumberID) model.TenantID {
	h.mu.Lock()
	was, found := h.known[phone]
	h.mu.Unlock()
	if found && h.Now().Sub(was.readAt) < remembered {
		return was.tenant
	}
	number, err := h.Number(ctx, phone)
	if err != nil {
		return was.tenant
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil {
		h.known = map[model.PhoneNumberID]owner{}
	}
	h.known[phone] = owner{number.TenantID, h.Now()}
	return number.TenantID
}
