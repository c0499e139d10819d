package model

import "time"

// Time is an instant as it is stored: ISO 8601 UTC, fixed width, milliseconds, so that strings sort as instants.
type Time string

const timeLayout = "2006-01-02T15:04:05.000Z"

// At is the stored form of t.
func At(t time.Time) Time { return Time(t.UTC().Format(timeLayout)) }

// Go is the instant; the zero time for a text that is not one.
func (t Time) Go() time.Time {
	instant, err := time.Parse(timeLayout, string(t))
	if err != nil {
		return time.Time{}
	}
	return instant
}
