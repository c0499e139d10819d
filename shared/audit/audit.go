// Package audit records what people do with other people's data: who did what to whom, when, why, and how much of it is
// done. A record is stored before the work begins, is updated in the transactions of the work, and is never deleted.
// The package does not know what was done: callers choose the actions and the counts.
package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Log reads and writes records.
type Log struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string
}

// Actor is a person and the request that they made.
type Actor struct {
	Subject, Name, RequestID string
	IP, UserAgent            string // of the request; "" if there was none
}

// Target identifies what an action was done to.
type Target struct{ Type, ID string }

func (t Target) key() string { return keys.AuditTarget(t.Type, t.ID) }

// Draft describes a record to store.
type Draft struct {
	Action string
	Target Target
	Tenant model.TenantID
	By     Actor
	Reason string
	Counts []string       // names of the counts
	Beside map[string]any // what stands beside the counts from the beginning, by names that are no counts
}

// Names in a record's new value, beside its counts.
const (
	completedAt = "completedAt"
	referenceTo = "targetId" // in a reference: the target whose record it points to
	continuedBy = "continuedBy"
)

// RecordRequest stores the record of a request in one write. The record's id is the request's id, so a request is
// recorded once.
func (s *Log) RecordRequest(ctx context.Context, d Draft) error {
	id := d.By.RequestID
	if id == "" {
		id = s.NewID()
	}
	write, err := newRecord(s.record(d, id))
	if err != nil {
		return err
	}
	if err := s.DB.Put(ctx, write); err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("put audit record: %w", err)
	}
	return nil
}

// Begin stores the record of work that is about to begin, with every count at zero.
func (s *Log) Begin(ctx context.Context, d Draft) (model.AuditLog, error) {
	value := maps.Clone(d.Beside)
	if value == nil {
		value = map[string]any{}
	}
	for _, name := range d.Counts {
		value[name] = 0
	}
	counts, err := json.Marshal(value)
	if err != nil {
		return model.AuditLog{}, err
	}
	record := s.record(d, s.NewID())
	record.NewValue = counts
	write, err := newRecord(record)
	if err != nil {
		return model.AuditLog{}, err
	}
	if err := s.DB.Put(ctx, write); err != nil {
		return model.AuditLog{}, fmt.Errorf("begin audit record: %w", err)
	}
	return record, nil
}

// Start stores the record of work that keeps its state in the record, unless the target has one already: work on a
// target starts once. If two callers start at the same moment, First returns the same record to both.
func (s *Log) Start(ctx context.Context, d Draft, state any) error {
	if _, err := s.First(ctx, d.Target); !errors.Is(err, dynamo.ErrNotFound) {
		return err
	}
	record := s.record(d, s.NewID())
	var err error
	if record.NewValue, err = json.Marshal(state); err != nil {
		return err
	}
	write, err := newRecord(record)
	if err != nil {
		return err
	}
	// the SDK repeats a put whose answer was lost
	if err := s.DB.Put(ctx, write); err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("start audit record: %w", err)
	}
	return nil
}

// Replace replaces a record's value. Its condition is that the value is unchanged since it was read; otherwise it
// returns dynamo.ErrConflict.
func (s *Log) Replace(ctx context.Context, record model.AuditLog, state any) error {
	u, err := Replaced(record, state)
	if err != nil {
		return err
	}
	err = s.DB.Update(ctx, u)
	return dynamo.Conflict(err)
}

// Replaced returns the write of Replace, for a transaction.
func Replaced(record model.AuditLog, state any) (u dynamo.Update, err error) {
	next, err := json.Marshal(state)
	if err != nil {
		return u, err
	}
	was, err := dynamo.Value(record.NewValue)
	if err != nil {
		return u, err
	}
	to, err := dynamo.Value(model.Document(next))
	return dynamo.Update{
		Table: tables.AuditLogs, Key: keys.AuditLog(record.TargetKey, record.TimestampLogID),
		Do: "SET newValue = :next", If: "newValue = :was", Values: dynamo.Item{":next": to, ":was": was},
	}, err
}

// CompletedRecord returns the record of what one transaction does, with the values before and after, and the write that
// adds the record to that transaction.
func (s *Log) CompletedRecord(d Draft, before, after any) (model.AuditLog, dynamo.Put, error) {
	record := s.record(d, s.NewID())
	var err error
	if record.PreviousValue, err = json.Marshal(before); err != nil {
		return record, dynamo.Put{}, err
	}
	if record.NewValue, err = json.Marshal(after); err != nil {
		return record, dynamo.Put{}, err
	}
	write, err := newRecord(record)
	return record, write, err
}

// record returns a draft's record with its time and id.
func (s *Log) record(d Draft, id string) model.AuditLog {
	now := model.At(s.Now())
	return model.AuditLog{
		TargetKey: d.Target.key(), TimestampLogID: keys.Joined(now, id), LogID: id, Timestamp: now,
		AdminEcosystemID: d.By.Subject, AdminEmail: d.By.Name, RequestID: d.By.RequestID, IPAddress: d.By.IP,
		UserAgent: d.By.UserAgent, Reason: d.Reason,
		Action: d.Action, TargetType: d.Target.Type, TargetID: d.Target.ID, TargetEcosystemID: d.Tenant,
	}
}

// newRecord returns the write of a new record. Its key contains a unique id.
func newRecord(record model.AuditLog) (dynamo.Put, error) {
	item, err := dynamo.Marshal(record)
	return dynamo.Put{Table: tables.AuditLogs, Item: item, If: "attribute_not_exists(targetKey)"}, err
}

// continuation says who continued work that somebody else began.
type continuation struct {
	By        string     `json:"by" dynamodbav:"by"`
	Username  string     `json:"username,omitempty" dynamodbav:"username,omitempty"`
	RequestID string     `json:"requestId,omitempty" dynamodbav:"requestId,omitempty"`
	Reason    string     `json:"reason" dynamodbav:"reason"`
	At        model.Time `json:"at" dynamodbav:"at"`
}

// Continue records, once per person, that somebody continues work that another person began.
func (s *Log) Continue(ctx context.Context, record model.AuditLog, by Actor, reason string) error {
	var noted struct{ ContinuedBy []continuation }
	if err := json.Unmarshal(record.NewValue, &noted); err != nil {
		return fmt.Errorf("audit record %s: %w", record.LogID, err)
	}
	if by.Subject == record.AdminEcosystemID ||
		slices.ContainsFunc(noted.ContinuedBy, func(c continuation) bool { return c.By == by.Subject }) {
		return nil
	}
	one, err := dynamo.Value(continuation{by.Subject, by.Name, by.RequestID, reason, model.At(s.Now())})
	if err != nil {
		return err
	}
	err = s.DB.Update(ctx, dynamo.Update{
		Table: tables.AuditLogs, Key: keys.AuditLog(record.TargetKey, record.TimestampLogID),
		Do: "SET #newValue.#" + continuedBy + " = list_append(if_not_exists(#newValue.#" + continuedBy +
			", :none), :one)",
		If:     "attribute_not_exists(#newValue.#" + completedAt + ")",
		Values: dynamo.Item{":none": dynamo.L(), ":one": dynamo.L(one)},
	})
	if dynamo.IsConditionFailed(err) {
		return nil // the work was completed meanwhile
	}
	return err
}

// Counted returns the write that adds to a record's counts, for the transaction of what is counted. Its condition is
// that the record is not complete.
func Counted(record model.AuditLog, counts map[string]int) dynamo.Update {
	return counted(record, counts, incomplete)
}

// CountedLate returns the same write for what was found after the record was completed.
func CountedLate(record model.AuditLog, counts map[string]int) dynamo.Update {
	return counted(record, counts, "attribute_exists(targetKey)")
}

// counted returns the write that adds to a record's counts and makes other changes, on a condition.
func counted(record model.AuditLog, counts map[string]int, condition string, set ...string) dynamo.Update {
	values := dynamo.Item{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		attribute := "#newValue.#" + name
		set = append(set, attribute+" = "+attribute+" + :"+name)
		values[":"+name] = dynamo.N(counts[name])
	}
	return dynamo.Update{
		Table: tables.AuditLogs, Key: keys.AuditLog(record.TargetKey, record.TimestampLogID),
		Do: dynamo.Do{Set: set}.String(), If: condition, Values: values,
	}
}

// incomplete is the condition that a record is there and not complete.
const incomplete = "attribute_exists(targetKey) AND attribute_not_exists(#newValue.#" + completedAt + ")"

// Completed returns the write that marks the work as completed and adds the last counts.
func Completed(record model.AuditLog, counts map[string]int, at model.Time) dynamo.Update {
	u := counted(record, counts, incomplete, "#newValue.#"+completedAt+" = :at")
	u.Values[":at"] = dynamo.S(at)
	return u
}

// Reference returns the write that makes a record findable by another target, too.
func Reference(record model.AuditLog, target Target) (dynamo.Put, error) {
	value, err := json.Marshal(map[string]string{referenceTo: record.TargetID})
	if err != nil {
		return dynamo.Put{}, err
	}
	record.TargetKey, record.TargetType, record.TargetID, record.NewValue = target.key(), target.Type, target.ID, value
	item, err := dynamo.Marshal(record)
	// An item with this key is this same reference, because the key contains the record's id.
	return dynamo.Put{Table: tables.AuditLogs, Item: item, If: dynamo.Unconditional}, err
}

// Progress is how much of the work a record counts as done.
type Progress struct {
	Counts      map[string]int
	CompletedAt model.Time // "" while the work continues
}

// ProgressOf decodes a record's new value.
func ProgressOf(record model.AuditLog) (Progress, error) {
	p := Progress{Counts: map[string]int{}}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(record.NewValue, &members); err != nil {
		return p, fmt.Errorf("audit record %s: %w", record.LogID, err)
	}
	for name, raw := range members {
		if name == completedAt {
			if err := json.Unmarshal(raw, &p.CompletedAt); err != nil {
				return p, fmt.Errorf("audit record %s: %w", record.LogID, err)
			}
			continue
		}
		var n int
		if json.Unmarshal(raw, &n) == nil { // values that are no numbers are no counts
			p.Counts[name] = n
		}
	}
	return p, nil
}
