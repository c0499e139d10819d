package delivery

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/tombstone"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Delivery is one status that was applied, for the reactions.
type Delivery struct {
	EventID     model.EventID       // of its webhook entry
	Phone       model.PhoneNumberID // the number that the status came to
	MessageID   model.MessageID
	Status      model.DeliveryStatus
	At          model.Time         // by Meta's clock
	Problem     *model.Problem     // the first error of a failed one
	Event       *model.OutboxEvent // the verified event that sent the message; nil if reactions do not need it
	EventErased bool               // the status names an outbox event that does not exist any more
	Purpose     model.Purpose      // of the message; "" for a person's, and where the message is not known
	// what shows that the status does not belong to the message or the event that it names; "" if it does
	Mismatch     string
	FailedBefore bool // the message had failed before, which is final
}

// OnDelivery is a named reaction to statuses. React may run several times for a status, and must be idempotent.
type OnDelivery struct {
	Name  string
	React func(ctx context.Context, delivery Delivery) error
}

// deliver applies one status and has the domains react. It returns what can never succeed, and an error when something
// is worth another try.
func (r *report) deliver(ctx context.Context, st reportedStatus,
	reactions []OnDelivery) (refused []string, again error) {
	s, phone := r.store, r.event.PhoneNumberID
	update := toUpdate(st.status, r.event)
	before, err := s.applyStatus(ctx, st.id, phone, update)
	if err != nil && dynamo.Permanent(err) {
		return []string{fmt.Sprintf("statuses[%d]: %v", st.position, err)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("status of %s: %w", r.event.EventID, err)
	}
	if tombstone.Is(before) || inbox.IsPointer(before) {
		return nil, nil // what is not there has no state, and nothing to react to
	}
	telemetry.Count(ctx, metricOf(st.status), 1)
	delivery := Delivery{
		EventID: r.event.EventID, Phone: phone, MessageID: st.id, Status: model.DeliveryStatus(st.status.Status),
		At:           update.Timestamp,
		FailedBefore: dynamo.Int(before, "deliveryRank") == int64(model.Failed.Rank()),
	}
	if len(st.status.Errors) > 0 {
		delivery.Problem = &problemsOf(st.status.Errors)[0]
	}
	ours := fromNumber(before, phone)
	if !ours {
		delivery.Mismatch = "number"
	}
	errs := lanes.Concurrently(2,
		func() error {
			if inbox.IsMessage(before) {
				return nil
			}
			return s.expireOrphan(ctx, st.id)
		},
		func() error {
			if !ours {
				return nil
			}
			return s.findEvent(ctx, &delivery, r.event, st.status, before)
		},
	)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("status of %s: %w", r.event.EventID, err)
	}
	if st.status.Type == typePayment { // the state of a payment, not of a message
		if !ours {
			return nil, nil
		}
		return nil, s.Paid(ctx, phone, st.status,
			webhooklog.Event{Entry: r.event}.Place(st.status.Timestamp, st.position))
	}
	if update.Participant != "" && delivery.Status == model.Failed {
		return nil, nil // the state of one member of a group, and not of the message
	}
	if ours {
		if err := s.sightRecipient(ctx, st, phone, before, delivery.Event); err != nil {
			return nil, fmt.Errorf("status of %s: %w", r.event.EventID, err)
		}
		delivery.Purpose = model.Purpose(dynamo.Text(before, "purpose"))
	}
	if delivery.Event != nil && delivery.Purpose == "" {
		delivery.Purpose = sending.PurposeOf(*delivery.Event)
	}
	if delivery.Status == model.Failed && ours { // somebody should see it, however late it comes
		if err := s.Inbox.Changed(ctx, dynamo.Text(before, "conversationPk")); err != nil {
			return nil, fmt.Errorf("status of %s: %w", r.event.EventID, err)
		}
	}
	return st.react(flowOf(ctx, phone, before, delivery.Event), delivery, reactions)
}

// react calls the reactions to a status that was applied. It returns what can never succeed, and an error when
// something is worth another try.
func (st reportedStatus) react(ctx context.Context, delivery Delivery,
	reactions []OnDelivery) (refused []string, again error) {
	for _, reaction := range reactions {
		err := reaction.React(ctx, delivery)
		switch {
		case err != nil && dynamo.Permanent(err):
			refused = append(refused, fmt.Sprintf("statuses[%d]: %s: %v", st.position, reaction.Name, err))
		case err != nil:
			again = errors.Join(again, fmt.Errorf("%s reacts to %s: %w", reaction.Name, delivery.EventID, err))
		}
	}
	return refused, again
}

// flowOf is a context of the flow that a status belongs to: the message knows it, where it is one of the status's
// number, and where it is not there yet, the event that sends it does.
func flowOf(ctx context.Context, phone model.PhoneNumberID, message dynamo.Item,
	event *model.OutboxEvent) context.Context {
	if of, _, placed := keys.ConversationIDs(dynamo.Text(message, "conversationPk")); placed && of == phone {
		return telemetry.WithCorrelation(ctx, dynamo.Text(message, "correlationId"))
	}
	if event != nil {
		return telemetry.WithCorrelation(ctx, event.CorrelationID)
	}
	return ctx
}

const typePayment = "payment"

// metricOf is what a status counts as.
func metricOf(status whatsapp.Status) telemetry.Metric {
	if status.Type == typePayment {
		return telemetry.StatusOther
	}
	switch model.DeliveryStatus(status.Status) {
	case model.Sent:
		return telemetry.StatusSent
	case model.Delivered:
		return telemetry.StatusDelivered
	case model.Read:
		return telemetry.StatusRead
	case model.Failed:
		return telemetry.StatusFailed
	}
	return telemetry.StatusOther
}
