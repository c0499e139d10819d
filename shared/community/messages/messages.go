// Package messages owns what people write in chats. Every message and every change of one takes an instant of the chat
// that is later than all before, by a condition on the chat's item. So the order of keys is the order of commits, and
// whoever asks what has changed since an instant misses nothing.
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
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/notifications"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Messages reads and writes messages.
type Messages struct {
	DB     *dynamo.Client
	Now    func() time.Time
	NewID  func() string
	Chats  *chats.Chats
	Outbox *outbox.Outbox
	Files  *files.Files
	// Notifications tell authors of what could not be posted.
	Notifications *notifications.Notifications
	// Hint is called after a commit, with the chat and the instant of what has changed. It may be nil.
	Hint func(ctx context.Context, chat communitymodel.Chat, at model.Time)
}

// Bounds of a message.
const (
	MaxText        = 4096 // characters
	maxBytes       = 32 << 10
	MaxMentions    = 20
	MaxAttachments = 10
)

// Draft is a message to post. Of an attachment that is a file it has the id alone.
type Draft struct {
	Content     string
	ReplyTo     model.Name
	Mentions    []model.Name
	Attachments []communitymodel.Attachment
}

// Errors of what cannot be done any more.
var (
	errGone = communitymodel.Breaks("message-gone", "Message gone", "The message was deleted.")
	// ErrBlocked is for a private chat in which one of the two wants nothing from the other.
	ErrBlocked = communitymodel.Forbidden("blocked", "Blocked", "You cannot write in this chat.")
)

// Post posts a message. The conditions are that its author takes part in the chat, and that its instant is later than
// all in the chat. A repeated request gets the first one's message. If too many others come first, or the chat's table
// has no capacity, the message is queued, and so are those of its author behind it: see Message.Queued. It returns
// communitymodel.ErrNoMember, ErrBlocked, and dynamo.ErrNotFound for a chat that its author cannot see.
func (s *Messages) Post(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, d Draft,
	request idempotency.Request) (communitymodel.Message, error) {
	if err := d.check(); err != nil {
		return communitymodel.Message{}, err
	}
	a := &attempts{post: post{ref: ref, by: by}, draft: d, request: request}
	err := dynamo.Retry(ctx, directAttempts, func() error { return s.attempt(ctx, a) })
	if a.may && hasToWait(err) {
		return s.queue(ctx, a)
	}
	if err == nil && a.posted {
		s.hint(ctx, a.seen.Chat, a.message.CreatedAt)
	}
	return a.message, err
}

const (
	// directAttempts is how often a request tries to post before it queues: for about five seconds.
	directAttempts = 16
	// How many attempts to post, and to queue, may find no capacity before the next one ends them. Each has been
	// repeated by the client before.
	throttledPosts, throttledQueues = 1, 8
)

// attempts are the attempts of a request to post a draft.
type attempts struct {
	post
	draft   Draft
	request idempotency.Request
	// may says that the author may post the draft in the chat, and that its files are there.
	may bool
	// posted says that an attempt has posted the message: no earlier request has.
	posted bool
	// throttled counts the attempts that have found no capacity.
	throttled int
}

// attempt posts a draft, or finds what an earlier request has led to. It returns dynamo.ErrConflict to be repeated.
func (s *Messages) attempt(ctx context.Context, a *attempts) error {
	found, err := s.DB.BatchGet(ctx, slices.Concat(a.request.Refs(), s.refs(a.ref, a.by), s.reads(a.ref, a.draft)))
	if err != nil {
		return err
	}
	if done, err := s.earlier(ctx, a, found); err != nil || done {
		return err
	}
	p, err := s.prepare(found, a.post, a.draft)
	if err != nil {
		return err
	}
	if len(p.files) > 0 && !a.may {
		if err := s.Files.Uploaded(ctx, a.by.TenantID, a.ref, p.files); err != nil {
			return err
		}
	}
	a.may = true
	if err := s.behindDrafts(ctx, a); err != nil {
		return err
	}
	writes, err := s.writes(ctx, p, found)
	if err != nil {
		return err
	}
	remember, err := a.request.Writes(s.Now(), made{ID: p.message.ID})
	if err != nil {
		return err
	}
	if err := a.result(throttledPosts, refusal(p, s.DB.Transact(ctx, append(writes, remember...)))); err != nil {
		return err
	}
	a.message, a.seen, a.posted = p.message, p.seen, true
	return nil
}

// result returns the error of an attempt. One that finds no capacity is repeated as one that meets others, if not more
// have found none than a number says.
func (a *attempts) result(most int, err error) error {
	if dynamo.Throttled(err) && a.throttled < most {
		a.throttled++
		return fmt.Errorf("%w: %w", dynamo.ErrConflict, err)
	}
	return err
}

// made is what the record of a request says: the message that it has led to, or the draft that waits.
type made struct {
	ID       model.Name `json:"id,omitempty"`
	Draft    model.Name `json:"draftId,omitempty"`
	QueuedAt model.Time `json:"queuedAt,omitempty"`
}

// earlier finds what an earlier request with the same key has led to, and reports whether there was one.
func (s *Messages) earlier(ctx context.Context, a *attempts, found dynamo.Found) (bool, error) {
	var earlier made
	done, err := a.request.Earlier(found, s.Now(), &earlier)
	if err != nil || !done {
		return false, err
	}
	if earlier.ID == "" {
		a.message = waiting(a.by.ID, a.draft, earlier)
		return true, nil
	}
	a.message, err = s.Get(ctx, a.ref, earlier.ID)
	return true, err
}

func (s *Messages) hint(ctx context.Context, chat communitymodel.Chat, at model.Time) {
	if s.Hint != nil {
		s.Hint(ctx, chat, at)
	}
}

// refs returns the items that every change of a chat depends on.
func (s *Messages) refs(ref communitymodel.ChatRef, by communitymodel.User) []dynamo.Ref {
	return append(chats.Refs(ref, by.ID), dynamo.Ref{Table: settingsTable, Key: keys.CommunitySettings(by.TenantID)},
		outbox.SequenceRef(by.TenantID, keys.EntityChat, string(ref.ID)))
}

// reads returns the items that a draft depends on: the members and the files that it names, and the message that it
// answers.
func (s *Messages) reads(ref communitymodel.ChatRef, d Draft) (refs []dynamo.Ref) {
	for _, user := range d.Mentions {
		refs = append(refs, dynamo.Ref{Table: ref.Table(), Key: ref.Member(user)})
	}
	for _, a := range d.Attachments {
		if a.File != "" {
			refs = append(refs, files.Ref(ref, a.File))
		}
	}
	if d.ReplyTo != "" {
		if at, err := communitymodel.Stamp(d.ReplyTo); err == nil {
			refs = append(refs, messageRef(ref, at, d.ReplyTo))
		}
	}
	return refs
}

func messageRef(ref communitymodel.ChatRef, at model.Time, id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: ref.Table(), Key: keys.ChatMessage(ref.Key(), at, id)}
}

// post is a message that is about to be posted.
type post struct {
	seen    chats.Seen
	ref     communitymodel.ChatRef
	by      communitymodel.User
	message communitymodel.Message
	replied model.Name // whose message it answers
	files   []communitymodel.File
	id      string // in which the message's id ends; "" for a new one
}

// prepare makes the message of a draft, or returns why it cannot be posted.
func (s *Messages) prepare(found dynamo.Found, p post, d Draft) (_ post, err error) {
	if p.seen, err = chats.InAsMember(found, p.ref, p.by); err != nil {
		return p, err
	}
	if p.seen.Membership.Blocks {
		return p, ErrBlocked
	}
	return s.compose(p, found, d)
}

// compose makes the message of a draft. It returns an error for an answer to a message of another chat.
func (s *Messages) compose(p post, found dynamo.Found, d Draft) (post, error) {
	at := communitymodel.After(p.seen.LastAt, s.Now())
	if p.id == "" {
		p.id = s.NewID()
	}
	id := communitymodel.Stamped(at, p.id)
	key := keys.ChatMessage(p.ref.Key(), at, id)
	settings, err := settingsIn(found, p.by.TenantID)
	if err != nil {
		return p, err
	}
	p.message = communitymodel.Message{
		PK: key.Partition, SK: key.Sort, ID: id, Content: Masked(d.Content, settings.Words), CreatedAt: at,
		Reactions: map[string]int64{}, Author: p.by.ID, Seq: p.seen.LastSeq + 1, ReplyTo: d.ReplyTo,
	}
	if err := p.attach(found, d.Attachments); err != nil {
		return p, err
	}
	for _, user := range d.Mentions { // who is no member is not told, and is no mention
		item := dynamo.Ref{Table: p.ref.Table(), Key: p.ref.Member(user)}.Found(found)
		if communitymodel.MemberState(dynamo.Text(item, "State")) == communitymodel.Joined {
			p.message.Mentions = append(p.message.Mentions, user)
		}
	}
	if d.ReplyTo != "" {
		replied, err := messageIn(found, p.ref, d.ReplyTo)
		if err != nil {
			return p, communitymodel.Wrong("body.replyTo", "not a message of this chat")
		}
		p.replied = replied.Author
	}
	return p, nil
}

// attach gives the message its attachments. A file is one that its author has uploaded for the chat, and that no other
// message has.
func (p *post) attach(found dynamo.Found, all []communitymodel.Attachment) error {
	for i, a := range all {
		if a.File != "" {
			f, is, err := files.In(found, p.ref, a.File, p.by.ID)
			if err != nil {
				return err
			}
			if !is {
				return communitymodel.Wrong(fmt.Sprintf("body.attachments[%d].fileId", i),
					"no file that you have uploaded for this chat and not sent yet")
			}
			p.files, a = append(p.files, f), f.Attachment()
		}
		p.message.Attachments = append(p.message.Attachments, a)
	}
	return nil
}

// messageIn returns a message that a batch has read, or dynamo.ErrNotFound.
func messageIn(found dynamo.Found, ref communitymodel.ChatRef, id model.Name) (m communitymodel.Message, err error) {
	at, err := communitymodel.Stamp(id)
	if err != nil {
		return m, err
	}
	item := messageRef(ref, at, id).Found(found)
	if item == nil {
		return m, dynamo.ErrNotFound
	}
	return m, dynamo.Unmarshal(item, &m)
}

// writes returns the writes of a post, and of what follows from it.
func (s *Messages) writes(ctx context.Context, p post, found dynamo.Found) ([]dynamo.Write, error) {
	written, follows, err := s.written(ctx, p, found)
	if err != nil {
		return nil, err
	}
	writes := append(written,
		dynamo.Update{ // what one writes oneself is not unread
			Table: p.ref.Table(), Key: p.ref.Member(p.by.ID), Do: "SET ReadSeq = :seq",
			If: "#State = :joined AND (attribute_not_exists(Blocks) OR Blocks = :no)",
			Values: dynamo.Item{
				":seq": dynamo.N(p.message.Seq), ":joined": dynamo.S(communitymodel.Joined), ":no": dynamo.Bool(false)},
		},
		s.mayWrite(p))
	for _, f := range p.files {
		writes = append(writes, files.Taken(p.ref, f.ID, p.by.ID, p.message.ID))
	}
	mirror, err := s.mirror(ctx, p)
	return slices.Concat(writes, follows, mirror), err
}

// written returns the writes of the message and of its chat, and those of the event that tells members.
func (s *Messages) written(ctx context.Context, p post, found dynamo.Found) (writes, telling []dynamo.Write,
	err error) {
	item, err := dynamo.Marshal(p.message)
	if err != nil {
		return nil, nil, err
	}
	telling, tells, err := s.telling(ctx, p, found)
	if err != nil {
		return nil, nil, err
	}
	chat := dynamo.Update{
		Table: p.ref.Table(), Key: p.ref.Key(), Do: "SET LastSeq = :seq, LastAt = :at",
		Values: dynamo.Item{":seq": dynamo.N(p.message.Seq), ":at": dynamo.S(p.message.CreatedAt)},
	}
	if tells.All {
		chat.Do += ", ToldAt = :at"
	}
	chat.If = moved(p.seen.Chat, chat.Values)
	return []dynamo.Write{dynamo.Put{Table: p.ref.Table(), Item: item, If: dynamo.IfAbsent}, chat}, telling, nil
}

// otherBlocks is the place, among the writes of a post, of the condition that the other one of a private chat does not
// block it.
const otherBlocks = 3

// refusal returns what a failed transaction of a post means: a block, or that it has to be decided anew.
func refusal(p post, err error) error {
	var cancelled *dynamo.TransactionCancelled
	if p.ref.Kind == communitymodel.Private && errors.As(err, &cancelled) && cancelled.Of(otherBlocks).Failed() {
		return ErrBlocked
	}
	return dynamo.Conflict(err)
}

// moved returns the condition that nothing has been written or changed in a chat since it was read.
func moved(chat communitymodel.Chat, values dynamo.Item) string {
	values[":wasSeq"] = dynamo.N(chat.LastSeq)
	return dynamo.And("LastSeq = :wasSeq", dynamo.SameText("LastAt", chat.LastAt, values))
}

// mayWrite returns the condition beside the author's own membership: a ban from the community, and a block by the other
// one of a private chat, hold at once.
func (s *Messages) mayWrite(p post) dynamo.Write {
	if p.ref.Kind == communitymodel.Private {
		return chats.Unblocked(p.ref, p.seen.Chat.Other(p.by.ID))
	}
	return communities.IsMember(p.seen.CommunityID, p.by.ID)
}
