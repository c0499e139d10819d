package messaging_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/model"
)

// twoConversations opens two conversations of one person, the older under a number and the younger under a user id.
func (r *round) twoConversations() {
	r.t.Helper()
	r.first(r.shows(numberA, "", "m1", 90), r.shows("", "IN.1", "m2", 80))
}

// merges returns the receipt of the message that shows that both conversations belong to one person.
func (r *round) merges() operation { return r.shows(numberA, "IN.1", "m3", 10) }

// calledAfter reports whether the second operation began after the first had ended.
func (r *round) calledAfter() bool {
	return strings.IndexByte(r.String(), 'B') > strings.LastIndexByte(r.String(), 'A')
}

// wantsReadAfter is wantsOne for a conversation that the second operation reads. Nothing is unread only if the first
// had ended by then.
func (r *round) wantsReadAfter(want string, unread int) {
	r.t.Helper()
	if r.calledAfter() {
		unread = 0
	}
	r.wantsOne(shown, want, unread)
}

// wantsArchivedAfter is wantsOne for a conversation that the second operation archives. It stays archived only if the
// first had ended by then.
func (r *round) wantsArchivedAfter(want string, unread int) {
	r.t.Helper()
	if c := r.wantsOne(shown, want, unread); c.Archived != r.calledAfter() {
		r.t.Errorf("archived: %v", c.Archived)
	}
}

// A merge loses no concurrent change and counts nothing twice.
func TestAMergeRaces(t *testing.T) {
	t.Parallel()
	each(t, races, map[string]func(r *round){
		"with a message into the younger conversation": func(r *round) {
			r.twoConversations()
			r.race(r.merges(), r.shows("", "IN.1", "m4", 5))
			r.wantsOne(shown, "m1 m2 m3 m4", 4)
		},
		"with an older message into the younger conversation": func(r *round) {
			r.twoConversations()
			r.race(r.merges(), r.shows("", "IN.1", "m0", 95))
			r.wantsOne(shown, "m0 m1 m2 m3", 4)
		},
		"with a second merge of the same two": func(r *round) {
			r.twoConversations()
			r.race(r.merges(), r.shows(numberA, "IN.1", "m4", 5))
			r.wantsOne(shown, "m1 m2 m3 m4", 4)
		},
		"with a send into the younger conversation": func(r *round) {
			r.twoConversations()
			r.race(r.merges(), r.sends("IN.1", nil))
			r.wantsOne(shown, "m1 m2 m3 queued", 3)
		},
		"with a send to the identifier that leads to the younger conversation": func(r *round) {
			r.first(r.shows("", "IN.1", "m1", 90), r.shows(numberA, "IN.2", "m2", 80))
			r.race(r.shows(numberA, "IN.1", "m3", 10), r.sends("IN.2", nil))
			r.wantsOne(shown, "m1 m2 m3 queued", 3)
		},
	})
	each(t, racesOfThree, map[string]func(r *round){
		"with two more merges of two more conversations": func(r *round) {
			r.twoConversations()
			r.first(r.shows(numberB, "", "m4", 70), r.shows("", "IN.2", "m5", 60))
			r.race(r.merges(), r.shows(numberB, "IN.2", "m6", 5), r.shows(numberA, "IN.2", "m7", 4))
			r.wantsOne(shown, "m1 m2 m4 m5 m3 m6 m7", 7)
		},
	})
	t.Run("with the merge of one of them and a third", func(t *testing.T) {
		for name, third := range map[string]int{"older": 100, "youngest": 70} {
			t.Run(name, func(t *testing.T) {
				races(t, func(r *round) {
					r.twoConversations()
					r.first(r.shows(numberB, "", "m0", third))
					r.race(r.merges(), r.shows(numberB, "IN.1", "m4", 5))
					want := "m0 m1 m2 m3 m4"
					if third < 80 {
						want = "m1 m2 m0 m3 m4"
					}
					if c := r.wantsOne(shown, want, 5); c.From != numberB {
						t.Errorf("answers go to %s", c.From)
					}
				})
			})
		}
	})
}

// A mark affects the person's current conversation: the messages from before the call, and no later ones.
func TestAMergeRacesWithMarks(t *testing.T) {
	t.Parallel()
	each(t, races, map[string]func(r *round){
		"what the younger conversation showed is read, and what came meanwhile is not": func(r *round) {
			r.twoConversations()
			r.race(r.merges(), r.reads("IN.1"))
			r.wantsReadAfter("m1 m2 m3", 2)
		},
		"what the older conversation showed is read, and what came meanwhile is not": func(r *round) {
			r.twoConversations()
			r.race(r.merges(), r.reads(numberA))
			r.wantsReadAfter("m1 m2 m3", 2)
		},
		"the younger conversation that is marked unread counts for one": func(r *round) {
			r.twoConversations()
			r.first(r.reads("IN.1"))
			r.race(r.merges(), r.unreads("IN.1"))
			all := r.threads(shown...)
			r.wants(all, "m1 m2 m3")
			if got := all[0].UnreadCount; got != 2 && got != 3 {
				r.t.Errorf("%d unread", got)
			}
		},
	})
	for name, customer := range map[string]model.CustomerID{"younger": "IN.1", "older": numberA} {
		t.Run("the "+name+" conversation that was put away before the message is out of the archive",
			func(t *testing.T) {
				races(t, func(r *round) {
					r.twoConversations()
					r.race(r.merges(), r.archives(customer))
					r.wantsArchivedAfter("m1 m2 m3", 3)
				})
			})
	}
}

func TestAMergeRacesWithOptOutDecisions(t *testing.T) {
	t.Parallel()
	each(t, races, map[string]func(r *round){
		"a STOP in the younger conversation stands": func(r *round) {
			r.twoConversations()
			r.race(r.merges(), r.says("", "IN.1", "m4", "STOP", 5))
			if c := r.wantsOne(shown, "m1 m2 m3 m4", 4); c.OptedOutAt == "" {
				r.t.Error("the STOP is lost")
			}
		},
		"a STOP that is revoked counts no more": func(r *round) {
			r.twoConversations()
			r.first(r.says("", "IN.1", "m2b", "STOP", 70))
			r.race(r.merges(), r.revokes("", "IN.1", "m4", "m2b", 5))
			if c := r.wantsOne(shown, "m1 m2 m2b m3", 4); c.OptedOutAt != "" {
				r.t.Errorf("opted out at %q by %v", c.OptedOutAt, c.Decisions)
			}
		},
	})
	each(t, racesOfThree, map[string]func(r *round){
		"a STOP in the younger conversation and a later START in the older one": func(r *round) {
			r.twoConversations()
			r.race(r.merges(), r.says("", "IN.1", "m4", "STOP", 5), r.says(numberA, "", "m5", "START", 4))
			if c := r.wantsOne(shown, "m1 m2 m3 m4 m5", 5); c.OptedOutAt != "" || len(c.Decisions) != 2 {
				r.t.Errorf("opted out at %q by %v", c.OptedOutAt, c.Decisions)
			}
		},
	})
}
