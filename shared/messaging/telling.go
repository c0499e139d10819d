package messaging

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
)

// EventKinds returns the kinds of events that are told outside, of all domains.
func (d *Domain) EventKinds() []publishing.Kind {
	all := slices.Concat(inbox.Events, payments.Events)
	for _, joined := range d.joined {
		all = append(all, joined.Events...)
	}
	return all
}

// heard has every domain note whether somebody outside is told events of a tenant.
func (d *Domain) heard(ctx context.Context, tenant model.TenantID, heard bool) error {
	for _, joined := range d.joined {
		if joined.Heard == nil {
			continue
		}
		if err := joined.Heard(ctx, tenant, heard); err != nil {
			return err
		}
	}
	return nil
}

// conversationOf returns the conversation of a message. It reports false if the message is erased.
func (d *Domain) conversationOf(ctx context.Context, id model.MessageID) (c model.Conversation, there bool, err error) {
	m, err := d.Message(ctx, id)
	if err == nil && m.ConversationPK == "" {
		return c, false, nil
	}
	if err == nil {
		phone, customer, _ := keys.ConversationIDs(m.ConversationPK)
		c, err = d.CurrentConversation(ctx, phone, customer)
	}
	if errors.Is(err, dynamo.ErrNotFound) || errors.Is(err, inbox.ErrNoConversation) {
		return c, false, nil
	}
	return c, err == nil, err
}

// reveal completes the data of an event that is about a message with the id of its conversation, which names a person:
// it never waits in the outbox. It reports false if the message is erased.
func (d *Domain) reveal(ctx context.Context, _ string, data map[string]any) (there bool, err error) {
	if data["channel"] != nil {
		return d.isThere(ctx, data)
	}
	id, _ := data["messageId"].(string)
	if id == "" {
		return true, nil
	}
	data["channel"] = model.ChannelWhatsApp
	m, err := d.Message(ctx, model.MessageID(id))
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && m.ConversationPK == "" {
		return false, nil
	}
	if err == nil {
		data["conversationId"] = keys.ConversationID(m.ConversationPK)
	}
	return err == nil, err
}
