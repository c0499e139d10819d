package cardsapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) notifications() {
	const tag = "Card notifications"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-notifications", Method: http.MethodGet, Path: "/v1/cards/notifications", Tags: []string{tag},
		Summary: "List notifications, newest first",
		Description: "By state; about one request; or those that are due to be sent again. A failed one is sent " +
			"again three times, after 5 minutes, " +
			"30 minutes and 2 hours, unless it would fail again for sure. A page of those that are due may hold " +
			"fewer than there are.",
		Security: httpapi.Needs(httpapi.CardsRead), Errors: []int{http.StatusNotFound},
	}, o.listNotifications)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "resend-notification", Method: http.MethodPost,
		Path: "/v1/cards/notifications/{notificationId}/resend", Tags: []string{tag},
		Summary: "Send a failed notification again", DefaultStatus: http.StatusAccepted,
		Security: httpapi.Needs(httpapi.CardsWrite), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.findNotification,
		func(ctx context.Context, _ *notificationInput, n cardsmodel.Notification) (*notificationOutput, error) {
			by, err := o.by(ctx)
			if err != nil {
				return nil, err
			}
			again, err := o.domain.Notifications.Resend(ctx, n.NotificationID, by)
			return &notificationOutput{showNotification(again)}, err
		})
}

type notificationInput struct {
	NotificationID string `path:"notificationId" maxLength:"512" doc:"The notification's id."`
}

type cardNotification struct {
	ID            string `json:"id" doc:"The notification's id."`
	Type          string `json:"type" enum:"approval_request,card_approved,card_rejected,card_request_expired" doc:"What it says, which is also the template's name."`
	RequestID     string `json:"requestId" doc:"The request that it is about."`
	UserID        string `json:"userId" doc:"Whose request it is."`
	Recipient     string `json:"recipient,omitempty" doc:"The number or Meta's user id; absent after an erasure."`
	RecipientName string `json:"recipientName,omitempty" doc:"What the recipient is called."`
	Content       string `json:"content,omitempty" doc:"The template and what fills it."`
	State         string `json:"state" enum:"pending,sent,delivered,read,failed" doc:"How far it has come."`
	MessageID     string `json:"messageId,omitempty" doc:"WhatsApp's id of the message."`
	OutboxEventID string `json:"outboxEventId,omitempty" doc:"The outbox event that sends it."`
	RetryCount    int    `json:"retryCount" doc:"How often it was sent again."`
	LastError     string `json:"lastError,omitempty" doc:"Why it failed."`
	NextRetryAt   string `json:"nextRetryAt,omitempty" doc:"When it is sent again by itself."`
	CreatedAt     string `json:"createdAt" doc:"When it was decided to send it."`
	SentAt        string `json:"sentAt,omitempty" doc:"When WhatsApp took it."`
	DeliveredAt   string `json:"deliveredAt,omitempty" doc:"When it was delivered."`
}

func showNotification(n cardsmodel.Notification) cardNotification {
	return cardNotification{
		ID: string(n.NotificationID), Type: n.NotificationType, RequestID: string(n.RelatedEntityID),
		UserID: string(n.EcosystemID), Recipient: n.RecipientPhone,
		RecipientName: n.RecipientName, Content: n.MessageContent, State: string(n.DeliveryStatus),
		MessageID: string(n.WPPMessageID), OutboxEventID: n.OutboxEventID,
		RetryCount: n.RetryCount, LastError: n.LastError, NextRetryAt: string(n.NextRetryAt),
		CreatedAt: string(n.CreatedAt), SentAt: string(n.SentAt),
		DeliveredAt: string(n.DeliveredAt),
	}
}

type notificationOutput struct{ Body cardNotification }

type listNotificationsInput struct {
	operations.TenantInput
	httpapi.Page
	State     string `query:"state" enum:"pending,sent,delivered,read,failed" default:"failed" doc:"Those in a state."`
	RequestID string `query:"requestId" maxLength:"128" doc:"Those about a request, in whatever state."`
	Due       bool   `query:"due" doc:"Those that have failed and are due to be sent again."`
}

type notificationListOutput struct {
	Body httpapi.List[cardNotification]
}

func (o *service) listNotifications(ctx context.Context, in *listNotificationsInput) (*notificationListOutput, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	filter := notifications.Filter{Tenant: tenant, Status: cardsmodel.NotificationStatus(in.State), Due: in.Due}
	if in.RequestID != "" {
		if filter.Request, err = model.Parse[model.Name](in.RequestID); err != nil {
			return nil, err
		}
	}
	l, err := operations.PageOf(in.Page, "notifications", string(tenant), in.RequestID, in.State,
		strconv.FormatBool(in.Due))
	if err != nil {
		return nil, err
	}
	rows, next, err := o.domain.Notifications.List(ctx, filter, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	caller := httpapi.CallerOf(ctx)
	for _, n := range rows { // all are about one request, or of one tenant
		if !caller.Sees(n.TenantID) {
			return nil, dynamo.ErrNotFound
		}
	}
	if in.RequestID != "" && in.Cursor == "" && len(rows) == 0 {
		return nil, dynamo.ErrNotFound
	}
	return &notificationListOutput{operations.ListOf(rows, showNotification, l.Position(next))}, nil
}

// findNotification finds a notification that the caller may send again.
func (o *service) findNotification(ctx context.Context,
	in *notificationInput) (cardsmodel.Notification, operations.Subject, error) {
	none := operations.Subject{}
	id, err := model.Parse[model.Name](in.NotificationID)
	if err != nil {
		return cardsmodel.Notification{}, none, err
	}
	n, err := o.domain.Notifications.Get(ctx, id)
	if err == nil && !httpapi.CallerOf(ctx).Owns(n.TenantID) {
		err = dynamo.ErrNotFound
	}
	return n, none, err
}
