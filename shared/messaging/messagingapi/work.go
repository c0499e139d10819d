package messagingapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// longestSnooze bounds until when a conversation is snoozed.
const longestSnooze = 366 * 24 * time.Hour

func (o *service) work() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "change-conversation-work", Method: http.MethodPatch,
		Path: "/v1/conversations/{conversationId}/work", Tags: []string{"Conversations"},
		Summary: "Say who takes care of a conversation, and what is left to do",
		Description: "What is left out stays. A message of the customer opens a conversation that is waiting, " +
			"snoozed or resolved; one that comes while you resolve it keeps it open. A snoozed one is open again at " +
			"its time.",
		DefaultStatus: http.StatusNoContent, Security: httpapi.Needs(httpapi.InboxWrite),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *changeWorkInput) (address, operations.Subject, error) {
		return o.ownConversation(ctx, &in.ConversationInput)
	}, o.changeWork)
}

type changeWorkInput struct {
	ConversationInput
	Body struct {
		Assignee     *string   `json:"assignee,omitempty" maxLength:"128" doc:"The id of the colleague who takes care of it: me for yourself, an empty text for nobody."`
		State        string    `json:"state,omitempty" enum:"open,waiting,snoozed,resolved" doc:"What is left to do: waiting is for the customer."`
		SnoozedUntil string    `json:"snoozedUntil,omitempty" format:"date-time" doc:"Until when a snoozed one needs nobody."`
		Priority     string    `json:"priority,omitempty" enum:"low,normal,high,urgent" doc:"How urgent it is."`
		Labels       *[]string `json:"labels,omitempty" maxItems:"20" doc:"Its labels, in place of those that it has; each of up to 40 characters."`
	}
}

func (o *service) changeWork(ctx context.Context, in *changeWorkInput, a address) (*done, error) {
	var w inbox.Work
	var err error
	if in.Body.Assignee != nil {
		if w.Assignee, err = o.colleague(ctx, *in.Body.Assignee, "body.assignee"); err != nil {
			return nil, err
		}
	}
	if in.Body.State != "" {
		if w.State, w.SnoozedUntil, err = o.stateOf(in.Body.State, in.Body.SnoozedUntil); err != nil {
			return nil, err
		}
	}
	if in.Body.Priority != "" {
		w.Priority = priorityOf(in.Body.Priority)
	}
	if in.Body.Labels != nil {
		if w.Labels, err = labelsOf(*in.Body.Labels); err != nil {
			return nil, err
		}
	}
	return nil, o.rooms.SetWork(ctx, a.phone, a.customer, w)
}

// itself is how callers name themselves.
const itself = "me"

// colleague returns the subject of the colleague whom a caller names in a field; "" for nobody. It returns a problem
// for somebody who has never signed in.
func (o *service) colleague(ctx context.Context, named, field string) (*string, error) {
	switch named {
	case "":
		return &named, nil
	case itself:
		named = httpapi.CallerOf(ctx).Subject
	default:
		found, err := o.People.Find(ctx, named)
		if err != nil {
			return nil, err
		}
		if found[named].Subject == "" {
			return nil, httpapi.Invalid(field, "nobody who signs in here")
		}
	}
	return &named, nil
}

// stateOf returns a state, and until when it holds.
func (o *service) stateOf(name, until string) (*model.WorkState, model.Time, error) {
	state := workStates[name]
	if state != model.WorkSnoozed {
		return &state, "", nil
	}
	at, err := time.Parse(time.RFC3339, until)
	if now := o.rooms.Now(); err != nil || !at.After(now) || at.After(now.Add(longestSnooze)) {
		return nil, "", httpapi.Invalid("body.snoozedUntil", "a time to come, within a year")
	}
	return &state, model.At(at), nil
}

// workStates are the states by their names.
var workStates = map[string]model.WorkState{
	"open": model.WorkOpen, "waiting": model.WorkWaiting, "snoozed": model.WorkSnoozed, "resolved": model.WorkResolved}

// stateName returns the name of a state.
func stateName(state model.WorkState) string {
	if state == model.WorkOpen {
		return "open"
	}
	return string(state)
}

// priorityOf returns a priority by its name.
func priorityOf(name string) *model.Priority {
	p := model.Priority(name)
	if name == "normal" {
		p = model.PriorityNormal
	}
	return &p
}

// maxLabel bounds a label, in characters.
const maxLabel = 40

// labelsOf returns labels in their order, each once.
func labelsOf(all []string) ([]string, error) {
	labels := make([]string, len(all))
	for i, label := range all {
		labels[i] = strings.TrimSpace(label)
		if labels[i] == "" || len([]rune(label)) > maxLabel || labels[i] != model.ShownLine(labels[i]) {
			return nil, httpapi.Invalid("body.labels", "1 to 40 characters on one line each")
		}
	}
	slices.Sort(labels)
	return slices.Compact(labels), nil
}

// WorkQuery selects conversations by what a team does about them.
type WorkQuery struct {
	Assignee string `query:"assignee" maxLength:"128" doc:"Those of a colleague: me for yourself, none for those of nobody."`
	State    string `query:"state" enum:"open,waiting,snoozed,resolved" doc:"Those in a state."`
	Priority string `query:"priority" enum:"low,normal,high,urgent" doc:"Those of a priority."`
	Label    string `query:"label" maxLength:"40" doc:"Those with a label."`
}

// filter adds to a filter what the query selects.
func (q WorkQuery) filter(ctx context.Context, f inbox.Filter) inbox.Filter {
	f.Label = q.Label
	switch q.Assignee {
	case "none":
		f.Unassigned = true
	case itself:
		f.Assignee = httpapi.CallerOf(ctx).Subject
	default:
		f.Assignee = q.Assignee
	}
	if state, is := workStates[q.State]; is {
		f.State = &state
	}
	if q.Priority != "" {
		f.Priority = priorityOf(q.Priority)
	}
	return f
}
