package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Buckets limits how fast somebody does something, over all processes: a bucket of Burst tokens that fills at Rate. A
// process takes some tokens at once and spends them without asking again, so most calls write nothing. What it does not
// spend within a minute is lost.
type Buckets struct {
	DB    *dynamo.Client
	Now   func() time.Time
	Rate  int // tokens a second; 0 for no limit
	Burst int

	mu   sync.Mutex
	held map[keys.Key]lease
}

// lease is what a process holds of a bucket.
type lease struct {
	tokens int
	ends   time.Time // of the tokens
	empty  time.Time // until then the bucket has none
}

// bucketWindow is the window in the key of a bucket.
const bucketWindow = "bucket"

// heldFor is for how long a process may spend tokens, and share is the part of a bucket that it takes at once.
const (
	heldFor = time.Minute
	share   = 10
)

// Take takes one token. It returns 0 if there is one, and otherwise how long it takes until there is.
func (b *Buckets) Take(ctx context.Context, identifier model.Name, kind string) (wait time.Duration, err error) {
	if b.Rate <= 0 {
		return 0, nil
	}
	key, now := keys.RateLimit(identifier, kind, bucketWindow), b.Now()
	if wait, known := b.spend(key, now); known {
		return wait, nil
	}
	var got int
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() (err error) {
		got, wait, err = b.claim(ctx, key, now)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("rate limit: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if got == 0 {
		b.held[key] = lease{empty: now.Add(wait)}
		return wait, nil
	}
	b.held[key] = lease{tokens: b.held[key].tokens + got - 1, ends: now.Add(heldFor)}
	return 0, nil
}

// spend spends a token that the process holds. It reports whether the process knows the answer.
func (b *Buckets) spend(key keys.Key, now time.Time) (wait time.Duration, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held == nil {
		b.held = map[keys.Key]lease{}
	}
	of := b.held[key]
	switch {
	case now.Before(of.empty):
		return of.empty.Sub(now), true
	case of.tokens > 0 && now.Before(of.ends):
		of.tokens--
		b.held[key] = of
		return 0, true
	}
	delete(b.held, key)
	return 0, false
}

// claim takes up to a share of the bucket. The bucket is one number, the instant at which it is full again: each token
// moves it on. claim returns dynamo.ErrConflict if another process has taken tokens meanwhile.
func (b *Buckets) claim(ctx context.Context, key keys.Key, now time.Time) (got int, wait time.Duration, err error) {
	token := time.Second / time.Duration(b.Rate)
	want := max(1, b.Burst/share)
	// a full bucket is the usual one: it costs one write
	full, err := b.take(ctx, key, now, want, "attribute_not_exists(full_at) OR full_at <= :from")
	if full == nil {
		return want, 0, err
	}
	at := time.UnixMicro(dynamo.Int(full, "full_at"))
	left := int((time.Duration(b.Burst)*token - at.Sub(now)) / token)
	if left < 1 {
		return 0, at.Sub(now) - time.Duration(b.Burst-1)*token, nil
	}
	got = min(want, left)
	found, err := b.take(ctx, key, at, got, "full_at = :from")
	if found != nil {
		return 0, 0, dynamo.ErrConflict
	}
	return got, 0, err
}

// take moves the instant at which the bucket is full. If the condition fails, it returns the stored item.
func (b *Buckets) take(ctx context.Context, key keys.Key, from time.Time, tokens int,
	condition string) (dynamo.Item, error) {
	next := from.Add(time.Duration(tokens) * time.Second / time.Duration(b.Rate))
	err := b.DB.Update(ctx, dynamo.Update{
		Table: tables.RateLimits, Key: key, Do: "SET full_at = :next, #ttl = :ttl", If: condition,
		Values: dynamo.Item{
			":from": dynamo.N(from.UnixMicro()), ":next": dynamo.N(next.UnixMicro()),
			":ttl": dynamo.N(next.Add(time.Hour).Unix())},
	})
	var refused *dynamo.ConditionFailed
	if errors.As(err, &refused) {
		return refused.Item, nil
	}
	return nil, err
}
