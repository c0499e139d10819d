package messaging_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/model"
)

// The last decision by the order of messages counts, and a revoked one does not, in whatever order they are received.
func TestOptOutDecisionsRace(t *testing.T) {
	t.Parallel()
	for name, race := range map[string]struct {
		say func(r *round) []operation
		by  string // whose word stands: the STOP of this name, "" for none
	}{
		"STOP, START, and the STOP revoked": {say: func(r *round) []operation {
			return []operation{
				r.says(numberA, "", "m1", "STOP", 9), r.says(numberA, "", "m2", "START", 8),
				r.revokes(numberA, "", "m3", "m1", 7)}
		}},
		"START, STOP, and the STOP revoked": {say: func(r *round) []operation {
			return []operation{
				r.says(numberA, "", "m1", "START", 9), r.says(numberA, "", "m2", "STOP", 8),
				r.revokes(numberA, "", "m3", "m2", 7)}
		}},
		"STOP, START, and the START revoked": {by: "m1", say: func(r *round) []operation {
			return []operation{
				r.says(numberA, "", "m1", "STOP", 9), r.says(numberA, "", "m2", "START", 8),
				r.revokes(numberA, "", "m3", "m2", 7)}
		}},
		"STOP, STOP, and the last one revoked": {by: "m1", say: func(r *round) []operation {
			return []operation{
				r.says(numberA, "", "m1", "STOP", 9), r.says(numberA, "", "m2", "STOP", 8),
				r.revokes(numberA, "", "m3", "m2", 7)}
		}},
		"START and then STOP": {by: "m2", say: func(r *round) []operation {
			return []operation{r.says(numberA, "", "m1", "START", 9), r.says(numberA, "", "m2", "STOP", 8)}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			under := races
			if strings.Contains(name, "revoked") {
				under = racesOfThree
			}
			under(t, func(r *round) {
				said := race.say(r)
				r.race(said...)
				c := r.wantsOne(shown, "m1 m2", 2) // a deletion is no message
				var at model.Time
				for _, m := range c.messages {
					if race.by != "" && m.PK == "MSG#"+r.id(race.by) {
						at = m.ReceivedAt
					}
				}
				if c.OptedOutAt != at {
					t.Errorf("opted out at %q, want %q: %v", c.OptedOutAt, at, c.Decisions)
				}
			})
		})
	}
}
