package model_test

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/model"
)

func TestATimeHasAFirstAndALastStoredInstant(t *testing.T) {
	at := func(micros int) time.Time {
		return time.Date(2026, 11, 21, 12, 0, 0, micros*int(time.Microsecond), time.UTC)
	}
	const zero, one = "2026-11-21T12:00:00.000Z", "2026-11-21T12:00:00.001Z"
	const first, last = "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"
	for name, c := range map[string]struct {
		since, before time.Time
		from, to      model.Time
		some          bool
	}{
		"always":                   {time.Time{}, time.Time{}, first, last, true},
		"since":                    {at(0), time.Time{}, zero, last, true},
		"before":                   {time.Time{}, at(1000), first, zero, true},
		"two milliseconds":         {at(0), at(2000), zero, one, true},
		"a part of a millisecond":  {at(100), at(200), zero, zero, true},
		"parts of two":             {at(900), at(1100), zero, one, true},
		"nothing":                  {at(0), at(0), zero, "2026-11-21T11:59:59.999Z", false},
		"no part of a millisecond": {at(100), at(100), zero, zero, false},
		"backwards":                {at(2000), at(0), "2026-11-21T12:00:00.002Z", "2026-11-21T11:59:59.999Z", false},
	} {
		from, to, some := model.Within(c.since, c.before)
		if from != c.from || to != c.to || some != c.some {
			t.Errorf("%s: %s, %s, %t", name, from, to, some)
		}
	}
}
