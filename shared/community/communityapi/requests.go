package communityapi

import (
	"context"
	"net/http"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const requestsTag = "Chat requests"

func (o *service) requests() {
	change(o, creates(op(http.MethodPost, "/group-chats/{chatId}/requests", "ask-to-join-group-chat", requestsTag,
		"Ask to join a private group chat", "Asking again returns the request that waits.", missing, conflict)),
		o.ask)
	read(o, op(http.MethodGet, "/me/requests", "list-my-chat-requests", requestsTag, "List your requests",
		"A page may be short."),
		o.listMyRequests)
	change(o, op(http.MethodPost, "/me/requests/{requestId}/withdraw", "withdraw-chat-request", requestsTag,
		"Withdraw your request", "", missing, conflict), o.withdraw)
	read(o, op(http.MethodGet, "/group-chats/{chatId}/requests", "list-chat-requests", requestsTag,
		"List the requests to join a group chat",
		"For its creator and the community's moderators. A page may be short.", missing),
		o.listRequests)
	for _, to := range []struct {
		verb, summary string
		make          func(context.Context, model.Name, model.Name, communitymodel.User) (communitymodel.ChatRequest,
			error)
	}{
		{"accept", "Let somebody into a group chat", o.Domain.Requests.Accept},
		{"refuse", "Refuse a request", o.Domain.Requests.Refuse},
		{"seen", "Say that a request was seen", o.Domain.Requests.See},
	} {
		change(o, op(http.MethodPost, "/group-chats/{chatId}/requests/{requestId}/"+to.verb,
			to.verb+"-chat-request", requestsTag, to.summary, "For its creator and the community's moderators.",
			missing, conflict),
			func(ctx context.Context, in *requestInput, by communitymodel.User) (*requestOutput, error) {
				r, err := to.make(ctx, in.id(), model.Name(in.RequestID), by)
				return &requestOutput{showRequest(r)}, err
			})
	}
}

type chatRequest struct {
	ID        string `json:"id" doc:"The request's id."`
	UserID    string `json:"userId" doc:"Who asks."`
	ChatID    string `json:"chatId" doc:"The group chat."`
	CreatedAt string `json:"createdAt" doc:"When they have asked."`
	Status    string `json:"status" enum:"pending,accepted,refused,withdrawn" doc:"What has become of it."`
	Seen      bool   `json:"seen" doc:"Whether somebody who may decide has seen it."`
}

func showRequest(r communitymodel.ChatRequest) chatRequest {
	return chatRequest{
		string(r.ID), string(r.UserID), string(r.ChatID), string(r.CreatedAt), string(r.Status), r.Seen}
}

type requestOutput struct{ Body chatRequest }

type requestInput struct {
	ChatIDInput
	RequestID string `path:"requestId" maxLength:"200" doc:"The request's id."`
}

func (o *service) ask(ctx context.Context, in *ChatIDInput, by communitymodel.User) (*requestOutput, error) {
	r, err := o.Domain.Requests.Ask(ctx, in.id(), by)
	return &requestOutput{showRequest(r)}, err
}

type listMyRequestsInput struct {
	httpapi.Page
	Pending bool `query:"pending" doc:"Only those that wait; in no order."`
}

type requestListOutput struct {
	Body httpapi.List[chatRequest]
}

func (o *service) listMyRequests(ctx context.Context, in *listMyRequestsInput, by communitymodel.User) (
	*requestListOutput, error) {
	l, err := operations.PageOf(in.Page, "my requests", string(by.ID), which(in.Pending))
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Domain.Requests.Of(ctx, by.ID, in.Pending, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &requestListOutput{operations.ListOf(rows, showRequest, l.Position(next))}, nil
}

// which says whether a list holds only what waits.
func which(pending bool) string {
	if pending {
		return "pending"
	}
	return "all"
}

type withdrawInput struct {
	RequestID string `path:"requestId" maxLength:"200" doc:"The request's id."`
}

func (o *service) withdraw(ctx context.Context, in *withdrawInput, by communitymodel.User) (*requestOutput, error) {
	r, err := o.Domain.Requests.Withdraw(ctx, model.Name(in.RequestID), by)
	return &requestOutput{showRequest(r)}, err
}

type listRequestsInput struct {
	ChatIDInput
	httpapi.Page
	Pending bool `query:"pending" doc:"Only those that wait; in no order."`
}

func (o *service) listRequests(ctx context.Context, in *listRequestsInput, by communitymodel.User) (
	*requestListOutput, error) {
	l, err := operations.PageOf(in.Page, "requests", in.ChatID, which(in.Pending))
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Domain.Requests.To(ctx, in.id(), by, in.Pending, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &requestListOutput{operations.ListOf(rows, showRequest, l.Position(next))}, nil
}
