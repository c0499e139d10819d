package bridges

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

const (
	// perStep is how many messages are read before they are sent.
	perStep = 50
	// longestWait is how long a message waits until somebody writes in the WhatsApp group: an older one would be no
	// news any more.
	longestWait = 24 * time.Hour
	// maxText is how many characters a text of WhatsApp has.
	maxText = 4096
)

// mirror sends what was written in a bridged chat.
func (s *Bridges) mirror(ctx context.Context, event model.OutboxEvent) (string, error) {
	var m messages.Mirror
	if err := json.Unmarshal(event.Payload, &m); err != nil {
		return "", outbox.Unreadable(err)
	}
	b, err := s.standing(ctx, m.Phone, m.Group, event)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", nil
	}
	if err == nil {
		err = s.send(ctx, b)
	}
	return "", outbox.Unfinished(err, outbox.NotWritten)
}

// send sends the messages of a bridged chat behind the newest one that was sent, in their order. It may run again, and
// beside itself: each message is sent on the condition that the bridge stands where it was read.
func (s *Bridges) send(ctx context.Context, b communitymodel.Bridge) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		b, err := s.Of(ctx, b.Phone, b.Group)
		if errors.Is(err, dynamo.ErrNotFound) {
			return nil // it was taken down
		}
		for after, more := b.SentTo, true; err == nil && more; {
			var some []communitymodel.Message
			some, more, err = s.Messages.List(ctx, b.Chat(), messages.Page{After: after, Limit: perStep})
			for _, m := range some {
				if err != nil {
					break
				}
				var waits bool
				if b, waits, err = s.sendOne(ctx, b, m); waits {
					return nil
				}
				after = m.CreatedAt
			}
		}
		return err
	})
}

// sendOne sends a message, or leaves it out, and returns the bridge as it is then. It reports whether the message
// waits. What is no message of the chat's own people any more is passed over. It returns dynamo.ErrConflict if the
// bridge has moved on.
func (s *Bridges) sendOne(ctx context.Context, b communitymodel.Bridge, m communitymodel.Message) (
	next communitymodel.Bridge, waits bool, err error) {
	if m.Gone() || m.FromOutside() {
		return b, false, nil
	}
	authors, err := s.Users.Many(ctx, []model.Name{m.Author})
	if err != nil || !authors[m.Author].Active() {
		return b, false, err
	}
	if b.WaitsSince != "" && s.Now().Sub(m.CreatedAt.Go()) > longestWait {
		next, err = s.leavesOut(ctx, b, m, "waited_too_long")
		return next, false, err
	}
	writes, err := s.prepare(ctx, b, m, authors[m.Author])
	if closed(err) && b.WaitsSince == "" {
		if b, err = s.waits(ctx, b); err != nil {
			return b, false, err
		}
		// A message of the WhatsApp group that came meanwhile may not have seen that a message waits.
		writes, err = s.prepare(ctx, b, m, authors[m.Author])
	}
	switch {
	case closed(err):
		return b, true, nil
	case sending.IsRefusal(err):
		var refused *problem.Error
		errors.As(err, &refused)
		next, err = s.leavesOut(ctx, b, m, cmp.Or(refused.Code, "refused"))
		return next, false, err
	case err != nil:
		return b, false, err
	}
	next, moved := movedTo(b, m.CreatedAt)
	return next, false, dynamo.Conflict(s.DB.Transact(ctx, append(writes, moved, dynamo.Check{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(m.Author), // an erasure begins by disabling them
		If: "attribute_exists(pk) AND attribute_not_exists(DisabledAt)",
	})))
}

// closed reports whether WhatsApp takes nothing for a group now: nobody has written there for a day, or ever.
func closed(err error) bool {
	return errors.Is(err, sending.ErrWindowClosed) || errors.Is(err, sending.ErrUnreachable)
}

// movedTo returns a bridge that has sent a message, and the write of that. Its condition is that the bridge stands
// where it was read.
func movedTo(b communitymodel.Bridge, at model.Time) (communitymodel.Bridge, dynamo.Update) {
	u := dynamo.Update{
		Table: tables.Communities, Key: b.Key(), Do: "SET SentTo = :at REMOVE WaitsSince",
		If:     "ChatId = :chat AND SentTo = :was",
		Values: dynamo.Item{":at": dynamo.S(at), ":was": dynamo.S(b.SentTo), ":chat": dynamo.S(b.ChatID)},
	}
	b.SentTo, b.WaitsSince = at, ""
	return b, u
}

// leavesOut leaves a message out, and remembers why.
func (s *Bridges) leavesOut(ctx context.Context, b communitymodel.Bridge, m communitymodel.Message, code string) (
	communitymodel.Bridge, error) {
	next, u := movedTo(b, m.CreatedAt)
	next.WaitsSince = b.WaitsSince // nothing was sent: the others still wait
	u.Do = "SET SentTo = :at, FailureCode = :code, FailedAt = :now, LeftOut = if_not_exists(LeftOut, :none) + :one"
	u.Values[":none"], u.Values[":one"] = dynamo.N(0), dynamo.N(1)
	u.Values[":code"], u.Values[":now"] = dynamo.S(code), dynamo.S(s.now())
	err := s.DB.Update(ctx, u)
	return next, dynamo.Conflict(err)
}

// waits has the messages of a chat wait until somebody writes in the WhatsApp group.
func (s *Bridges) waits(ctx context.Context, b communitymodel.Bridge) (communitymodel.Bridge, error) {
	b.WaitsSince = s.now()
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Communities, Key: b.Key(), Do: "SET WaitsSince = :now", If: "ChatId = :chat AND SentTo = :was",
		Values: dynamo.Item{
			":now": dynamo.S(b.WaitsSince), ":was": dynamo.S(b.SentTo), ":chat": dynamo.S(b.ChatID)},
	})
	return b, dynamo.Conflict(err)
}

// prepare returns the writes by which WhatsApp gets a message: its text under its author's name, as an answer if it is
// one to what WhatsApp knows. The id follows from the message. An erasure of the author finds it.
func (s *Bridges) prepare(ctx context.Context, b communitymodel.Bridge, m communitymodel.Message,
	author communitymodel.User) ([]dynamo.Write, error) {
	out := sending.Outgoing{
		Tenant: b.TenantID, Phone: b.Phone, Customer: model.CustomerID(b.Group), SentBy: s.Domain, Quiet: true,
		Purpose: model.PurposeOf(s.Domain, reference(b.ChatID, m.ID)),
		About:   users.ToldAs(author),
		ID:      sentID(m.ID), Content: content.Text{Body: Text(author.Name, m)},
	}
	var err error
	if out.ReplyTo, err = s.repliesTo(ctx, b, m); err != nil {
		return nil, err
	}
	writes, err := s.writes(ctx, out)
	if errors.Is(err, sending.ErrNoSuchMessage) {
		out.ReplyTo = "" // WhatsApp does not know it, or not yet
		writes, err = s.writes(ctx, out)
	}
	return writes, err
}

func (s *Bridges) writes(ctx context.Context, out sending.Outgoing) ([]dynamo.Write, error) {
	found, err := s.DB.BatchGet(ctx, s.Sender.Refs(out))
	if err != nil {
		return nil, err
	}
	prepared, err := s.Sender.Prepare(ctx, out, found)
	return prepared.Writes, err
}

// repliesTo returns the message of the WhatsApp group that a message answers; "" for none.
func (s *Bridges) repliesTo(ctx context.Context, b communitymodel.Bridge, m communitymodel.Message) (
	model.MessageID, error) {
	if m.ReplyTo == "" {
		return "", nil
	}
	answered, err := s.Messages.Get(ctx, b.Chat(), m.ReplyTo)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return "", nil
	case err != nil:
		return "", err
	case answered.FromOutside():
		return answered.Origin, nil
	}
	return sentID(answered.ID), nil
}

// sentID returns the id of the message by which WhatsApp gets a message of a chat.
func sentID(id model.Name) model.MessageID {
	return model.MessageID(idempotency.Hash("community message", string(id)))
}

// Text returns what WhatsApp gets of a message: its author's name, its text, its links, and the names of its files,
// which stay in the chat. What is too long for a text of WhatsApp ends in an ellipsis.
func Text(author string, m communitymodel.Message) string {
	lines := []string{"*" + strings.Trim(strings.ReplaceAll(author, "*", ""), " ") + "*", m.Content}
	if m.Content == "" {
		lines = lines[:1]
	}
	for _, a := range m.Attachments {
		lines = append(lines, cmp.Or(a.URL, "📎 "+a.Name))
	}
	text := strings.Join(lines, "\n")
	if utf8.RuneCountInString(text) > maxText {
		text = string([]rune(text)[:maxText-1]) + "…"
	}
	return text
}

// mirroring begins the reference of what a bridge sends, in the purpose of its message.
const mirroring = "mirror:"

// reference names the message of a chat that a bridge sends.
func reference(chat, message model.Name) string {
	return mirroring + string(chat) + "/" + string(message)
}

// mirrors returns the message of a chat that a reference names, and reports whether it names one.
func mirrors(reference string) (chat, message model.Name, is bool) {
	of, is := strings.CutPrefix(reference, mirroring)
	if !is {
		return "", "", false
	}
	c, m, is := strings.Cut(of, "/")
	return model.Name(c), model.Name(m), is
}

// messageGone is why a message is not sent any more: it was deleted, hidden, or erased.
const messageGone = "message_gone"

// Still returns why the message that a reference names is not sent any more; "" to send it.
func (s *Bridges) Still(ctx context.Context, reference string) (string, error) {
	chat, id, is := mirrors(reference)
	if !is {
		return "", nil
	}
	m, err := s.Messages.Get(ctx, communitymodel.ChatRef{Kind: communitymodel.Group, ID: chat}, id)
	switch {
	case errors.Is(err, dynamo.ErrNotFound), err == nil && m.Gone():
		return messageGone, nil
	case err != nil:
		return "", fmt.Errorf("%w: %w", outbox.ErrUnread, err)
	}
	return "", nil
}

// Settle returns the writes that remember on a bridge that WhatsApp has not taken a message; none for any other end.
func (s *Bridges) Settle(ctx context.Context, reference string, outcome outbox.Outcome) ([]dynamo.Write, error) {
	id, _, is := mirrors(reference)
	if !is || outcome.Failure == nil {
		return nil, nil
	}
	var chat communitymodel.Chat
	err := s.DB.Get(ctx, tables.GroupChats, keys.GroupChat(id), &chat)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && !chat.Bridged() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	code := outcome.Failure.Class
	if outcome.Failure.Code != 0 {
		code = strconv.FormatInt(outcome.Failure.Code, 10)
	}
	return []dynamo.Write{dynamo.Update{
		Table: tables.Communities, Key: keys.BridgeOf(chat.BridgePhone, chat.BridgeGroup),
		Do: "SET FailureCode = :code, FailedAt = :now, LeftOut = if_not_exists(LeftOut, :none) + :one",
		If: "ChatId = :chat",
		Values: dynamo.Item{
			":code": dynamo.S(cmp.Or(code, "failed")), ":now": dynamo.S(s.now()), ":chat": dynamo.S(id),
			":none": dynamo.N(0), ":one": dynamo.N(1)},
	}}, nil
}
