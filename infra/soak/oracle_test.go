package soak

import (
	"testing"

	"github.com/haatline/haatline/shared/model"
)

// A customer reacts twice in private to what they have said in a group. The first reaction has waited on the message
// and counts for nothing, so the message does not show it, though the other one is later.
func TestAReactionThatWasRefusedIsNotTakenForShown(t *testing.T) {
	by := &customer{name: "A"}
	said := []*message{
		{id: "said", by: by, group: true},
		{id: "first", by: by, kind: "reaction", changes: "said", marker: "marker-first-end"},
		{id: "again", by: by, kind: "reaction", changes: "said", marker: "marker-again-end"},
	}
	for refused, want := range map[bool]int{true: 0, false: 1} {
		r := &result{TB: t}
		w := &simulation{t: r, messages: said}
		reaction := model.Reaction{Emoji: "👍 marker-first-end", MessagePK: "MSG#first", Refused: refused}
		w.checkChange(state{messages: map[string]model.Message{
			"said":  {PK: "MSG#said", GroupID: "GROUP", Reactions: []model.Reaction{reaction}},
			"first": {PK: "MSG#first", AttachedTo: "MSG#said"},
		}}, said[1])
		if len(r.findings) != want {
			t.Errorf("refused %v: %q", refused, r.findings)
		}
	}
}
