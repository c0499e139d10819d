package whatsapp

import "time"

// Class is what an error code asks for.
type Class int

const (
	// Never: sent again as it is, it would fail again.
	Never Class = iota
	// Retry with growing waits: the platform's own trouble.
	Retry
	// WaitForPair waits 4^n seconds: too much to one customer.
	WaitForPair
	// WaitADay waits 24 hours: the platform limits marketing to this customer.
	WaitADay
	// WaitAnHour waits as long as the platform counts a flow's use.
	WaitAnHour
	// StopSender stops everything of the number until a person has looked: token, account, payment, policy.
	StopSender
)

// ClassOf is what to do after an error code. A code nobody has seen is tried again where the platform failed (5xx) and
// given up where it refused (4xx).
func ClassOf(code int64, httpStatus int) Class {
	if c, found := known(code); found {
		return c.class
	}
	if httpStatus >= 500 || httpStatus == 429 {
		return Retry
	}
	return Never
}

// Waits of the classes.
const (
	Day           = 24 * time.Hour
	Hour          = time.Hour
	StoppedSender = 15 * time.Minute
	maxBackoff    = 10 * time.Minute
)

// Wait is how long to wait before attempt retry+1, before jitter.
func (c Class) Wait(retry int) time.Duration {
	switch c {
	case WaitForPair:
		return power(4, retry+1, maxBackoff)
	case WaitADay:
		return Day
	case WaitAnHour:
		return Hour
	case StopSender:
		return StoppedSender
	}
	return power(2, retry+1, maxBackoff)
}

// String names the class, as what its failures are counted against.
func (c Class) String() string {
	return [...]string{Never: "never", Retry: "retry", WaitForPair: "pair", WaitADay: "day", WaitAnHour: "hour", StopSender: "stop"}[c]
}

// Attempts is how often to try in all before a person has to look.
func (c Class) Attempts() int {
	switch c {
	case Never:
		return 1
	case WaitADay:
		return 3
	case WaitAnHour:
		return 24
	case StopSender:
		return 96 // a day of quarter hours
	}
	return 10
}

func power(base, exponent int, limit time.Duration) time.Duration {
	wait := time.Second
	for range exponent {
		if wait *= time.Duration(base); wait >= limit {
			return limit
		}
	}
	return wait
}
