package model

import "time"

// Time is a stored instant: ISO 8601, UTC, fixed width, milliseconds, so that strings sort as instants.
type Time string

const timeLayout = "2006-01-02T15:04:05.000Z"

// The first and the last instant that the width allows.
const (
	first Time = "0000-01-01T00:00:00.000Z"
	last  Time = "9999-12-31T23:59:59.999Z"
)

// At returns the stored form of t. A time before the year 0 or after the year 9999 becomes the first or the last
// instant, because a year of another width would sort wrongly.
func At(t time.Time) Time {
	t = t.UTC()
	switch year := t.Year(); {
	case year < 0:
		return first
	case year > 9999:
		return last
	}
	return Time(t.Format(timeLayout))
}

// Go returns the instant; the zero time if the text is not one.
func (t Time) Go() time.Time {
	instant, err := time.Parse(timeLayout, string(t))
	if err != nil {
		return time.Time{}
	}
	return instant
}

// Within returns the first and the last stored instant of a time that ends before before. A zero time does not bound
// it. It reports whether there is any. Instants are stored rounded down to milliseconds, so both are rounded as well.
func Within(since, before time.Time) (from, to Time, some bool) {
	from, to = first, last
	if !since.IsZero() {
		from = At(since)
	}
	if !before.IsZero() {
		to = At(before.Add(-1))
	}
	return from, to, from <= to && (before.IsZero() || since.Before(before))
}
