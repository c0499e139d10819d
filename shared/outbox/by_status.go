package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// A status from the provider outweighs what this system believed: an unanswered attempt may have been taken, and one of
// two copies may fail while the other arrives. Callers have verified that the status belongs to the event.

// RecordAccepted records that the provider has taken an event's message under externalID. It needs no lease. An
// unsettled event is settled, a dead letter or a cancelled event becomes a sent event, and a second copy of a sent
// event is recorded. A sent event whose provider took it without naming it gets its id. RecordAccepted returns
// ErrErased for an event that has been erased.
func (r *Relay) RecordAccepted(ctx context.Context, event model.OutboxEvent, externalID string) error {
	return r.retryOnConflict(ctx, event, func(event model.OutboxEvent, handler Handler) error {
		switch {
		case unsent(event):
			return r.settleOnce(ctx, event, handler, Outcome{ExternalID: externalID, At: model.At(r.Now())}, false)
		case event.ExternalID == externalID, event.OtherCopy == externalID:
			return nil // known already; and a failure of this copy is final
		case event.Status == model.OutboxDeadLetter, event.Status == model.OutboxCancelled:
			return r.revive(ctx, event, handler, externalID)
		case event.ExternalID == "":
			return r.recordName(ctx, event, handler, externalID)
		}
		return r.recordCopy(ctx, event, handler, externalID)
	})
}

// RecordFailed records that the provider has failed the message it took as externalID. The event becomes a dead letter,
// which a person can replay, unless another copy was taken. A failure of a copy that the event does not refer to
// changes nothing. It returns ErrErased for an event that has been erased.
func (r *Relay) RecordFailed(ctx context.Context, event model.OutboxEvent, externalID string, failure Failure) error {
	return r.retryOnConflict(ctx, event, func(event model.OutboxEvent, handler Handler) error {
		switch {
		case event.Status != model.OutboxSent:
			return nil
		case event.ExternalID == externalID && event.OtherCopy != "":
			return r.switchToCopy(ctx, event, handler)
		case event.ExternalID == externalID:
			return r.deadLetterSent(ctx, event, failure)
		case event.OtherCopy == externalID:
			err := r.DB.Update(ctx, dynamo.Update{ // the failed copy cannot replace the first
				Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: "REMOVE otherCopy",
				If: "otherCopy = :other", Values: dynamo.Item{":other": dynamo.S(externalID)},
			})
			return dynamo.Conflict(err)
		}
		return nil
	})
}

// retryOnConflict runs decide on the event. After a conflict it reads the event again and repeats the decision.
func (r *Relay) retryOnConflict(ctx context.Context, event model.OutboxEvent,
	decide func(model.OutboxEvent, Handler) error) error {
	ctx = inFlow(ctx, event)
	handler, known := r.Handlers[event.EventType]
	if !known {
		return fmt.Errorf("%w %q", errUnknownType, event.EventType)
	}
	fresh := true
	err := dynamo.Retry(ctx, settleAttempts, func() (err error) {
		if !fresh {
			if event, err = r.Get(ctx, event.EventID); errors.Is(err, dynamo.ErrNotFound) {
				return ErrErased
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

// unsent reports whether an event is still to be sent.
func unsent(event model.OutboxEvent) bool {
	return event.Status == model.OutboxPending || event.Status == model.OutboxFailed ||
		event.Status == model.OutboxWaiting
}

// revive turns a dead letter, or a cancelled event, that the provider has taken into a sent event. Its condition is
// that it is unchanged since it was read. If it was replayed meanwhile, both were sent, so both are marked as possible
// duplicates.
func (r *Relay) revive(ctx context.Context, event model.OutboxEvent, handler Handler, externalID string) error {
	outcome := Outcome{ExternalID: externalID, At: model.At(r.Now()), Late: true}
	update := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET #status = :sent, sentAt = :at, externalId = :external, expiresAtEpochSeconds = :expires",
		Values: dynamo.Item{
			":sent": dynamo.S(model.OutboxSent), ":was": dynamo.S(event.Status), ":at": dynamo.S(outcome.At),
			":external": dynamo.S(externalID), ":expires": dynamo.N(outcome.At.Go().Add(sentRetention).Unix()),
		},
	}
	update.If = dynamo.And(
		"#status = :was", dynamo.SameText("externalId", event.ExternalID, update.Values),
		dynamo.SameText("replayedBy", event.ReplayedBy, update.Values),
	)
	var marked []dynamo.Write
	if event.ReplayedBy != "" {
		event.PossibleDuplicate = true
		update.Do += ", possibleDuplicate = :true"
		update.Values[":true"] = dynamo.Bool(true)
		var err error
		if marked, err = r.markReplay(ctx, event.ReplayedBy); err != nil {
			return err
		}
	}
	update.Do += " REMOVE attentionPk, failedAt, attemptStartedAt"
	err := r.record(ctx, event, handler, outcome, append(marked, update))
	if err == nil {
		r.Log.InfoContext(ctx, "an event that had ended was accepted after all", "event", event.EventID, "replayed",
			event.ReplayedBy != "")
	}
	return err
}

// markReplay returns the writes that mark a replaying event and its owner's record as possible duplicates.
func (r *Relay) markReplay(ctx context.Context, eventID string) ([]dynamo.Write, error) {
	replay, err := r.Get(ctx, eventID)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && replay.PossibleDuplicate {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	writes := []dynamo.Write{dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(eventID), Do: "SET possibleDuplicate = :true",
		If:     "attribute_exists(eventId)",
		Values: dynamo.Item{":true": dynamo.Bool(true)},
	}}
	handler := r.Handlers[replay.EventType]
	if handler.Settle == nil {
		return writes, nil
	}
	owned, err := handler.Settle(ctx, replay, Outcome{Copy: true})
	return append(writes, owned...), err
}

// recordName records the id of a sent event's message, which the provider did not say when it took it. Its condition is
// that the event still has none.
func (r *Relay) recordName(ctx context.Context, event model.OutboxEvent, handler Handler, externalID string) error {
	outcome := Outcome{ExternalID: externalID, At: cmp.Or(event.SentAt, model.At(r.Now()))}
	return r.record(ctx, event, handler, outcome, []dynamo.Write{dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: "SET externalId = :external",
		If:     "#status = :sent AND attribute_not_exists(externalId)",
		Values: dynamo.Item{":external": dynamo.S(externalID), ":sent": dynamo.S(model.OutboxSent)},
	}})
}

// recordCopy records that the provider took a sent event's message a second time, under another id. Its condition is
// that the event still counts as sent under the first id.
func (r *Relay) recordCopy(ctx context.Context, event model.OutboxEvent, handler Handler, externalID string) error {
	return r.record(ctx, event, handler, Outcome{Copy: true}, []dynamo.Write{dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET possibleDuplicate = :true, otherCopy = :other",
		If: "#status = :sent AND externalId = :external",
		Values: dynamo.Item{
			":true": dynamo.Bool(true), ":other": dynamo.S(externalID), ":sent": dynamo.S(model.OutboxSent),
			":external": dynamo.S(event.ExternalID),
		},
	}})
}

// switchToCopy makes an event refer to its second copy, because the first has failed. Its condition is that both are as
// read.
func (r *Relay) switchToCopy(ctx context.Context, event model.OutboxEvent, handler Handler) error {
	outcome := Outcome{ExternalID: event.OtherCopy, At: model.At(r.Now()), Late: true}
	return r.record(ctx, event, handler, outcome, []dynamo.Write{dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID), Do: "SET externalId = :other REMOVE otherCopy",
		If: "#status = :sent AND externalId = :external AND otherCopy = :other",
		Values: dynamo.Item{
			":other": dynamo.S(event.OtherCopy), ":sent": dynamo.S(model.OutboxSent),
			":external": dynamo.S(event.ExternalID),
		},
	}})
}

// deadLetterSent turns a sent event into a dead letter. Its condition is that it counts as sent under the id that
// failed, and that no other copy is known.
func (r *Relay) deadLetterSent(ctx context.Context, event model.OutboxEvent, failure Failure) error {
	now := r.Now()
	err := r.DB.Update(ctx, dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET #status = :dead, lastError = :error, failureCode = :code, failedAt = :at, attentionPk = " +
			":attention, expiresAtEpochSeconds = :expires",
		If: "#status = :sent AND externalId = :external AND attribute_not_exists(otherCopy)",
		Values: dynamo.Item{
			":dead": dynamo.S(model.OutboxDeadLetter), ":sent": dynamo.S(model.OutboxSent),
			":error": dynamo.S(failure.Reason), ":code": dynamo.S(failure.kind()),
			":external": dynamo.S(event.ExternalID), ":at": dynamo.S(model.At(now)),
			":attention": dynamo.S(attention(event.EcosystemID, model.OutboxDeadLetter)),
			":expires":   dynamo.N(now.Add(deadRetention).Unix()),
		},
	})
	if err == nil {
		telemetry.Count(ctx, telemetry.DeadLetters, 1)
	}
	return dynamo.Conflict(err)
}

// record commits a change of an event together with its owner's writes. It returns dynamo.ErrConflict after a failed
// condition.
func (r *Relay) record(ctx context.Context, event model.OutboxEvent, handler Handler, outcome Outcome,
	writes []dynamo.Write) error {
	if handler.Settle != nil {
		owned, err := handler.Settle(ctx, event, outcome)
		if err != nil {
			return err
		}
		writes = append(writes, owned...)
	}
	if handler.Inform != nil && !outcome.Copy {
		return r.recordInformed(ctx, event, handler, outcome, writes)
	}
	return dynamo.Conflict(r.DB.Transact(ctx, writes))
}

const (
	// informAttempts bounds the attempts to commit the writes of the domain that has the event sent.
	informAttempts = 3
	// informReads bounds how often the domain is asked for them while it cannot say, because a read of it fails in
	// passing. Nobody tells it later.
	informReads = 10
)

// recordInformed commits writes together with those of the domain that has the event sent, or without these if they
// cannot be committed.
func (r *Relay) recordInformed(
	ctx context.Context, event model.OutboxEvent, handler Handler, outcome Outcome, writes []dynamo.Write,
) error {
	var failure error
	for reads, attempts := 0, 0; reads < informReads && attempts < informAttempts; {
		var informed []dynamo.Write
		if informed, failure = handler.Inform(ctx, event, outcome); failure != nil {
			reads++
			continue
		}
		attempts++
		err := r.DB.Transact(ctx, slices.Concat(writes, informed))
		if len(informed) == 0 || !onlyBehind(err, len(writes)) {
			return dynamo.Conflict(err)
		}
		failure = err
	}
	r.Log.ErrorContext(ctx, "settled without the domain's writes", "event", event.EventID, "type", event.EventType,
		"error", failure)
	return dynamo.Conflict(r.DB.Transact(ctx, writes))
}

// onlyBehind reports whether a transaction failed because of writes behind the first n: a condition of theirs does not
// hold, or DynamoDB rejects one of them.
func onlyBehind(err error, n int) bool {
	var cancelled *dynamo.TransactionCancelled
	if !errors.As(err, &cancelled) {
		return dynamo.Permanent(err) // the first n are a valid request by themselves
	}
	failed := func(reason dynamo.Reason) bool { return reason.Failed() || reason.Code == "ValidationError" }
	n = min(n, len(cancelled.Reasons))
	return slices.ContainsFunc(cancelled.Reasons[n:], failed) && !slices.ContainsFunc(cancelled.Reasons[:n], failed)
}

// MayHaveBeenAccepted reports whether the provider may have taken a dead letter's message, because an attempt got no
// answer.
func MayHaveBeenAccepted(event model.OutboxEvent) bool {
	return event.PossibleDuplicate || event.AttemptStartedAt != ""
}
