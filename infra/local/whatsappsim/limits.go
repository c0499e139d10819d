package whatsappsim

import (
	"maps"
	"net/http"
	"slices"
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
	// the users whom the portfolio has written to first, whichever of its numbers it used, and when
	opened map[string]time.Time
	// when each marketing template went to a user
	marketing map[string][]time.Time
}

type pair struct{ phone, user string }

type bucket struct {
	tokens float64
	at     time.Time
}

func newLimits() *limits {
	return &limits{
		phones: map[string]bucket{}, pairs: map[pair]bucket{}, windows: map[pair]time.Time{},
		opened: map[string]time.Time{}, marketing: map[string][]time.Time{},
	}
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

// tiers are how many users a portfolio may write to first within 24 hours, by the name of its messaging limit. A limit
// with another name is none.
var tiers = map[string]int{"TIER_50": 50, "TIER_250": 250, "TIER_1K": 1000, "TIER_2K": 2000, "TIER_10K": 10_000,
	"TIER_100K": 100_000}

// opens counts a user whom the portfolio writes to first. It reports false, and counts nothing, if that would be one
// user too many within 24 hours.
func (l *limits) opens(now time.Time, user, tier string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	most, limited := tiers[tier]
	if !limited {
		return true
	}
	old := func(at time.Time) bool { return now.Sub(at) >= WindowLength }
	if at, known := l.opened[user]; !known || old(at) {
		if len(l.opened) >= most {
			maps.DeleteFunc(l.opened, func(_ string, at time.Time) bool { return old(at) })
		}
		if len(l.opened) >= most {
			return false
		}
		l.opened[user] = now
	}
	return true
}

// advertises counts a marketing template to a user. It reports false, and counts nothing, if the user has got as many
// within 24 hours as one user may get; 0 for no such limit.
func (l *limits) advertises(now time.Time, user string, most int) bool {
	if most == 0 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	got := slices.DeleteFunc(l.marketing[user], func(at time.Time) bool { return now.Sub(at) >= WindowLength })
	if len(got) >= most {
		l.marketing[user] = got
		return false
	}
	if len(l.marketing) >= maxCustomers {
		clear(l.marketing)
	}
	l.marketing[user] = append(got, now)
	return true
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
