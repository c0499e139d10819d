package sending

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// MarkRead marks the messages that are unread when it is called as read. If there are any, it sends a read receipt for
// the customer's last one through the outbox. Messages that arrive later stay unread. It returns
// inbox.ErrNoConversation if there is no conversation.
func (s *Sender) MarkRead(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID,
	customer model.CustomerID) error {
	_, err := s.read(ctx, &reading{tenant: tenant, phone: phone}, customer)
	return err
}

// ShowTyping shows the customer for 25 seconds that somebody is writing an answer. WhatsApp does so with the read
// receipt of the customer's last message, so ShowTyping also does what MarkRead does. It returns
// inbox.ErrNoConversation if there is no conversation, ErrWindowClosed if the customer has never written, and
// idempotency.ErrKeyReused.
func (s *Sender) ShowTyping(
	ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID,
	request idempotency.Request,
) (Accepted, error) {
	return s.read(ctx, &reading{tenant: tenant, phone: phone, typing: true, request: request}, customer)
}

// reading is a conversation that is being marked as read.
type reading struct {
	tenant  model.TenantID
	phone   model.PhoneNumberID
	typing  bool
	request idempotency.Request
	// first is the conversation as it was first read; it may be merged into another one since.
	first *model.Conversation
}

func (s *Sender) read(ctx context.Context, r *reading, customer model.CustomerID) (accepted Accepted, err error) {
	err = s.Inbox.OnCurrent(ctx, r.phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		return nil, dynamo.Retry(ctx, dynamo.MaxAttempts, func() (err error) {
			accepted, err = s.markRead(ctx, r, customer)
			return err
		})
	})
	return accepted, err
}

// markRead marks the conversation under a key. If there is no current one, it returns a *dynamo.ConditionFailed.
func (s *Sender) markRead(ctx context.Context, r *reading, customer model.CustomerID) (accepted Accepted, err error) {
	conversation := dynamo.Ref{Table: tables.Messages, Key: keys.Conversation(r.phone, customer)}
	sequence := outbox.SequenceRef(r.tenant, EntityType, keys.WhatsAppEntityID(r.phone, customer))
	found, err := s.DB.BatchGet(ctx, append(r.request.Refs(), conversation, sequence))
	if err != nil {
		return Accepted{}, fmt.Errorf("mark read: %w", err)
	}
	if repeated, err := r.request.Earlier(found, s.Now(), &accepted); repeated || err != nil {
		return accepted, err
	}
	var c model.Conversation
	if err := dynamo.Unmarshal(conversation.Found(found), &c); err != nil {
		return Accepted{}, err
	}
	if c.PK == "" || c.MergedInto != "" {
		return Accepted{}, &dynamo.ConditionFailed{Item: conversation.Found(found)}
	}
	if r.first == nil {
		r.first = &c
	}
	left := arrivedSince(*r.first, c)
	unread := r.first.UnreadCount > 0 && c.UnreadCount > left  // and no other call has marked it
	wamid, received := keys.MessageIDOf(r.first.LastInboundPK) // a message that Meta knows
	if r.typing && !received {
		return Accepted{}, ErrWindowClosed
	}
	if !unread && !r.typing {
		return Accepted{}, nil
	}
	var writes []dynamo.Write
	if received {
		if accepted, writes, err = s.appendReceipt(ctx, r, customer, wamid, sequence.Found(found)); err != nil {
			return Accepted{}, err
		}
	}
	if unread {
		writes = append(writes, inbox.MarkChanged(readWrite(conversation.Key, c, left), r.phone, s.Now()))
	}
	return accepted, dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// appendReceipt returns the writes that send a read receipt for a message.
func (s *Sender) appendReceipt(
	ctx context.Context, r *reading, customer model.CustomerID, wamid model.MessageID, sequence dynamo.Item,
) (Accepted, []dynamo.Write, error) {
	receipt, err := readReceipt(r, customer, wamid)
	if err != nil {
		return Accepted{}, nil, err
	}
	event, writes, err := s.Outbox().Append(ctx, sequence, receipt)
	if err != nil {
		return Accepted{}, nil, err
	}
	accepted := Accepted{
		OutboxEventID: event.EventID, ConversationPK: keys.Conversation(r.phone, customer).Partition,
		AcceptedAt: event.CreatedAt}
	remember, err := r.request.Writes(s.Now(), accepted)
	return accepted, append(writes, remember...), err
}

// readWrite returns the update that leaves a number of messages unread. Its condition is that no new message has
// replaced what others have read.
func readWrite(key keys.Key, c model.Conversation, left int) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Messages, Key: key, Do: "SET unreadCount = :left",
		If:     "unreadCount = :unread AND attribute_not_exists(mergedInto)",
		Values: dynamo.Item{":left": dynamo.N(left), ":unread": dynamo.N(c.UnreadCount)},
	}
	u.If = dynamo.And(u.If, dynamo.SameNumber("unreadTotal", int64(c.UnreadTotal), u.Values))
	return u
}

// arrivedSince returns how many unread messages have arrived since a conversation was first read. now may be the
// conversation that first was merged into.
func arrivedSince(first, now model.Conversation) int {
	if first.PK == now.PK {
		return now.UnreadTotal - first.UnreadTotal
	}
	return max(0, now.UnreadCount-first.UnreadCount)
}

// readReceipt returns the event that sends a read receipt for a message.
func readReceipt(r *reading, customer model.CustomerID, wamid model.MessageID) (outbox.Draft, error) {
	body, err := whatsapp.ReadReceiptBody(string(wamid), r.typing)
	if err != nil {
		return outbox.Draft{}, err
	}
	payload, err := json.Marshal(messagePayload{PhoneNumberID: r.phone, Request: body})
	return outbox.Draft{
		Type: EventRead, Tenant: r.tenant, EntityType: EntityType, EntityID: keys.WhatsAppEntityID(r.phone, customer),
		Payload: payload,
	}, err
}
