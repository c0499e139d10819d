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

// Report reports a message of a chat to the moderators of its community: of a private chat, where the two have met. One
// person reports a message once: the report's id follows from both, and reporting again changes nothing.
func (s *Reports) Report(ctx context.Context, chat communitymodel.ChatRef, message model.Name,
	by communitymodel.User, reason string) (r communitymodel.Report, err error) {
	seen, err := s.Chats.SeeAsMember(ctx, chat, by)
	if err != nil {
		return r, err
	}
	m, err := s.Messages.Get(ctx, chat, message)
	if err != nil {
		return r, err
	}
	id := communitymodel.Stamped(m.CreatedAt, string(by.ID)+"."+string(message))
	key := keys.CommunityReport(seen.CommunityID, m.CreatedAt, id)
	r = communitymodel.Report{
		PK: key.Partition, SK: key.Sort, ID: id, CommunityID: seen.CommunityID, ChatKind: chat.Kind, ChatID: chat.ID,
		MessageID: message, By: by.ID, Reason: reason, CreatedAt: model.At(s.Now()),
	}
	item, err := dynamo.Marshal(r)
	if err != nil {
		return r, err
	}
	told, err := s.tells(ctx, r)
	if err != nil {
		return r, err
	}
	err = s.DB.Transact(ctx, append([]dynamo.Write{
		dynamo.Put{Table: tables.Communities, Item: item, If: dynamo.IfAbsent}}, told...))
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
		return r, s.DB.Get(ctx, tables.Communities, key, &r)
	}
	return r, dynamo.Conflict(err)
}

// tells returns the writes that tell the founder and the moderators of a report, but for who has made it.
func (s *Reports) tells(ctx context.Context, r communitymodel.Report) (writes []dynamo.Write, err error) {
	c, err := s.Communities.Get(ctx, r.CommunityID)
	if err != nil {
		return nil, err
	}
	told := s.Notifications.New(communitymodel.NoticeReport, communitymodel.Target{
		Community: r.CommunityID, ChatKind: r.ChatKind, Chat: r.ChatID, Message: r.MessageID, Report: r.ID})
	for _, moderator := range append([]model.Name{c.Founder}, c.Moderators...) {
		if moderator == r.By {
			continue
		}
		write, err := s.Notifications.To(moderator, told)
		if err != nil {
			return nil, err
		}
		writes = append(writes, write)
	}
	return writes, nil
}

// Reported is a report with the message as it is now.
type Reported struct {
	communitymodel.Report
	Message communitymodel.Message
}

// show adds their messages to reports.
func (s *Reports) show(ctx context.Context, all ...communitymodel.Report) ([]Reported, error) {
	places := make([]messages.Place, len(all))
	for i, r := range all {
		places[i] = messages.Place{Chat: r.Chat(), ID: r.MessageID}
	}
	found, err := s.Messages.At(ctx, places)
	if err != nil {
		return nil, err
	}
	shown := make([]Reported, len(all))
	for i, r := range all {
		shown[i] = Reported{r, found[i]}
	}
	return shown, nil
}

// List returns up to limit reports of a community, the newest message first, from behind a place, and the place behind
// the last one; "" at the end. A page may be short. open leaves out those that are handled. Nobody sees who has
// reported a message of their own.
func (s *Reports) List(ctx context.Context, community model.Name, by communitymodel.User, open bool, limit int,
	after string) (all []Reported, next string, err error) {
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
	found, err := dynamo.Entities[communitymodel.Report](rows)
	if err != nil {
		return nil, "", err
	}
	if all, err = s.show(ctx, found...); err != nil {
		return nil, "", err
	}
	for i := range all {
		if all[i].Message.Author == by.ID {
			all[i].By = ""
		}
	}
	return all, next, nil
}

var errOwnMessage = communitymodel.Forbidden("own-message", "Own message",
	"Another moderator decides whether this message of yours stays.")

// Handle ends a report: the message is hidden, or it stays. The first decision counts. That a message of their own
// stays is decided only by a founder who is the only moderator.
func (s *Reports) Handle(ctx context.Context, community, id model.Name, by communitymodel.User, hide bool,
	actor audit.Actor) (r communitymodel.Report, err error) {
	seen, err := s.Communities.SeeAsModerator(ctx, community, by)
	if err != nil {
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
	shown, err := s.show(ctx, r)
	if err != nil {
		return r, err
	}
	if shown[0].Message.Author == by.ID {
		r.By = ""
		alone := seen.Community.Founder == by.ID && len(seen.Community.Moderators) == 0
		if !hide && !alone {
			return r, errOwnMessage
		}
	}
	if hide {
		if err := s.hides(ctx, r, by, actor); err != nil {
			return r, err
		}
	}
	r.Handled, r.HandledBy = model.At(s.Now()), by.ID
	err = s.DB.Update(ctx, dynamo.Update{
		Table: tables.Communities, Key: key, Do: "SET Handled = :now, HandledBy = :by",
		If:     "attribute_exists(pk) AND attribute_not_exists(Handled)",
		Values: dynamo.Item{":now": dynamo.S(r.Handled), ":by": dynamo.S(by.ID)},
	})
	return r, dynamo.IgnoreConditionFailed(err)
}

// hides removes the message of a report, with an audit record. Who decides a report moderates its community: they need
// not be in the chat, which may be a private one.
func (s *Reports) hides(ctx context.Context, r communitymodel.Report, by communitymodel.User, actor audit.Actor) error {
	record, err := s.record(r.CommunityID, r.MessageID, by, actor)
	if err != nil {
		return err
	}
	return s.Messages.HideReported(ctx, r.Chat(), by, r.MessageID, record)
}

// Hide removes a message of a group chat, by a moderator, with an audit record.
func (s *Reports) Hide(ctx context.Context, chat, message model.Name, by communitymodel.User, actor audit.Actor) error {
	record, err := s.record(communitymodel.CommunityOf(chat), message, by, actor)
	if err != nil {
		return err
	}
	return s.Messages.Hide(ctx, communitymodel.ChatRef{Kind: communitymodel.Group, ID: chat}, by, message, record)
}

// record returns the write of the audit record of a message that is removed.
func (s *Reports) record(community, message model.Name, by communitymodel.User, actor audit.Actor) (
	dynamo.Write, error) {
	_, record, err := s.Audit.CompletedRecord(audit.Draft{
		Action: "community-message.hide", Tenant: by.TenantID, By: actor,
		Target: audit.Target{Type: "community", ID: string(community)},
	}, map[string]any{"messageId": message}, map[string]any{"messageId": message, "hidden": true})
	return record, err
}
