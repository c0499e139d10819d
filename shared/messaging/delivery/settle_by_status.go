package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
	"github.com/haatline/haatline/shared/whatsapp"
)

// findEvent finds the outbox event of a status if a reaction may need it: the message is not stored yet, or has failed.
// It sets d.Event only if the event is verified to be the status's, so that no tenant can reach another's event.
func (s *Statuses) findEvent(ctx context.Context, d *Delivery, entry model.WebhookEvent, status whatsapp.Status,
	before dynamo.Item) error {
	if inbox.IsMessage(before) && d.Status != model.Failed {
		return nil
	}
	id, token, ours := outbox.ParseCallback(status.CallbackData)
	if !ours {
		return nil // not sent by haatline
	}
	event, err := s.Sender.Outbox().Get(ctx, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		d.EventErased = !inbox.IsMessage(before)
		return nil
	}
	if err != nil {
		return err
	}
	if d.Mismatch = mismatchOf(event, token, entry.PhoneNumberID, status); d.Mismatch == "" {
		d.Event = &event
	}
	return nil
}

// mismatchOf says why a status does not belong to the event that it names; "" if it does. Any message from any number
// can carry any callback data, so the event's token, number and recipient must match.
func mismatchOf(event model.OutboxEvent, token string, phone model.PhoneNumberID, status whatsapp.Status) string {
	from, to, isMessage := strings.Cut(event.EntityID, ":")
	switch {
	case !outbox.TokenMatches(event, token):
		return "token"
	case event.EntityType != sending.EntityType || !isMessage || from != string(phone):
		return "number"
	}
	number, userID := addressOf(event)
	if !whatsapp.SameRecipient(status, number, userID, string(identity.IdentifierIn(model.CustomerID(to)))) {
		return "recipient"
	}
	return ""
}

// addressOf returns to whom an event's message goes: a number or a group, or else a user id.
func addressOf(event model.OutboxEvent) (number, userID string) {
	var payload struct {
		Request struct{ To, Recipient string }
	}
	_ = json.Unmarshal(event.Payload, &payload) // the payload of another domain may differ
	return payload.Request.To, payload.Request.Recipient
}

// SettleByStatus returns the reaction that settles an outbox event when a status shows that Meta accepted the message,
// because the answer to the send may be lost. If the message then fails, the error's class decides as it does at
// sending: it is sent again later, its number stops, or its event becomes a dead letter, which a person can replay.
func (s *Statuses) SettleByStatus(relay *outbox.Relay) OnDelivery {
	return OnDelivery{Name: "outbox", React: func(ctx context.Context, d Delivery) error {
		switch {
		case d.Mismatch != "":
			relay.Log.WarnContext(ctx, "status names an outbox event or a message that it does not match", "event",
				d.EventID, "differs", d.Mismatch)
			return nil
		case d.EventErased:
			return tombstone.OrphanStatus(ctx, relay.DB, d.MessageID, relay.Now())
		case d.Event == nil:
			return nil
		}
		err := s.settleByStatus(ctx, relay, *d.Event, d)
		if errors.Is(err, outbox.ErrErased) {
			return tombstone.OrphanStatus(ctx, relay.DB, d.MessageID, relay.Now())
		}
		return err
	}}
}

func (s *Statuses) settleByStatus(ctx context.Context, relay *outbox.Relay, event model.OutboxEvent, d Delivery) error {
	waits := event.Status == model.OutboxPending || event.Status == model.OutboxFailed
	if d.Status != model.Failed && (waits || d.Status.Rank() > 0 && !d.FailedBefore) {
		err := relay.RecordAccepted(ctx, event, string(d.MessageID))
		if err != nil || waits || event.ExternalID == string(d.MessageID) {
			return err
		}
		return s.failedMeanwhile(ctx, relay, event, d)
	}
	if d.Status != model.Failed {
		return nil // not a delivery state, or a late status of a copy that failed
	}
	unnamed := event.Status == model.OutboxSent && event.ExternalID == ""
	if waits || unnamed { // accepted first, then failed
		if err := relay.RecordAccepted(ctx, event, string(d.MessageID)); err != nil {
			return err
		}
		var err error
		if event, err = current(ctx, relay, event); err != nil {
			return err
		}
	}
	return s.settleFailed(ctx, relay, event, d)
}

// settleFailed records that a copy has failed, and does what follows.
func (s *Statuses) settleFailed(ctx context.Context, relay *outbox.Relay, event model.OutboxEvent, d Delivery) error {
	failure := sending.LateFailure(event, d.Problem)
	if err := relay.RecordFailed(ctx, event, string(d.MessageID), failure); err != nil {
		return err
	}
	return s.afterLateFailure(ctx, relay, event, d, failure)
}

// failedMeanwhile settles the failure of another copy of an event's message that was recorded as accepted by now. Its
// failure may have been reported, and passed over, after its state was read: the event did not refer to the copy then.
func (s *Statuses) failedMeanwhile(ctx context.Context, relay *outbox.Relay, event model.OutboxEvent,
	d Delivery) error {
	var copy model.Message
	err := s.DB.Get(ctx, tables.Messages, keys.Message(d.MessageID), &copy)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && copy.DeliveryStatus != model.Failed {
		return nil
	}
	if err != nil {
		return err
	}
	if d.Status = model.Failed; len(copy.Errors) > 0 {
		d.Problem = &copy.Errors[0]
	}
	if event, err = current(ctx, relay, event); err != nil {
		return err
	}
	return s.settleFailed(ctx, relay, event, d)
}

// current reads an event again. It returns outbox.ErrErased for one that is gone.
func current(ctx context.Context, relay *outbox.Relay, event model.OutboxEvent) (model.OutboxEvent, error) {
	event, err := relay.Get(ctx, event.EventID)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = outbox.ErrErased
	}
	return event, err
}

// afterLateFailure does what the failure's class asks for: it slows or stops the number, and sends the message again. A
// domain learns of the failure of its own message, and decides by itself whether to send it again.
func (s *Statuses) afterLateFailure(ctx context.Context, relay *outbox.Relay, event model.OutboxEvent, d Delivery,
	failure outbox.Failure) error {
	event, err := current(ctx, relay, event)
	dead := event.Status == model.OutboxDeadLetter && event.ExternalID == string(d.MessageID)
	if err != nil || !dead || event.ReplayedBy != "" || event.DismissedAt != "" {
		return err
	}
	if err := s.Sender.WithdrawReaction(ctx, event); err != nil {
		return err
	}
	pace := relay.Handlers[event.EventType].Pace(event)
	late := relay.Now().Sub(d.At.Go()) > whatsapp.StoppedSender // it says nothing of how things are now
	if failure.Slow > 0 && !late {
		if err := relay.SlowGroup(ctx, pace, failure.Slow); err != nil {
			return err
		}
	}
	if failure.Stop > 0 && !late {
		if err := relay.StopGroup(ctx, pace.GroupKey, &failure); err != nil {
			return err
		}
	}
	attempts := maps.Clone(event.FailuresByClass)
	if attempts == nil {
		attempts = map[string]int{}
	}
	if attempts[failure.Class]++; attempts[failure.Class] >= failure.Attempts || sending.PurposeOf(event).Follows() {
		return nil
	}
	err = s.Sender.TryAgain(ctx, event, outbox.Earlier{
		RetryCount: event.RetryCount + 1, FailuresByClass: attempts, LastError: failure.Reason, Code: failure.Kind,
		NotBefore: model.At(relay.Now().Add(failure.Wait)),
	})
	var refused *problem.Error
	// it may not be sent any more: a person sees the dead letter
	if errors.As(err, &refused) || errors.Is(err, dynamo.ErrNotFound) || dynamo.Permanent(err) {
		relay.Log.WarnContext(ctx, "failed message is not sent again", "event", event.EventID)
		return nil
	}
	return err
}
