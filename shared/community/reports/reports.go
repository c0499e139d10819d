// Package reports owns what members report to the moderators of their community, and what these do about it.
package reports

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/notifications"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Reports reads and writes reports.
type Reports struct {
	DB            *dynamo.Client
	Now           func() time.Time
	NewID         func() string
	Audit         *audit.Log
	Communities   *communities.Communities
	Chats         *chats.Chats
	Messages      *messages.Messages
	Notifications *notifications.Notifications
}

// Reasons are why a message is reported. There is no free text, so that a report holds nothing of anybody.
var Reasons = []string{"spam", "abuse", "danger", "fraud", "other"}

// Report reports a message of a group chat to the moderators of its community. One person reports a message once: the
// report's id follows from both, and reporting again changes nothing.
func (s *Reports) Report(ctx context.Context, chat, message model.Name, by communitymodel.User, reason string) (
	r communitymodel.Report, err error) {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: chat}
	seen, err := s.Chats.SeeAsMember(ctx, ref, by)
	if err != nil {
		return r, err
	}
	m, err := s.Messages.Get(ctx, ref, message)
	if err != nil {
		return r, err
	}
	id := communitymodel.Stamped(m.CreatedAt, string(by.ID)+"."+string(message))
	key := keys.CommunityReport(seen.CommunityID, m.CreatedAt, id)
	r = communitymodel.Report{
		PK: key.Partition, SK: key.Sort, ID: id, CommunityID: seen.CommunityID, ChatID: chat, MessageID: message,
		By: by.ID, Reason: reason, CreatedAt: model.At(s.Now()),
	}
	item, err := dynamo.Marshal(r)
	if err != nil {
		return r, err
	}
	community, err := s.Communities.Get(ctx, seen.CommunityID)
	if err != nil {
		return r, err
	}
	told, err := s.Notifications.To(community.Founder, s.Notifications.New(communitymodel.NoticeReport,
		communitymodel.Target{
			Community: seen.CommunityID, ChatKind: communitymodel.Group, Chat: chat, Message: message}))
	if err != nil {
		return r, err
	}
	err = s.DB.Transact(ctx, []dynamo.Write{
		dynamo.Put{Table: tables.Communities, Item: item, If: dynamo.IfAbsent}, told})
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
		return r, s.DB.Get(ctx, tables.Communities, key, &r)
	}
	return r, dynamo.Conflict(err)
}

// List returns up to limit reports of a community, the newest message first, from behind a place, and the place behind
// the last one; "" at the end. A page may be short. open leaves out those that are handled.
func (s *Reports) List(ctx context.Context, community model.Name, by communitymodel.User, open bool, limit int,
	after string) (all []communitymodel.Report, next string, err error) {
	if _, err := s.Communities.SeeAsModerator(ctx, community, by); err != nil {
		return nil, "", err
	}
	q := dynamo.Query{
		Table: tables.Communities, Where: "pk = :community AND begins_with(sk, :reports)", Backwards: true,
		Values: dynamo.Item{
			":community": dynamo.S(keys.Community(community).Partition),
			":reports":   dynamo.S(keys.CommunityReports)},
	}
	if open {
		q.Filter = "attribute_not_exists(Handled)"
	}
	rows, next, err := s.DB.Some(ctx, q, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("reports: %w", err)
	}
	if all, err = dynamo.Entities[communitymodel.Report](rows); err != nil {
		return nil, "", err
	}
	return all, next, nil
}

// Handle ends a report: the message is hidden, or it stays. The first decision counts.
func (s *Reports) Handle(ctx context.Context, community, id model.Name, by communitymodel.User, hide bool,
	actor audit.Actor) (r communitymodel.Report, err error) {
	if _, err := s.Communities.SeeAsModerator(ctx, community, by); err != nil {
		return r, err
	}
	at, err := communitymodel.Stamp(id)
	if err != nil {
		return r, err
	}
	key := keys.CommunityReport(community, at, id)
	if err := s.DB.Get(ctx, tables.Communities, key, &r); err != nil || r.Handled != "" {
		return r, err
	}
	if hide {
		if err := s.Hide(ctx, r.ChatID, r.MessageID, by, actor); err != nil {
			return r, err
		}
	}
	r.Handled, r.HandledBy = model.At(s.Now()), by.ID
	_, err = s.DB.Update(ctx, dynamo.Update{
		Table: tables.Communities, Key: key, Do: "SET Handled = :now, HandledBy = :by",
		If:     "attribute_exists(pk) AND attribute_not_exists(Handled)",
		Values: dynamo.Item{":now": dynamo.S(r.Handled), ":by": dynamo.S(by.ID)},
	})
	return r, dynamo.IgnoreConditionFailed(err)
}

// Hide removes a message of a group chat, by a moderator, with an audit record.
func (s *Reports) Hide(ctx context.Context, chat, message model.Name, by communitymodel.User, actor audit.Actor) error {
	_, record, err := s.Audit.CompletedRecord(audit.Draft{
		Action: "community-message.hide", Tenant: by.TenantID, By: actor,
		Target: audit.Target{Type: "community", ID: string(communitymodel.CommunityOf(chat))},
	}, map[string]any{"messageId": message}, map[string]any{"messageId": message, "hidden": true})
	if err != nil {
		return err
	}
	return s.Messages.Hide(ctx, communitymodel.ChatRef{Kind: communitymodel.Group, ID: chat}, by, message, record)
}
