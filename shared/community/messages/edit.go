package messages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// changesKept is for how long a chat tells which messages have changed. A client that was away for longer reads anew.
const changesKept = 7 * 24 * time.Hour

// maxVersions bounds how many former versions of a message are kept, and so how often it is edited.
const maxVersions = 50

// touched is a message that somebody is about to change, in a chat that they take part in or moderate.
type touched struct {
	seen     chats.Seen
	ref      communitymodel.ChatRef
	by       communitymodel.User
	message  communitymodel.Message
	settings communitymodel.Settings
	at       model.Time // of the change
}

// touch reads a message that somebody wants to change, decides, and writes. The conditions are that nothing else has
// happened in the chat, and that the message is as it was read: of an edit and a deletion at once, the second one sees
// the first. sees returns the chat for who may change its messages: chats.InAsMember or moderator.
func (s *Messages) touch(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, id model.Name,
	sees seeing, decide func(t touched) ([]dynamo.Write, error), more ...dynamo.Ref) (t touched, err error) {
	at, err := communitymodel.Stamp(id)
	if err != nil {
		return t, err
	}
	changed := false
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, slices.Concat(s.refs(ref, by), []dynamo.Ref{messageRef(ref, at, id)}, more))
		if err != nil {
			return err
		}
		if t, err = s.touched(found, ref, by, id, sees); err != nil {
			return err
		}
		writes, err := decide(t)
		if err != nil || len(writes) == 0 {
			return err
		}
		rest, err := s.changes(t)
		if err != nil {
			return err
		}
		changed = true
		err = s.DB.Transact(ctx, append(writes, rest...))
		var cancelled *dynamo.TransactionCancelled
		if _, asks := writes[0].(dynamo.Check); asks && errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
			return ErrBlocked
		}
		return dynamo.Conflict(err)
	})
	if err == nil && changed {
		s.hint(ctx, t.seen.Chat, t.at)
	}
	return t, err
}

// seeing returns the chat that a batch has read, as somebody sees it who may change its messages.
type seeing func(dynamo.Found, communitymodel.ChatRef, communitymodel.User) (chats.Seen, error)

// moderator returns a group chat for who moderates it: they need not be in it, and it may be full.
func moderator(found dynamo.Found, ref communitymodel.ChatRef, by communitymodel.User) (chats.Seen, error) {
	seen, err := chats.In(found, ref, by)
	if err == nil && !seen.Moderates(by) {
		err = communitymodel.ErrNoModerator
	}
	return seen, err
}

func (s *Messages) touched(found dynamo.Found, ref communitymodel.ChatRef, by communitymodel.User, id model.Name,
	sees seeing) (t touched, err error) {
	t.ref, t.by = ref, by
	if t.seen, err = sees(found, ref, by); err != nil {
		return t, err
	}
	if t.message, err = messageIn(found, ref, id); err != nil {
		return t, err
	}
	if t.settings, err = settingsIn(found, by.TenantID); err != nil {
		return t, err
	}
	t.at = communitymodel.After(t.seen.LastAt, s.Now())
	return t, nil
}

// changes returns the writes of every change of a message: the chat moves on, the change is listed, and who makes it
// takes part in the chat, or else is a member of the community that they moderate.
func (s *Messages) changes(t touched) ([]dynamo.Write, error) {
	change, err := s.change(t.ref, t.at, t.message.ID)
	if err != nil {
		return nil, err
	}
	writes := []dynamo.Write{change, movesOn(t.ref, t.seen.Chat, t.at)}
	if t.seen.May() {
		writes = append(writes, chats.IsIn(t.ref, t.by.ID))
	}
	if t.seen.Community.May() { // a guest is no member
		writes = append(writes, communities.IsMember(t.seen.CommunityID, t.by.ID))
	}
	return writes, nil
}

// change returns the write that lists the change of a message.
func (s *Messages) change(ref communitymodel.ChatRef, at model.Time, message model.Name) (dynamo.Put, error) {
	key := keys.ChatChange(ref.Key(), at, message)
	item, err := dynamo.Marshal(communitymodel.Change{
		PK: key.Partition, SK: key.Sort, MessageID: message, ExpiresAt: s.Now().Add(changesKept).Unix()})
	return dynamo.Put{Table: ref.Table(), Item: item, If: dynamo.IfAbsent}, err
}

// movesOn returns the write that moves a chat to the instant of a change.
func movesOn(ref communitymodel.ChatRef, chat communitymodel.Chat, at model.Time) dynamo.Update {
	u := dynamo.Update{
		Table: ref.Table(), Key: ref.Key(), Do: "SET LastAt = :at", Values: dynamo.Item{":at": dynamo.S(at)}}
	u.If = moved(chat, u.Values)
	return u
}

// update returns the write that changes the message. Its condition is that it is as it was read, and there.
func (t touched) update(do dynamo.Do, values dynamo.Item) dynamo.Update {
	do.Set = append(do.Set, "ChangedAt = :at")
	values[":at"] = dynamo.S(t.at)
	return dynamo.Update{
		Table: t.ref.Table(), Key: keys.ChatMessage(t.ref.Key(), t.message.CreatedAt, t.message.ID), Do: do.String(),
		If: dynamo.And("attribute_exists(pk) AND attribute_not_exists(DeletedAt) AND attribute_not_exists(HiddenAt)",
			dynamo.SameText("ChangedAt", t.message.ChangedAt, values)),
		Values: values,
	}
}

// unblocked returns the condition that the other one of a private chat does not block it. It is the first write of
// whatever adds something to a message: else a blocked person would go on by editing. A group chat has none.
func (t touched) unblocked() []dynamo.Write {
	if t.ref.Kind != communitymodel.Private {
		return nil
	}
	return []dynamo.Write{chats.Unblocked(t.ref, t.seen.Chat.Other(t.by.ID))}
}

// Edit changes what a message says. Only its author may. The former text is kept as a version.
func (s *Messages) Edit(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, id model.Name,
	content string) (communitymodel.Message, error) {
	return s.edit(ctx, ref, by, id, content, chats.InAsMember)
}

func (s *Messages) edit(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, id model.Name,
	content string, sees seeing) (communitymodel.Message, error) {
	if err := (Draft{Content: content}).check(); err != nil {
		return communitymodel.Message{}, err
	}
	t, err := s.touch(ctx, ref, by, id, sees, func(t touched) ([]dynamo.Write, error) {
		m, masked := t.message, Masked(content, t.settings.Words)
		switch {
		case m.Gone():
			return nil, errGone
		case m.Author != by.ID:
			return nil, communitymodel.Forbidden("not-the-author", "Not the author", "Only its author edits a message.")
		case t.seen.Membership.Blocks:
			return nil, ErrBlocked
		case m.Content == masked:
			return nil, nil
		case m.Versions >= maxVersions:
			return nil, communitymodel.Breaks("too-many-edits", "Too many edits",
				"A message is edited at most %d times.", maxVersions)
		}
		key := keys.MessageVersion(ref.Key(), m.ID, model.Name(fmt.Sprintf("%04d", m.Versions+1)))
		version, err := dynamo.Marshal(communitymodel.Version{
			PK: key.Partition, SK: key.Sort, Author: m.Author, Content: m.Content, At: t.at})
		return append(t.unblocked(),
			t.update(dynamo.Do{Set: []string{"Content = :content", "Editted = :yes", "Versions = :versions"}},
				dynamo.Item{
					":content": dynamo.S(masked), ":yes": dynamo.Bool(true), ":versions": dynamo.N(m.Versions + 1)}),
			dynamo.Put{Table: ref.Table(), Item: version, If: dynamo.IfAbsent},
		), err
	})
	if err != nil || t.message.Content == Masked(content, t.settings.Words) {
		return t.message, err
	}
	m := t.message
	m.Content, m.Editted, m.Versions, m.ChangedAt = Masked(content, t.settings.Words), true, m.Versions+1, t.at
	return m, nil
}

// Versions returns what a message said before it was edited, the oldest first.
func (s *Messages) Versions(ctx context.Context, ref communitymodel.ChatRef, id model.Name) (
	all []communitymodel.Version, err error) {
	rows, err := s.DB.Rows(ctx, beginning(ref, keys.MessageVersions(id)))
	if err != nil {
		return nil, fmt.Errorf("versions: %w", err)
	}
	return dynamo.Entities[communitymodel.Version](rows)
}

// beginning returns the query for the items of a chat whose sort keys begin with a text.
func beginning(ref communitymodel.ChatRef, prefix string) dynamo.Query {
	return dynamo.Query{
		Table: ref.Table(), Where: "pk = :chat AND begins_with(sk, :prefix)",
		Values: dynamo.Item{":chat": dynamo.S(ref.Key().Partition), ":prefix": dynamo.S(prefix)},
	}
}

// Delete deletes a message. Its author may. It keeps its place as a tombstone; what it said, its versions and its
// reactions go. One that is deleted already stays so.
func (s *Messages) Delete(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User,
	id model.Name) error {
	return s.delete(ctx, ref, by, id, chats.InAsMember)
}

func (s *Messages) delete(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, id model.Name,
	sees seeing) error {
	return s.remove(ctx, ref, by, id, "DeletedAt", sees, func(t touched) error {
		if t.message.Author != by.ID {
			return communitymodel.Forbidden("not-the-author", "Not the author", "Only its author deletes a message.")
		}
		return nil
	})
}

// Hide removes a message of a group chat, by a moderator, as a deletion does. audit is the write of its record.
func (s *Messages) Hide(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, id model.Name,
	audit dynamo.Write) error {
	return s.remove(ctx, ref, by, id, "HiddenAt", moderator, func(touched) error { return nil }, audit)
}

// HideReported removes a message of a chat that was reported, as Hide does. The caller knows that by may.
func (s *Messages) HideReported(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User,
	id model.Name, audit dynamo.Write) error {
	return s.remove(ctx, ref, by, id, "HiddenAt", outside, func(touched) error { return nil }, audit)
}

func (s *Messages) remove(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, id model.Name,
	mark string, sees seeing, may func(touched) error, with ...dynamo.Write) error {
	_, err := s.touch(ctx, ref, by, id, sees, func(t touched) ([]dynamo.Write, error) {
		if err := may(t); err != nil || t.message.Gone() {
			return nil, err
		}
		// What hangs on the message goes before its tombstone. What is added meanwhile changes the message, so that
		// the tombstone is not written.
		if err := s.strip(ctx, by.TenantID, ref, t.message); err != nil {
			return nil, err
		}
		return append([]dynamo.Write{t.update(tombstone(mark), dynamo.Item{})}, with...), nil
	})
	return err
}

// tombstone returns the change that leaves nothing of what a message said. mark is the attribute that says when.
func tombstone(mark string) dynamo.Do {
	return dynamo.Do{
		Set: []string{mark + " = :at"},
		Remove: []string{
			"Content", "Reactions", "Editted", "Mentions", "Attachments", "Versions", "ReplyTo", "AuthorName",
			"Origin"},
	}
}

// strip deletes the versions of a message and the reactions to it, and has its files go. It may run again.
func (s *Messages) strip(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef,
	m communitymodel.Message) error {
	// the links to put its files were made before the message was
	if err := s.Files.Drop(ctx, tenant, ref, m.CreatedAt, m.Files()...); err != nil {
		return err
	}
	if m.Versions == 0 && len(m.Reactions) == 0 {
		return nil
	}
	for _, prefix := range []string{keys.MessageVersions(m.ID), keys.MessageReactions(m.ID)} {
		if err := s.removeRows(ctx, ref, beginning(ref, prefix)); err != nil {
			return err
		}
	}
	return nil
}
