package messagingapi

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// groupLists puts the lists of a group: its messages, and who asks to join it.
func (o *service) groupLists() {
	tags, reads := []string{"Groups"}, httpapi.Needs(httpapi.InboxRead)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-join-requests", Method: http.MethodGet, Path: groupPath + "/join-requests", Tags: tags,
		Security: reads, Summary: "List those who ask to join a group", Errors: []int{http.StatusNotFound},
		Description: "As far as Meta has told: `look-up-group` reads all of them.",
	}, o.listJoinRequests)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-group-messages", Method: http.MethodGet, Path: groupPath + "/group-messages", Tags: tags,
		Security: reads, Summary: "List the messages of a group, newest first",
		Errors: []int{http.StatusBadRequest, http.StatusNotFound},
		Description: "By when Meta has taken them. A message that waits to be sent shows in the group's conversation " +
			"only, and so does one that was sent before haatline noted the groups of messages. A page may be short " +
			"even if another one follows.",
	}, o.listGroupMessages)
}

type joinRequest struct {
	ID         string     `json:"id" doc:"Meta's id of the request."`
	CustomerID string     `json:"customerId" doc:"Who asks: a number, or a user id."`
	AskedAt    model.Time `json:"askedAt" doc:"When Meta told of it."`
}

func showJoinRequest(j model.JoinRequest) joinRequest {
	return joinRequest{string(j.ID), string(j.CustomerID), j.Order.At()}
}

// openRequests returns those who ask to join a group, by the ids of their requests.
func openRequests(g model.Group) (all []model.JoinRequest) {
	for _, j := range g.JoinRequests {
		if !j.Gone {
			all = append(all, j)
		}
	}
	return all
}

type listJoinRequestsInput struct {
	GroupInput
	httpapi.Page
}

type joinRequestsOutput struct{ Body httpapi.List[joinRequest] }

func (o *service) listJoinRequests(ctx context.Context, in *listJoinRequestsInput) (*joinRequestsOutput, error) {
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	g, _, err := o.group(ctx, &in.GroupInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	page, end := httpapi.CutWhole(in.Page, after, openRequests(g),
		func(j model.JoinRequest) httpapi.Position { return httpapi.Position{At: string(j.ID)} })
	return &joinRequestsOutput{operations.ListOf(page, showJoinRequest, end)}, nil
}

type listGroupMessagesInput struct {
	GroupInput
	httpapi.Page
	Direction string    `query:"direction" enum:"inbound,outbound" doc:"Those that people wrote, or yours."`
	Since     time.Time `query:"since" doc:"Only those of then or later."`
	Before    time.Time `query:"before" doc:"Only earlier ones."`
}

func (o *service) listGroupMessages(ctx context.Context, in *listGroupMessagesInput) (*messageListOutput, error) {
	list, err := operations.PageOf(in.Page, "group messages", in.GroupID, in.Direction, in.Since.String(),
		in.Before.String())
	if err != nil {
		return nil, err
	}
	g, _, err := o.group(ctx, &in.GroupInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	of := groups.Of{Since: in.Since, Before: in.Before}
	switch in.Direction {
	case "inbound":
		of.Direction = model.Inbound
	case "outbound":
		of.Direction = model.Outbound
	}
	found, next, err := o.rooms.Groups.Messages(ctx, g, of, in.Limit, list.After)
	if err != nil {
		return nil, err
	}
	out := &messageListOutput{messageList{Cursor: list.Position(next).Cursor()}}
	out.Body.Items, err = o.showMessages(ctx, found...)
	return out, err
}
