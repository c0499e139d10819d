package messaging

import (
	"strings"
	"testing"
)

func TestANoticeOfAChangedNumberRaces(t *testing.T) {
	db := raceDB(t)
	for name, race := range map[string]struct {
		before   func(r *round) []operation
		with     func(r *round) []operation
		want     []string
		unreadOf []int
	}{
		"with an earlier message: it is the person's": {
			before: func(r *round) []operation { return []operation{r.shows(numberA, "", "m0", 30)} },
			with:   func(r *round) []operation { return []operation{r.shows(numberA, "", "m1", 25)} },
			want:   []string{"m0 m1 n"}, unreadOf: []int{2},
		},
		"with the first message, which is of before: it is the person's": {
			with: func(r *round) []operation { return []operation{r.shows(numberA, "", "m1", 25)} },
			want: []string{"m1 n"}, unreadOf: []int{1},
		},
		"with a message from the new number: it is the person's": {
			before: func(r *round) []operation { return []operation{r.shows(numberA, "", "m0", 30)} },
			with:   func(r *round) []operation { return []operation{r.shows(numberB, "", "m2", 10)} },
			want:   []string{"m0 n m2"}, unreadOf: []int{2},
		},
		"with the first message, which is from the new number: it is the person's": {
			with: func(r *round) []operation { return []operation{r.shows(numberB, "", "m2", 10)} },
			want: []string{"n m2"}, unreadOf: []int{1},
		},
		"with messages of before and after: they are the person's": {
			with: func(r *round) []operation {
				return []operation{r.shows(numberA, "", "m1", 25), r.shows(numberB, "", "m2", 10)}
			},
			want: []string{"m1 n m2"}, unreadOf: []int{2},
		},
		"with itself, under another id": {
			before: func(r *round) []operation { return []operation{r.shows(numberA, "", "m0", 30)} },
			with:   func(r *round) []operation { return []operation{r.notice("n2", 20, numberA, numberB)} },
			want:   []string{"m0 n2 n"}, unreadOf: []int{1},
		},
		"with the next change: the person has the third number": {
			before: func(r *round) []operation { return []operation{r.shows(numberA, "", "m0", 30)} },
			with:   func(r *round) []operation { return []operation{r.notice("n2", 15, numberB, numberC)} },
			want:   []string{"m0 n n2"}, unreadOf: []int{1},
		},
		"with an earlier message of who has had the new number: they are two people": {
			before: func(r *round) []operation { return []operation{r.shows(numberA, "", "m0", 30)} },
			with:   func(r *round) []operation { return []operation{r.shows(numberB, "IN.1", "x1", 25)} },
			want:   []string{"m0 n", "x1"}, unreadOf: []int{1, 1},
		},
		"with a later message of who has had the new number, and shows it still: they are two people": {
			before: func(r *round) []operation {
				return []operation{r.shows(numberB, "IN.1", "x0", 40), r.shows(numberA, "IN.2", "m0", 30)}
			},
			with: func(r *round) []operation { return []operation{r.shows(numberB, "IN.1", "x1", 10)} },
			want: []string{"x0 x1", "m0 n"}, unreadOf: []int{2, 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			under := races
			if strings.Contains(name, "before and after") {
				under = racesOfThree
			}
			under(t, db, func(r *round) {
				if race.before != nil {
					r.first(race.before(r)...)
				}
				r.race(append(race.with(r), r.notice("n", 20, numberA, numberB))...)
				all := r.threads(shown...)
				r.wants(all, race.want...)
				for i, thread := range all {
					if i < len(race.unreadOf) && thread.UnreadCount != race.unreadOf[i] {
						t.Errorf("%d unread in %s, want %d", thread.UnreadCount, race.want[i], race.unreadOf[i])
					}
				}
			})
		})
	}
}

// What a notice says counts from its commit on: a message that is stored with a person by then stays there. Where the person
// had not written yet, the message is the stranger's.
func TestAMessageFromAGivenUpNumberIsAStrangersOnceTheNoticeIsThere(t *testing.T) {
	db := raceDB(t)
	for name, before := range map[string]bool{"the person has written": true, "nobody has written": false} {
		t.Run(name, func(t *testing.T) {
			races(t, db, func(r *round) {
				persons := "n"
				if before {
					r.first(r.shows(numberA, "", "m0", 30))
					persons = "m0 n"
				}
				r.race(r.shows(numberA, "", "s1", 10), r.notice("n", 20, numberA, numberB))
				if storedFirst := strings.LastIndexByte(r.String(), 'A') < strings.LastIndexByte(r.String(), 'B'); storedFirst && before {
					r.wants(r.threads(shown...), persons+" s1")
				} else {
					r.wants(r.threads(shown...), persons, "s1")
				}
			})
		})
	}
}
