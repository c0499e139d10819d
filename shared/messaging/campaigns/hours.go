package campaigns

import (
	"errors"
	"time"
	_ "time/tzdata" // a function has no time zones of its own

	"github.com/haatline/haatline/shared/model"
)

// hours are the hours of a day in a time zone.
type hours struct {
	from, to time.Duration // since midnight
	zone     *time.Location
}

var errHours = errors.New("must be two times of a day such as 09:00, the first before the second, and a time zone " +
	"such as Asia/Kolkata")

func hoursOf(of model.CampaignHours) (h hours, err error) {
	from, wrong := time.Parse("15:04", of.From)
	to, alsoWrong := time.Parse("15:04", of.To)
	if wrong != nil || alsoWrong != nil || !from.Before(to) || of.TimeZone == "" || of.TimeZone == "Local" {
		return h, errHours
	}
	if h.zone, err = time.LoadLocation(of.TimeZone); err != nil {
		return h, errHours
	}
	midnight := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	h.from, h.to = from.Sub(midnight), to.Sub(midnight)
	return h, nil
}

// next returns when the hours begin that an instant is not in; the zero time if it is in them.
func (h hours) next(now time.Time) time.Time {
	local := now.In(h.zone)
	at := func(day int, of time.Duration) time.Time {
		hour, minute := int(of/time.Hour), int(of%time.Hour/time.Minute)
		return time.Date(local.Year(), local.Month(), local.Day()+day, hour, minute, 0, 0, h.zone)
	}
	switch {
	case local.Before(at(0, h.from)):
		return at(0, h.from)
	case local.Before(at(0, h.to)):
		return time.Time{}
	}
	return at(1, h.from)
}
