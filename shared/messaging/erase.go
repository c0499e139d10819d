package messaging

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// ActionErase is the action of the audit records of erasures, TargetCustomer the type of their target, and
	// TargetConversation that of all else that was done in a conversation.
	ActionErase        = "customer.erase"
	TargetCustomer     = "customer"
	TargetConversation = "conversation"

	countMessages, countConversations = "messages", "conversations"
	countEvents, countEntries         = "outboxEvents", "logEntries"

	// eraseReserve is what is left of an invocation's time to say how far the erasure has come.
	eraseReserve = 4 * time.Second
	// maxEndings is how many writes that end conversations and aliases go into one transaction, beside its own few.
	maxEndings = 90
)

// errLater means that somebody else has to finish first.
var errLater = errors.New("not before others have finished")

// Erasure asks for a customer's data to be erased.
type Erasure struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	Customer model.CustomerID // in the key of one of their conversations, or any other identifier that leads to one
	By       audit.Actor
	Reason   string
}

// Erased is how far an erasure has come.
type Erased struct {
	AuditID                                           string
	StartedAt                                         model.Time
	CompletedAt                                       model.Time // "" while something is left to do
	LogClearedBy                                      model.Time // when the last entry of the log from before has expired
	Messages, Conversations, OutboxEvents, LogEntries int
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

// Erase erases a customer: what waits in the outbox or was sent, every message with its entry in the log, and at last the
// conversations and aliases. A message leaves a tombstone, so that nothing that comes late or again brings it back.
//
// It works until the context's deadline comes near, and says how far it has come; the same call goes on where the last one
// ended. Everything commits together with its count in the audit record, and the record is complete in the transaction
// that removes the conversation, whose condition is that nothing has come meanwhile. What comes while it works is erased
// as well. It returns ErrNoConversation where there is nothing and never was.
func (s *Store) Erase(ctx context.Context, of Erasure) (Erased, error) {
	work, cancel := reserving(ctx, eraseReserve)
	defer cancel()
	e, complete, err := s.begin(work, of)
	if err != nil {
		return Erased{}, err
	}
	if !complete {
		err = dynamo.Retry(work, dynamo.MaxAttempts, func() error {
			if e.traces, err = s.tracesOf(work, of.Tenant, of.Phone, of.Customer); err != nil {
				return err
			}
			return e.once(work)
		})
	}
	if err == nil {
		err = e.leftovers(work)
	}
	outOfTime := work.Err() != nil && ctx.Err() == nil
	if err != nil && !outOfTime && !errors.Is(err, dynamo.ErrConflict) && !errors.Is(err, errLater) {
		return Erased{}, fmt.Errorf("erase: %w", err)
	}
	record, err := s.auditLogs().Again(ctx, e.record)
	if err != nil {
		return Erased{}, err
	}
	return erasedOf(record)
}

func (s *Store) auditLogs() *audit.Store {
	return &audit.Store{DB: s.DB, Now: s.Now, NewID: s.NewID}
}

// reserving is a context that ends some time before the other's deadline, if it has one.
func reserving(ctx context.Context, reserve time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-reserve))
}

// begin finds the customer and the record of the erasure. One that is not complete goes on, and one that is complete answers
// again where there is nothing new.
func (s *Store) begin(ctx context.Context, of Erasure) (e erasing, complete bool, err error) {
	e.Store = s
	if e.traces, err = s.tracesOf(ctx, of.Tenant, of.Phone, of.Customer); err != nil {
		return e, false, err
	}
	known := false
	logs, target := s.auditLogs(), CustomerTarget(of.Tenant, of.Phone, e.customer)
	for _, customer := range e.customers { // a merge may have given the conversation another name since it began
		record, err := logs.Latest(ctx, CustomerTarget(of.Tenant, of.Phone, customer))
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
	case e.goesOn == nil && known:
		return e, true, nil
	case e.goesOn == nil:
		return e, false, ErrNoConversation
	}
	e.record, err = logs.Begin(ctx, audit.Draft{
		Action: ActionErase, Target: target, Tenant: of.Tenant, By: of.By, Reason: of.Reason,
		Counts: []string{countMessages, countConversations, countEvents, countEntries},
	})
	return e, false, err
}

// once erases what there is. It returns dynamo.ErrConflict where something came meanwhile, and errLater where a relay is
// just sending.
func (e erasing) once(ctx context.Context) error {
	record, err := e.auditLogs().Again(ctx, e.record)
	if err != nil {
		return err
	}
	if progress, err := audit.ProgressOf(record); err != nil || progress.CompletedAt != "" {
		return err // another call has come to the end with the same record; what is there by now is new
	}
	if e.goesOn == nil {
		if e.target(e.customer).ID != e.record.TargetID {
			return errLater // asked for by an alias that is gone already: the conversation may stand, and only its own name tells
		}
		_, err := e.DB.Update(ctx, audit.Completed(e.record, map[string]int{countConversations: 0}, model.At(e.Now())))
		return dynamo.IgnoreConditionFailed(err)
	}
	last, err := e.eraseEvents(ctx)
	if errors.Is(err, outbox.ErrLeased) {
		return fmt.Errorf("%w: %v", errLater, err) // no conflict any more: the lease outlasts this call
	}
	if err != nil {
		return err
	}
	if err := e.eraseMessages(ctx); err != nil {
		return err
	}
	return e.eraseConversations(ctx, last)
}

// leftovers erases messages that an index has shown too late. Each transaction checks that no new conversation has opened:
// what is in one is not this erasure's.
func (e erasing) leftovers(ctx context.Context) error {
	for _, customer := range e.customers {
		left := e
		left.late = true
		left.traces = traces{tenant: e.tenant, phone: e.phone, customer: customer, customers: []model.CustomerID{customer}}
		left.guard = []dynamo.Write{dynamo.Check{Table: tables.Messages, Key: keys.Conversation(e.phone, customer), If: "attribute_not_exists(pk)"}}
		err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
			opened, err := e.lookUp(e.phone, nil).conversation(ctx, customer)
			if err != nil || opened != nil {
				return err
			}
			return left.eraseMessages(ctx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ending is what ends one identifier of the customer.
type ending struct {
	writes        []dynamo.Write
	conversations int
}

// endings are what ends every identifier beside the one in the key of the conversation that goes on: a merged
// conversation, an alias, or both. In its place a reference leads to the record, so that it proves the erasure
// under each of the customer's names.
func (e erasing) endings(last map[model.CustomerID]int64) ([]ending, error) {
	var order []model.CustomerID
	by := map[model.CustomerID]*ending{}
	of := func(id model.CustomerID) *ending {
		if by[id] == nil {
			by[id], order = &ending{}, append(order, id)
		}
		return by[id]
	}
	named := map[model.CustomerID]bool{}
	for _, c := range e.merged {
		_, customer, _ := keys.ConversationIDs(c.PK)
		one := of(customer)
		one.writes = append(one.writes, dynamo.Delete{
			Table: tables.Messages, Key: keys.Conversation(e.phone, customer), If: "mergedInto = :into", Values: dynamo.Item{":into": dynamo.S(c.MergedInto)},
		}, outbox.Still(e.entity(customer), last[customer]))
		one.conversations, named[customer] = 1, true
	}
	told := e.told()
	for _, alias := range e.aliases {
		writes, free, err := alias.end(e.traces, told)
		if err != nil {
			return nil, err
		}
		one := of(alias.id)
		one.writes = append(one.writes, writes...)
		named[alias.id] = named[alias.id] || free
	}
	var all []ending
	for _, id := range order {
		if named[id] && id != e.customer { // the one that goes on is remembered when it ends
			remember, err := e.remember(id)
			if err != nil {
				return nil, err
			}
			by[id].writes = append(by[id].writes, remember...)
		}
		all = append(all, *by[id])
	}
	return all, nil
}

// eraseConversations ends the conversations and the aliases, and with the one that goes on the erasure. Where they are more than
// a transaction takes, the others go before it.
func (e erasing) eraseConversations(ctx context.Context, last map[model.CustomerID]int64) error {
	endings, err := e.endings(last)
	if err != nil {
		return err
	}
	var writes []dynamo.Write
	count := 0
	for _, one := range endings {
		if len(writes)+len(one.writes) > maxEndings {
			if err := e.DB.Transact(ctx, append(writes, e.counting(countConversations, count)...)); err != nil {
				return dynamo.Conflict(err)
			}
			writes, count = nil, 0
		}
		writes, count = append(writes, one.writes...), count+one.conversations
	}
	values := dynamo.Item{":unread": dynamo.N(e.goesOn.UnreadCount)}
	same := unchanged(*e.goesOn, values) + " AND unreadCount = :unread"
	remember, err := e.remember(e.customer)
	if err != nil {
		return err
	}
	return dynamo.Conflict(e.DB.Transact(ctx, append(append(writes, remember...),
		dynamo.Delete{Table: tables.Messages, Key: keys.Conversation(e.phone, e.customer), If: same, Values: values},
		outbox.Still(e.entity(e.customer), last[e.customer]),
		audit.Completed(e.record, map[string]int{countConversations: count + 1}, model.At(e.Now())),
	)))
}

// erasedOf is what a record says of its erasure.
func erasedOf(record model.AuditLog) (Erased, error) {
	progress, err := audit.ProgressOf(record)
	if err != nil {
		return Erased{}, err
	}
	done := Erased{
		AuditID: record.LogID, StartedAt: record.Timestamp, CompletedAt: progress.CompletedAt,
		Messages: progress.Counts[countMessages], Conversations: progress.Counts[countConversations],
		OutboxEvents: progress.Counts[countEvents], LogEntries: progress.Counts[countEntries],
	}
	if done.CompletedAt != "" {
		done.LogClearedBy = model.At(done.CompletedAt.Go().Add(model.LogRetention))
	}
	return done, nil
}
