// Package outbox owns everything that leaves the system. A domain appends an event in the transaction that changes its
// state. Events are numbered per entity; relays lease them and send them in that order. Settling an event commits
// together with the writes its owner wants. Failed events are retried by failure class and end as dead letters that a
// person can replay or dismiss. The package does not know what events mean: the functions register a Handler per event
// type.
package outbox

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Outbox reads and appends events.
type Outbox struct {
	DB  *dynamo.Client
	Now func() time.Time
	// NewToken returns the random part of an event's callback data. If it is nil, crypto/rand is used.
	NewToken func() string
}

func (s *Outbox) token() string {
	if s.NewToken != nil {
		return s.NewToken()
	}
	return rand.Text()
}

// Draft describes an event to append.
type Draft struct {
	Type       string
	Tenant     model.TenantID
	EntityType string // whatsapp, sms, …
	EntityID   string // events of one entity are sent in order
	Payload    model.Document
	ReplayOf   string
	// PossibleDuplicate is set if the provider may already have this message.
	PossibleDuplicate bool
	// Earlier is what has happened to the message in the events that this one replays; nil if nothing counts.
	Earlier *Earlier
}

// Earlier counts the failed attempts of the events that an event replays. They count together with its own.
type Earlier struct {
	RetryCount      int
	FailuresByClass map[string]int
	LastError, Code string
	NotBefore       model.Time // when the next attempt is due
}

// sequenceID returns the id of an entity's sequence. The ids of a lane's events begin with its name: an index shows
// only ids.
func sequenceID(tenant model.TenantID, entityType, entityID string) string {
	return keys.InLane(keys.LaneFor(entityType),
		keys.OutboxSequenceID(keys.OutboxEntityKey(tenant, entityType, entityID)))
}

// SequenceRef returns the reference of an entity's sequence item, which a caller reads before Append.
func SequenceRef(tenant model.TenantID, entityType, entityID string) dynamo.Ref {
	return dynamo.Ref{Table: tables.OutboxSequences, Key: keys.OutboxSequence(sequenceID(tenant, entityType, entityID))}
}

// EntityOf returns the key of the entity whose order an event keeps.
func EntityOf(event model.OutboxEvent) string {
	return keys.OutboxEntityKey(event.EcosystemID, event.EntityType, event.EntityID)
}

// sequenceOf returns the id of the sequence of an event's entity.
func sequenceOf(event model.OutboxEvent) string {
	return sequenceID(event.EcosystemID, event.EntityType, event.EntityID)
}

// Append returns a new event and the two writes that allocate its number and store it. The event carries the
// correlation id of ctx. sequence is the entity's sequence item as it was read, nil if there is none. The caller
// commits both writes in the transaction of the state change that caused the event. Their condition is that the
// sequence has not moved, so numbers have no gaps.
func (s *Outbox) Append(ctx context.Context, sequence dynamo.Item, d Draft) (model.OutboxEvent, []dynamo.Write, error) {
	entityKey := keys.OutboxEntityKey(d.Tenant, d.EntityType, d.EntityID)
	sequenceID := sequenceID(d.Tenant, d.EntityType, d.EntityID)
	number := dynamo.Int(sequence, "current") + 1
	now := model.At(s.Now())
	event := model.OutboxEvent{
		EventID: keys.OutboxEventID(sequenceID, number), EventType: d.Type, EntityType: d.EntityType,
		EntityID:    d.EntityID,
		EcosystemID: d.Tenant, SequenceNumber: number, Payload: d.Payload, Status: model.OutboxPending, CreatedAt: now,
		ReplayOf:      d.ReplayOf,
		CorrelationID: telemetry.Correlation(ctx), CallbackToken: s.token(), PossibleDuplicate: d.PossibleDuplicate,
	}
	event.CreatedAtEventID = keys.Joined(now, event.EventID)
	if e := d.Earlier; e != nil {
		event.RetryCount, event.FailuresByClass, event.LastError, event.FailureCode = e.RetryCount, e.FailuresByClass,
			e.LastError, e.Code
		event.NotBefore = e.NotBefore
	}
	item, err := dynamo.Marshal(event)
	if err != nil {
		return model.OutboxEvent{}, nil, err
	}
	allocate := dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(sequenceID),
		Do: "SET #current = :next, updatedAt = :now, entityKey = :key, delivered = if_not_exists(delivered, :zero)",
		If: "attribute_not_exists(#current)",
		Values: dynamo.Item{
			":next": dynamo.N(number), ":now": dynamo.S(now), ":key": dynamo.S(entityKey), ":zero": dynamo.N(0)},
	}
	if number > 1 {
		allocate.If = "#current = :was"
		allocate.Values[":was"] = dynamo.N(number - 1)
	}
	return event, []dynamo.Write{
		dynamo.Put{Table: tables.Outbox, Item: item, If: "attribute_not_exists(eventId)"},
		allocate,
	}, nil
}

// Queue returns the writes by which an event of an entity is queued behind its others, for the transaction of the state
// that causes it. payload is encoded as JSON.
func (s *Outbox) Queue(ctx context.Context, of Entity, eventType string, payload any) ([]dynamo.Write, error) {
	text, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{of.ref()})
	if err != nil {
		return nil, fmt.Errorf("queue %s: %w", eventType, err)
	}
	_, writes, err := s.Append(ctx, of.ref().Found(found), Draft{
		Type: eventType, Tenant: of.Tenant, EntityType: of.Type, EntityID: of.ID, Payload: text})
	return writes, err
}

// Get returns an event, or dynamo.ErrNotFound.
func (s *Outbox) Get(ctx context.Context, eventID string) (model.OutboxEvent, error) {
	var event model.OutboxEvent
	if err := s.DB.Get(ctx, tables.Outbox, keys.OutboxEvent(eventID), &event); err != nil {
		return model.OutboxEvent{}, err
	}
	return event, nil
}

// GetMany returns the events that exist, by event id.
func (s *Outbox) GetMany(ctx context.Context, ids []string) (map[string]model.OutboxEvent, error) {
	rows := make([]dynamo.Item, len(ids))
	for i, id := range ids {
		rows[i] = dynamo.Item{"eventId": dynamo.S(id)}
	}
	events, err := s.read(ctx, rows)
	found := make(map[string]model.OutboxEvent, len(events))
	for _, event := range events {
		found[event.EventID] = event
	}
	return found, err
}

// ErrNotDead means that only a dead letter can be replayed, and only once.
var ErrNotDead = problem.New("only a dead letter that has not been replayed can be replayed", problem.Error{
	Class: problem.Conflict, Code: "not-replayable", Title: "Not replayable",
	Detail: "Only an event in the state dead_letter that has not been replayed can be replayed.",
})

// MarkReplayed returns the write that links a dead letter to the event that replays it. in is the id of the bulk replay
// it belongs to, "" for none. Its condition is that the event is a dead letter and not replayed yet.
func MarkReplayed(event model.OutboxEvent, by, in string) dynamo.Write {
	u := dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET replayedBy = :by, attentionPk = :handled",
		If: "#status = :dead AND attribute_not_exists(replayedBy)",
		Values: dynamo.Item{
			":by": dynamo.S(by), ":dead": dynamo.S(model.OutboxDeadLetter),
			":handled": dynamo.S(attention(event.EcosystemID, Handled)),
		},
	}
	if in != "" {
		u.Do += ", replayedIn = :in"
		u.Values[":in"] = dynamo.S(in)
	}
	return u
}

// read returns the full events for rows of an index, in the rows' order.
func (s *Outbox) read(ctx context.Context, rows []dynamo.Item) ([]model.OutboxEvent, error) {
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: tables.Outbox, Key: keys.OutboxEvent(dynamo.Text(row, "eventId"))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read outbox events: %w", err)
	}
	events := make([]model.OutboxEvent, 0, len(refs))
	for _, ref := range refs {
		item := ref.Found(found)
		if item == nil {
			continue // it expired after the index was read
		}
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			return nil, err
		}
		events = append(events, event)
	}
	return events, nil
}
