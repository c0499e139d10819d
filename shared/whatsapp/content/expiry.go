package content

import (
	"fmt"
	"reflect"
	"time"
)

const notATime = "must be a time, such as 2026-11-21T12:00:00Z"

// timeOf returns the time that a text says; the zero time if it says none.
func timeOf(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

// ending is implemented by parts of a content that are worth nothing after a time.
type ending interface {
	ends() (field string, at time.Time)
}

func (o Order) ends() (string, time.Time) { return "expiresAt", timeOf(o.ExpiresAt) }

func (t Template) ends() (string, time.Time) { return "offerExpiresAt", timeOf(t.OfferExpiresAt) }

// Over returns the faults of a content whose offer, or whose order, has ended by now. Nobody could take it. It does not
// look into a Message, which was composed before.
func Over(c Content, now time.Time) (found Faults) {
	if _, composed := c.(Message); composed || c == nil {
		return nil
	}
	walk(reflect.Indirect(reflect.ValueOf(c)), "", func(value reflect.Value, path string, _ reflect.StructTag) {
		part, is := value.Interface().(ending)
		if !is {
			return
		}
		if field, at := part.ends(); !at.IsZero() && !at.After(now) {
			found.add(join(path, field), fmt.Sprintf("is over: it ended at %s", at.UTC().Format(time.RFC3339)))
		}
	})
	return found
}
