package presence

import (
	"sync"
	"time"
)

// Limit is a bucket of tokens for each of many, in the memory of one process: Burst at once, and then one each Every.
// It costs no write. Each process has its own, so it bounds what one process does; the limit of a tenant's calls bounds
// them all together. A nil Limit is none.
type Limit struct {
	Now   func() time.Time
	Burst int
	Every time.Duration

	mu   sync.Mutex
	full map[string]time.Time // when a bucket is full again; absent of a full one
}

// most is with how many buckets the full ones are thrown away.
const most = 10_000

// Take takes a token of a bucket. It returns 0 if there is one, and otherwise how long it takes until there is.
func (l *Limit) Take(of string) time.Duration {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.Now()
	if len(l.full) >= most {
		for key, full := range l.full {
			if !full.After(now) {
				delete(l.full, key)
			}
		}
	}
	if l.full == nil {
		l.full = map[string]time.Time{}
	}
	full := l.full[of]
	if full.Before(now) {
		full = now
	}
	if wait := full.Sub(now) - time.Duration(l.Burst-1)*l.Every; wait > 0 {
		return wait
	}
	l.full[of] = full.Add(l.Every)
	return 0
}
