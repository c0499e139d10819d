package messagingapi

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/hints"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// setPresence is the operation that stores nothing.
const setPresence = "set-conversation-presence"

func (o *service) presence() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: setPresence, Method: http.MethodPut, Path: "/v1/conversations/{conversationId}/presence",
		Tags:     []string{"Conversations"},
		Summary:  "Say that you have a conversation open, are typing, or have gone",
		Security: httpapi.Needs(httpapi.InboxWrite), Errors: []int{http.StatusNotFound},
		Description: "Your colleagues are told on the number's live channel, where there is one, and nothing is " +
			"stored. Repeat it as often as the answer says while it goes on; say that you are away, or say nothing " +
			"more.",
	}, func(ctx context.Context, in *presenceInput) (address, operations.Subject, error) {
		a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Owns)
		if err != nil {
			return a, operations.Subject{}, err
		}
		c, err := o.rooms.Conversation(ctx, a.phone, a.customer)
		_, a.customer, _ = keys.ConversationIDs(c.PK) // the name that colleagues know it by
		return a, operations.Subject{}, err           // nothing is changed, so there is nothing to record
	}, o.setPresence)
}

type presenceInput struct {
	ConversationInput
	Body struct {
		State string `json:"state" enum:"typing,online,away" doc:"What you do: typing says that you are there, too."`
	}
}

type conversationPresence struct {
	State  string `json:"state" enum:"typing,online,away" doc:"What you do."`
	Until  string `json:"until,omitempty" doc:"Until when it holds if you say nothing more."`
	Repeat int64  `json:"repeatAfterSeconds" doc:"After how many seconds to say it again if it goes on; 0 for not at all."`
}

type presenceOutput struct{ Body conversationPresence }

// presences says for how long a state holds, and after how long it is repeated.
var presences = map[string]struct{ holds, repeat time.Duration }{
	"typing": {8 * time.Second, 5 * time.Second},
	"online": {90 * time.Second, time.Minute},
	"away":   {},
}

func (o *service) setPresence(ctx context.Context, in *presenceInput, a address) (*presenceOutput, error) {
	is := presences[in.Body.State]
	told := hints.Present{By: httpapi.CallerOf(ctx).Subject, State: in.Body.State}
	if is.holds > 0 {
		told.Until = model.At(o.rooms.Now().Add(is.holds))
	}
	o.rooms.Hints.Present(ctx, a.tenant, a.phone, a.customer, told)
	return &presenceOutput{conversationPresence{told.State, string(told.Until), int64(is.repeat / time.Second)}}, nil
}
