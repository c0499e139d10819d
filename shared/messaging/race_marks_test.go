package messaging_test

import (
	"testing"

	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

// A person acts on what they see: a message that arrives at the same time stays unread and out of the archive.
func TestANewMessageRacesWithMarks(t *testing.T) {
	t.Parallel()
	each(t, races, map[string]func(r *round){
		"a conversation is put away only with what was there": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.shows(numberA, "", "m2", 9), r.archives(numberA))
			r.wantsArchivedAfter("m1 m2", 2)
		},
		"an older message that comes late takes a conversation out of the archive, too": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.shows(numberA, "", "m0", 95), r.archives(numberA))
			r.wantsArchivedAfter("m0 m1", 2)
		},
		"the first answer of a customer takes a conversation out of the archive": func(r *round) {
			r.first(r.sends(numberA, nil))
			r.race(r.shows(numberA, "", "m1", 9), r.archives(numberA))
			r.wantsArchivedAfter("m1 queued", 1)
		},
		"what comes while a conversation is read stays unread": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.shows(numberA, "", "m2", 9), r.reads(numberA))
			r.wantsReadAfter("m1 m2", 1)
		},
		"an older message that comes while a conversation is read stays unread": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.shows(numberA, "", "m0", 95), r.reads(numberA))
			r.wantsReadAfter("m0 m1", 1)
		},
		"a message that comes while a conversation is marked unread counts": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90), r.reads(numberA))
			r.race(r.shows(numberA, "", "m2", 9), r.unreads(numberA))
			all := r.threads(shown...)
			r.wants(all, "m1 m2")
			if got := all[0].UnreadCount; got != 1 && got != 2 {
				r.t.Errorf("%d unread", got)
			}
		},
		"a conversation that is put away and read is both": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.reads(numberA), r.archives(numberA))
			if c := r.wantsOne(shown, "m1", 0); !c.Archived {
				r.t.Error("it is not put away")
			}
		},
	})
	each(t, racesOfThree, map[string]func(r *round){
		"messages that come while two people read are unread for both": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.shows(numberA, "", "m2", 9), r.reads(numberA), r.reads(numberA))
			all := r.threads(shown...)
			r.wants(all, "m1 m2")
			if got := all[0].UnreadCount; got != 0 && got != 1 {
				r.t.Errorf("%d unread", got)
			}
		},
		"an answer that goes out meanwhile keeps no mark from being made": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.sends(numberA, nil), r.reads(numberA), r.archives(numberA))
			if c := r.wantsOne(shown, "m1 queued", 0); !c.Archived {
				r.t.Error("it is not put away")
			}
		},
	})
}

// All sends into one conversation succeed. Their events are numbered without gaps, and the timeline shows them in that
// order.
func TestSendsIntoOneConversationRace(t *testing.T) {
	t.Parallel()
	each(t, races, map[string]func(r *round){
		"a first send by each of two identifiers of one person goes into one conversation": func(r *round) {
			r.first(r.shows(numberA, "IN.1", "m1", 90))
			accepted := make([]sending.Accepted, 2)
			r.race(r.sends(numberA, &accepted[0]), r.sends("IN.1", &accepted[1]))
			r.wantsOne(shown, "m1 queued queued", 1)
			numbers := map[int64]bool{
				r.relayed(accepted[0]).SequenceNumber: true, r.relayed(accepted[1]).SequenceNumber: true}
			if !numbers[1] || !numbers[2] {
				r.t.Errorf("numbers %v", numbers)
			}
		},
	})
	each(t, racesOfThree, map[string]func(r *round){
		"the timeline shows them in the order in which they will be sent": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			accepted := make([]sending.Accepted, 3)
			r.race(r.sends(numberA, &accepted[0]), r.sends(numberA, &accepted[1]), r.sends(numberA, &accepted[2]))
			c := r.wantsOne(shown, "m1 queued queued queued", 1)
			number := map[string]int64{}
			for _, a := range accepted {
				number["MSG#"+string(a.MessageID)] = r.relayed(a).SequenceNumber
			}
			for i, m := range c.messages[1:] {
				if number[m.PK] != int64(i+1) {
					r.t.Errorf("message %d of ours is number %d of the outbox", i+1, number[m.PK])
				}
			}
		},
		"a message that arrives meanwhile keeps none from going": func(r *round) {
			r.first(r.shows(numberA, "", "m1", 90))
			r.race(r.sends(numberA, nil), r.shows(numberA, "", "m2", 9), r.sends(numberA, nil))
			if c := r.wantsOne(shown, "m1 m2 queued queued", 2); c.LastType != "template" {
				r.t.Errorf("%+v", c)
			}
		},
		"a first send to each of two identifiers that a message shows as one person's": func(r *round) {
			r.race(r.sends(numberA, nil), r.sends("IN.1", nil), r.shows(numberA, "IN.1", "m1", 9))
			c := r.wantsOne(shown, "m1 queued queued", 1)
			for _, id := range []model.CustomerID{numberA, "IN.1"} {
				if s, err := r.CurrentConversation(r.t.Context(), r.phone, id); err != nil || s.PK != c.PK {
					r.t.Errorf("%s leads to %s, %v", id, s.PK, err)
				}
			}
		},
	})
}
