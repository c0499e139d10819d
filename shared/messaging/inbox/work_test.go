package inbox

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// The times at which the work was resolved are kept, the latest 20, in order. To resolve what is resolved is none.
func TestTheTimesOfResolvingAreKept(t *testing.T) {
	resolved := model.WorkResolved
	var c model.Conversation
	at := func(i int) model.Time { return model.At(time.Date(2026, 11, 21, i, 0, 0, 0, time.UTC)) }
	for i := range 22 {
		u, err := Work{State: &resolved}.update(keys.Conversation("1055", "919876543210"), c, at(i))
		var stored model.Conversation
		if err == nil {
			err = dynamo.Unmarshal(dynamo.Item{"resolutions": u.Values[":resolutions"]}, &stored)
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := len(stored.Resolutions); n != min(i+1, 20) || stored.Resolutions[n-1] != at(i) {
			t.Errorf("%d: %v", i, stored.Resolutions)
		}
		c.Resolutions = stored.Resolutions
	}
	c.State = model.WorkResolved
	u, err := Work{State: &resolved}.update(keys.Conversation("1055", "919876543210"), c, at(23))
	if err != nil || u.Values[":resolutions"] != nil {
		t.Errorf("resolved again: %v, %v", u.Values, err)
	}
	one := model.Conversation{Resolutions: []model.Time{at(1), at(3)}}
	absorbWork(&one, model.Conversation{Resolutions: []model.Time{at(2)}})
	if diff := cmp.Diff([]model.Time{at(1), at(2), at(3)}, one.Resolutions); diff != "" {
		t.Errorf("of two conversations:\n%s", diff)
	}
}

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
