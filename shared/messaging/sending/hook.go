package sending

import (
	"context"
	"encoding/json"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Hook is how a domain learns how the messages end that it has sent. reference is the domain's own, from the message's purpose.
type Hook struct {
	Domain string // as in the purpose
	// Settle returns the domain's writes for the transaction that settles the send: WhatsApp has taken the message, or it cannot be
	// sent. Their conditions must hold also when the outcome is a second copy (outcome.Copy) or a late one. It may be nil.
	Settle func(ctx context.Context, reference string, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error)
	// Status reacts to WhatsApp's word on a message that was sent: delivered, read, played, or failed with a problem. It runs for
	// every delivery of a status, in whatever order these come, and must be idempotent. It may be nil.
	Status func(ctx context.Context, reference string, message model.MessageID, status model.DeliveryStatus, problem *model.Problem) error
}

// HookOf returns the hook of a message's purpose; nil where no domain wants to learn of it.
func HookOf(hooks []Hook, purpose model.Purpose) (hook *Hook, reference string) {
	domain, reference := purpose.Parts()
	for i := range hooks {
		if domain != "" && hooks[i].Domain == domain {
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

// settle returns the writes that settle a message, and those of the domain that has sent it.
func (s *Sender) settle(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
	writes, err := s.settleMessage(ctx, event, outcome)
	if err != nil {
		return nil, err
	}
	hook, reference := HookOf(s.Hooks, PurposeOf(event))
	if hook == nil || hook.Settle == nil {
		return writes, nil
	}
	more, err := hook.Settle(ctx, reference, event, outcome)
	return append(writes, more...), err
}
