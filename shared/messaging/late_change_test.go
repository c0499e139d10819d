package messaging_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// changes is a customer's edit, deletion or reaction.
func changes(kind, number, userID, name, original string, minutesAgo int) lateStep {
	return lateStep{name, func(r *round) operation {
		more := map[string]wt.Object{
			"revoke": revokeOf(r.id(original)), "edit": editOf(r.id(original), "as edited"),
			"reaction": reactionTo(r.id(original), "👍"),
		}[kind]
		m := wt.Message(number, r.id(name), kind, ago(minutesAgo), more)
		if number == "" {
			delete(m, "from")
		}
		if userID != "" {
			m["from_user_id"] = userID
		}
		return r.receives(m)
	}}
}

// changeOn says what stands on a message: the kind of the change that counts, or nothing.
func (r *round) changeOn(name string) string {
	r.t.Helper()
	m, err := r.Domain.Message(r.t.Context(), model.MessageID(r.id(name)))
	if err != nil {
		r.t.Fatal(err)
	}
	var all []string
	if m.RevokedAt != "" && m.TextBody == "" {
		all = append(all, "revoke")
	}
	if m.EditedAt != "" && m.TextBody == "as edited" {
		all = append(all, "edit")
	}
	for range m.ShownReactions() {
		all = append(all, "reaction")
	}
	return strings.Join(all, " ")
}

// A change, its message, and what explains that both are one person's end alike in every order: the message shows the
// change, and the change is no line of its own.
func TestAChangeFindsItsMessageInEveryOrder(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]struct {
		steps   []lateStep
		by, id  string // who changes the message m1, with the message c
		threads []string
	}{
		"the number changed in between": {
			steps: []lateStep{writes(numberA, "m1", "mine", 30), notices("n", 20, numberA, numberB)},
			by:    numberB, threads: []string{"m1 n"},
		},
		"it was the last word, and asked to stop": {
			steps: []lateStep{writes(numberA, "m1", "STOP", 30), notices("n", 20, numberA, numberB)},
			by:    numberB, threads: []string{"m1 n"},
		},
		"the number changed twice": {
			steps: []lateStep{
				writes(numberA, "m1", "mine", 30), notices("n1", 20, numberA, numberB),
				notices("n2", 15, numberB, numberC)},
			by: numberC, threads: []string{"m1 n1 n2"},
		},
		"the new number was somebody else's before": {
			steps: []lateStep{
				writes(numberB, "o1", "theirs", 40), writes(numberA, "m1", "mine", 30),
				notices("o2", 25, numberB, numberC), notices("n", 20, numberA, numberB),
			},
			by: numberB, threads: []string{"o1 o2", "m1 n"},
		},
		"a message shows both identifiers": {
			steps: []lateStep{writes(numberA, "m1", "mine", 30), shows(numberA, "IN.1", "m2", 5)},
			id:    "IN.1", threads: []string{"m1 m2"},
		},
	} {
		for _, kind := range []string{"revoke", "edit", "reaction"} {
			t.Run(name+": "+kind, func(t *testing.T) {
				begin := roundsAlike(t)
				steps := append(slices.Clone(story.steps), changes(kind, story.by, story.id, "c", "m1", 10))
				for _, order := range permutations(len(steps)) {
					r, came := begin(), ""
					for _, step := range order {
						came += " " + steps[step].name
						r.first(steps[step].run(r))
					}
					threads := r.threads(shown...)
					r.wants(threads, story.threads...)
					if got := r.changeOn("m1"); got != kind {
						r.t.Errorf("%q stands on the message", got)
					}
					if stays := strings.Contains(name, "stop") &&
						kind == "reaction"; (threads[0].OptedOutAt != "") != stays {
						r.t.Errorf("opted out at %q", threads[0].OptedOutAt)
					}
					if t.Failed() {
						t.Fatalf("in the order%s", came)
					}
				}
			})
		}
	}
}

// A change by the next owner of a number never counts for the message of the former one, in whatever order they and the
// notice come.
func TestTheNextOwnerOfANumberChangesNothingInAnyOrder(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"revoke", "edit", "reaction"} {
		t.Run(kind, func(t *testing.T) {
			begin := roundsAlike(t)
			steps := []lateStep{
				writes(numberA, "m1", "mine", 30), notices("n", 20, numberA, numberB),
				changes(kind, numberA, "", "c", "m1", 10)}
			for _, order := range permutations(len(steps)) {
				r := begin()
				for _, step := range order {
					r.first(steps[step].run(r))
				}
				if got := r.changeOn("m1"); got != "" {
					t.Fatalf("%s stands on the message in the order %v", got, order)
				}
			}
		})
	}
}

// A reaction in private never belongs to a message of a group, and the other way round, whichever comes first.
func TestAChangeStaysInItsGroup(t *testing.T) {
	db := raceDB(t)
	grouped := func(m wt.Object, group string) wt.Object {
		if group != "" {
			m["group_id"] = group
		}
		return m
	}
	for i, c := range []struct{ of, by string }{
		{"GROUP-1", ""}, {"", "GROUP-1"}, {"GROUP-1", "GROUP-2"}, {"GROUP-1", "GROUP-1"}} {
		for _, kind := range []string{"revoke", "edit", "reaction"} {
			for round, order := range permutations(2) {
				r := roundOn(t, db, 100*i+10*len(kind)+round)
				text := grouped(wt.Text(numberA, r.id("m1"), "hello", ago(30)), c.of)
				more := map[string]wt.Object{
					"revoke": revokeOf(r.id("m1")), "edit": editOf(r.id("m1"), "as edited"),
					"reaction": reactionTo(r.id("m1"), "👍"),
				}[kind]
				bodies := []wt.Object{text, grouped(wt.Message(numberA, r.id("c"), kind, ago(10), more), c.by)}
				for _, n := range order {
					r.first(r.receives(bodies[n]))
				}
				want := ""
				if c.of == c.by {
					want = kind
				}
				if got := r.changeOn("m1"); got != want {
					t.Errorf("%s: %q stands on a message, want %q, in the order %v", fmt.Sprint(c), got, want, order)
				}
			}
		}
	}
}

// A reaction that was made in private to what stands in a group counts for nothing, whatever is decided again later.
func TestANoticeGivesAGroupNoReactionOfAPrivateChat(t *testing.T) {
	begin := roundsAlike(t)
	inGroup := lateStep{"m1", func(r *round) operation {
		m := r.text(numberA, "", "m1", "hello", 30)
		m["group_id"] = "GROUP-1"
		return r.receives(m)
	}}
	steps := []lateStep{
		inGroup, changes("reaction", numberA, "", "c1", "m1", 25), notices("n", 20, numberA, numberB),
		changes("reaction", numberB, "", "c2", "m1", 10),
	}
	for _, order := range permutations(len(steps)) {
		r := begin()
		for _, step := range order {
			r.first(steps[step].run(r))
		}
		if got := r.changeOn("m1"); got != "" {
			t.Errorf("%q stands on the message in the order %v", got, order)
		}
	}
}
