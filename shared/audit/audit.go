// Package audit owns the record of what people do to what is kept of others: who did what to whom, when and why, and how
// far it came. A record is put before the work begins, counts in the transactions of the work itself, and stays. It knows
// nothing of what was done: an action and its counts are the caller's words.
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

// Store reads and writes records.
type Store struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string
}

// Actor is the person, and the request by which they did it.
type Actor struct {
	Subject, Name, RequestID string
	IP, UserAgent            string // of the request; "" where there was none
}

// Target is whom it was done to.
type Target struct{ Type, ID string }

func (t Target) key() string { return keys.AuditTarget(t.Type, t.ID) }

// Draft is a record to be.
type Draft struct {
	Action string
	Target Target
	Tenant model.TenantID
	By     Actor
	Reason string
	Counts []string // what will be counted
}

// Marks in a record's new value, beside its counts.
const (
	completedAt = "completedAt"
	elsewhere   = "targetId" // of a reference: the target whose record it stands for
	continuedBy = "continuedBy"
)

// Note puts the record of what somebody asks for, in one write. A request is noted once: its id is the record's.
func (s *Store) Note(ctx context.Context, d Draft) error {
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

// Begin puts the record of what is about to be done, with every count at zero.
func (s *Store) Begin(ctx context.Context, d Draft) (model.AuditLog, error) {
	zeros := map[string]int{}
	for _, name := range d.Counts {
		zeros[name] = 0
	}
	counts, err := json.Marshal(zeros)
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

// Start puts the record of a work that keeps its state in its record's value, unless the target has one already: the work of
// one target begins once. Where two begin it at the same moment, First returns the same record to both.
func (s *Store) Start(ctx context.Context, d Draft, state any) error {
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
	if err := s.DB.Put(ctx, write); err != nil && !dynamo.IsConditionFailed(err) { // the SDK repeats a put whose answer was lost
		return fmt.Errorf("start audit record: %w", err)
	}
	return nil
}

// Replace gives a record another value. Its condition is that the value is the one that was read, else it returns
// dynamo.ErrConflict.
func (s *Store) Replace(ctx context.Context, record model.AuditLog, state any) error {
	next, err := json.Marshal(state)
	if err != nil {
		return err
	}
	was, err := dynamo.Value(record.NewValue)
	if err != nil {
		return err
	}
	to, err := dynamo.Value(model.Document(next))
	if err != nil {
		return err
	}
	_, err = s.DB.Update(ctx, dynamo.Update{
		Table: tables.AuditLogs, Key: keys.AuditLog(record.TargetKey, record.TimestampLogID),
		Do: "SET newValue = :next", If: "newValue = :was", Values: dynamo.Item{":next": to, ":was": was},
	})
	return dynamo.Conflict(err)
}

// Done is the record of what one transaction does, with what was there before and is there after, and the write of the
// record for that transaction.
func (s *Store) Done(d Draft, before, after any) (model.AuditLog, dynamo.Put, error) {
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

// record is a draft with its time and an id.
func (s *Store) record(d Draft, id string) model.AuditLog {
	now := model.At(s.Now())
	return model.AuditLog{
		TargetKey: d.Target.key(), TimestampLogID: keys.Joined(now, id), LogID: id, Timestamp: now,
		AdminEcosystemID: d.By.Subject, AdminEmail: d.By.Name, RequestID: d.By.RequestID, IPAddress: d.By.IP, UserAgent: d.By.UserAgent, Reason: d.Reason,
		Action: d.Action, TargetType: d.Target.Type, TargetID: d.Target.ID, TargetEcosystemID: d.Tenant,
	}
}

// newRecord is the write of a record. Its key holds an id that nothing else has.
func newRecord(record model.AuditLog) (dynamo.Put, error) {
	item, err := dynamo.Marshal(record)
	return dynamo.Put{Table: tables.AuditLogs, Item: item, If: "attribute_not_exists(targetKey)"}, err
}

// continuation is who went on with what somebody else began.
type continuation struct {
	By        string     `json:"by" dynamodbav:"by"`
	Username  string     `json:"username,omitempty" dynamodbav:"username,omitempty"`
	RequestID string     `json:"requestId,omitempty" dynamodbav:"requestId,omitempty"`
	Reason    string     `json:"reason" dynamodbav:"reason"`
	At        model.Time `json:"at" dynamodbav:"at"`
}

// Continue notes, once for each person, that somebody goes on with what another began.
func (s *Store) Continue(ctx context.Context, record model.AuditLog, by Actor, reason string) error {
	var noted struct{ ContinuedBy []continuation }
	if err := json.Unmarshal(record.NewValue, &noted); err != nil {
		return fmt.Errorf("audit record %s: %w", record.LogID, err)
	}
	if by.Subject == record.AdminEcosystemID || slices.ContainsFunc(noted.ContinuedBy, func(c continuation) bool { return c.By == by.Subject }) {
		return nil
	}
	one, err := dynamo.Value(continuation{by.Subject, by.Name, by.RequestID, reason, model.At(s.Now())})
	if err != nil {
		return err
	}
	_, err = s.DB.Update(ctx, dynamo.Update{
		Table: tables.AuditLogs, Key: keys.AuditLog(record.TargetKey, record.TimestampLogID),
		Do:     "SET #newValue.#" + continuedBy + " = list_append(if_not_exists(#newValue.#" + continuedBy + ", :none), :one)",
		If:     "attribute_not_exists(#newValue.#" + completedAt + ")",
		Values: dynamo.Item{":none": dynamo.L(), ":one": dynamo.L(one)},
	})
	if dynamo.IsConditionFailed(err) {
		return nil // somebody has come to the end meanwhile
	}
	return err
}

// Counted is the write that adds to a record's counts, for the transaction of what it counts. Its condition is that the
// record is not complete.
func Counted(record model.AuditLog, counts map[string]int) dynamo.Update {
	u := CountedLate(record, counts)
	u.If += " AND attribute_not_exists(#newValue.#" + completedAt + ")"
	return u
}

// CountedLate is the same for what was found after the record was completed.
func CountedLate(record model.AuditLog, counts map[string]int) dynamo.Update {
	u := dynamo.Update{
		Table: tables.AuditLogs, Key: keys.AuditLog(record.TargetKey, record.TimestampLogID),
		If: "attribute_exists(targetKey)", Values: dynamo.Item{},
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if u.Do == "" {
			u.Do = "SET "
		} else {
			u.Do += ", "
		}
		u.Do += "#newValue.#" + name + " = #newValue.#" + name + " + :" + name
		u.Values[":"+name] = dynamo.N(counts[name])
	}
	return u
}

// Completed is the write that says that all of it is done, with the last counts.
func Completed(record model.AuditLog, counts map[string]int, at model.Time) dynamo.Update {
	u := Counted(record, counts)
	u.Do += ", #newValue.#" + completedAt + " = :at"
	u.Values[":at"] = dynamo.S(at)
	return u
}

// Reference is the write that has a record found by another target, too.
func Reference(record model.AuditLog, target Target) (dynamo.Put, error) {
	value, err := json.Marshal(map[string]string{elsewhere: record.TargetID})
	if err != nil {
		return dynamo.Put{}, err
	}
	record.TargetKey, record.TargetType, record.TargetID, record.NewValue = target.key(), target.Type, target.ID, value
	item, err := dynamo.Marshal(record)
	// Whatever stands there is this very reference: its key holds the record's id.
	return dynamo.Put{Table: tables.AuditLogs, Item: item, If: dynamo.Unconditional}, err
}

// Progress is how far a record says its work has come.
type Progress struct {
	Counts      map[string]int
	CompletedAt model.Time // "" while it is going on
}

// ProgressOf reads a record's new value.
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
		if json.Unmarshal(raw, &n) == nil { // what is no number is no count
			p.Counts[name] = n
		}
	}
	return p, nil
}
