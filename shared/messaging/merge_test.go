package messaging_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
)

// A merge neither invents nor loses an opt-out decision: the latest of both conversations counts.
func TestAMergeKeepsTheLatestOptOutDecision(t *testing.T) {
	db := raceDB(t)
	words := []string{"", "STOP", "START"}
	n := 0
	for _, older := range words {
		for _, younger := range words {
			for _, olderAfter := range words {
				for _, youngerAfter := range words {
					for _, olderFirst := range []bool{true, false} {
						if !olderFirst && olderAfter+youngerAfter != "" {
							continue
						}
						n++
						r := roundOn(t, db, n)
						r.twoConversations()
						said := []optOutWord{
							{numberA, older, 60}, {"IN.1", younger, 55}, {numberA, olderAfter, 6},
							{"IN.1", youngerAfter, 5}}
						if !olderFirst {
							said[0].minutesAgo = 50
						}
						r.deliverWords(said[:2]...)
						r.first(r.merges())
						r.deliverWords(said[2:]...)
						out := r.conversationOf(numberA).OptedOutAt
						if want := lastWord(said...) == "STOP"; want != (out != "") {
							t.Errorf("%v: opted out at %q", said, out)
						}
					}
				}
			}
		}
	}
}

// An opt-out from before a merge may arrive after it, and counts by its own time.
func TestAnOptOutFromBeforeAMergeThatArrivesAfterItCountsByItsTime(t *testing.T) {
	db := raceDB(t)
	n := 0
	for _, first := range []string{"STOP", "START"} {
		for _, second := range []string{"STOP", "START"} {
			for _, lateOne := range []int{0, 1} {
				n++
				r := roundOn(t, db, n)
				r.twoConversations()
				said := []optOutWord{{numberA, first, 60}, {"IN.1", second, 55}}
				r.deliverWords(said[1-lateOne])
				r.first(r.merges())
				r.deliverWords(said[lateOne])
				if out := r.conversationOf(numberA).OptedOutAt; (out != "") != (second == "STOP") {
					t.Errorf("%v, of which number %d comes late: opted out at %q", said, lateOne, out)
				}
			}
		}
	}
}

// optOutWord is an opt-out word that a customer sends from one of their identifiers; "" for none.
type optOutWord struct {
	identifier, word string
	minutesAgo       int
}

func (r *round) deliverWords(all ...optOutWord) {
	r.t.Helper()
	for _, s := range all {
		number, userID := s.identifier, ""
		if strings.HasPrefix(number, "IN.") {
			number, userID = "", number
		}
		if s.word != "" {
			r.first(r.says(number, userID, fmt.Sprintf("w%d", s.minutesAgo), s.word, s.minutesAgo))
		}
	}
}

func lastWord(all ...optOutWord) string {
	said := slices.DeleteFunc(slices.Clone(all), func(s optOutWord) bool { return s.word == "" })
	if len(said) == 0 {
		return ""
	}
	return slices.MinFunc(said, func(a, b optOutWord) int { return a.minutesAgo - b.minutesAgo }).word
}

func TestAMergeTakesTheLatestAddressAndTheLatestMessage(t *testing.T) {
	db := raceDB(t)
	for n, c := range []struct {
		older, younger, merging int // minutes ago
		address, last           string
	}{
		{older: 90, younger: 50, merging: 10, address: numberA, last: "m3"},
		{older: 90, younger: 50, merging: 70, address: numberB, last: "m2"},
		{older: 90, younger: 50, merging: 95, address: numberB, last: "m2"},
	} {
		r := roundOn(t, db, n)
		r.first(r.shows(numberA, "", "m1", c.older), r.shows(numberB, "IN.1", "m2", c.younger),
			r.shows(numberA, "IN.1", "m3", c.merging))
		all := r.threads(shown...)
		if len(all) != 1 || all[0].From != c.address || all[0].LastMessagePK != "MSG#"+r.id(c.last) ||
			all[0].UnreadCount != 3 {
			t.Errorf("%+v: %+v", c, all)
		}
	}
	t.Run("also where a later message of the older conversation is the newest", func(t *testing.T) {
		r := roundOn(t, db, 10)
		r.first(r.shows(numberA, "", "m1", 90), r.shows(numberB, "IN.1", "m2", 50), r.shows(numberA, "", "m4", 20),
			r.shows(numberA, "IN.1", "m3", 60))
		if c := r.wantsOne(shown, "m1 m3 m2 m4", 4); c.From != numberA {
			t.Errorf("answers go to %s", c.From)
		}
	})
}

// mergesSilently merges two conversations without a message, which would take the conversation out of the archive.
func (r *round) mergesSilently() operation {
	return func(ctx context.Context, s *messaging.Domain) error {
		return s.ApplyNotice(ctx, r.phone,
			model.IdentityFact{At: model.OrderOf(model.At(ago(3)), 0), Shows: []model.CustomerID{numberA, "IN.1"}})
	}
}

// at runs an operation some minutes ago.
func at(minutesAgo int, o operation) operation {
	return func(ctx context.Context, s *messaging.Domain) error {
		s = s.With(func(c *messaging.Config) { c.Now = func() time.Time { return ago(minutesAgo) } })
		return o(ctx, s)
	}
}

func TestAMergeTakesTheLatestArchiveDecision(t *testing.T) {
	db := raceDB(t)
	for n, c := range []struct {
		name     string
		happens  func(r *round) []operation
		archived bool
	}{
		{"nobody has put anything away", func(r *round) []operation { return nil }, false},
		{"both are put away", func(r *round) []operation {
			return []operation{at(50, r.archives(numberA)), at(49, r.archives("IN.1"))}
		}, true},
		{"the older one is put away, and then the younger one gets a message", func(r *round) []operation {
			return []operation{at(50, r.archives(numberA)), r.shows("", "IN.1", "m4", 40)}
		}, false},
		{"the younger one is put away, and then the older one gets a message", func(r *round) []operation {
			return []operation{at(50, r.archives("IN.1")), r.shows(numberA, "", "m4", 40)}
		}, false},
		{"the younger one is put away, and the older one has a message that nobody has read",
			func(r *round) []operation {
				return []operation{r.shows(numberA, "", "m4", 40), at(30, r.archives("IN.1"))}
			}, false},
		{"the younger one is put away after the older one's messages have been read", func(r *round) []operation {
			return []operation{r.shows(numberA, "", "m4", 40), r.reads(numberA), at(30, r.archives("IN.1"))}
		}, true},
		{"both are put away, and a message shows that they are one person's", func(r *round) []operation {
			return []operation{at(50, r.archives(numberA)), at(49, r.archives("IN.1")), r.merges()}
		}, false},
	} {
		r := roundOn(t, db, n)
		r.twoConversations()
		r.first(c.happens(r)...)
		r.first(r.mergesSilently())
		all := r.threads(shown...)
		if len(all) != 1 || all[0].Archived != c.archived {
			t.Errorf("%s: archived %v, want %v", c.name, all[0].Archived, c.archived)
		}
	}
}

func TestAMergeLosesNoMessageOfAThirdConversation(t *testing.T) {
	db := raceDB(t)
	r := roundOn(t, db, 1)
	r.first(r.shows("", "IN.2", "m0", 100))
	r.twoConversations()
	r.first(r.shows(numberA, "", "m4", 60), r.shows("", "IN.1", "m5", 55), r.sends("IN.1", nil))
	r.first(r.merges(), r.shows("", "IN.1", "m6", 8), r.shows(numberA, "IN.2", "m7", 6), r.shows("", "IN.1", "m8", 5))
	c := r.wantsOne(shown, "m0 m1 m2 m4 m5 m3 m6 m7 m8 queued", 9)
	for limit := 1; limit <= 4; limit++ {
		var all []string
		for below := (inbox.Position{}); ; {
			page, next, err := r.Timeline(t.Context(), c.Conversation, limit, below)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range page {
				all = append(all, m.PK)
			}
			if below = next; below == (inbox.Position{}) {
				break
			}
		}
		slices.Reverse(all)
		if !slices.EqualFunc(all, c.messages, func(pk string, m model.Message) bool { return pk == m.PK }) {
			t.Errorf("in pages of %d: %v", limit, all)
		}
	}
}

func TestMarkingAMergedConversationMarksTheCurrentOne(t *testing.T) {
	db := raceDB(t)
	for n, customer := range []model.CustomerID{"IN.1", numberA, numberB} {
		r := roundOn(t, db, n)
		r.twoConversations()
		r.first(r.shows(numberB, "", "m0", 95), r.merges(), r.shows(numberB, "IN.1", "m4", 5), r.archives(customer),
			r.reads(customer))
		if c := r.wantsOne(shown, "m0 m1 m2 m3 m4", 0); !c.Archived {
			t.Errorf("by %s: not put away", customer)
		}
		r.first(r.unreads(customer), func(ctx context.Context, s *messaging.Domain) error {
			return s.SetArchived(ctx, r.phone, customer, false)
		})
		if c := r.wantsOne(shown, "m0 m1 m2 m3 m4", 1); c.Archived {
			t.Errorf("by %s: not taken back", customer)
		}
	}
	if err := roundOn(t, db, 99).reads("IN.1")(t.Context(), roundOn(t, db, 99).Domain); err != inbox.ErrNoConversation {
		t.Errorf("a conversation that nobody has: %v", err)
	}
}
