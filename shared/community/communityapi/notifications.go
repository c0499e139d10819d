package communityapi

import (
	"context"
	"net/http"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const notificationsTag = "Community notifications"

func (o *service) notifications() {
	read(o, op(http.MethodGet, "/me/notifications", "list-my-notifications", notificationsTag,
		"List what you were told, unread first",
		"The newest first among those that are unread, and among those that are read."),
		o.listNotifications)
	change(o, quiet(op(http.MethodPost, "/me/notifications/seen", "see-notifications", notificationsTag,
		"Say that notifications were shown to you", "They stay unread.", missing)), o.seeNotifications)
	change(o, quiet(op(http.MethodPost, "/me/notifications/{notificationId}/read", "read-notification",
		notificationsTag,
		"Mark a notification as read", "", missing, conflict)), o.readNotification)
	change(o, op(http.MethodPost, "/me/notifications/read", "read-all-notifications", notificationsTag,
		"Mark up to a hundred notifications as read", "Call it again while there are more."), o.readAllNotifications)
}

// communityTarget is what a notification leads to.
type communityTarget struct {
	CommunityID string `json:"communityId,omitempty" doc:"The community."`
	ChatKind    string `json:"chatKind,omitempty" enum:"group,private" doc:"Which kind of chat."`
	ChatID      string `json:"chatId,omitempty" doc:"The chat."`
	MessageID   string `json:"messageId,omitempty" doc:"The message."`
	RequestID   string `json:"requestId,omitempty" doc:"The request."`
	UserID      string `json:"userId,omitempty" doc:"Who asks."`
}

type communityNotification struct {
	ID        string          `json:"id" doc:"The notification's id."`
	Type      string          `json:"type" example:"mention" doc:"What it tells of."`
	Message   string          `json:"message" doc:"The same in words."`
	Target    communityTarget `json:"target" doc:"What it leads to."`
	Read      bool            `json:"read" doc:"Whether you have read it."`
	Seen      bool            `json:"seen" doc:"Whether it was shown to you."`
	CreatedAt string          `json:"createdAt" doc:"When you were told."`
}

func showNotification(n communitymodel.Notification) communityNotification {
	return communityNotification{
		string(n.ID), string(n.NotificationType), n.Message, communityTarget{
			string(n.Target.Community), string(n.Target.ChatKind), string(n.Target.Chat), string(n.Target.Message),
			string(n.Target.Request), string(n.Target.User)}, n.Read, n.Seen, string(n.CreatedAt)}
}

type notificationListOutput struct {
	Body httpapi.List[communityNotification]
}

func (o *service) listNotifications(ctx context.Context, in *pageInput, by communitymodel.User) (
	*notificationListOutput, error) {
	l, err := operations.PageOf(in.Page, "notifications", string(by.ID))
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Domain.Notifications.List(ctx, by.ID, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &notificationListOutput{operations.ListOf(rows, showNotification, l.Position(next))}, nil
}

type seeNotificationsInput struct {
	Body struct {
		IDs []string `json:"ids" minItems:"1" maxItems:"100" doc:"Which ones."`
	}
}

func (o *service) seeNotifications(ctx context.Context, in *seeNotificationsInput, by communitymodel.User) (
	*done, error) {
	ids, err := names(in.Body.IDs)
	if err != nil {
		return nil, err
	}
	return nil, o.Domain.Notifications.See(ctx, by.ID, ids)
}

type notificationInput struct {
	NotificationID string `path:"notificationId" maxLength:"200" doc:"The notification's id."`
}

func (o *service) readNotification(ctx context.Context, in *notificationInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Notifications.Read(ctx, by.ID, model.Name(in.NotificationID))
}

type readAllOutput struct {
	Body struct {
		More bool `json:"more" doc:"Whether there are more."`
	}
}

func (o *service) readAllNotifications(ctx context.Context, _ *struct{}, by communitymodel.User) (
	*readAllOutput, error) {
	out := &readAllOutput{}
	var err error
	_, out.Body.More, err = o.Domain.Notifications.ReadAll(ctx, by.ID)
	return out, err
}
