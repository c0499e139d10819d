package messaging_test

import (
	"testing"

	"github.com/haatline/haatline/shared/model"
)

var shown = []model.CustomerID{numberA, numberB, numberC, "IN.1", "IN.2", "IN.3"}

func TestOpeningAConversationRaces(t *testing.T) {
	t.Parallel()
	each(t, races, map[string]func(r *round){
		"a first message, and one that shows its number as somebody's: one conversation": func(r *round) {
			r.race(r.shows(numberA, "", "m1", 9), r.shows(numberA, "IN.1", "m2", 8))
			r.wantsOne(shown, "m1 m2", 2)
		},
		"a first message, and one that shows its user id as a number's: one conversation": func(r *round) {
			r.race(r.shows("", "IN.1", "m1", 9), r.shows(numberA, "IN.1", "m2", 8))
			r.wantsOne(shown, "m1 m2", 2)
		},
		"a first message, and one that shows its user id as that of a number that has written: one conversation": func(
			r *round) {
			r.first(r.shows(numberA, "", "m0", 10))
			r.race(r.shows("", "IN.1", "m1", 9), r.shows(numberA, "IN.1", "m2", 8))
			r.wantsOne(shown, "m0 m1 m2", 3)
		},
		"a first send, and a message that shows its user id as a number's: one conversation": func(r *round) {
			r.race(r.sends("IN.1", nil), r.shows(numberA, "IN.1", "m2", 8))
			r.wantsOne(shown, "m2 queued", 1)
		},
		"a first send, and a message that shows its user id as that of a number that has written: one " +
			"conversation": func(r *round) {
			r.first(r.shows(numberA, "", "m0", 10))
			r.race(r.sends("IN.1", nil), r.shows(numberA, "IN.1", "m2", 8))
			r.wantsOne(shown, "m0 m2 queued", 2)
		},
		"two first messages of one customer: one conversation": func(r *round) {
			r.race(r.shows(numberA, "", "m1", 9), r.shows(numberA, "", "m2", 8))
			r.wantsOne(shown, "m1 m2", 2)
		},
		"two first messages that show the same two identifiers: one conversation": func(r *round) {
			r.race(r.shows(numberA, "IN.1", "m1", 9), r.shows(numberA, "IN.1", "m2", 8))
			r.wantsOne(shown, "m1 m2", 2)
		},
		"messages that show one user id with two numbers: one conversation": func(r *round) {
			r.race(r.shows(numberA, "IN.1", "m1", 9), r.shows(numberB, "IN.1", "m2", 8))
			r.wantsOne(shown, "m1 m2", 2)
		},
		"two first sends to one customer: one conversation": func(r *round) {
			r.race(r.sends(numberA, nil), r.sends(numberA, nil))
			r.wantsOne(shown, "queued queued", 0)
		},
		"a first send and a first message: one conversation": func(r *round) {
			r.race(r.sends(numberA, nil), r.shows(numberA, "", "m1", 8))
			r.wantsOne(shown, "m1 queued", 1)
		},
	})
	each(t, racesOfThree, map[string]func(r *round){
		"three first messages that show one person by two identifiers and both: one conversation": func(r *round) {
			r.race(r.shows(numberA, "", "m1", 9), r.shows("", "IN.1", "m2", 8), r.shows(numberA, "IN.1", "m3", 7))
			r.wantsOne(shown, "m1 m2 m3", 3)
		},
	})
}
