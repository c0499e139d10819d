package messagingapi

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// allMessages puts the list of the messages of all tenants.
func (o *service) allMessages() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-all-messages", Method: http.MethodGet, Path: "/v1/messages", Tags: []string{"Platform"},
		Summary:  "List the messages of all tenants, newest first",
		Security: httpapi.Needs(httpapi.PlatformManage), Errors: []int{http.StatusBadRequest},
		Description: "By exactly one of direction, status and sender. A message that waits to be sent has no " +
			"direction and no time of sending yet, so it is in none of the lists by these.",
	}, o.listAllMessages)
}

type allMessagesInput struct {
	httpapi.Page
	Direction string    `query:"direction" enum:"inbound,outbound" doc:"Those that customers wrote, or those of tenants."`
	Status    string    `query:"status" enum:"held,sent,delivered,read,played,failed" doc:"Those that have come so far, by when Meta took them."`
	Sender    string    `query:"sender" maxLength:"512" doc:"Those of a customer, by their address." example:"919876543210"`
	Since     time.Time `query:"since" doc:"Only those of then or later."`
	Before    time.Time `query:"before" doc:"Only earlier ones."`
}

// asked returns what is asked for.
func (in *allMessagesInput) asked() (of analytics.Of, err error) {
	of = analytics.Of{Status: model.DeliveryStatus(in.Status), Since: in.Since, Before: in.Before}
	given := 0
	for _, text := range []string{in.Direction, in.Status, in.Sender} {
		if text != "" {
			given++
		}
	}
	if given != 1 {
		return of, httpapi.Invalid("query", "exactly one of direction, status and sender is needed")
	}
	switch in.Direction {
	case "inbound":
		of.Direction = model.Inbound
	case "outbound":
		of.Direction = model.Outbound
	}
	if in.Sender != "" {
		of.From, err = model.ParseCustomer(in.Sender)
	}
	return of, err
}

func (o *service) listAllMessages(ctx context.Context, in *allMessagesInput) (*messageListOutput, error) {
	of, err := in.asked()
	if err != nil {
		return nil, err
	}
	list, err := operations.PageOf(in.Page, "messages of all", in.Direction, in.Status, string(of.From),
		in.Since.String(), in.Before.String())
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Analytics.Everywhere(ctx, of, in.Limit, list.After)
	if err != nil {
		return nil, err
	}
	out := &messageListOutput{messageList{Cursor: list.Position(next).Cursor()}}
	out.Body.Items, err = o.showMessages(ctx, found...)
	return out, err
}
