package sending

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Hook tells a domain how the messages that it has sent end. reference is the domain's own, from the message's purpose.
type Hook struct {
	Domain string // as in the purpose
	// Still decides once more, right before every attempt to send a message: does what it says still hold? It returns
	// why the message is not sent, "" to send it. to is the person as they are now; the rooms have found before that
	// the message still reaches them, and that they have not opted out. A message that is not sent is settled with
	// Outcome.Cancelled. A domain whose messages hold whenever they are sent leaves it nil and pays nothing. It is told
	// of a failure if its message's number has another person by then.
	Still func(ctx context.Context, reference string, event model.OutboxEvent, to contacts.Addressee) (unwanted string,
		err error)
	// Settle returns the domain's writes for the transaction that settles the send: WhatsApp has taken the message, or
	// it cannot be sent. If their conditions keep failing, the send is settled without them. It may be nil.
	Settle func(ctx context.Context, reference string, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write,
		error)
	// Status reacts to a status of a message that was sent: delivered, read, played, or failed with a problem. It runs
	// for every delivery of a status, in whatever order these come, and must be idempotent. It may be nil.
	Status func(ctx context.Context, reference string, message model.MessageID, status model.DeliveryStatus,
		problem *model.Problem) error
}

// HookOf returns the hook of the domain in a message's purpose, and the reference; nil if the domain has no hook, or
// only asks something by the message.
func HookOf(hooks []Hook, purpose model.Purpose) (hook *Hook, reference string) {
	domain, reference := purpose.Parts()
	for i := range hooks {
		if domain != "" && hooks[i].Domain == domain && purpose.Follows() {
			return &hooks[i], reference
		}
	}
	return nil, reference
}

// PurposeOf returns the purpose of the message that an outbox event sends; "" for any other event.
func PurposeOf(event model.OutboxEvent) model.Purpose {
	var payload messagePayload
	if event.EventType != EventMessage || json.Unmarshal(event.Payload, &payload) != nil {
		return ""
	}
	return payload.Purpose
}

// inform returns the writes of the domain that has a message sent.
func (s *Sender) inform(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
	return Inform(ctx, s.Hooks, PurposeOf(event), event, outcome)
}

// Inform returns the writes of the domain in a message's purpose, for the transaction that settles the message's event.
func Inform(
	ctx context.Context, hooks []Hook, purpose model.Purpose, event model.OutboxEvent, outcome outbox.Outcome,
) ([]dynamo.Write, error) {
	hook, reference := HookOf(hooks, purpose)
	switch {
	case hook == nil || hook.Settle == nil:
		return nil, nil
	case outcome.Cancelled == "" || hook.Still != nil:
		return hook.Settle(ctx, reference, event, outcome)
	case outcome.Cancelled == Erased:
		return nil, nil // the domain keeps what it has of the message until it is erased there as well
	}
	return hook.Settle(ctx, reference, event, asFailed(outcome))
}

// InformOf returns the writes of Inform for a message of a channel beside WhatsApp, and those that publish that it
// could not be sent.
func (s *Sender) InformOf(ctx context.Context, channel model.Channel, purpose model.Purpose, event model.OutboxEvent,
	outcome outbox.Outcome) ([]dynamo.Write, error) {
	writes, err := Inform(ctx, s.Hooks, purpose, event, outcome)
	if err != nil || outcome.Failure == nil || s.Unsent == nil {
		return writes, err
	}
	told, err := s.Unsent(ctx, channel, event, outcome)
	return append(writes, told...), err
}

// asFailed returns the outcome of a message that the rooms have cancelled for a domain that does not cancel messages
// itself.
func asFailed(outcome outbox.Outcome) outbox.Outcome {
	outcome.Failure = &outbox.Failure{
		Reason: "not sent: " + outcome.Cancelled, Kind: outbox.KindCancelled, Class: whatsapp.Never.String(),
		Attempts: 1,
	}
	outcome.Cancelled = ""
	return outcome
}

// Why messages are not sent any more that a domain has decided on once, by what the rooms know.
const (
	Erased   = "erased"            // the message or its customer, or somebody of whom it tells
	NotOurs  = "sender_taken_away" // the address that it would go from is not the sender's any more
	PassedOn = "number_passed_on"  // the number that it would go to has another person by now
	OptedOut = "opted_out"
)

// inOneGo is how long after it was accepted a message of a campaign is sent without asking whether the campaign goes
// on.
const inOneGo = 2 * time.Second

// fresh is how long after it was accepted a message is sent without another look at whose the number is. Nearly all are
// sent in that time.
const fresh = 10 * time.Second

// still returns why a message is not sent any more, "" to send it. A message that was emptied is not sent. One that has
// waited is not sent to a number that has passed to another person meanwhile. The domain that has it sent may say that
// it does not hold any more. It costs reads only for messages that have waited and for those of a domain that asks for
// them.
func (s *Sender) still(ctx context.Context, event model.OutboxEvent) (unwanted string, err error) {
	var payload messagePayload
	if json.Unmarshal(event.Payload, &payload) != nil {
		return "", nil // send says so
	}
	if len(payload.Request) == 0 {
		return Erased, nil
	}
	if payload.Campaign != "" && s.GoesOn != nil && s.Now().Sub(event.CreatedAt.Go()) >= inOneGo {
		if unwanted, err = s.GoesOn(ctx, payload.Campaign); err != nil || unwanted != "" {
			return unwanted, err
		}
	}
	hook, reference := HookOf(s.Hooks, payload.Purpose)
	asks := hook != nil && hook.Still != nil
	if !asks && s.Now().Sub(event.CreatedAt.Go()) < fresh {
		return "", nil
	}
	m, found, err := s.storedMessage(ctx, payload.MessageID)
	if err != nil {
		return "", unread(asks, err)
	}
	phone, customer, placed := keys.ConversationIDs(m.ConversationPK)
	switch {
	case !asks && (!found || !placed):
		return "", nil // an erasure ends the event itself
	case !found || !placed:
		return Erased, nil
	}
	to, theirs, err := s.Contacts.StillTheirs(ctx, phone, customer, model.CustomerID(m.To))
	switch {
	case err != nil:
		return "", unread(asks, err)
	case !theirs:
		return PassedOn, nil
	case !asks:
		return "", nil
	case inbox.OptedOut(to.Conversation()):
		return OptedOut, nil
	}
	return hook.Still(ctx, reference, event, to)
}

// unread returns the error of a read. If no domain asks for the decision, a failure that may pass counts as no attempt.
// One that cannot pass counts, so that the event ends and does not hold up the customer's sequence.
func unread(asks bool, err error) error {
	if asks || dynamo.Permanent(err) {
		return err
	}
	return fmt.Errorf("%w: %w", outbox.ErrUnread, err)
}
