package whatsappsim

import (
	"net/http"
	"sync"
	"time"
)

// WindowLength is for how long after a customer's message free-form messages may go to them.
const WindowLength = 24 * time.Hour

const (
	pairBurst       = 45
	pairInterval    = 6 * time.Second
	phonePerSecond  = 80
	raisedPerSecond = 1000
	maxPairs        = 100_000
)

// limits holds what WhatsApp counts: tokens of each phone and of each pair of phone and user, and the 24-hour window
// of each pair. It forgets pairs that no longer matter when it holds too many.
type limits struct {
	mu      sync.Mutex
	phones  map[string]bucket
	pairs   map[pair]bucket
	windows map[pair]time.Time // when the user was last heard
}

type pair struct{ phone, user string }

type bucket struct {
	tokens float64
	at     time.Time
}

func newLimits() *limits {
	return &limits{phones: map[string]bucket{}, pairs: map[pair]bucket{}, windows: map[pair]time.Time{}}
}

func (b bucket) refilled(now time.Time, size, perSecond float64) bucket {
	if b.at.IsZero() {
		return bucket{tokens: size, at: now}
	}
	elapsed := max(now.Sub(b.at).Seconds(), 0)
	return bucket{tokens: min(b.tokens+elapsed*perSecond, size), at: now}
}

// take counts one message of the phone to the user, or says which limit it meets; then it counts nothing.
func (l *limits) take(now time.Time, phone, user string, perSecond float64) *graphError {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := pair{phone, user}
	phoneBucket := l.phones[phone].refilled(now, perSecond, perSecond)
	pairBucket := l.pairs[of].refilled(now, pairBurst, 1/pairInterval.Seconds())
	// A hair less than one token is one: the refill is summed in floating point.
	if phoneBucket.tokens < 1-1e-9 {
		return refuse(http.StatusTooManyRequests, 130429,
			"Message failed to send because more than %v messages were sent from this phone number in a second",
			perSecond)
	}
	if pairBucket.tokens < 1-1e-9 {
		return refuse(http.StatusBadRequest, 131056,
			"Message failed to send because there were too many messages sent from this phone number to the same "+
				"phone number in a short period of time")
	}
	phoneBucket.tokens--
	pairBucket.tokens--
	l.makeRoom(now)
	l.phones[phone], l.pairs[of] = phoneBucket, pairBucket
	return nil
}

// Heard opens the window of each of a customer's identifiers, as if they had written to the phone number at that time.
func (s *Server) Heard(at time.Time, phone string, users ...string) {
	s.limits.heard(at, phone, users...)
}

// heard opens the window of each of the user's identifiers. A window that is open longer already stays as it is.
func (l *limits) heard(now time.Time, phone string, users ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.makeRoom(now)
	for _, user := range users {
		if of := (pair{phone, userOf(user)}); user != "" && now.After(l.windows[of]) {
			l.windows[of] = now
		}
	}
}

func (l *limits) open(now time.Time, phone, user string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	heard, known := l.windows[pair{phone, user}]
	return known && now.Sub(heard) < WindowLength
}

// makeRoom drops the entries that say no more than their absence would: full buckets and closed windows. If too many
// are left all the same, everything goes: that errs towards a limit less, and a window less, once.
func (l *limits) makeRoom(now time.Time) {
	if len(l.pairs) >= maxPairs {
		full := pairBurst * pairInterval
		dropWhere(l.pairs, func(b bucket) bool { return now.Sub(b.at) >= full })
	}
	if len(l.windows) >= maxPairs {
		dropWhere(l.windows, func(heard time.Time) bool { return now.Sub(heard) >= WindowLength })
	}
	if len(l.phones) >= maxPairs {
		dropWhere(l.phones, func(b bucket) bool { return now.Sub(b.at) >= time.Second })
	}
}

func dropWhere[K comparable, V any](entries map[K]V, spent func(V) bool) {
	for key, entry := range entries {
		if spent(entry) {
			delete(entries, key)
		}
	}
	if len(entries) >= maxPairs {
		clear(entries)
	}
}
