// Package notifications owns what people of communities are told. A notification names things by their ids, and
// repeats nothing that anybody said: what is deleted or erased there needs no search here.
package notifications

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// lifetime is how long a notification is kept, read or not.
const lifetime = 90 * 24 * time.Hour

// Notifications reads and writes notifications.
type Notifications struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string
}

// texts say what each type of notification tells of.
var texts = map[communitymodel.NotificationType]string{
	communitymodel.NoticeMessage:  "There are new messages.",
	communitymodel.NoticeMention:  "Somebody has mentioned you.",
	communitymodel.NoticeReply:    "Somebody has replied to you.",
	communitymodel.NoticeRequest:  "Somebody asks to join your group chat.",
	communitymodel.NoticeAccepted: "Your request to join a group chat is accepted.",
	communitymodel.NoticeRefused:  "Your request to join a group chat is refused.",
	communitymodel.NoticeRole:     "Your role in a community has changed.",
	communitymodel.NoticeBan:      "You may not take part in a community any more.",
	communitymodel.NoticeReport:   "Somebody has reported a message.",
	communitymodel.NoticeUnposted: "A message of yours that was waiting could not be posted.",
}

// New returns a notification of now, with an id of its own.
func (s *Notifications) New(kind communitymodel.NotificationType,
	target communitymodel.Target) communitymodel.Notification {
	now := model.At(s.Now())
	return s.At(now, s.NewID(), kind, target)
}

// At returns the notification of an instant with an id that the caller chooses: the same one however often it is made.
func (s *Notifications) At(at model.Time, id string, kind communitymodel.NotificationType,
	target communitymodel.Target) communitymodel.Notification {
	return communitymodel.Notification{
		ID: communitymodel.Stamped(at, id), NotificationType: kind, Message: texts[kind], Target: target,
		CreatedAt: at, ExpiresAt: at.Go().Add(lifetime).Unix(),
	}
}

// To returns the write that tells a person. Its condition is that they have no such unread notification.
func (s *Notifications) To(user model.Name, n communitymodel.Notification) (dynamo.Put, error) {
	key := keys.UnreadNotification(user, n.CreatedAt, n.ID)
	n.PK, n.SK = key.Partition, key.Sort
	item, err := dynamo.Marshal(n)
	return dynamo.Put{Table: tables.CommunityNotifications, Item: item, If: dynamo.IfAbsent}, err
}

// ranges are the two ranges of a person's notifications, in the order of their list: unread ones, and read ones.
var ranges = []string{keys.UnreadNotifications, keys.ReadNotifications}

// List returns up to limit notifications of a person, unread ones first, and the newest first among each, from behind
// a place ("" for the beginning), and the place behind the last one; "" at the end. The place is a sort key.
func (s *Notifications) List(ctx context.Context, user model.Name, limit int, after string) (
	all []communitymodel.Notification, next string, err error) {
	for _, prefix := range ranges {
		if after != "" && !strings.HasPrefix(after, prefix) {
			if prefix == keys.UnreadNotifications && strings.HasPrefix(after, keys.ReadNotifications) {
				continue // they are all before the place
			}
			return nil, "", dynamo.ErrPlace
		}
		q := dynamo.Query{
			Table: tables.CommunityNotifications, Where: "pk = :user AND begins_with(sk, :prefix)", Backwards: true,
			Values: dynamo.Item{
				":user": dynamo.S(keys.CommunityUser(user).Partition), ":prefix": dynamo.S(prefix)},
			Limit: int32(limit - len(all) + 1),
		}
		if after != "" {
			q.After = dynamo.Item{keys.PK: q.Values[":user"], keys.SK: dynamo.S(after)}
			after = ""
		}
		page, _, err := dynamo.PageOf[communitymodel.Notification](ctx, s.DB, q)
		if err != nil {
			return nil, "", fmt.Errorf("notifications: %w", err)
		}
		if all = append(all, page...); len(all) > limit {
			return all[:limit], all[limit-1].SK, nil
		}
	}
	return all, "", nil
}

// Unread returns up to limit unread notifications of a person that are later than an instant, the newest first, and
// whether there are more.
func (s *Notifications) Unread(ctx context.Context, user model.Name, after model.Time, limit int) (
	all []communitymodel.Notification, more bool, err error) {
	page, next, err := dynamo.PageOf[communitymodel.Notification](ctx, s.DB, dynamo.Query{
		Table: tables.CommunityNotifications, Where: "pk = :user AND sk BETWEEN :after AND :last", Backwards: true,
		Values: dynamo.Item{
			":user":  dynamo.S(keys.CommunityUser(user).Partition),
			":after": dynamo.S(keys.UnreadNotifications + string(after) + "$"),
			":last":  dynamo.S(keys.UnreadNotifications + "~"),
		},
		Limit: int32(limit),
	})
	if err != nil {
		return nil, false, fmt.Errorf("unread notifications: %w", err)
	}
	return page, next != nil, nil
}

// Read moves a notification to those that a person has read. Its condition is that it is unread; one that is read
// already stays. It returns dynamo.ErrNotFound for one that the person does not have.
func (s *Notifications) Read(ctx context.Context, user, id model.Name) error {
	at, err := communitymodel.Stamp(id)
	if err != nil {
		return err
	}
	unread := dynamo.Ref{Table: tables.CommunityNotifications, Key: keys.UnreadNotification(user, at, id)}
	read := dynamo.Ref{Table: tables.CommunityNotifications, Key: keys.ReadNotification(user, at, id)}
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, []dynamo.Ref{unread, read})
		if err != nil {
			return err
		}
		item := unread.Found(found)
		if item == nil {
			if read.Found(found) == nil {
				return dynamo.ErrNotFound
			}
			return nil
		}
		return s.move(ctx, unread.Key, read.Key, item)
	})
}

// move moves a notification from one key to another, in one transaction.
func (s *Notifications) move(ctx context.Context, from, to keys.Key, item dynamo.Item) error {
	var n communitymodel.Notification
	if err := dynamo.Unmarshal(item, &n); err != nil {
		return err
	}
	n.PK, n.SK, n.Read, n.Seen = to.Partition, to.Sort, true, true
	moved, err := dynamo.Marshal(n)
	if err != nil {
		return err
	}
	return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{
		dynamo.Delete{Table: tables.CommunityNotifications, Key: from, If: dynamo.IfPresent},
		// the same notification may have been told twice, and the first one read
		dynamo.Put{Table: tables.CommunityNotifications, Item: moved, If: dynamo.Unconditional},
	}))
}

// readAtOnce bounds how many notifications one call of ReadAll reads.
const readAtOnce = 100

// ReadAll moves up to a hundred unread notifications to those that are read, the newest first. It returns how many,
// and whether there are more.
func (s *Notifications) ReadAll(ctx context.Context, user model.Name) (moved int, more bool, err error) {
	unread, next, err := s.List(ctx, user, readAtOnce, "")
	if err != nil {
		return 0, false, err
	}
	for _, n := range unread {
		if n.Read {
			return moved, false, nil
		}
		if err := s.Read(ctx, user, n.ID); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return moved, true, err
		}
		moved++
	}
	return moved, next != "" && strings.HasPrefix(next, keys.UnreadNotifications), nil
}

// See marks the unread notifications of a page as seen: they stay unread. The condition is that each is unread.
func (s *Notifications) See(ctx context.Context, user model.Name, ids []model.Name) error {
	for _, id := range ids {
		at, err := communitymodel.Stamp(id)
		if err != nil {
			return err
		}
		err = s.DB.Update(ctx, dynamo.Update{
			Table: tables.CommunityNotifications, Key: keys.UnreadNotification(user, at, id),
			Do: "SET Seen = :yes", If: dynamo.IfPresent, Values: dynamo.Item{":yes": dynamo.Bool(true)},
		})
		if err := dynamo.IgnoreConditionFailed(err); err != nil {
			return err
		}
	}
	return nil
}

// Of returns the query for all notifications of a person.
func Of(user model.Name) dynamo.Query {
	return dynamo.Query{
		Table: tables.CommunityNotifications, Where: "pk = :user",
		Values: dynamo.Item{":user": dynamo.S(keys.CommunityUser(user).Partition)},
	}
}

// erasedAtOnce bounds how many notifications one transaction deletes.
const erasedAtOnce = 50

// Erase deletes a person's notifications. count returns the writes that count them. It may run again.
func (s *Notifications) Erase(ctx context.Context, user model.Name, count func(int) []dynamo.Write) error {
	rows, err := s.DB.Rows(ctx, Of(user))
	if err != nil {
		return fmt.Errorf("erase notifications: %w", err)
	}
	for some := range slices.Chunk(rows, erasedAtOnce) {
		writes := count(len(some))
		for _, row := range some {
			writes = append(writes, dynamo.Delete{
				Table: tables.CommunityNotifications, If: dynamo.IfPresent, Key: keys.Key{
					PartitionName: keys.PK, Partition: dynamo.Text(row, keys.PK), SortName: keys.SK,
					Sort: dynamo.Text(row, keys.SK)},
			})
		}
		if err := dynamo.Conflict(s.DB.Transact(ctx, writes)); err != nil {
			return err
		}
	}
	return nil
}
