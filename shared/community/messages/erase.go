package messages

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// erasedAtOnce bounds how many messages of a person one transaction of an erasure makes tombstones.
const erasedAtOnce = 20

// By returns the query for the messages of a chat that a person has written and that still say something.
func By(ref communitymodel.ChatRef, user model.Name) dynamo.Query {
	q := beginning(ref, keys.ChatMessages)
	q.Filter = "Author = :user AND attribute_not_exists(DeletedAt) AND attribute_not_exists(HiddenAt)"
	q.Values[":user"] = dynamo.S(user)
	return q
}

// VersionsBy returns the query for the former versions of the messages of a person in a chat.
func VersionsBy(ref communitymodel.ChatRef, user model.Name) dynamo.Query {
	q := beginning(ref, "VERSION#")
	q.Filter, q.Values[":user"] = "Author = :user", dynamo.S(user)
	return q
}

// ReactionsBy returns the query for the reactions of a person in a chat.
func ReactionsBy(ref communitymodel.ChatRef, user model.Name) dynamo.Query {
	q := beginning(ref, "REACTION#")
	q.Filter, q.Values[":user"] = "UserId = :user", dynamo.S(user)
	return q
}

// Erase makes tombstones of what a person of a tenant has written in a chat, takes their reactions back, and has their
// files go, sent or not. count returns the writes that count the tombstones. It may run again after any failure.
func (s *Messages) Erase(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef, user model.Name,
	count func(int) []dynamo.Write) error {
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error { return s.buryAll(ctx, tenant, ref, user, count) })
	if err != nil {
		return err
	}
	if err := s.Files.Erase(ctx, tenant, ref, user); err != nil {
		return err
	}
	if err := s.removeRows(ctx, ref, VersionsBy(ref, user)); err != nil {
		return err
	}
	return s.takeBack(ctx, ref, user)
}

// buryAll makes tombstones of a person's messages. It returns dynamo.ErrConflict if something happens in the chat
// meanwhile: what is done stays done.
func (s *Messages) buryAll(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef, user model.Name,
	count func(int) []dynamo.Write) error {
	rows, err := s.DB.Rows(ctx, By(ref, user))
	if err != nil {
		return fmt.Errorf("erase messages: %w", err)
	}
	for some := range slices.Chunk(rows, erasedAtOnce) {
		all := make([]communitymodel.Message, len(some))
		for i, row := range some {
			if err := dynamo.Unmarshal(row, &all[i]); err != nil {
				return err
			}
			if err := s.strip(ctx, tenant, ref, all[i]); err != nil {
				return err
			}
		}
		if err := s.bury(ctx, ref, all, count); err != nil {
			return err
		}
	}
	return nil
}

// bury makes tombstones of messages. The conditions are that they are as they were read, and that nothing has happened
// in the chat since it was read.
func (s *Messages) bury(ctx context.Context, ref communitymodel.ChatRef, all []communitymodel.Message,
	count func(int) []dynamo.Write) error {
	chat, err := s.chat(ctx, ref)
	if err != nil {
		return err
	}
	writes, at := count(len(all)), chat.LastAt
	for _, m := range all {
		at = communitymodel.After(at, s.Now())
		change, err := s.change(ref, at, m.ID)
		if err != nil {
			return err
		}
		t := touched{ref: ref, message: m, at: at}
		writes = append(writes, t.update(tombstone("DeletedAt"), dynamo.Item{}), change)
	}
	return dynamo.Conflict(s.DB.Transact(ctx, append(writes, movesOn(ref, chat, at))))
}

// takeBack takes a person's reactions back.
func (s *Messages) takeBack(ctx context.Context, ref communitymodel.ChatRef, user model.Name) error {
	rows, err := s.DB.Rows(ctx, ReactionsBy(ref, user))
	if err != nil {
		return fmt.Errorf("erase reactions: %w", err)
	}
	for _, row := range rows {
		var r communitymodel.Reaction
		if err := dynamo.Unmarshal(row, &r); err != nil {
			return err
		}
		if err := s.takeBackOne(ctx, ref, r); err != nil {
			return err
		}
	}
	return nil
}

func (s *Messages) takeBackOne(ctx context.Context, ref communitymodel.ChatRef, r communitymodel.Reaction) error {
	own := keys.MessageReaction(ref.Key(), r.MessageID, r.UserID, r.Emoji)
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		chat, err := s.chat(ctx, ref)
		if err != nil {
			return err
		}
		m, err := s.Get(ctx, ref, r.MessageID)
		if err != nil && !isGone(err) {
			return err
		}
		if err != nil || m.Gone() {
			return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{
				dynamo.Delete{Table: ref.Table(), Key: own, If: dynamo.Unconditional}}))
		}
		t := touched{ref: ref, message: m, by: communitymodel.User{ID: r.UserID},
			at: communitymodel.After(chat.LastAt, s.Now())}
		writes, err := reaction(t, own, r.Emoji, m.Reactions[r.Emoji], false)
		if err != nil {
			return err
		}
		change, err := s.change(ref, t.at, m.ID)
		if err != nil {
			return err
		}
		err = s.DB.Transact(ctx, append(writes, change, movesOn(ref, chat, t.at)))
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && cancelled.Of(0).Failed() { // it is taken back already
			return nil
		}
		return dynamo.Conflict(err)
	})
}

// chat returns a chat, or dynamo.ErrNotFound.
func (s *Messages) chat(ctx context.Context, ref communitymodel.ChatRef) (chat communitymodel.Chat, err error) {
	return chat, s.DB.Get(ctx, ref.Table(), ref.Key(), &chat)
}

// removeRows deletes what a query finds.
func (s *Messages) removeRows(ctx context.Context, ref communitymodel.ChatRef, q dynamo.Query) error {
	rows, err := s.DB.Rows(ctx, q)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(rows, 50) {
		writes := make([]dynamo.Write, len(some))
		for i, row := range some {
			writes[i] = dynamo.Delete{Table: ref.Table(), If: dynamo.Unconditional, Key: keys.Key{
				PartitionName: keys.PK, Partition: dynamo.Text(row, keys.PK), SortName: keys.SK,
				Sort: dynamo.Text(row, keys.SK)}}
		}
		if err := s.DB.Transact(ctx, writes); err != nil {
			return dynamo.Conflict(err)
		}
	}
	return nil
}
