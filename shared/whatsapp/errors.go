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
	// StopSender stops everything of the number until a person has looked: token, account, payment, policy.
	StopSender
)

// classOfCode holds every code the platform documents for sending. The code decides, never the title or HTTP status.
var classOfCode = map[int64]Class{
	1: Retry, 2: Retry, 4: Retry, 80007: Retry, 130429: Retry, 131000: Retry, 131016: Retry, 131057: Retry,
	133004: Retry, 134101: Retry,
	131056: WaitForPair,
	131049: WaitADay,
	0:      StopSender, 3: StopSender, 10: StopSender, 190: StopSender, 368: StopSender, 130497: StopSender,
	131005: StopSender, 131031: StopSender, 131042: StopSender, 131045: StopSender, 131048: StopSender, 133010: StopSender,
	33: Never, 100: Never, 130472: Never, 131008: Never, 131009: Never, 131021: Never, 131026: Never, 131047: Never,
	131050: Never, 131051: Never, 131052: Never, 131053: Never, 131062: Never, 132000: Never, 132001: Never,
	132005: Never, 132007: Never, 132012: Never, 132015: Never, 132016: Never, 132068: Never, 134011: Never, 135000: Never,
}

// ClassOf is what to do after an error code. A code nobody has seen is tried again where the platform failed (5xx) and
// given up where it refused (4xx).
func ClassOf(code int64, httpStatus int) Class {
	if class, known := classOfCode[code]; known {
		return class
	}
	switch {
	case code >= 200 && code <= 299:
		return StopSender
	case httpStatus >= 500 || httpStatus == 429:
		return Retry
	}
	return Never
}

// Waits of the classes.
const (
	Day           = 24 * time.Hour
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
	case StopSender:
		return StoppedSender
	}
	return power(2, retry+1, maxBackoff)
}

// String names the class, as what its failures are counted against.
func (c Class) String() string {
	return [...]string{Never: "never", Retry: "retry", WaitForPair: "pair", WaitADay: "day", StopSender: "stop"}[c]
}

// Attempts is how often to try in all before a person has to look.
func (c Class) Attempts() int {
	switch c {
	case Never:
		return 1
	case WaitADay:
		return 3
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
