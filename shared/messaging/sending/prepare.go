package sending

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Types of the outbox events of WhatsApp messages, and their entity type.
const (
	EventMessage = "whatsapp.message"
	EventRead    = "whatsapp.read"
	EntityType   = "whatsapp"
)

var (
	// ErrWindowClosed means that the customer has not written for 24 hours: only a template may go.
	ErrWindowClosed = problem.New("the customer service window is closed", problem.Error{
		Class: problem.Conflict, Code: "window-closed", Title: "Customer service window closed",
		Detail: "WhatsApp lets a business send free-form messages only within 24 hours of the customer's last message. " +
			"Send an approved template instead, or wait until the customer writes.",
	})
	// ErrOptedOut means that the customer has asked not to be written to, and has written nothing since.
	ErrOptedOut = problem.New("the customer has opted out", problem.Error{
		Class: problem.Conflict, Code: "opted-out", Title: "Customer opted out",
		Detail: "The customer has asked not to be written to, and has written nothing since. " +
			"Wait until they write, or give a reason in overrideOptOut; it stays in the audit record.",
	})
	// ErrUnreachable means that nobody has written from there, and that it is neither a phone number nor a user id.
	ErrUnreachable = problem.New("neither a phone number nor a user id", problem.Error{
		Class: problem.Invalid, Field: "path.conversationId",
		Detail: "nobody has written from there, and it is neither a phone number with its country code nor a user id",
	})
	// ErrNoSuchMessage means that the message to answer is not in the conversation.
	ErrNoSuchMessage = problem.New("no such message in the conversation", problem.Error{
		Class: problem.Invalid, Field: "body.replyTo",
		Detail: "no message of this conversation that the platform knows",
	})
)

// Outgoing is a message that a person or a domain wants sent. One of Text, Template and Interactive is set.
type Outgoing struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	Customer model.CustomerID // of the conversation's key, or any other identifier of the customer
	SentBy   string           // a person's subject, or the name of a domain
	ReplyTo  model.MessageID  // "" for none

	Text        *OutgoingText
	Template    *whatsapp.Template
	Interactive *whatsapp.Interactive

	// Purpose names the domain that learns how the message ends; "" where none does.
	Purpose model.Purpose
	// OverrideOptOut has the message sent to a customer who has opted out, for which somebody must have a reason.
	OverrideOptOut bool

	replays    *model.OutboxEvent
	original   model.MessageID
	replayedIn string
	led        *inbox.Addressee // from another identifier
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

// Prepared is a message that will be sent when Writes commit: its timeline item, its conversation, the sequence and the outbox
// event. They go into one transaction with whatever the message follows from. Where the transaction is cancelled, read and
// prepare again: dynamo.Conflict and dynamo.Retry.
type Prepared struct {
	Accepted
	Writes []dynamo.Write
}

// messagePayload is what an outbox event of a message holds.
type messagePayload struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	MessageID     model.MessageID     `json:"messageId"`
	Request       json.RawMessage     `json:"request"`
	Purpose       model.Purpose       `json:"purpose,omitempty"`
}

// Refs names the items that Prepare decides on, to be read together with what the caller needs.
func (s *Sender) Refs(out Outgoing) []dynamo.Ref {
	refs := append(s.Inbox.AddressRefs(out.Phone, out.Customer), sequenceRef(out.Tenant, out.Phone, out.Customer))
	if out.ReplyTo != "" {
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Message(out.ReplyTo)})
	}
	return refs
}

func sequenceRef(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) dynamo.Ref {
	return outbox.SequenceRef(tenant, EntityType, keys.WhatsAppEntityID(phone, customer))
}

// Prepare makes the writes of a message, for the caller's transaction. found holds the items that Refs names. It returns
// ErrOptedOut, ErrWindowClosed for anything but a template outside the customer service window, ErrUnreachable, or
// ErrNoSuchMessage.
func (s *Sender) Prepare(ctx context.Context, out Outgoing, found dynamo.Found) (Prepared, error) {
	if out.replays != nil {
		if err := replayable(*out.replays); err != nil {
			return Prepared{}, err
		}
	}
	to, err := s.Inbox.Address(ctx, out.Phone, out.Customer, found)
	if err != nil {
		return Prepared{}, err
	}
	if to.Customer() != out.Customer {
		out.Customer, out.led = to.Customer(), &to
		if found, err = s.DB.BatchGet(ctx, s.Refs(out)); err != nil {
			return Prepared{}, fmt.Errorf("read conversation: %w", err)
		}
		return s.Prepare(ctx, out, found) // it leads nowhere else
	}
	if out.led != nil {
		to = out.led.LedTo(to)
	}
	replyTo, err := s.replyTo(ctx, out, to, found)
	switch {
	case err != nil:
		return Prepared{}, err
	case !to.Reachable():
		return Prepared{}, ErrUnreachable
	case to.OptedOut() && !out.OverrideOptOut:
		return Prepared{}, ErrOptedOut
	case out.Template == nil && !windowOpen(to.Conversation(), s.Now()):
		return Prepared{}, ErrWindowClosed
	}
	return s.writes(ctx, out, to, sequenceRef(out.Tenant, out.Phone, out.Customer).Found(found), replyTo)
}

func windowOpen(c *model.Conversation, now time.Time) bool {
	return c != nil && c.WindowExpiresAt > model.At(now)
}

// replyTo returns WhatsApp's id of the message to answer. The message must be in the conversation, and WhatsApp must know it: what
// is still queued cannot be answered.
func (s *Sender) replyTo(ctx context.Context, out Outgoing, to inbox.Addressee, found dynamo.Found) (string, error) {
	if out.ReplyTo == "" {
		return "", nil
	}
	id := out.ReplyTo
	item := dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}.Found(found)
	if sent := dynamo.Text(item, "waMessageId"); sent != "" {
		id = model.MessageID(sent)
		var err error
		if item, err = s.Inbox.MessageItem(ctx, id); err != nil {
			return "", err
		}
	}
	queued := dynamo.Text(item, "direction") == string(model.Outbound) && dynamo.Text(item, "outboxEventId") != "" && dynamo.Text(item, "queuedId") == ""
	if queued || !to.Holds(dynamo.Text(item, "conversationPk")) {
		return "", ErrNoSuchMessage
	}
	return string(id), nil
}

// writes returns the writes of the message, its conversation, the outbox event and the sequence.
func (s *Sender) writes(ctx context.Context, out Outgoing, to inbox.Addressee, sequence dynamo.Item, replyTo string) (Prepared, error) {
	newID := s.NewID()
	if out.replayedIn != "" { // the same, however often a part of the replay is done again
		newID = idempotency.Hash(out.replayedIn, out.replays.EventID)
	}
	id, err := model.Parse[model.MessageID](newID)
	if err != nil {
		return Prepared{}, err
	}
	message, body, err := compose(out, id, to.Recipient(), replyTo)
	if err != nil {
		return Prepared{}, err
	}
	message.ReceivedAt, message.Arrival = s.sentNow(to.Conversation())
	payload := messagePayload{PhoneNumberID: out.Phone, MessageID: id, Request: body, Purpose: out.Purpose}
	event, writes, err := s.appendEvent(ctx, out, sequence, payload)
	if err != nil {
		return Prepared{}, err
	}
	message.OutboxEventID, message.CorrelationID, message.PossibleDuplicate = event.EventID, event.CorrelationID, event.PossibleDuplicate
	timeline, err := s.Inbox.OutboundWrites(to, message)
	return Prepared{
		Accepted: Accepted{MessageID: id, OutboxEventID: event.EventID, ConversationPK: message.ConversationPK, AcceptedAt: event.CreatedAt},
		Writes:   append(writes, timeline...),
	}, err
}

// appendEvent makes the outbox event of a message, and ties the dead letter that it replays to it.
func (s *Sender) appendEvent(ctx context.Context, out Outgoing, sequence dynamo.Item, payload messagePayload) (model.OutboxEvent, []dynamo.Write, error) {
	text, err := json.Marshal(payload)
	if err != nil {
		return model.OutboxEvent{}, nil, err
	}
	draft := outbox.Draft{
		Type: EventMessage, Tenant: out.Tenant, EntityType: EntityType, Payload: text,
		EntityID: keys.WhatsAppEntityID(out.Phone, out.Customer),
	}
	if out.replays != nil {
		draft.ReplayOf, draft.PossibleDuplicate = out.replays.EventID, outbox.MayHaveBeenTaken(*out.replays)
	}
	event, writes, err := s.Outbox().Append(ctx, sequence, draft)
	if err == nil && out.replays != nil {
		writes = append(writes, outbox.Replaced(*out.replays, event.EventID, out.replayedIn))
	}
	return event, writes, err
}

// sentNow returns the time of a message of the business and its arrival: now, and after everything that the conversation shows.
func (s *Sender) sentNow(existing *model.Conversation) (model.Time, int64) {
	now := s.Now().UTC()
	if now.Sub(now.Truncate(time.Second)) >= model.LastInSecond { // that millisecond is for what comes late
		now = now.Truncate(time.Second).Add(model.LastInSecond - time.Millisecond)
	}
	at := model.At(now)
	if existing != nil && existing.ReceivedAt >= at {
		at = model.At(existing.ReceivedAt.Go().Add(time.Millisecond))
	}
	return at, model.Arrival(model.At(s.Now()), 0, 0)
}

// Outbox returns the outbox, as messages are appended to it.
func (s *Sender) Outbox() *outbox.Store {
	return &outbox.Store{DB: s.DB, Now: s.Now, NewToken: s.NewToken}
}
