package messaging

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
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
	// ErrOptedOut means that the customer has asked not to be written to, and has written nothing since.
	ErrOptedOut = errors.New("the customer has opted out")
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
	Request  idempotency.Request
	// OverrideOptOut has the message sent to a customer who has opted out, for which somebody must have a reason.
	OverrideOptOut bool
	replays        *model.OutboxEvent
	original       model.MessageID
	replayedIn     string
	led            []ownership // what has led to Customer
}

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
// transaction. It returns ErrOptedOut, ErrWindowClosed for free-form text outside the window, ErrUnreachable, ErrNoSuchMessage, or
// ErrKeyReused.
func (s *Store) Accept(ctx context.Context, out Outgoing) (Accepted, error) {
	var accepted Accepted
	err := dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		var err error
		accepted, err = s.accept(ctx, out)
		return err
	})
	return accepted, err
}

func (s *Store) accept(ctx context.Context, out Outgoing) (Accepted, error) {
	refs := out.Request.Refs()
	conversation := dynamo.Ref{Table: tables.Messages, Key: keys.Conversation(out.Phone, out.Customer)}
	alias := dynamo.Ref{Table: tables.Messages, Key: keys.Alias(out.Phone, out.Customer)}
	sequence := outbox.SequenceRef(out.Tenant, entityType, keys.WhatsAppEntityID(out.Phone, out.Customer))
	answered := dynamo.Ref{Table: tables.Messages, Key: keys.Message(out.ReplyTo)}
	refs = append(refs, conversation, alias, sequence)
	if out.ReplyTo != "" {
		refs = append(refs, answered)
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return Accepted{}, fmt.Errorf("accept: %w", err)
	}
	var before Accepted
	if done, err := out.Request.Earlier(found, s.Now(), &before); done || err != nil {
		return before, err
	}
	if out.replays != nil {
		if err := replayable(*out.replays); err != nil {
			return Accepted{}, err
		}
	}
	l := s.lookUp(out.Phone, nil)
	l.items[conversation.Key.Partition], l.items[alias.Key.Partition] = conversation.Found(found), alias.Found(found)
	p, err := l.addressed(ctx, out.Customer)
	if err != nil {
		return Accepted{}, err
	}
	if p.customer != out.Customer {
		out.Customer, out.led = p.customer, p.checked
		return s.accept(ctx, out) // it leads nowhere else: what was found stands
	}
	if out.led != nil {
		p.checked = out.led
	}
	replyTo, err := s.replyTo(ctx, out, p.existing, answered.Found(found))
	if err != nil {
		return Accepted{}, err
	}
	if p.existing == nil && out.led == nil && !whatsapp.Reachable(string(out.Customer)) { // an alias has led to what is known
		return Accepted{}, ErrUnreachable
	}
	if optedOut(p.existing) && !out.OverrideOptOut {
		return Accepted{}, ErrOptedOut
	}
	if out.Text != nil && (p.existing == nil || p.existing.WindowExpiresAt <= model.At(s.Now())) {
		return Accepted{}, ErrWindowClosed
	}
	return s.commit(ctx, out, p, sequence.Found(found), replyTo)
}

// addressed finds the conversation that a caller means, now. A conversation that stands is meant itself, unless it was merged
// into another; an alias is followed only where none stands, because the alias of a number that was given up leads to a
// stranger.
func (l *lookup) addressed(ctx context.Context, customer model.CustomerID) (person, error) {
	p := person{phone: l.phone, customer: customer}
	if err := l.identifiers(ctx, []model.CustomerID{customer}); err != nil {
		return p, err
	}
	o, err := l.ownership(customer)
	if err != nil {
		return p, err
	}
	asked := customer
	if l.items[l.conversationKey(customer).Partition] == nil {
		asked = o.owner(model.OrderOf(model.At(l.Now()), 0))
	}
	led, err := l.follow(ctx, []model.CustomerID{asked})
	if err != nil {
		return p, err
	}
	p.customer, p.existing = led[asked].customer, led[asked].conversation
	if p.existing == nil {
		p.checked = []ownership{o} // a new conversation relies on it
	}
	return p, nil
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
func (s *Store) commit(ctx context.Context, out Outgoing, p person, sequence dynamo.Item, replyTo string) (Accepted, error) {
	newID := s.NewID()
	if out.replayedIn != "" { // the same, however often a part of the replay is done again
		newID = idempotency.Hash(out.replayedIn, out.replays.EventID)
	}
	id, err := model.Parse[model.MessageID](newID)
	if err != nil {
		return Accepted{}, err
	}
	address := recipient(out.Customer, p.existing)
	message, body, err := s.compose(out, id, address, replyTo)
	if err != nil {
		return Accepted{}, err
	}
	message.ReceivedAt, message.Arrival = s.sentNow(p.existing)
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
		writes = append(writes, outbox.Replaced(*out.replays, event.EventID, out.replayedIn))
	}
	message.OutboxEventID, message.CorrelationID, message.PossibleDuplicate = event.EventID, event.CorrelationID, event.PossibleDuplicate
	conversation, err := s.personWrites(p, []arrival{{message: message}})
	if err != nil {
		return Accepted{}, err
	}
	put, err := joinWrite(message)
	if err != nil {
		return Accepted{}, err
	}
	accepted := Accepted{MessageID: id, OutboxEventID: event.EventID, ConversationPK: message.ConversationPK, AcceptedAt: event.CreatedAt}
	remember, err := out.Request.Writes(s.Now(), accepted)
	if err != nil {
		return Accepted{}, err
	}
	writes = slices.Concat(writes, []dynamo.Write{put}, conversation, remember)
	return accepted, dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// recipient is where a conversation's messages go: what the customer last showed, else the identifier in the key.
func recipient(customer model.CustomerID, existing *model.Conversation) whatsapp.Recipient {
	if existing == nil {
		return whatsapp.Recipient{ID: string(identifierOf(customer))}
	}
	return whatsapp.Recipient{ID: cmp.Or(existing.From, string(customer)), Group: existing.GroupID != ""}
}

// sentNow is the time of a message of ours, and its arrival: now, and after everything that the conversation shows already.
func (s *Store) sentNow(existing *model.Conversation) (model.Time, int64) {
	now := s.Now().UTC()
	if now.Sub(now.Truncate(time.Second)) >= lastInSecond { // that millisecond is for what comes late
		now = now.Truncate(time.Second).Add(lastInSecond - time.Millisecond)
	}
	at := model.At(now)
	if existing != nil && existing.ReceivedAt >= at {
		at = model.At(existing.ReceivedAt.Go().Add(time.Millisecond))
	}
	return at, model.Arrival(model.At(s.Now()), 0, 0)
}

// compose makes the message as the timeline shows it and the body as the platform gets it.
func (s *Store) compose(out Outgoing, id model.MessageID, to whatsapp.Recipient, replyTo string) (model.Message, json.RawMessage, error) {
	m := model.Message{
		PK: keys.Message(id).Partition, ItemType: model.ItemMessage, Direction: model.Outbound,
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
