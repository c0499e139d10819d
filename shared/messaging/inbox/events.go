package inbox

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
)

// The kinds of events that are published of messages and conversations.
const (
	EventReceived = "message.received"
	EventFailed   = "message.failed"
	EventAssigned = "conversation.assigned"
	EventState    = "conversation.state_changed"
	EventPerson   = "conversation.needs_person"
	EventOptedOut = "customer.opted_out"
	EventOptedIn  = "customer.opted_in"
)

// Events are the kinds of events that are published of messages and conversations.
var Events = []publishing.Kind{
	{Name: EventReceived,
		Means: "A customer has written a message, on WhatsApp, by SMS or by email: the channel says how."},
	{Name: EventFailed,
		Means: "A message to a customer could not be sent or delivered on its channel. The code says why."},
	{Name: EventAssigned, Means: "A colleague takes care of a conversation, or nobody any more."},
	{Name: EventState, Means: "Your people have changed what is left to do about a conversation. A message of the " +
		"customer opens it again, and is told as message.received."},
	{Name: EventPerson, Means: "An assistant has left a conversation to a person."},
	{Name: EventOptedOut, Means: "A customer does not want to be written to on a channel any more."},
	{Name: EventOptedIn, Means: "A customer who did not want to be written to on a channel wants it again."},
}

// about is the data of an event of a conversation. The id of its conversation names a person, so it is added only when
// the event is told: messageId leads to it.
type about struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	MessageID     model.MessageID     `json:"messageId,omitempty"`
	Kind          string              `json:"kind,omitempty"`     // of the message
	Group         bool                `json:"group,omitempty"`    // whether it was written into a group
	Code          int64               `json:"code,omitempty"`     // WhatsApp's, of a failure
	Assignee      *string             `json:"assignee,omitempty"` // "" for nobody
	State         string              `json:"state,omitempty"`
}

// event returns an event of a number of which somebody outside is told; false for any other number.
func (s *Inbox) event(ctx context.Context, kind, of string, at model.Time, data about) (e publishing.Event, told bool,
	err error) {
	if s.Publisher == nil {
		return e, false, nil
	}
	tenant, err := s.Numbers.SubscribedTo(ctx, data.PhoneNumberID)
	return publishing.Event{Tenant: tenant, Kind: kind, Of: of, At: at, Data: data}, tenant != "", err
}

// eventWrites returns the writes that publish an event, for the transaction of what has happened; none where nobody is
// told.
func (s *Inbox) eventWrites(ctx context.Context, kind, of string, data about) ([]dynamo.Write, error) {
	e, told, err := s.event(ctx, kind, of, model.At(s.Now()), data)
	if err != nil || !told {
		return nil, err
	}
	write, err := s.Publisher.Write(ctx, e)
	return []dynamo.Write{write}, err
}

// TellReceived returns the subscription that publishes the messages of customers. A reaction, an edit and a deletion
// change another message, and are no message of their own.
func (s *Inbox) TellReceived() inbound.Subscription {
	return inbound.Subscription{
		Domain: "events", Groups: true,
		Wants: func(m inbound.Message) bool { return m.Live && m.Retracts == "" && m.Kind != "reaction" },
		React: func(ctx context.Context, m inbound.Message) (bool, error) {
			e, told, err := s.event(ctx, EventReceived, string(m.ID), m.At,
				about{PhoneNumberID: m.Phone, MessageID: m.ID, Kind: m.Kind, Group: m.Group})
			if err == nil && told {
				err = s.Publisher.Publish(ctx, e)
			}
			return false, err
		},
	}
}

// TellFailed publishes that a message could not be delivered. It may be called again.
func (s *Inbox) TellFailed(ctx context.Context, phone model.PhoneNumberID, id model.MessageID, code int64,
	at model.Time) error {
	e, told, err := s.event(ctx, EventFailed, string(id), at,
		about{PhoneNumberID: phone, MessageID: id, Code: code})
	if err == nil && told {
		err = s.Publisher.Publish(ctx, e)
	}
	return err
}

// FailedWrites returns the writes that publish that a message could not be sent, for the transaction that records it.
func (s *Inbox) FailedWrites(ctx context.Context, m model.Message, code int64) ([]dynamo.Write, error) {
	phone, _, placed := keys.ConversationIDs(m.ConversationPK)
	id, named := keys.MessageIDOf(m.PK)
	if !placed || !named {
		return nil, nil
	}
	return s.eventWrites(ctx, EventFailed, string(id), about{PhoneNumberID: phone, MessageID: id, Code: code})
}

// workWrites returns the writes that publish what a team has changed about a conversation.
func (s *Inbox) workWrites(ctx context.Context, c model.Conversation, w Work) (all []dynamo.Write, err error) {
	phone, _, _ := keys.ConversationIDs(c.PK)
	id, _ := keys.MessageIDOf(c.LastMessagePK)
	data, of := about{PhoneNumberID: phone, MessageID: id}, c.PK+"#"+string(model.At(s.Now()))
	if w.Assignee != nil && *w.Assignee != c.Assignee {
		assigned := data
		assigned.Assignee = w.Assignee
		if all, err = s.eventWrites(ctx, EventAssigned, of+"#"+*w.Assignee, assigned); err != nil {
			return nil, err
		}
	}
	if w.State == nil || *w.State == c.State {
		return all, nil
	}
	if data.State = string(*w.State); *w.State == model.WorkOpen {
		data.State = "open"
	}
	more, err := s.eventWrites(ctx, EventState, of+"#"+data.State, data)
	return append(all, more...), err
}

// needsPersonWrites returns the writes that publish that a conversation was left to a person. It reads the conversation
// only where somebody is told.
func (s *Inbox) needsPersonWrites(ctx context.Context, phone model.PhoneNumberID,
	customer model.CustomerID) ([]dynamo.Write, error) {
	if s.Publisher == nil {
		return nil, nil
	}
	if tenant, err := s.Numbers.SubscribedTo(ctx, phone); err != nil || tenant == "" {
		return nil, err
	}
	c, err := s.conversationUnder(ctx, phone, customer)
	if errors.Is(err, ErrNoConversation) {
		return nil, nil // the update finds the one that counts
	}
	if err != nil {
		return nil, err
	}
	id, _ := keys.MessageIDOf(c.LastMessagePK)
	return s.eventWrites(ctx, EventPerson, c.PK+"#"+string(model.At(s.Now())),
		about{PhoneNumberID: phone, MessageID: id})
}

// optOutWrites returns the writes that publish whether a customer still wants to be written to.
func (s *Inbox) optOutWrites(ctx context.Context, was, next model.Conversation) ([]dynamo.Write, error) {
	kind := EventOptedOut
	switch {
	case (was.OptedOutAt == "") == (next.OptedOutAt == ""):
		return nil, nil
	case next.OptedOutAt == "":
		kind = EventOptedIn
	}
	var last model.Decision
	if n := len(next.Decisions); n > 0 {
		last = next.Decisions[n-1]
	}
	phone, _, _ := keys.ConversationIDs(was.PK)
	id, _ := keys.MessageIDOf(last.MessagePK)
	of := strings.Join([]string{was.PK, last.MessagePK, string(last.Order), string(model.At(s.Now()))}, "#")
	return s.eventWrites(ctx, kind, of, about{PhoneNumberID: phone, MessageID: id})
}

// updateAnd makes an update together with other writes. It returns a *dynamo.ConditionFailed as an update alone does.
func (s *Inbox) updateAnd(ctx context.Context, u dynamo.Update, more []dynamo.Write) (dynamo.Item, error) {
	if len(more) == 0 {
		return s.DB.UpdateReturning(ctx, u)
	}
	return nil, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		err := s.DB.Transact(ctx, append([]dynamo.Write{u}, more...))
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
			return &dynamo.ConditionFailed{Item: cancelled.Of(0).Item}
		}
		return dynamo.Conflict(err)
	})
}
