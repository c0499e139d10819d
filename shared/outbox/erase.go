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
	// eraseAttempts bounds the attempts to erase an event that a relay is sending. They take about four seconds; a send
	// takes one or two. An operator waits for this call and can repeat it.
	eraseAttempts = 16
	// eraseRead is how many events one read asks for. eraseWidth is how many events one transaction removes; it leaves
	// room for the writes that the events' owner adds.
	eraseRead, eraseWidth = 100, 40
)

// ErrLeased means that a relay is sending one of the events. It wraps dynamo.ErrConflict. The lease ends within a
// minute.
var ErrLeased = fmt.Errorf("%w: a relay is sending one of the events", dynamo.ErrConflict)

// ErrErased means that the event has been erased, so there is nothing to settle.
var ErrErased = errors.New("the event has been erased")

// Entity identifies a sequence: events of one entity are sent in order.
type Entity struct {
	Tenant   model.TenantID
	Type, ID string
}

func (e Entity) ref() dynamo.Ref { return SequenceRef(e.Tenant, e.Type, e.ID) }

// EventsOf returns the events of an entity whose numbers are above after, in order, and the number behind which it has
// read; 0 at the end. It reads up to limit numbers: events that have expired are absent.
func (s *Outbox) EventsOf(
	ctx context.Context, of Entity, after int64, limit int,
) (events []model.OutboxEvent, next int64, err error) {
	var sequence model.OutboxSequence
	err = s.DB.Get(ctx, tables.OutboxSequences, of.ref().Key, &sequence)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && after >= sequence.Current {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("events of an entity: %w", err)
	}
	until := min(after+int64(limit), sequence.Current)
	if events, err = s.numbered(ctx, sequence.SequenceID, after+1, until); until < sequence.Current {
		next = until
	}
	return events, next, err
}

// numbered returns the events of a sequence from one number until another. Events that have expired are absent.
func (s *Outbox) numbered(ctx context.Context, sequence string, first, until int64) ([]model.OutboxEvent, error) {
	var rows []dynamo.Item
	for number := first; number <= until; number++ {
		rows = append(rows, dynamo.Item{"eventId": dynamo.S(keys.OutboxEventID(sequence, number))})
	}
	return s.read(ctx, rows)
}

// Alongside returns the writes that the owner of events adds to the transaction that removes them.
type Alongside func(ctx context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error)

// Erase removes every event of an entity, sent or not, and returns the last sequence number that was allocated. Removed
// events are never sent. Events that are appended later are sent in order: the sequence keeps its numbers, because an
// event id must not be reused, counts the removed events as finished, and loses the entity's name. Erase returns
// ErrLeased while a relay sends one of the events, and dynamo.ErrConflict if others keep changing them.
func (s *Outbox) Erase(ctx context.Context, of Entity, alongside Alongside) (last int64, err error) {
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
		return (&sequenceErasure{s, &sequence, alongside}).run(ctx)
	})
	return last, err
}

// NothingAppendedSince returns a check for a transaction that relies on an erasure: no event was appended after number
// last.
func NothingAppendedSince(of Entity, last int64) dynamo.Check {
	check := dynamo.Check{Table: tables.OutboxSequences, Key: of.ref().Key, If: "attribute_not_exists(#current)"}
	if last > 0 {
		check.If, check.Values = "#current = :last", dynamo.Item{":last": dynamo.N(last)}
	}
	return check
}

// sequenceErasure is one attempt to remove the events of a sequence.
type sequenceErasure struct {
	*Outbox
	sequence  *model.OutboxSequence // as it was read, and then as the erasure has changed it
	alongside Alongside
}

func (s *sequenceErasure) run(ctx context.Context) error {
	sequence := s.sequence
	for first := int64(1); first <= sequence.Current; first += eraseRead {
		until := min(first+eraseRead-1, sequence.Current)
		events, err := s.numbered(ctx, sequence.SequenceID, first, until)
		if err != nil {
			return err
		}
		for len(events) > 0 {
			size := min(len(events), eraseWidth)
			finished := events[size-1].SequenceNumber
			if size == len(events) {
				finished = until
			}
			if err := s.batch(ctx, events[:size], finished); err != nil {
				return err
			}
			events = events[size:]
		}
	}
	return s.removeEntityName(ctx, sequence)
}

// batch removes events in one transaction. If an unsent event is among them, the sequence advances to finished in the
// same transaction, so that later events never wait for a removed one, even if the erasure stops here.
func (s *sequenceErasure) batch(ctx context.Context, events []model.OutboxEvent, finished int64) error {
	sequence, now := s.sequence, model.At(s.Now())
	writes, err := s.alongside(ctx, events)
	if err != nil {
		return err
	}
	delivered := sequence.Delivered
	for _, event := range events {
		if event.LeaseExpiresAt >= now {
			return ErrLeased
		}
		if waits := event.Status == model.OutboxPending ||
			event.Status == model.OutboxFailed; waits && !event.Unordered {
			delivered = max(delivered, finished)
		}
		writes = append(writes, dynamo.Delete{
			Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
			If:     "#status = :status AND (attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)",
			Values: dynamo.Item{":status": dynamo.S(event.Status), ":now": dynamo.S(now)},
		})
	}
	if delivered > sequence.Delivered {
		writes = append(writes, updateSequence(*sequence, "SET delivered = :to", delivered))
	}
	if err := s.DB.Transact(ctx, writes); err != nil {
		return dynamo.Conflict(err)
	}
	sequence.Delivered = delivered
	return nil
}

// removeEntityName removes the entity's name from a sequence that has no events any more.
func (s *Outbox) removeEntityName(ctx context.Context, sequence *model.OutboxSequence) error {
	if sequence.EntityKey == "" && sequence.Delivered == sequence.Current {
		return nil
	}
	err := s.DB.Update(ctx, updateSequence(*sequence, "SET delivered = :to REMOVE entityKey", sequence.Current))
	return dynamo.Conflict(err)
}

// updateSequence returns an update of a sequence on condition that the sequence is unchanged since it was read.
func updateSequence(sequence model.OutboxSequence, do string, delivered int64) dynamo.Update {
	return dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(sequence.SequenceID), Do: do,
		If: "#current = :current AND delivered = :before",
		Values: dynamo.Item{
			":to": dynamo.N(delivered), ":current": dynamo.N(sequence.Current),
			":before": dynamo.N(sequence.Delivered)},
	}
}
