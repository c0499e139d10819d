package reminders

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/telemetry"
)

// Hook is told how the messages of reminders end.
func (r *Reminders) Hook() *sending.Hook {
	return &sending.Hook{
		Domain: r.Domain, Still: r.stillWanted,
		Settle: func(ctx context.Context, reference string, event model.OutboxEvent,
			outcome outbox.Outcome) ([]dynamo.Write, error) {
			return r.settled(ctx, model.Name(reference), event, outcome)
		},
		Status: r.noteStatus,
	}
}

// settled returns the write that says of a reminder that its message cannot be sent, or was sent at last. Its condition
// is that the reminder is as it was read. A reminder that is sent as expected needs no write: it says so since it was
// handed over.
func (r *Reminders) settled(ctx context.Context, id model.Name, event model.OutboxEvent,
	outcome outbox.Outcome) ([]dynamo.Write, error) {
	if outcome.Failure == nil && outcome.Cancelled == "" && event.ReplayOf == "" && !outcome.Late {
		return nil, nil
	}
	was, err := r.read(ctx, id)
	if err != nil || was.ReminderID == "" {
		return nil, err
	}
	is := was
	switch {
	case outcome.Cancelled != "":
		telemetry.Count(ctx, Cancelled, 1)
		return r.withdrawn(was, event, outcome.Cancelled), nil
	case outcome.Failure != nil && outcome.Failure.Kind == sending.OptedOut:
		telemetry.Count(ctx, Cancelled, 1)
		return r.withdrawn(was, event, OptedOut), nil
	case outcome.Failure != nil && was.Status == khatamodel.Sent && was.OutboxEventID == event.EventID:
		reason := model.Truncate(outcome.Failure.Reason, 512)
		is.Status, is.FailureReason = khatamodel.Failed, &reason
		telemetry.Count(ctx, Failed, 1)
	case outcome.Failure == nil && (was.Status == khatamodel.Failed || was.Status == khatamodel.Cancelled) &&
		was.OutboxEventID != "":
		is.Status = khatamodel.Sent
	default:
		return nil, nil
	}
	return []dynamo.Write{end(was, is)}, nil
}

// noteStatus records that WhatsApp could not deliver a reminder.
func (r *Reminders) noteStatus(ctx context.Context, reference string, _ model.MessageID, status model.DeliveryStatus,
	problem *model.Problem) error {
	if status != model.Failed {
		return nil
	}
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		was, err := r.read(ctx, model.Name(reference))
		if err != nil || was.Status != khatamodel.Sent {
			return err
		}
		reason := "failed"
		if problem != nil {
			reason = model.Truncate(fmt.Sprintf("%d %s", problem.Code, problem.Title), 512)
		}
		is := was
		is.Status, is.FailureReason = khatamodel.Failed, &reason
		if err := r.become(ctx, was, is); err != nil {
			return err
		}
		telemetry.Count(ctx, Failed, 1)
		return nil
	})
}

// read returns a reminder by its id; a zero one stands for one that is not there.
func (r *Reminders) read(ctx context.Context, text model.Name) (one khatamodel.Reminder, err error) {
	id, err := model.Parse[model.Name](string(text))
	if err != nil {
		return one, nil
	}
	at := ref(id)
	if err = r.DB.Get(ctx, at.Table, at.Key, &one); isGone(err) {
		return khatamodel.Reminder{}, nil
	}
	return one, err
}
