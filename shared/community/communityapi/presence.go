package communityapi

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/presence"
	"github.com/haatline/haatline/shared/httpapi"
)

// setPresence is the operation that stores nothing.
const setPresence = "set-chat-presence"

type presenceInput struct {
	ChatInput
	Body struct {
		State string `json:"state" enum:"typing,online,away" doc:"What you do: typing says that you are there, too."`
	}
}

type chatPresence struct {
	State  string `json:"state" enum:"typing,online,away" doc:"What you do."`
	Until  string `json:"until,omitempty" doc:"Until when it holds if you say nothing more."`
	Repeat int64  `json:"repeatAfterSeconds" doc:"After how many seconds to say it again if it goes on, and not before; 0 for not at all."`
}

type presenceOutput struct{ Body chatPresence }

func (o *service) setPresence(ctx context.Context, in *presenceInput, by communitymodel.User) (*presenceOutput, error) {
	said, err := o.Domain.Presence.Say(ctx, in.ref(), by, httpapi.CallerOf(ctx).Session,
		presence.State(in.Body.State))
	if err != nil {
		return nil, err
	}
	return &presenceOutput{chatPresence{
		string(said.State), string(said.Until), int64((said.Repeat + time.Second - 1) / time.Second)}}, nil
}
