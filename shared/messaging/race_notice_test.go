package messaging_test

import (
	"strings"
	"testing"
)

func TestANoticeOfAChangedNumberRaces(t *testing.T) {
	t.Parallel()
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
			under(t, func(r *round) {
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

// A message from a given-up number belongs to the number's next owner by its own time, whether it is stored before or
// after the notice.
func TestAMessageFromAGivenUpNumberBelongsToTheNextOwner(t *testing.T) {
	t.Parallel()
	for name, race := range map[string]struct {
		before []string
		with   func(r *round) []operation
		want   []string
	}{
		"the person has written": {
			before: []string{"m0"}, want: []string{"m0 n", "s1"},
			with: func(r *round) []operation { return []operation{r.shows(numberA, "", "s1", 10)} },
		},
		"nobody has written": {
			want: []string{"n", "s1"},
			with: func(r *round) []operation { return []operation{r.shows(numberA, "", "s1", 10)} },
		},
		"the person and the stranger have written": {
			before: []string{"m0", "s0"}, want: []string{"m0 n", "s0 s1"},
			with: func(r *round) []operation { return []operation{r.shows(numberA, "", "s1", 10)} },
		},
		"the person writes on, and the stranger has written": {
			before: []string{"m0", "s0"}, want: []string{"m0 n m2", "s0"},
			with: func(r *round) []operation { return []operation{r.shows(numberB, "", "m2", 10)} },
		},
		"the notice comes twice, and the stranger has written": {
			before: []string{"m0", "s0"}, want: []string{"m0 n n2", "s0"},
			with: func(r *round) []operation { return []operation{r.notice("n2", 18, numberA, numberB)} },
		},
		"an operator reads what the stranger has written": {
			before: []string{"m0", "s0"}, want: []string{"m0 n", "s0"},
			with: func(r *round) []operation { return []operation{r.reads(numberA)} },
		},
		"an operator archives what the stranger has written": {
			before: []string{"m0", "s0"}, want: []string{"m0 n", "s0"},
			with: func(r *round) []operation { return []operation{r.archives(numberA)} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			races(t, func(r *round) {
				for i, name := range race.before {
					r.first(r.shows(numberA, "", name, 30-15*i))
				}
				r.race(append(race.with(r), r.notice("n", 20, numberA, numberB))...)
				r.wants(r.threads(shown...), race.want...)
			})
		})
	}
}

func TestAnOptOutOfTheNextOwnerRacesTheNotice(t *testing.T) {
	t.Parallel()
	for name, outs := range map[string][2]bool{"the stranger's": {false, true}, "the person's": {true, false}} {
		t.Run(name, func(t *testing.T) {
			races(t, func(r *round) {
				r.first(r.shows(numberA, "", "m0", 30))
				word := r.says(numberA, "", "s1", "STOP", 10)
				if outs[0] {
					r.first(r.shows(numberA, "", "s0", 12))
					word = r.says(numberA, "", "m1", "STOP", 25)
				}
				r.race(word, r.notice("n", 20, numberA, numberB))
				all := r.threads(shown...)
				if len(all) != 2 || all[0].OptedOutAt != "" != outs[0] || all[1].OptedOutAt != "" != outs[1] {
					t.Errorf("%+v", all)
				}
			})
		})
	}
}
