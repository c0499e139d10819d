package sending

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// MarkRead marks the messages that are unread when it is called as read. If there are any, it sends a read receipt for the
// customer's last one through the outbox. Messages that arrive later stay unread. It returns inbox.ErrNoConversation if there
// is no conversation.
func (s *Sender) MarkRead(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) error {
	var first *model.Conversation
	return s.Inbox.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
		return s.markRead(ctx, tenant, phone, customer, &first)
	})
}

// markRead marks the conversation under a key. If there is no current one, it returns a *dynamo.ConditionFailed. first is the
// conversation as the call first read it; it may be merged into this one since.
func (s *Sender) markRead(
	ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID, first **model.Conversation,
) (dynamo.Item, error) {
	return nil, dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		conversation := dynamo.Ref{Table: tables.Messages, Key: keys.Conversation(phone, customer)}
		sequence := outbox.SequenceRef(tenant, EntityType, keys.WhatsAppEntityID(phone, customer))
		found, err := s.DB.BatchGet(ctx, []dynamo.Ref{conversation, sequence})
		if err != nil {
			return fmt.Errorf("mark read: %w", err)
		}
		c, err := inbox.AsConversation(conversation.Found(found))
		if err != nil {
			return err
		}
		if c == nil || c.MergedInto != "" {
			return &dynamo.ConditionFailed{Item: conversation.Found(found)}
		}
		if *first == nil {
			*first = c
		}
		left := arrivedSince(**first, *c)
		if (*first).UnreadCount == 0 || c.UnreadCount <= left {
			return nil // nothing is unread, or another call has marked it
		}
		var writes []dynamo.Write
		if wamid, ok := keys.MessageIDOf((*first).LastInboundPK); ok { // a message that Meta knows
			receipt, err := readReceipt(phone, customer, wamid)
			if err != nil {
				return err
			}
			receipt.Tenant = tenant
			if _, writes, err = s.Outbox().Append(ctx, sequence.Found(found), receipt); err != nil {
				return err
			}
		}
		u := dynamo.Update{
			Table: tables.Messages, Key: conversation.Key, Do: "SET unreadCount = :left",
			If:     "unreadCount = :unread AND attribute_not_exists(mergedInto)",
			Values: dynamo.Item{":left": dynamo.N(left), ":unread": dynamo.N(c.UnreadCount)},
		}
		// No new message has replaced what others have read.
		u.If = dynamo.And(u.If, dynamo.SameNumber("unreadTotal", int64(c.UnreadTotal), u.Values))
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, u)))
	})
}

// arrivedSince returns how many unread messages have arrived since a conversation was first read. now may be the conversation
// that first was merged into.
func arrivedSince(first, now model.Conversation) int {
	if first.PK == now.PK {
		return now.UnreadTotal - first.UnreadTotal
	}
	return max(0, now.UnreadCount-first.UnreadCount)
}

// readReceipt returns the event that sends a read receipt for a message, without its tenant.
func readReceipt(phone model.PhoneNumberID, customer model.CustomerID, wamid model.MessageID) (outbox.Draft, error) {
	body, err := whatsapp.ReadReceiptBody(string(wamid))
	if err != nil {
		return outbox.Draft{}, err
	}
	payload, err := json.Marshal(messagePayload{PhoneNumberID: phone, Request: body})
	return outbox.Draft{
		Type: EventRead, EntityType: EntityType, EntityID: keys.WhatsAppEntityID(phone, customer), Payload: payload,
	}, err
}
