package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Types of the outbox events of this domain, and their entity type.
const (
	EventMessage = "whatsapp.message"
	EventRead    = "whatsapp.read"
	entityType   = "whatsapp"
)

var (
	// ErrWindowClosed means that the customer has not written for 24 hours: only a template may go.
	ErrWindowClosed = errors.New("the customer service window is closed")
	// ErrNoConversation means that there is nothing to answer.
	ErrNoConversation = errors.New("no such conversation")
	// ErrUnreachable means that nobody has written from there, and that it is neither a phone number nor a user id.
	ErrUnreachable = errors.New("neither a phone number nor a user id")
	// ErrNoSuchMessage means that the message to answer is not in the conversation.
	ErrNoSuchMessage = errors.New("no such message in the conversation")
)

// Outgoing is a message an operator, or a domain, wants sent.
type Outgoing struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	Customer model.CustomerID // of the conversation's key, or any other identifier of the customer
	SentBy   string
	ReplyTo  model.MessageID // "" for none
	Text     *OutgoingText
	Template *whatsapp.Template
	Request  Request
	replays  *model.OutboxEvent
	original model.MessageID
	hops     int
}

// maxHops is how often a conversation may have been merged into another and that one again.
const maxHops = 8

// OutgoingText is a free-form text.
type OutgoingText struct {
	Body       string
	PreviewURL bool
}

// Accepted is a message that will be sent: the id under which it shows from now on, and the event that sends it.
type Accepted struct {
	MessageID      model.MessageID `json:"messageId"`
	OutboxEventID  string          `json:"outboxEventId"`
	ConversationPK string          `json:"conversationPk"`
	AcceptedAt     model.Time      `json:"acceptedAt"`
}

// messagePayload is what an outbox event of a message holds.
type messagePayload struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	MessageID     model.MessageID     `json:"messageId"`
	Request       json.RawMessage     `json:"request"`
}

// Accept takes a message: it shows in the timeline as queued, and the event that sends it is in the outbox, in one
// transaction. It returns ErrWindowClosed for free-form text outside the window, ErrUnreachable, ErrNoSuchMessage, or
// ErrKeyReused.
func (s *Store) Accept(ctx context.Context, out Outgoing) (Accepted, error) {
	if err := s.claim(ctx, out.Phone, ""); err != nil { // its conversations are to be found
		return Accepted{}, err
	}
	var accepted Accepted
	err := dynamo.Retry(ctx, attempts, func() error {
		var err error
		accepted, err = s.accept(ctx, out)
		return err
	})
	return accepted, err
}

func (s *Store) accept(ctx context.Context, out Outgoing) (Accepted, error) {
	conversation, refs := dynamo.Ref{Table: table, Key: keys.Conversation(out.Phone, out.Customer)}, out.Request.refs()
	alias := dynamo.Ref{Table: table, Key: keys.Alias(out.Phone, out.Customer)}
	entity := keys.WhatsAppEntityID(out.Phone, out.Customer)
	sequence := outbox.SequenceRef(out.Tenant, entityType, entity)
	answered := dynamo.Ref{Table: table, Key: keys.Message(out.ReplyTo)}
	refs = append(refs, conversation, alias, sequence)
	if out.ReplyTo != "" {
		refs = append(refs, answered)
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return Accepted{}, fmt.Errorf("accept: %w", err)
	}
	var before Accepted
	if done, err := s.earlier(out.Request, refs[0].Found(found), &before); done || err != nil {
		return before, err
	}
	if out.replays != nil {
		if err := replayable(*out.replays); err != nil {
			return Accepted{}, err
		}
	}
	existing, err := asConversation(conversation.Found(found))
	if err != nil {
		return Accepted{}, err
	}
	if target := leadsTo(out.Customer, dynamo.Text(alias.Found(found), "customerId"), existing); target != out.Customer {
		if out.hops++; out.hops > maxHops {
			return Accepted{}, fmt.Errorf("%w: aliases that lead in a circle", ErrPermanent)
		}
		out.Customer = target
		return s.accept(ctx, out)
	}
	replyTo, err := s.replyTo(ctx, out, existing, answered.Found(found))
	if err != nil {
		return Accepted{}, err
	}
	if existing == nil && !whatsapp.Reachable(string(recipientOf(out.Customer))) {
		return Accepted{}, ErrUnreachable
	}
	if out.Text != nil && (existing == nil || existing.WindowExpiresAt <= model.At(s.Now())) {
		return Accepted{}, ErrWindowClosed
	}
	return s.commit(ctx, out, existing, sequence.Found(found), replyTo)
}

// leadsTo is whose conversation a caller means. A conversation that stands is meant itself, unless it was merged into
// another; an alias is followed only where none stands, because a given-up number's alias leads to a stranger.
func leadsTo(customer model.CustomerID, alias string, existing *model.Conversation) model.CustomerID {
	if existing == nil && alias != "" {
		return model.CustomerID(alias)
	}
	if existing != nil {
		return identity{id: customer, conversation: existing}.target()
	}
	return customer
}

// replyTo is the platform's id of the message to answer. It must be in the same conversation, and the platform must know
// it: what is still queued cannot be answered.
func (s *Store) replyTo(ctx context.Context, out Outgoing, existing *model.Conversation, item dynamo.Item) (string, error) {
	if out.ReplyTo == "" {
		return "", nil
	}
	id := out.ReplyTo
	if real := dynamo.Text(item, "waMessageId"); real != "" {
		id = model.MessageID(real)
		var err error
		if item, err = s.messageItem(ctx, id); err != nil {
			return "", err
		}
	}
	in := dynamo.Text(item, "conversationPk")
	here := in == keys.Conversation(out.Phone, out.Customer).Partition || existing != nil && slices.Contains(existing.MergedFrom, in)
	queued := dynamo.Text(item, "direction") == string(model.Outbound) && dynamo.Text(item, "outboxEventId") != "" && dynamo.Text(item, "queuedId") == ""
	if !here || queued {
		return "", ErrNoSuchMessage
	}
	return string(id), nil
}

// commit writes message, conversation, outbox event, sequence and idempotency record in one transaction.
func (s *Store) commit(ctx context.Context, out Outgoing, existing *model.Conversation, sequence dynamo.Item, replyTo string) (Accepted, error) {
	id, err := model.Parse[model.MessageID](s.NewID())
	if err != nil {
		return Accepted{}, err
	}
	address := recipient(out.Customer, existing)
	message, body, err := s.compose(out, id, address, replyTo)
	if err != nil {
		return Accepted{}, err
	}
	payload, err := json.Marshal(messagePayload{PhoneNumberID: out.Phone, MessageID: id, Request: body})
	if err != nil {
		return Accepted{}, err
	}
	draft := outbox.Draft{
		Type: EventMessage, Tenant: out.Tenant, EntityType: entityType, Payload: payload,
		EntityID: keys.WhatsAppEntityID(out.Phone, out.Customer),
	}
	if out.replays != nil {
		draft.ReplayOf, draft.PossibleDuplicate = out.replays.EventID, outbox.MayHaveBeenTaken(*out.replays)
	}
	events := s.events()
	event, writes, err := events.Append(ctx, sequence, draft)
	if err != nil {
		return Accepted{}, err
	}
	if out.replays != nil {
		writes = append(writes, outbox.Replaced(out.replays.EventID, event.EventID))
	}
	message.OutboxEventID, message.CorrelationID, message.PossibleDuplicate = event.EventID, event.CorrelationID, event.PossibleDuplicate
	p := person{phone: out.Phone, customer: out.Customer, existing: existing}
	conversation, err := s.conversationWrite(p, []arrival{{message: message, contact: contact{address: address.ID}}})
	if err != nil {
		return Accepted{}, err
	}
	put, err := joinWrite(message)
	if err != nil {
		return Accepted{}, err
	}
	accepted := Accepted{MessageID: id, OutboxEventID: event.EventID, ConversationPK: message.ConversationPK, AcceptedAt: message.ReceivedAt}
	remember, err := s.rememberWrites(out.Request, accepted)
	if err != nil {
		return Accepted{}, err
	}
	writes = append(append(writes, put, conversation), remember...)
	return accepted, dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// recipient is where a conversation's messages go: what the customer last showed, else the identifier in the key.
func recipient(customer model.CustomerID, existing *model.Conversation) whatsapp.Recipient {
	if existing == nil {
		return whatsapp.Recipient{ID: string(recipientOf(customer))}
	}
	return whatsapp.Recipient{ID: firstOf(existing.From, string(customer)), Group: existing.GroupID != ""}
}

// recipientOf is the identifier in a customer's key: what stands before the mark of a number's new owner.
func recipientOf(customer model.CustomerID) model.CustomerID {
	id, _, _ := strings.Cut(string(customer), strangerMark)
	return model.CustomerID(id)
}

// compose makes the message as the timeline shows it and the body as the platform gets it.
func (s *Store) compose(out Outgoing, id model.MessageID, to whatsapp.Recipient, replyTo string) (model.Message, json.RawMessage, error) {
	m := model.Message{
		PK: keys.Message(id).Partition, ItemType: model.ItemMessage, Direction: model.Outbound, ReceivedAt: model.At(s.Now()),
		To: to.ID, ConversationPK: keys.Conversation(out.Phone, out.Customer).Partition, InboxPK: keys.InboxMessages(out.Phone),
		DeliveryStatus: model.Queued, SentBy: out.SentBy, ReplayOf: out.original,
	}
	if replyTo != "" {
		m.Context, _ = json.Marshal(map[string]string{"id": replyTo})
	}
	if out.Text != nil {
		body, err := whatsapp.TextBody(to, out.Text.Body, out.Text.PreviewURL, replyTo)
		m.Type, m.TextBody, m.Preview = "text", out.Text.Body, whatsapp.PreviewOf(out.Text.Body)
		return m, body, err
	}
	body, err := whatsapp.TemplateBody(to, *out.Template, replyTo)
	if err != nil {
		return m, nil, err
	}
	m.Type, m.Preview = "template", whatsapp.PreviewOf("📋 "+out.Template.Name)
	content, err := json.Marshal(map[string]any{"template": out.Template})
	m.Content = content
	return m, body, err
}
