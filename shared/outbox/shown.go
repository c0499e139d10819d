package outbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// What the other side shows by a status is true whatever was believed before: an attempt without an answer may have been
// taken, one of two copies may fail while the other arrives. Whoever calls has verified that the status is the event's.

// Taken records that the other side has taken an event's message and calls it externalID, whoever holds the lease. What
// was not settled is settled. A dead letter that was taken after all comes back to life. A second copy of what counts as
// sent is remembered. It returns ErrGone for an event that has been erased.
func (r *Relay) Taken(ctx context.Context, event model.OutboxEvent, externalID string) error {
	return r.shown(ctx, event, func(event model.OutboxEvent, handler Handler) error {
		switch {
		case waits(event):
			return r.settleOnce(ctx, event, handler, Outcome{ExternalID: externalID, At: model.At(r.Now())})
		case event.ExternalID == externalID, event.OtherCopy == externalID:
			return nil // known; and a failure of that very copy is final
		case event.Status == model.OutboxDeadLetter:
			return r.revive(ctx, event, handler, externalID)
		case event.ExternalID == "":
			return nil
		}
		return r.noteCopy(ctx, event, handler, externalID)
	})
}

// Refused records that the other side has failed what it had taken as externalID: the event becomes a dead letter, which
// a person sees and can replay, unless another copy has arrived or is on its way. The failure of a copy that the event
// does not stand for changes nothing.
func (r *Relay) Refused(ctx context.Context, event model.OutboxEvent, externalID string, failure Failure) error {
	return r.shown(ctx, event, func(event model.OutboxEvent, handler Handler) error {
		switch {
		case event.Status != model.OutboxSent:
			return nil
		case event.ExternalID == externalID && event.OtherCopy != "":
			return r.takeOther(ctx, event, handler)
		case event.ExternalID == externalID:
			return r.bury(ctx, event, failure)
		case event.OtherCopy == externalID:
			_, err := r.DB.Update(ctx, dynamo.Update{ // it no longer stands in for the first
				Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: "REMOVE otherCopy",
				If: "otherCopy = :other", Values: dynamo.Item{":other": dynamo.S(externalID)},
			})
			return dynamo.Conflict(err)
		}
		return nil
	})
}

// shown makes a decision about an event, and makes it anew, on the event as it is then, where somebody else wrote in
// between.
func (r *Relay) shown(ctx context.Context, event model.OutboxEvent, decide func(model.OutboxEvent, Handler) error) error {
	ctx = inFlow(ctx, event)
	handler, known := r.Handlers[event.EventType]
	if !known {
		return fmt.Errorf("%w %q", errUnknownType, event.EventType)
	}
	fresh := true
	err := dynamo.Retry(ctx, settleAttempts, func() (err error) {
		if !fresh {
			if event, err = r.Get(ctx, event.EventID); errors.Is(err, dynamo.ErrNotFound) {
				return ErrGone
			} else if err != nil {
				return err
			}
		}
		fresh = false
		return decide(event, handler)
	})
	if err != nil {
		return fmt.Errorf("a status of %s: %w", event.EventID, err)
	}
	return nil
}

// waits reports whether an event is still to be sent.
func waits(event model.OutboxEvent) bool {
	return event.Status == model.OutboxPending || event.Status == model.OutboxFailed
}

// revive makes a sent event of a dead letter that the other side has taken. Its condition is that it still is the dead
// letter that was read. Where it has been replayed meanwhile, both went out: both are marked as possible duplicates.
func (r *Relay) revive(ctx context.Context, event model.OutboxEvent, handler Handler, externalID string) error {
	outcome := Outcome{ExternalID: externalID, At: model.At(r.Now()), Late: true}
	update := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET #status = :sent, sentAt = :at, externalId = :external, expiresAtEpochSeconds = :expires",
		Values: dynamo.Item{
			":sent": dynamo.S(model.OutboxSent), ":dead": dynamo.S(model.OutboxDeadLetter), ":at": dynamo.S(outcome.At),
			":external": dynamo.S(externalID), ":expires": dynamo.N(outcome.At.Go().Add(sentRetention).Unix()),
		},
	}
	update.If = and("#status = :dead", and(still("externalId", event.ExternalID, update.Values), still("replayedBy", event.ReplayedBy, update.Values)))
	var marked []dynamo.Write
	if event.ReplayedBy != "" {
		event.PossibleDuplicate = true
		update.Do += ", possibleDuplicate = :true"
		update.Values[":true"] = dynamo.B(true)
		var err error
		if marked, err = r.markReplay(ctx, event.ReplayedBy); err != nil {
			return err
		}
	}
	update.Do += " REMOVE attentionPk, failedAt, attemptStartedAt"
	err := r.record(ctx, event, handler, outcome, append(marked, update))
	if err == nil {
		r.Log.InfoContext(ctx, "a dead letter was taken after all", "event", event.EventID, "replayed", event.ReplayedBy != "")
	}
	return err
}

// markReplay gives the writes that mark the event that replays another, and its owner's record.
func (r *Relay) markReplay(ctx context.Context, eventID string) ([]dynamo.Write, error) {
	replay, err := r.Get(ctx, eventID)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && replay.PossibleDuplicate {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	writes := []dynamo.Write{dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(eventID), Do: "SET possibleDuplicate = :true", If: "attribute_exists(eventId)",
		Values: dynamo.Item{":true": dynamo.B(true)},
	}}
	handler := r.Handlers[replay.EventType]
	if handler.Settle == nil {
		return writes, nil
	}
	owned, err := handler.Settle(ctx, replay, Outcome{Copy: true})
	return append(writes, owned...), err
}

// noteCopy remembers that what counts as sent was taken a second time, under another id. Its condition is that the event
// still counts as sent under the first.
func (r *Relay) noteCopy(ctx context.Context, event model.OutboxEvent, handler Handler, externalID string) error {
	return r.record(ctx, event, handler, Outcome{Copy: true}, []dynamo.Write{dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: "SET possibleDuplicate = :true, otherCopy = :other",
		If: "#status = :sent AND externalId = :external",
		Values: dynamo.Item{
			":true": dynamo.B(true), ":other": dynamo.S(externalID), ":sent": dynamo.S(model.OutboxSent), ":external": dynamo.S(event.ExternalID),
		},
	}})
}

// takeOther has an event stand for its second copy, because the first has failed. Its condition is both, as read.
func (r *Relay) takeOther(ctx context.Context, event model.OutboxEvent, handler Handler) error {
	outcome := Outcome{ExternalID: event.OtherCopy, At: model.At(r.Now()), Late: true}
	return r.record(ctx, event, handler, outcome, []dynamo.Write{dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: "SET externalId = :other REMOVE otherCopy",
		If: "#status = :sent AND externalId = :external AND otherCopy = :other",
		Values: dynamo.Item{
			":other": dynamo.S(event.OtherCopy), ":sent": dynamo.S(model.OutboxSent), ":external": dynamo.S(event.ExternalID),
		},
	}})
}

// bury makes a dead letter of a sent event. Its condition is that it counts as sent under the id that failed, and that no
// other copy is known.
func (r *Relay) bury(ctx context.Context, event model.OutboxEvent, failure Failure) error {
	now := r.Now()
	_, err := r.DB.Update(ctx, dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET #status = :dead, lastError = :error, failureCode = :code, failedAt = :at, attentionPk = :attention, expiresAtEpochSeconds = :expires",
		If: "#status = :sent AND externalId = :external AND attribute_not_exists(otherCopy)",
		Values: dynamo.Item{
			":dead": dynamo.S(model.OutboxDeadLetter), ":sent": dynamo.S(model.OutboxSent), ":error": dynamo.S(failure.Reason), ":code": dynamo.S(failure.kind()),
			":external": dynamo.S(event.ExternalID), ":at": dynamo.S(model.At(now)),
			":attention": dynamo.S(attention(event.EcosystemID, model.OutboxDeadLetter)), ":expires": dynamo.N(now.Add(deadRetention).Unix()),
		},
	})
	if err == nil {
		telemetry.Count(ctx, telemetry.DeadLetters, 1)
	}
	return dynamo.Conflict(err)
}

// record commits a change of an event together with what its owner writes for it.
func (r *Relay) record(ctx context.Context, event model.OutboxEvent, handler Handler, outcome Outcome, writes []dynamo.Write) error {
	if handler.Settle != nil {
		owned, err := handler.Settle(ctx, event, outcome)
		if err != nil {
			return err
		}
		writes = append(writes, owned...)
	}
	return dynamo.Conflict(r.DB.Transact(ctx, writes))
}

// still is the condition that an attribute is as it was read: "" for absent.
func still(name, value string, values dynamo.Item) string {
	if value == "" {
		return "attribute_not_exists(" + name + ")"
	}
	values[":was_"+name] = dynamo.S(value)
	return name + " = :was_" + name
}

// MayHaveBeenTaken reports whether the other side may have a dead letter nevertheless: an attempt got no answer.
func MayHaveBeenTaken(event model.OutboxEvent) bool {
	return event.PossibleDuplicate || event.AttemptStartedAt != ""
}
