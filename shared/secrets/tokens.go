package secrets

import (
	"context"
	"sync"
	"time"
)

// refTTL is how long the reference to an owner's token is cached.
const refTTL = 5 * time.Minute

// Tokens holds the access tokens of several owners: each has its own, or the common one.
type Tokens struct {
	refOf  func(ctx context.Context, owner string) (ref string, of Place, err error)
	common *Secret
	getenv func(string) string
	now    func() time.Time

	mu   sync.Mutex
	held map[string]heldToken
}

type heldToken struct {
	ref    string
	of     Place
	secret *Secret
	until  time.Time
}

// NewTokens returns the tokens whose common one common describes, as in New. refOf returns the reference to an owner's
// own token, or "" if the owner has none, and whose it is if it is sealed.
func NewTokens(common string, refOf func(ctx context.Context, owner string) (ref string, of Place, err error),
	getenv func(string) string) *Tokens {
	return &Tokens{
		refOf: refOf, common: New(common, getenv), getenv: getenv, now: time.Now, held: map[string]heldToken{}}
}

// Get returns an owner's token.
func (t *Tokens) Get(ctx context.Context, owner string) (string, error) {
	secret, err := t.secretOf(ctx, owner)
	if err != nil {
		return "", err
	}
	return secret.Get(ctx)
}

// Fresh reads the reference and the token of an owner again.
func (t *Tokens) Fresh(ctx context.Context, owner string) (string, error) {
	t.Expire(owner)
	secret, err := t.secretOf(ctx, owner)
	if err != nil {
		return "", err
	}
	return secret.Fresh(ctx)
}

// Expire makes the next Get of an owner read the reference and the token again.
func (t *Tokens) Expire(owner string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if held, known := t.held[owner]; known {
		held.until = time.Time{}
		held.secret.Expire()
		t.held[owner] = held
	}
}

func (t *Tokens) secretOf(ctx context.Context, owner string) (*Secret, error) {
	t.mu.Lock()
	held, known := t.held[owner]
	t.mu.Unlock()
	if known && t.now().Before(held.until) {
		return held.secret, nil
	}
	ref, of, err := t.refOf(ctx, owner)
	if err != nil {
		return nil, err
	}
	if !known || ref != held.ref || of != held.of { // an unchanged reference keeps its secret with the cached value
		held = heldToken{ref: ref, of: of, secret: t.common}
		switch {
		case IsSealed(ref):
			held.secret = newSealed(ref, of, t.getenv)
		case ref != "":
			held.secret = New(ref, t.getenv)
		}
	}
	held.until = t.now().Add(refTTL)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held[owner] = held
	return held.secret, nil
}
