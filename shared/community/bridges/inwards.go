package bridges

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// ArrivalType is the type of the event that has a chat follow a message of its WhatsApp group.
const ArrivalType = "community.arrival"

// Arrival is the payload of that event. It holds ids alone: what the message says is read when it is handled, so that
// an erasure meanwhile is heeded.
type Arrival struct {
	Phone   model.PhoneNumberID `json:"phoneNumberId"`
	Group   model.Name          `json:"whatsAppGroupId"`
	Message model.MessageID     `json:"messageId"`
}

// Subscription hears what is written in WhatsApp groups. It leaves the message to others as well.
func (s *Bridges) Subscription() inbound.Subscription {
	return inbound.Subscription{
		Domain: s.Domain, Groups: true, Wants: func(m inbound.Message) bool { return m.Group && m.Live }, React: s.hear,
	}
}

// hear appends the event of a message in a bridged group: of a new message, or of the one that it edits or deletes. Its
// condition is that the message was not heard before.
func (s *Bridges) hear(ctx context.Context, m inbound.Message) (bool, error) {
	group, err := model.Parse[model.Name](string(m.Customer))
	if err != nil {
		return false, nil // no bridge leads there
	}
	b, err := s.Of(ctx, m.Phone, group)
	if errors.Is(err, dynamo.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if tenant, err := m.Tenant(ctx); err != nil || tenant != b.TenantID {
		return false, err // the number is another tenant's by now: neither hears the other
	}
	heard, err := s.heard(b, m.ID)
	if err != nil {
		return false, err
	}
	payload, err := json.Marshal(Arrival{m.Phone, group, cmp.Or(m.Retracts, m.ID)})
	if err != nil {
		return false, err
	}
	entity := string(m.Phone) + "." + string(group)
	return false, dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		sequence := outbox.SequenceRef(b.TenantID, keys.EntityBridge, entity)
		found, err := s.DB.BatchGet(ctx, []dynamo.Ref{sequence})
		if err != nil {
			return err
		}
		_, writes, err := s.Outbox.Append(ctx, sequence.Found(found), outbox.Draft{
			Type: ArrivalType, Tenant: b.TenantID, EntityType: keys.EntityBridge, EntityID: entity, Payload: payload,
		})
		if err != nil {
			return err
		}
		err = s.DB.Transact(ctx, append([]dynamo.Write{heard}, writes...))
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
			return nil
		}
		return dynamo.Conflict(err)
	})
}

// heardFor is for how long a message of a WhatsApp group is remembered: longer than the log keeps it, so that a replay
// does not bring it again.
const heardFor = 45 * 24 * time.Hour

// heard returns the write that remembers that a message of a WhatsApp group was heard. Its condition is that it was
// not.
func (s *Bridges) heard(b communitymodel.Bridge, id model.MessageID) (dynamo.Put, error) {
	key := keys.MirroredMessage(b.Chat().Key(), id)
	item, err := dynamo.Marshal(communitymodel.Mirrored{
		PK: key.Partition, SK: key.Sort, ExpiresAt: s.Now().Add(heardFor).Unix()})
	return dynamo.Put{Table: tables.GroupChats, Item: item, If: dynamo.IfAbsent}, err
}

// Handlers returns the handlers of the events of bridges.
func (s *Bridges) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{ArrivalType: {Send: s.arrive}, messages.MirrorType: {Send: s.mirror}}
}

// arrive has a chat follow a message of its WhatsApp group. If somebody writes there, WhatsApp takes messages again:
// those that wait are sent.
func (s *Bridges) arrive(ctx context.Context, event model.OutboxEvent) (string, error) {
	var a Arrival
	if err := json.Unmarshal(event.Payload, &a); err != nil {
		return "", outbox.Unreadable(err)
	}
	b, err := s.standing(ctx, a.Phone, a.Group, event)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", nil
	}
	if err == nil {
		err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error { return s.follow(ctx, b, a.Message) })
	}
	if err == nil && b.WaitsSince != "" {
		err = s.send(ctx, b)
	}
	return "", outbox.Unfinished(err, outbox.NotWritten)
}

// standing returns the bridge of an event. It returns dynamo.ErrNotFound if it was taken down, and if the number is
// another tenant's by now.
func (s *Bridges) standing(ctx context.Context, phone model.PhoneNumberID, group model.Name,
	event model.OutboxEvent) (communitymodel.Bridge, error) {
	b, err := s.Of(ctx, phone, group)
	if err != nil {
		return b, err
	}
	if event.EcosystemID != b.TenantID {
		return b, dynamo.ErrNotFound
	}
	tenant, err := s.Numbers.TenantOf(ctx, b.Phone)
	if err == nil && tenant != b.TenantID {
		err = dynamo.ErrNotFound
	}
	return b, err
}

// follow has a chat show a message of its WhatsApp group as it is now: posted, edited, or deleted. It may run again.
func (s *Bridges) follow(ctx context.Context, b communitymodel.Bridge, id model.MessageID) error {
	item, err := s.Inbox.MessageItem(ctx, id)
	if err != nil || item == nil {
		return err
	}
	var m model.Message
	if err := dynamo.Unmarshal(item, &m); err != nil {
		return err
	}
	who := model.ParseCustomers(m.From, m.FromUserID)
	if m.Direction != model.Inbound || m.GroupID != string(b.Group) || len(who) == 0 {
		return nil // it was erased, or moved
	}
	guest := messages.Guest{ID: keys.GuestID(b.Phone, who[0]), Name: named(m.SenderName), Tenant: b.TenantID}
	copied, heard, err := s.copyOf(ctx, b, id)
	if err != nil {
		return err
	}
	text := said(m)
	switch {
	case !heard: // it is older than the bridge, so an edit of it is not mirrored
		return nil
	case copied == "" && (m.RevokedAt != "" || text == ""):
		return nil
	case copied == "":
		err = s.post(ctx, b, guest, m, id, text)
	case m.RevokedAt != "":
		err = s.Messages.DeleteFor(ctx, b.Chat(), guest, copied)
	default:
		err = s.edit(ctx, b, guest, copied, text)
	}
	if errors.Is(err, communitymodel.ErrRule) || errors.Is(err, communitymodel.ErrField) ||
		errors.Is(err, dynamo.ErrNotFound) {
		return nil // the chat's own rules come first: a moderator has hidden it, or it was edited too often
	}
	return err
}

// post posts a message of the WhatsApp group. Its conditions are that the bridge stands, that the guest may write, and
// that the message was not posted before.
func (s *Bridges) post(ctx context.Context, b communitymodel.Bridge, guest messages.Guest, m model.Message,
	id model.MessageID, text string) error {
	key := keys.ChatGuest(b.Chat().Key(), guest.ID)
	is, err := s.guest(ctx, b.Chat(), guest.ID)
	if err != nil || is.BannedAt != "" || is.ErasedAt >= m.ReceivedAt {
		return err
	}
	answered, err := s.answered(ctx, b, m)
	if err != nil {
		return err
	}
	return s.Messages.PostFor(ctx, b.Chat(), guest, messages.Copy{
		Draft: messages.Draft{Content: text, ReplyTo: answered}, Of: id},
		func(copied model.Name) []dynamo.Write {
			return []dynamo.Write{
				dynamo.Update{
					Table: tables.GroupChats, Key: keys.MirroredMessage(b.Chat().Key(), id),
					Do: "SET MessageId = :copied", If: "attribute_exists(pk) AND attribute_not_exists(MessageId)",
					Values: dynamo.Item{":copied": dynamo.S(copied)},
				},
				dynamo.Check{
					Table: tables.GroupChats, Key: key,
					If:     "attribute_not_exists(BannedAt) AND (attribute_not_exists(ErasedAt) OR ErasedAt < :at)",
					Values: dynamo.Item{":at": dynamo.S(m.ReceivedAt)},
				},
				dynamo.Check{
					Table: tables.Communities, Key: b.Key(), If: "ChatId = :chat",
					Values: dynamo.Item{":chat": dynamo.S(b.ChatID)},
				},
			}
		})
}

// edit edits the copy of a message of the WhatsApp group, unless the guest is banned. An edit at the very moment of the
// ban may still come: a moderator hides it, as what was written before.
func (s *Bridges) edit(ctx context.Context, b communitymodel.Bridge, guest messages.Guest, copied model.Name,
	text string) error {
	is, err := s.guest(ctx, b.Chat(), guest.ID)
	if err != nil || is.BannedAt != "" {
		return err
	}
	return s.Messages.EditFor(ctx, b.Chat(), guest, copied, text)
}

// guest returns the item of a guest of a chat; the zero Guest if nothing keeps their messages out.
func (s *Bridges) guest(ctx context.Context, chat communitymodel.ChatRef, id model.Name) (
	is communitymodel.Guest, err error) {
	err = s.DB.Get(ctx, chat.Table(), keys.ChatGuest(chat.Key(), id), &is)
	if errors.Is(err, dynamo.ErrNotFound) {
		return communitymodel.Guest{}, nil
	}
	return is, err
}

// copyOf returns the copy of a message of the WhatsApp group in the chat; "" for none. It reports whether the message
// was heard since the bridge was built.
func (s *Bridges) copyOf(ctx context.Context, b communitymodel.Bridge, id model.MessageID) (copied model.Name,
	heard bool, err error) {
	var is communitymodel.Mirrored
	err = s.DB.Get(ctx, tables.GroupChats, keys.MirroredMessage(b.Chat().Key(), id), &is)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", false, nil
	}
	return is.MessageID, err == nil, err
}

// answered returns the message of the chat that a message of the WhatsApp group answers; "" for none. What it answers
// came over the bridge, in one direction or the other.
func (s *Bridges) answered(ctx context.Context, b communitymodel.Bridge, m model.Message) (model.Name, error) {
	var quoted struct{ ID string }
	if json.Unmarshal(m.Context, &quoted) != nil {
		return "", nil
	}
	id, err := model.Parse[model.MessageID](quoted.ID)
	if err != nil {
		return "", nil
	}
	copied, _, err := s.copyOf(ctx, b, id)
	if err != nil || copied != "" {
		return copied, err
	}
	item, err := s.Inbox.MessageItem(ctx, id)
	if err != nil {
		return "", err
	}
	domain, about := model.Purpose(dynamo.Text(item, "purpose")).Parts()
	if chat, message, is := mirrors(about); is && domain == s.Domain && chat == b.ChatID {
		return message, nil
	}
	return "", nil
}

// named returns the name of a participant of a WhatsApp group as it is shown.
func named(name string) string {
	return cmp.Or(model.Truncate(model.ShownLine(name), users.MaxName), "WhatsApp")
}

// said returns what a message says in a chat: its text, or else the line that the inbox shows of it, with the whole
// caption; "" for what is no message of its own. A file stays in the inbox.
func said(m model.Message) string {
	text := cmp.Or(m.TextBody, m.Preview)
	if icon, _, found := strings.Cut(m.Preview, " "); found && m.Caption != "" {
		text = icon + " " + m.Caption
	}
	switch {
	case m.AttachedTo != "", slices.Contains([]string{"edit", "revoke", "reaction", "system"}, m.Type):
		return ""
	case utf8.RuneCountInString(text) > messages.MaxText:
		text = string([]rune(text)[:messages.MaxText])
	}
	return model.Shown(text)
}
