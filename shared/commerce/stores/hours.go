package stores

import (
	"time"
	_ "time/tzdata" // a function has no time zones of its own

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

// Zone returns a store's time zone. It is UTC for a zone that this machine does not know.
func Zone(s commercemodel.Store) *time.Location {
	zone, err := time.LoadLocation(s.Settings.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// DateLayout is the form of a day.
const DateLayout = "2006-01-02"

// Date returns the day in a store's zone on which an instant lies.
func Date(s commercemodel.Store, at time.Time) string { return at.In(Zone(s)).Format(DateLayout) }

// Open reports whether a store is open at an instant. A store without hours is always open.
func Open(s commercemodel.Store, at time.Time) bool {
	if len(s.Settings.BusinessHours) == 0 {
		return s.ClosedOn == "" || Date(s, at) != s.ClosedOn
	}
	at = at.In(Zone(s))
	for _, day := range []time.Time{at.AddDate(0, 0, -1), at} { // the night of the day before may not be over
		opens, closes, ok := hoursOn(s, day)
		if ok && !at.Before(opens) && at.Before(closes) {
			return true
		}
	}
	return false
}

// OpensAt returns when a store opens next, at an instant at which it is closed; the zero time for a store that never
// opens.
func OpensAt(s commercemodel.Store, at time.Time) time.Time {
	at = at.In(Zone(s))
	if len(s.Settings.BusinessHours) == 0 {
		return time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, at.Location())
	}
	for days := range 9 {
		if opens, _, ok := hoursOn(s, at.AddDate(0, 0, days)); ok && opens.After(at) {
			return opens
		}
	}
	return time.Time{}
}

// hoursOn returns when a store opens on a day and when it closes then, which may be after midnight. Both are times of
// the wall clock: on a day that the clocks change, the store opens and closes by the clock.
func hoursOn(s commercemodel.Store, day time.Time) (opens, closes time.Time, ok bool) {
	hours, ok := s.Settings.BusinessHours[Weekdays[day.Weekday()]]
	if !ok || s.ClosedOn != "" && Date(s, day) == s.ClosedOn {
		return opens, closes, false
	}
	from, err := minutes(hours.Open)
	to, errTo := minutes(hours.Close)
	if err != nil || errTo != nil {
		return opens, closes, false
	}
	if to <= from {
		to += 24 * 60
	}
	clock := func(minutes int) time.Time {
		return time.Date(day.Year(), day.Month(), day.Day(), 0, minutes, 0, 0, day.Location())
	}
	return clock(from), clock(to), true
}

// OpenOn reports whether a store is open on a day at all.
func OpenOn(s commercemodel.Store, day time.Time) bool {
	if len(s.Settings.BusinessHours) == 0 {
		return s.ClosedOn == "" || Date(s, day) != s.ClosedOn
	}
	_, _, ok := hoursOn(s, day.In(Zone(s)))
	return ok
}

// Today returns from when to when a store is open on the day of an instant, as HH:MM. It reports false for a day on
// which it is closed.
func Today(s commercemodel.Store, at time.Time) (opens, closes string, ok bool) {
	hours, ok := s.Settings.BusinessHours[Weekdays[at.In(Zone(s)).Weekday()]]
	ok = ok && (s.ClosedOn == "" || Date(s, at) != s.ClosedOn)
	return hours.Open, hours.Close, ok
}
