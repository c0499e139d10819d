package erasure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

const (
	// ActionErase is the action of the audit records of erasures, TargetCustomer the type of their target, and
	// TargetConversation that of all else that was done in a conversation.
	ActionErase        = "customer.erase"
	TargetCustomer     = "customer"
	TargetConversation = "conversation"

	// eraseReserve is what is left of an invocation's time to say how far the erasure has come.
	eraseReserve = 4 * time.Second
)

// errRetryLater means that somebody else has to finish first.
var errRetryLater = errors.New("not before others have finished")

// Request asks for a customer's data to be erased.
type Request struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	Customer model.CustomerID // in the key of one of their conversations, or any other identifier that leads to one
	By       audit.Actor
	Reason   string
}

// Progress is how far an erasure has come.
type Progress struct {
	AuditID      string
	StartedAt    model.Time
	CompletedAt  model.Time // "" while something is left to do
	LogClearedBy model.Time // when the last entry of the log from before has expired
	Counts       map[string]int
}

// CustomerTarget returns the target of audit records about a customer.
func CustomerTarget(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) audit.Target {
	return audit.Target{Type: TargetCustomer, ID: keys.AuditCustomer(tenant, phone, customer)}
}

// ConversationTarget returns the target of audit records about what was done in a customer's conversation. It is another than
// CustomerTarget, under which the proof of an erasure stands alone.
func ConversationTarget(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) audit.Target {
	return audit.Target{Type: TargetConversation, ID: keys.AuditCustomer(tenant, phone, customer)}
}

// Subject is the customer whose data an eraser erases.
type Subject struct {
	Tenant model.TenantID
	Phone  model.PhoneNumberID
	Keys   []model.CustomerID // of the customer's conversations, by which domains know them
}

// Eraser erases what one domain keeps of a customer. Erase commits every change together with its count: count returns the writes
// to add to a transaction. It may run again, after any failure and after it has run to its end. It returns the check, by key, that
// nothing has been added since; nil where nothing can be. It returns outbox.ErrLeased for what has to be waited for.
type Eraser struct {
	Counts []string
	Erase  func(ctx context.Context, of Subject, count func(name string, n int) []dynamo.Write) (unchanged func(key model.CustomerID) []dynamo.Write, err error)
}

// Erase erases a customer: what each domain keeps, every message with its entry in the log, and at last the conversations and
// aliases. A message leaves a tombstone, so that nothing that comes late or again brings it back.
//
// It works until the context's deadline comes near, and says how far it has come. The same call goes on where the last one ended.
// Everything commits together with its count in the audit record, and the record is complete in the transaction that removes the
// conversation, whose condition is that nothing has come meanwhile. What comes while it works is erased as well. It returns
// ErrNoConversation where there is nothing and never was.
func (s *Orchestrator) Erase(ctx context.Context, of Request) (Progress, error) {
	work, cancel := withReserve(ctx, eraseReserve)
	defer cancel()
	e, complete, err := s.begin(work, of)
	if err != nil {
		return Progress{}, err
	}
	if !complete {
		err = dynamo.Retry(work, dynamo.MaxAttempts, func() error {
			if e.customer, err = s.Inbox.FindCustomer(work, of.Phone, of.Customer); err != nil {
				return err
			}
			return e.attempt(work)
		})
	}
	if err == nil {
		err = e.eraseLate(work)
	}
	outOfTime := work.Err() != nil && ctx.Err() == nil
	if err != nil && !outOfTime && !errors.Is(err, dynamo.ErrConflict) && !errors.Is(err, errRetryLater) {
		return Progress{}, fmt.Errorf("erase: %w", err)
	}
	record, err := s.auditLogs().Reload(ctx, e.record)
	if err != nil {
		return Progress{}, err
	}
	return progressOf(record)
}

// run is one erasure at work: the customer, and the record that counts.
type run struct {
	*Orchestrator
	of       Request
	customer inbox.Customer
	record   model.AuditLog
}

func (s *Orchestrator) auditLogs() *audit.Store {
	return &audit.Store{DB: s.DB, Now: s.Now, NewID: s.NewID}
}

// withReserve is a context that ends some time before the other's deadline, if it has one.
func withReserve(ctx context.Context, reserve time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-reserve))
}

// counts returns the names of all counts.
func (s *Orchestrator) counts() []string {
	counts := []string{inbox.CountMessages, inbox.CountConversations, inbox.CountLogEntries}
	for _, eraser := range s.Erasers {
		counts = append(counts, eraser.Counts...)
	}
	return counts
}

// begin resolves the customer and resumes or creates the audit record. It reports whether the erasure is complete, and nothing new
// is there.
func (s *Orchestrator) begin(ctx context.Context, of Request) (e run, complete bool, err error) {
	e.Orchestrator, e.of = s, of
	if e.customer, err = s.Inbox.FindCustomer(ctx, of.Phone, of.Customer); err != nil {
		return e, false, err
	}
	known := false
	logs := s.auditLogs()
	for _, key := range e.customer.Keys() { // a merge may have given the conversation another name since it began
		record, err := logs.Latest(ctx, CustomerTarget(of.Tenant, of.Phone, key))
		if errors.Is(err, dynamo.ErrNotFound) {
			continue
		}
		if err != nil {
			return e, false, err
		}
		progress, err := audit.ProgressOf(record)
		if err != nil {
			return e, false, err
		}
		e.record, known = record, true
		if complete = progress.CompletedAt != ""; !complete {
			return e, false, logs.Continue(ctx, record, of.By, of.Reason)
		}
	}
	switch {
	case !e.customer.HasConversation() && known:
		return e, true, nil
	case !e.customer.HasConversation():
		return e, false, inbox.ErrNoConversation
	}
	e.record, err = logs.Begin(ctx, audit.Draft{
		Action: ActionErase, Target: e.target(e.customer.Key()), Tenant: of.Tenant, By: of.By, Reason: of.Reason, Counts: s.counts(),
	})
	return e, false, err
}

// target returns the target of audit records about one of the customer's identifiers.
func (e run) target(id model.CustomerID) audit.Target {
	return CustomerTarget(e.of.Tenant, e.of.Phone, id)
}

func (e run) count(name string, n int) []dynamo.Write {
	return []dynamo.Write{audit.Counted(e.record, map[string]int{name: n})}
}

// countLate counts what is erased after the record has been completed.
func (e run) countLate(name string, n int) []dynamo.Write {
	return []dynamo.Write{audit.CountedLate(e.record, map[string]int{name: n})}
}

// attempt erases what there is. It returns dynamo.ErrConflict where something came meanwhile, and errLater where a relay is just
// sending.
func (e run) attempt(ctx context.Context) error {
	record, err := e.auditLogs().Reload(ctx, e.record)
	if err != nil {
		return err
	}
	if progress, err := audit.ProgressOf(record); err != nil || progress.CompletedAt != "" {
		return err // another call has come to the end with the same record; what is there by now is new
	}
	if !e.customer.HasConversation() {
		if e.target(e.customer.Key()).ID != e.record.TargetID {
			return errRetryLater // asked for by an alias that is gone already: the conversation may stand, and only its own name tells
		}
		_, err := e.DB.Update(ctx, e.complete(0))
		return dynamo.IgnoreConditionFailed(err)
	}
	unchanged, err := e.eraseDomains(ctx)
	if errors.Is(err, outbox.ErrLeased) {
		return fmt.Errorf("%w: %v", errRetryLater, err) // no conflict any more: the lease outlasts this call
	}
	if err != nil {
		return err
	}
	if err := e.Inbox.EraseMessages(ctx, e.customer, e.count); err != nil {
		return err
	}
	return e.Inbox.EraseConversations(ctx, e.customer, inbox.ConversationErasure{
		Count: e.count, Unchanged: unchanged, Reference: e.reference,
		Complete: func(conversations int) dynamo.Write { return e.complete(conversations) },
	})
}

// eraseDomains has every domain erase what it keeps of the customer.
func (e run) eraseDomains(ctx context.Context) (unchanged func(model.CustomerID) []dynamo.Write, err error) {
	var all []func(model.CustomerID) []dynamo.Write
	for _, eraser := range e.Erasers {
		check, err := eraser.Erase(ctx, Subject{Tenant: e.of.Tenant, Phone: e.of.Phone, Keys: e.customer.Keys()}, e.count)
		if err != nil {
			return nil, err
		}
		if check != nil {
			all = append(all, check)
		}
	}
	return func(key model.CustomerID) []dynamo.Write {
		var checks []dynamo.Write
		for _, check := range all {
			checks = append(checks, check(key)...)
		}
		return checks
	}, nil
}

// complete is the write that completes the record.
func (e run) complete(conversations int) dynamo.Update {
	return audit.Completed(e.record, map[string]int{inbox.CountConversations: conversations}, model.At(e.Now()))
}

// reference returns the write that leads from an identifier to the record, so that the record proves the erasure under each of the
// customer's names.
func (e run) reference(id model.CustomerID) ([]dynamo.Write, error) {
	if e.target(id).ID == e.record.TargetID {
		return nil, nil
	}
	reference, err := audit.Reference(e.record, e.target(id))
	return []dynamo.Write{reference}, err
}

// eraseLate erases messages that an index has shown too late.
func (e run) eraseLate(ctx context.Context) error {
	for _, key := range e.customer.Keys() {
		if err := e.Inbox.EraseLateMessages(ctx, e.of.Phone, key, e.countLate); err != nil {
			return err
		}
	}
	return nil
}

// progressOf is what a record says of its erasure.
func progressOf(record model.AuditLog) (Progress, error) {
	progress, err := audit.ProgressOf(record)
	if err != nil {
		return Progress{}, err
	}
	done := Progress{
		AuditID: record.LogID, StartedAt: record.Timestamp, CompletedAt: progress.CompletedAt,
		Counts: progress.Counts,
	}
	if done.CompletedAt != "" {
		done.LogClearedBy = model.At(done.CompletedAt.Go().Add(model.LogRetention))
	}
	return done, nil
}
