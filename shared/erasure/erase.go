package erasure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

const (
	// ActionErase is the action of the audit records of erasures, and TargetCustomer the type of their target.
	// TargetConversation is the target type of every other audited action in a conversation.
	ActionErase        = "customer.erase"
	TargetCustomer     = "customer"
	TargetConversation = "conversation"

	// eraseReserve is the time of an invocation that is reserved for reporting progress.
	eraseReserve = 4 * time.Second
)

// errRetryLater means that another process must finish first.
var errRetryLater = errors.New("another process must finish first")

// Request asks for the erasure of a customer's data.
type Request struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	Customer model.CustomerID // in the key of one of their conversations, or any other of their identifiers
	By       audit.Actor
	Reason   string
	// Unwritten erases also what the domains keep of somebody who has no conversation. Otherwise Erase returns
	// inbox.ErrNoConversation.
	Unwritten bool
	// OpenOrders says what becomes of the customer's open orders; "" if nobody has said it.
	OpenOrders OpenOrders
}

// Progress is the progress of an erasure, over all its calls.
type Progress struct {
	AuditID      string
	StartedAt    model.Time
	CompletedAt  model.Time // "" while something is left to do
	LogClearedBy model.Time // when the last log entry from before the erasure has expired
	Counts       map[string]int
	Domains      []DomainProof // what was erased and what is kept, by domain
}

// CustomerTarget returns the target of audit records about a customer.
func CustomerTarget(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) audit.Target {
	return audit.Target{Type: TargetCustomer, ID: keys.AuditCustomer(tenant, phone, customer)}
}

// ConversationTarget returns the target of audit records about actions in a customer's conversation. It differs from
// CustomerTarget, which holds the proof of an erasure and nothing else.
func ConversationTarget(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) audit.Target {
	return audit.Target{Type: TargetConversation, ID: keys.AuditCustomer(tenant, phone, customer)}
}

// Eraser erases one domain's data of a customer. Erase commits every change together with its count: count returns the
// writes to add to the transaction. Erase may run again after any failure, and after it has completed. It returns a
// function that returns, for a key, the check that nothing has been added since; nil if nothing can be added. It
// returns outbox.ErrLeased if the erasure must wait.
type Eraser struct {
	Domain string // its name in the proof
	Counts []string
	Keeps  []Kept // what it does not erase
	// Open returns what keeps the customer from being erased until somebody says what becomes of it. It is nil if
	// nothing can.
	Open  func(ctx context.Context, of Subject) ([]Open, error)
	Erase func(
		ctx context.Context, of Subject, count func(name string, n int) []dynamo.Write,
	) (unchanged func(key model.CustomerID) []dynamo.Write, err error)
}

// Erase erases a customer: each domain's data, every message with its entry in the log, and finally the conversations
// and aliases. A message leaves a tombstone, so that late or repeated webhooks do not restore it.
//
// Erase works until shortly before the context's deadline and returns its progress. The same call resumes an unfinished
// erasure. Every change commits together with its count in the audit record. The transaction that removes the
// conversation completes the record, on the condition that nothing has been added. Erase also erases what is added
// while it runs. It returns inbox.ErrNoConversation if there is no conversation and never was one. It returns ErrOpen,
// and erases nothing, if something stands open and the request does not say what becomes of it.
func (s *Orchestrator) Erase(ctx context.Context, of Request) (Progress, error) {
	work, cancel := withReserve(ctx, eraseReserve)
	defer cancel()
	e, complete, err := s.begin(work, of)
	if err != nil {
		return Progress{}, err
	}
	if !complete {
		err = dynamo.Retry(work, dynamo.MaxAttempts, func() error {
			if e.customer, err = s.Contacts.FindCustomer(work, of.Phone, of.Customer); err != nil {
				return err
			}
			return e.attempt(work)
		})
	}
	if err == nil {
		err = e.eraseLate(work, complete)
	}
	outOfTime := work.Err() != nil && ctx.Err() == nil
	if err != nil && !outOfTime && !errors.Is(err, dynamo.ErrConflict) && !errors.Is(err, errRetryLater) {
		return Progress{}, fmt.Errorf("erase: %w", err)
	}
	record, reloadErr := s.auditLogs().Reload(ctx, e.record)
	if reloadErr != nil {
		return Progress{}, reloadErr
	}
	progress, progressErr := s.progressOf(record)
	if err != nil { // of an erasure that was complete, what has come since is not erased yet
		progress.CompletedAt = ""
	}
	return progress, progressErr
}

// run is one call of an erasure: the customer, and the audit record that counts.
type run struct {
	*Orchestrator
	of       Request
	customer contacts.Customer
	record   model.AuditLog
}

func (s *Orchestrator) auditLogs() *audit.Log {
	return &audit.Log{DB: s.DB, Now: s.Now, NewID: s.NewID}
}

// withReserve returns a context that ends earlier than ctx by reserve, if ctx has a deadline.
func withReserve(ctx context.Context, reserve time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-reserve))
}

// coreCounts are the counts of what the orchestrator itself has erased.
var coreCounts = []string{inbox.CountMessages, inbox.CountConversations, inbox.CountLogEntries}

// counts returns the names of all counts.
func (s *Orchestrator) counts() []string {
	counts := append([]string{}, coreCounts...)
	for _, eraser := range s.Erasers {
		counts = append(counts, eraser.Counts...)
	}
	return counts
}

// begin resolves the customer and resumes or creates the audit record. It reports whether the erasure is complete and
// there is no new data.
func (s *Orchestrator) begin(ctx context.Context, of Request) (e run, complete bool, err error) {
	e.Orchestrator, e.of = s, of
	if e.customer, err = s.Contacts.FindCustomer(ctx, of.Phone, of.Customer); err != nil {
		return e, false, err
	}
	known := false
	logs := s.auditLogs()
	for _, key := range e.customer.Keys() { // a merge may have changed the conversation's key since the erasure began
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
			if err := e.refuseOpen(ctx); err != nil {
				return e, false, err
			}
			return e, false, logs.Continue(ctx, record, of.By, of.Reason)
		}
	}
	switch {
	case !e.customer.HasConversation() && known:
		return e, true, nil
	case !e.customer.HasConversation() && !of.Unwritten:
		return e, false, inbox.ErrNoConversation
	}
	if err := e.refuseOpen(ctx); err != nil {
		return e, false, err
	}
	e.record, err = logs.Begin(ctx, audit.Draft{
		Action: ActionErase, Target: e.target(e.customer.Key()), Tenant: of.Tenant, By: of.By, Reason: of.Reason,
		Counts: s.counts(),
		Beside: map[string]any{"keeps": keeps(s.Erasers)},
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

// countLate counts data that is erased after the record is complete.
func (e run) countLate(name string, n int) []dynamo.Write {
	return []dynamo.Write{audit.CountedLate(e.record, map[string]int{name: n})}
}

// attempt erases the customer's current data. It returns dynamo.ErrConflict if data has been added since it was read,
// and errRetryLater if a relay is sending one of the events.
func (e run) attempt(ctx context.Context) error {
	record, err := e.auditLogs().Reload(ctx, e.record)
	if err != nil {
		return err
	}
	if progress, err := audit.ProgressOf(record); err != nil || progress.CompletedAt != "" {
		return err // another call has completed the same record; current data is new
	}
	if !e.customer.HasConversation() {
		if e.target(e.customer.Key()).ID != e.record.TargetID {
			// the request named an alias that is already erased: the conversation may still exist, and only its own key
			// finds it
			return errRetryLater
		}
		return e.attemptWithoutConversation(ctx)
	}
	unchanged, err := e.eraseDomains(ctx, e.count)
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

// attemptWithoutConversation erases what the domains keep of a customer who has no conversation, and completes the
// record on the condition that nothing has been added.
func (e run) attemptWithoutConversation(ctx context.Context) error {
	if !e.of.Unwritten {
		err := e.DB.Update(ctx, e.complete(0))
		return dynamo.IgnoreConditionFailed(err)
	}
	unchanged, err := e.eraseDomains(ctx, e.count)
	if err != nil {
		return err
	}
	err = e.DB.Transact(ctx, append(unchanged(e.customer.Key()), e.complete(0)))
	return dynamo.Conflict(err)
}

// subject returns the customer as the domains have to know them.
func (e run) subject() Subject {
	of := SubjectOf(e.of.Tenant, e.customer)
	of.OpenOrders = e.of.OpenOrders
	return of
}

// eraseDomains has every domain erase its data of the customer. It returns errRetryLater if a relay is sending one of
// the events.
func (e run) eraseDomains(
	ctx context.Context, count func(string, int) []dynamo.Write,
) (unchanged func(model.CustomerID) []dynamo.Write, err error) {
	var all []func(model.CustomerID) []dynamo.Write
	for _, eraser := range e.Erasers {
		check, err := eraser.Erase(ctx, e.subject(), count)
		if errors.Is(err, outbox.ErrLeased) {
			// not a conflict any more: the lease outlasts this call
			return nil, fmt.Errorf("%w: %v", errRetryLater, err)
		}
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

// complete returns the write that completes the record.
func (e run) complete(conversations int) dynamo.Update {
	return audit.Completed(e.record, map[string]int{inbox.CountConversations: conversations}, model.At(e.Now()))
}

// reference returns the write that refers an identifier to the record, so that the record proves the erasure under each
// of the customer's identifiers.
func (e run) reference(id model.CustomerID) ([]dynamo.Write, error) {
	if e.target(id).ID == e.record.TargetID {
		return nil, nil
	}
	reference, err := audit.Reference(e.record, e.target(id))
	return []dynamo.Write{reference}, err
}

// eraseLate erases messages that an index has shown late. If the erasure was complete before this call, it also erases
// what the domains have kept since then of somebody who has no conversation.
func (e run) eraseLate(ctx context.Context, wasComplete bool) error {
	if wasComplete && e.of.Unwritten && !e.customer.HasConversation() {
		if _, err := e.eraseDomains(ctx, e.countLate); err != nil {
			return err
		}
	}
	for _, key := range e.customer.Keys() {
		if err := e.Inbox.EraseLateMessages(ctx, e.of.Phone, key, e.countLate); err != nil {
			return err
		}
	}
	return nil
}

// progressOf returns the progress that a record holds.
func (s *Orchestrator) progressOf(record model.AuditLog) (Progress, error) {
	progress, err := audit.ProgressOf(record)
	if err != nil {
		return Progress{}, err
	}
	done := Progress{
		AuditID: record.LogID, StartedAt: record.Timestamp, CompletedAt: progress.CompletedAt,
		Counts: progress.Counts, Domains: proofs(s.Erasers, progress.Counts),
	}
	if done.CompletedAt != "" {
		done.LogClearedBy = model.At(done.CompletedAt.Go().Add(model.LogRetention))
	}
	return done, nil
}
