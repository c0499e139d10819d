// Package hints tells open pages that something has changed in the conversations of a business number, so that they ask
// what. A function gathers what has changed while it works, and tells it once after it has committed. A hint that is
// lost costs nothing, because a page also asks by itself.
package hints

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/model"
)

// Kind is the kind of a hint. It names a number in whose conversations something has changed, and the conversation by a
// hash: a page that has it open asks at once.
const Kind = "inbox"

// mostNamed bounds the conversations that are named of a number. A hint of more than those names none.
const mostNamed = 5

// Hints tells hints.
type Hints struct {
	Live   *live.Publisher
	Number func(ctx context.Context, id model.PhoneNumberID) (model.Phone, error)
	Now    func() time.Time

	mu    sync.Mutex
	known map[model.PhoneNumberID]owner
}

// owner is the tenant of a number, and when it was read.
type owner struct {
	tenant model.TenantID
	readAt time.Time
}

const (
	// remembered is how long a process keeps the tenant of a number. atOnce bounds the concurrent requests.
	remembered = time.Minute
	atOnce     = 8
)

// Gathered is what has changed: conversations, by number.
type Gathered struct {
	mu  sync.Mutex
	all map[model.PhoneNumberID][]model.CustomerID
}

type gatheredKey struct{}

// Gather returns a context in which Note gathers conversations.
func Gather(ctx context.Context) (context.Context, *Gathered) {
	gathered := &Gathered{all: map[model.PhoneNumberID][]model.CustomerID{}}
	return context.WithValue(ctx, gatheredKey{}, gathered), gathered
}

// Note notes that something has changed in a conversation. It does nothing if nobody gathers.
func Note(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) {
	gathered, _ := ctx.Value(gatheredKey{}).(*Gathered)
	if gathered == nil || phone == "" {
		return
	}
	gathered.mu.Lock()
	defer gathered.mu.Unlock()
	if known := gathered.all[phone]; !slices.Contains(known, customer) && len(known) <= mostNamed {
		gathered.all[phone] = append(known, customer)
	}
}

// After returns a handler that tells what another one has noted, after it has run.
func After[In, Out any](h *Hints, run func(context.Context, In) (Out, error)) func(context.Context, In) (Out, error) {
	return func(ctx context.Context, in In) (Out, error) {
		ctx, gathered := Gather(ctx)
		out, err := run(ctx, in)
		h.tell(ctx, gathered.all)
		return out, err
	}
}

// Tell tells that something has changed in a conversation.
func (h *Hints) Tell(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) {
	h.tell(ctx, map[model.PhoneNumberID][]model.CustomerID{phone: {customer}})
}

// Present is what somebody does in a conversation.
type Present struct {
	By    string     // their subject
	State string     // typing, online or away
	Until model.Time // "" for away
}

// Present tells open pages who has a conversation open, and who is typing. Nothing of it is stored: it says until when
// it holds, so that one that is lost mends itself. The kind of the hint is the state.
func (h *Hints) Present(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID,
	customer model.CustomerID, told Present) {
	if h.Live != nil {
		h.Live.Publish(ctx, live.OfNumber(tenant, phone), live.Hint{
			Kind: told.State, Of: hashOf(phone, customer), By: told.By, Until: string(told.Until)})
	}
}

// hashOf returns how hints name a conversation.
func hashOf(phone model.PhoneNumberID, customer model.CustomerID) string {
	hash := sha256.Sum256([]byte(string(phone) + ":" + string(customer)))
	return hex.EncodeToString(hash[:8])
}

// tell tells what has changed. It waits for a short time at most, and returns nothing: what fails is logged by the
// publisher, and a number of no tenant has no listeners.
func (h *Hints) tell(ctx context.Context, all map[model.PhoneNumberID][]model.CustomerID) {
	if h.Live == nil || h.Live.URL == "" {
		return
	}
	var jobs []func() error
	for phone, customers := range all {
		jobs = append(jobs, func() error {
			if tenant := h.tenantOf(ctx, phone); tenant != "" {
				h.Live.Publish(ctx, live.OfNumber(tenant, phone), hintsOf(phone, customers)...)
			}
			return nil
		})
	}
	lanes.Concurrently(atOnce, jobs...)
}

// hintsOf returns the hints of a number's conversations.
func hintsOf(phone model.PhoneNumberID, customers []model.CustomerID) []live.Hint {
	if len(customers) > mostNamed {
		return []live.Hint{{Kind: Kind, Of: string(phone)}}
	}
	all := make([]live.Hint, len(customers))
	for i, customer := range customers {
		all[i] = live.Hint{Kind: Kind, Of: string(phone), By: hashOf(phone, customer)}
	}
	return all
}

// tenantOf returns the tenant of a number; "" if it has none, or cannot be read for the first time.
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
