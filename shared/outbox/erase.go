package outbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// eraseAttempts is how often an event that a relay has just now is tried again: for some four seconds, and a send takes
	// one or two. An operator waits for it, and asks again where that was not enough.
	eraseAttempts = 16
	// eraseRead is how many events are read at once, eraseWidth how many are removed in one transaction, of which their
	// owner may want a write or two for each.
	eraseRead, eraseWidth = 100, 40
)

// ErrLeased means that a relay is at one of the events. It is a conflict: a minute later at most the lease has ended.
var ErrLeased = fmt.Errorf("%w: a relay is sending one of the events", dynamo.ErrConflict)

// ErrGone means that an event has been erased: nothing is left to settle.
var ErrGone = errors.New("the event has been erased")

// Entity is what events of one order are about.
type Entity struct {
	Tenant   model.TenantID
	Type, ID string
}

func (e Entity) ref() dynamo.Ref { return SequenceRef(e.Tenant, e.Type, e.ID) }

// Erase removes every event of an entity, sent or not, and returns the last number that was given to one. Nothing of what
// it removes is sent any more, and what is appended later goes out in order: the sequence keeps its numbers, since an id
// must not come twice, counts what was removed as finished, and loses the entity's name. with gives what the events' owner
// wants written in the transaction that removes them. It returns ErrLeased while a relay has one of them, and
// dynamo.ErrConflict where others keep changing them.
func (s *Store) Erase(ctx context.Context, of Entity, with func(ctx context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error)) (last int64, err error) {
	err = dynamo.Retry(ctx, eraseAttempts, func() error {
		var sequence model.OutboxSequence
		err := s.DB.Get(ctx, tables.OutboxSequences, of.ref().Key, &sequence)
		if errors.Is(err, dynamo.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("erase events: %w", err)
		}
		last = sequence.Current
		return s.eraseAll(ctx, &sequence, with)
	})
	return last, err
}

// Still is the check, for a transaction that relies on an erasure, that no event was appended since.
func Still(of Entity, last int64) dynamo.Check {
	check := dynamo.Check{Table: tables.OutboxSequences, Key: of.ref().Key, If: "attribute_not_exists(#current)"}
	if last > 0 {
		check.If, check.Values = "#current = :last", dynamo.Item{":last": dynamo.N(last)}
	}
	return check
}

func (s *Store) eraseAll(ctx context.Context, sequence *model.OutboxSequence, with func(context.Context, []model.OutboxEvent) ([]dynamo.Write, error)) error {
	for first := int64(1); first <= sequence.Current; first += eraseRead {
		until := min(first+eraseRead-1, sequence.Current)
		var rows []dynamo.Item
		for number := first; number <= until; number++ {
			rows = append(rows, dynamo.Item{"eventId": dynamo.S(keys.OutboxEventID(sequence.SequenceID, number))})
		}
		events, err := s.read(ctx, rows) // those that have expired are left out
		if err != nil {
			return err
		}
		for len(events) > 0 {
			size := min(len(events), eraseWidth)
			finished := events[size-1].SequenceNumber
			if size == len(events) {
				finished = until
			}
			if err := s.eraseSome(ctx, sequence, events[:size], finished, with); err != nil {
				return err
			}
			events = events[size:]
		}
	}
	return s.forgetEntity(ctx, sequence)
}

// eraseSome removes events in one transaction. Where an unsent one is among them, the order moves on to what is finished
// then, so that the entity never waits for what is gone, whenever this ends.
func (s *Store) eraseSome(ctx context.Context, sequence *model.OutboxSequence, events []model.OutboxEvent, finished int64, with func(context.Context, []model.OutboxEvent) ([]dynamo.Write, error)) error {
	now := model.At(s.Now())
	writes, err := with(ctx, events)
	if err != nil {
		return err
	}
	delivered := sequence.Delivered
	for _, event := range events {
		if event.LeaseExpiresAt >= now {
			return ErrLeased
		}
		if waits := event.Status == model.OutboxPending || event.Status == model.OutboxFailed; waits && !event.Unordered {
			delivered = max(delivered, finished)
		}
		writes = append(writes, dynamo.Delete{
			Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
			If:     "#status = :status AND (attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)",
			Values: dynamo.Item{":status": dynamo.S(event.Status), ":now": dynamo.S(now)},
		})
	}
	if delivered > sequence.Delivered {
		writes = append(writes, moved(*sequence, "SET delivered = :to", delivered))
	}
	if err := s.DB.Transact(ctx, writes); err != nil {
		return dynamo.Conflict(err)
	}
	sequence.Delivered = delivered
	return nil
}

// forgetEntity takes the entity's name from a sequence that has no events any more.
func (s *Store) forgetEntity(ctx context.Context, sequence *model.OutboxSequence) error {
	if sequence.EntityKey == "" && sequence.Delivered == sequence.Current {
		return nil
	}
	_, err := s.DB.Update(ctx, moved(*sequence, "SET delivered = :to REMOVE entityKey", sequence.Current))
	return dynamo.Conflict(err)
}

// moved is an update of a sequence that still is as it was read.
func moved(sequence model.OutboxSequence, do string, delivered int64) dynamo.Update {
	return dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(sequence.SequenceID), Do: do,
		If:     "#current = :current AND delivered = :before",
		Values: dynamo.Item{":to": dynamo.N(delivered), ":current": dynamo.N(sequence.Current), ":before": dynamo.N(sequence.Delivered)},
	}
}
