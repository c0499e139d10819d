package sending

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Replay asks for a dead letter to be sent again, by a person or by a replay of many.
type Replay struct {
	EventID string
	SentBy  string
	Request idempotency.Request
	In      string // the replay of many that it belongs to; "" for none
}

// ReplayDeadLetter sends a dead letter again. It appends a new event that names the dead one and, for a message, adds a
// new message to the timeline, because the failure of the first one is final. The rules of sending apply again. It
// returns dynamo.ErrNotFound, outbox.ErrNotDead, or the errors of Accept.
func (s *Sender) ReplayDeadLetter(ctx context.Context, r Replay) (Accepted, error) {
	events := s.Outbox()
	var accepted Accepted
	err := dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		event, err := events.Get(ctx, r.EventID)
		if err != nil {
			return err
		}
		if event.EventType != EventMessage {
			accepted, err = s.replayEvent(ctx, event, r)
			return err
		}
		out, err := s.outgoingOf(ctx, event)
		if err != nil {
			return err
		}
		out.SentBy, out.replayedIn = r.SentBy, r.In
		accepted, err = s.accept(ctx, out, r.Request)
		return err
	})
	return accepted, err
}

// TryAgain sends a message again that WhatsApp has taken and then failed for a reason that passes. Its failed attempts
// count on. It returns the errors of Accept, and outbox.ErrNotDead if somebody has replayed it.
func (s *Sender) TryAgain(ctx context.Context, event model.OutboxEvent, earlier outbox.Earlier) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		out, err := s.outgoingOf(ctx, event)
		if err != nil {
			return err
		}
		out.earlier = &earlier
		_, err = s.accept(ctx, out, idempotency.Request{})
		if !errors.Is(err, dynamo.ErrConflict) {
			return err
		}
		if event, err = s.Outbox().Get(ctx, event.EventID); err != nil {
			return err
		}
		return dynamo.ErrConflict
	})
}

func replayable(event model.OutboxEvent) error {
	if event.Status != model.OutboxDeadLetter || event.ReplayedBy != "" || event.EmptiedAt != "" {
		return outbox.ErrNotDead
	}
	return nil
}

// outgoingOf returns the message of an event as it was requested.
func (s *Sender) outgoingOf(ctx context.Context, event model.OutboxEvent) (Outgoing, error) {
	var payload messagePayload
	if err := json.Unmarshal(event.Payload, &payload); err != nil {
		return Outgoing{}, fmt.Errorf("%w: payload of %s: %w", dynamo.ErrPermanent, event.EventID, err)
	}
	m, err := s.Inbox.Message(ctx, payload.MessageID)
	if err != nil {
		return Outgoing{}, err
	}
	_, customer, ok := keys.ConversationIDs(m.ConversationPK)
	if !ok {
		return Outgoing{}, dynamo.ErrNotFound
	}
	id, _ := keys.MessageIDOf(m.PK)
	again, replyTo, ok := content.Again(payload.Request)
	if !ok {
		return Outgoing{}, fmt.Errorf("%w: %s cannot be composed again", dynamo.ErrPermanent, id)
	}
	again.Marketing = payload.Marketing
	return Outgoing{
		Tenant: event.EcosystemID, Phone: payload.PhoneNumberID, Customer: customer, SentBy: m.SentBy,
		ReplyTo: model.MessageID(replyTo), Content: again,
		Line: payload.Line, Purpose: payload.Purpose, CheckIdentity: whatsapp.ChecksIdentity(payload.Request),
		replays: &event, original: id, awaits: payload.Files,
		About: m.About, Secret: payload.Secret, Since: payload.Since, asked: model.CustomerID(m.To),
	}, nil
}

// replayEvent sends an event again that is no message: as its owner says, else as it was.
func (s *Sender) replayEvent(ctx context.Context, event model.OutboxEvent, r Replay) (Accepted, error) {
	request := r.Request
	sequence := outbox.SequenceRef(event.EcosystemID, event.EntityType, event.EntityID)
	refs := append(request.Refs(), sequence)
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return Accepted{}, err
	}
	var before Accepted
	if done, err := request.Earlier(found, s.Now(), &before); done || err != nil {
		return before, err
	}
	if err := replayable(event); err != nil {
		return Accepted{}, err
	}
	draft := outbox.Draft{
		Type: event.EventType, Tenant: event.EcosystemID, EntityType: event.EntityType, EntityID: event.EntityID,
		Payload: event.Payload,
	}
	var owners []dynamo.Write
	if replay := s.Others[event.EventType].Replay; replay != nil {
		if draft, owners, err = replay(ctx, event); err != nil {
			return Accepted{}, err
		}
	}
	draft.ReplayOf = event.EventID
	next, writes, err := s.Outbox().Append(ctx, sequence.Found(found), draft)
	if err != nil {
		return Accepted{}, err
	}
	writes = append(writes, owners...)
	accepted := Accepted{OutboxEventID: next.EventID, AcceptedAt: next.CreatedAt}
	remember, err := request.Writes(s.Now(), accepted)
	if err != nil {
		return Accepted{}, err
	}
	writes = append(append(writes, outbox.MarkReplayed(event, next.EventID, r.In)), remember...)
	return accepted, dynamo.Conflict(s.DB.Transact(ctx, writes))
}
