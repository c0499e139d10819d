package inbox

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
)

func TestTwoConversationsOfOnePersonAreOneWork(t *testing.T) {
	type work struct {
		assignee string
		state    model.WorkState
		until    model.Time
		priority model.Priority
		labels   []string
	}
	of := func(w work) model.Conversation {
		return model.Conversation{
			Assignee: w.assignee, State: w.state, SnoozedUntil: w.until, Priority: w.priority, Labels: w.labels}
	}
	for name, c := range map[string]struct{ older, younger, want work }{
		"nothing": {},
		"who takes care of the older one goes on": {
			work{assignee: "a"}, work{assignee: "b"}, work{assignee: "a"}},
		"else of the younger one": {work{}, work{assignee: "b"}, work{assignee: "b"}},
		"one of them is open":     {work{state: model.WorkResolved}, work{}, work{}},
		"they differ": {
			work{state: model.WorkSnoozed, until: "2026"}, work{state: model.WorkResolved}, work{}},
		"both are resolved": {
			work{state: model.WorkResolved}, work{state: model.WorkResolved}, work{state: model.WorkResolved}},
		"both are snoozed, until the earlier time": {
			work{state: model.WorkSnoozed, until: "2027"}, work{state: model.WorkSnoozed, until: "2026"},
			work{state: model.WorkSnoozed, until: "2026"}},
		"the higher priority": {
			work{priority: model.PriorityLow}, work{priority: model.PriorityUrgent},
			work{priority: model.PriorityUrgent}},
		"normal is higher than low": {work{priority: model.PriorityLow}, work{}, work{}},
		"all labels": {
			work{labels: []string{"rice", "vip"}}, work{labels: []string{"late", "vip"}},
			work{labels: []string{"late", "rice", "vip"}}},
	} {
		got := of(c.older)
		absorbWork(&got, of(c.younger))
		if diff := cmp.Diff(of(c.want), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
