package whatsapp

import (
	"slices"
	"time"
)

// Class says how to react to an error code.
type Class int

const (
	// Never means that the same message would fail again.
	Never Class = iota
	// Retry means that the failure is temporary. Waits grow with each attempt.
	Retry
	// WaitForPair means too many messages to one customer. Meta asks for waits of 4^n seconds.
	WaitForPair
	// WaitADay means that WhatsApp limits marketing to this customer. The wait is 24 hours.
	WaitADay
	// WaitAnHour means that a flow is throttled. WhatsApp counts a flow's use per hour.
	WaitAnHour
	// StopSender stops the whole number until a person has fixed the cause: token, account, payment or policy.
	StopSender
)

// ClassOf returns the class of an error code. For an unknown code the HTTP status decides: Retry for a 5xx or 429,
// otherwise Never.
func ClassOf(code int64, httpStatus int) Class {
	if c, found := known(code); found {
		return c.class
	}
	if httpStatus >= 500 || httpStatus == 429 {
		return Retry
	}
	return Never
}

// slowing lists the codes by which Meta says that the number, its account or the app sends too much.
var slowing = []int64{4, 80007, 130429}

// Slows reports whether an error code asks the whole number to send more slowly, and not only the message to wait.
func Slows(code int64) bool { return slices.Contains(slowing, code) }

// SlowedSender is how long a number sends nothing after such a code.
const SlowedSender = 10 * time.Second

// The waits of the classes.
const (
	Day           = 24 * time.Hour
	Hour          = time.Hour
	StoppedSender = 15 * time.Minute
	maxBackoff    = 10 * time.Minute
)

// Wait returns the wait before attempt retry+1, without jitter.
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

// String returns the class's name. Failed attempts are counted per name.
func (c Class) String() string {
	return [...]string{
		Never: "never", Retry: "retry", WaitForPair: "pair", WaitADay: "day", WaitAnHour: "hour", StopSender: "stop"}[c]
}

// Attempts returns how many attempts to make before a person has to look.
func (c Class) Attempts() int {
	switch c {
	case Never:
		return 1
	case WaitADay:
		return 3
	case WaitAnHour:
		return 24
	case StopSender:
		return 96 // one day, every 15 minutes
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
