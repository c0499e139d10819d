// Package ledger owns the credit ledgers of customers: entries that are only ever added, the balance that is their sum,
// and the records by which a repeated request adds nothing. All three are written in one transaction.
package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// The rules that an entry may break.
var (
	ErrAmount   = errors.New("the entry is wrong")
	ErrLimit    = errors.New("over the credit limit")
	ErrOverpaid = errors.New("more than is owed")
	ErrOpened   = errors.New("the ledger has begun")
	ErrReversal = errors.New("the entry cannot be reversed")
	ErrSold     = errors.New("the order is in the ledger")
	ErrAlone    = errors.New("it takes two people")
	ErrStale    = errors.New("changed since it was read")
)

// Untold counts the entries of which the customer could not be told, because their conversation cannot be read or
// written.
var Untold = telemetry.Metric{Name: "EntriesUntold", Unit: "Count", Series: telemetry.LogOnly}

// maxUntold is after how many attempts that failed because of the message alone an entry is written without it.
const maxUntold = 5

// Lifetime is how long a repeated request is answered as the first one was.
const Lifetime = 30 * 24 * time.Hour

// Ledger reads and writes ledgers.
type Ledger struct {
	DB  *dynamo.Client
	Now func() time.Time
	// Publisher tells those outside of entries; nil if nobody is told.
	Publisher *publishing.Publisher
	Teller    Teller // tells customers of entries; nil to tell nobody

	known known
	turns turns
}

// Teller tells customers of entries in their ledgers.
type Teller interface {
	// Writes returns the writes of the message that tells a customer of an entry, which commit with it. b is the
	// balance that the entry makes.
	Writes(ctx context.Context, s shop.Shop, b khatamodel.Balance, entry khatamodel.Transaction,
		from model.PhoneNumberID) ([]dynamo.Write, error)
	// Refs returns the items that Writes reads of most customers.
	Refs(s shop.Shop, customer model.Name, from model.PhoneNumberID) []dynamo.Ref
}

// Result is what a request has led to.
type result struct {
	Transaction model.Name   `json:"transaction"`
	Store       model.Name   `json:"store"`
	Customer    model.Name   `json:"customer"`
	Balance     model.Amount `json:"balance"`
}

// place keeps the records of requests where the contract has them.
var place = idempotency.Place{
	Table: tables.IdempotencyKeys, Key: keys.KhataReplay, Lifetime: Lifetime,
	Encode: encodeRecord, Decode: decodeRecord,
}

// Request identifies a request that adds to a ledger of a store. A key means one request of the store, also if somebody
// else repeats it.
func Request(s shop.Shop, origin idempotency.Origin, key string, body any) (idempotency.Request, error) {
	request, err := idempotency.NewRequest(origin, s.Tenant, string(s.ID), "khata", key, body)
	return request.In(place), err
}

// BalanceRef refers to a customer's balance in a store.
func BalanceRef(store, customer model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.CustomerBalances, Key: keys.KhataBalance(store, customer)}
}

// BalanceIn returns the balance that a batch has read. A customer without entries owes nothing.
func BalanceIn(found dynamo.Found, store, customer model.Name) (b khatamodel.Balance, err error) {
	if item := BalanceRef(store, customer).Found(found); item != nil {
		err = dynamo.Unmarshal(item, &b)
	}
	return b, err
}

// Add adds an entry to a customer's ledger. The entry, the balance and the record of the request commit together; the
// condition is that the balance is as it was read. A repeated request gets the entry of the first one. Where this
// process has seen the balance before, it reads nothing. It returns ErrAmount, ErrLimit, ErrOverpaid, ErrOpened,
// ErrSold and idempotency.ErrKeyReused.
func (l *Ledger) Add(ctx context.Context, s shop.Shop, d Draft,
	request idempotency.Request) (khatamodel.Transaction, error) {
	return l.add(ctx, s, d, request, nil)
}

// Refs returns the items that Add reads of most customers, so that the caller reads them ahead: see dynamo.Remember.
func (l *Ledger) Refs(s shop.Shop, d Draft, request idempotency.Request) (refs []dynamo.Ref) {
	if _, known := l.known.get(s.ID, d.Customer); !known {
		refs = append(request.Refs(), BalanceRef(s.ID, d.Customer))
	}
	if l.Teller != nil && !d.Silent {
		refs = append(refs, l.Teller.Refs(s, d.Customer, d.From)...)
	}
	return refs
}

// Sell adds the credit sale of an order, which happens once, whenever it is asked for. An order that is in the ledger
// already gets its entry.
func (l *Ledger) Sell(ctx context.Context, s shop.Shop, d Draft) (khatamodel.Transaction, error) {
	request, err := Request(s, idempotency.Order, "sale "+string(d.Order), d.Order)
	if err != nil {
		return khatamodel.Transaction{}, err
	}
	guard := keys.SaleOf(s.ID, d.Order)
	entry, err := l.add(ctx, s, d, request, &guard)
	if errors.Is(err, ErrSold) {
		return l.SaleOf(ctx, s.ID, d.Order)
	}
	return entry, err
}

// Reverse takes an entry back, by one that adds the opposite. It returns dynamo.ErrNotFound for an entry of another
// store, and ErrReversal for a reversal, and for an entry that has been reversed.
func (l *Ledger) Reverse(ctx context.Context, s shop.Shop, id model.Name, d Draft,
	request idempotency.Request) (khatamodel.Transaction, error) {
	original, err := l.Entry(ctx, s.ID, id)
	switch {
	case err != nil:
		return khatamodel.Transaction{}, err
	case original.Type == khatamodel.Reversal:
		return khatamodel.Transaction{}, problem.Breaks(ErrReversal, "is-a-reversal", "A reversal stays",
			"The entry takes back %s and cannot be taken back. Add what is right as a new entry.", original.Reverses)
	}
	d.Type, d.Customer, d.reversed = khatamodel.Reversal, original.CustomerPhone, &original
	if original.Type == khatamodel.Payment {
		d.With = l.unrefunded(original, d.With)
	}
	guard := keys.ReversalOf(id)
	return l.add(ctx, s, d, request, &guard)
}

// attempt is one try at adding an entry.
type attempt struct {
	*Ledger
	shop    shop.Shop
	draft   Draft
	request idempotency.Request
	guard   *keys.Key // of what there may be only one
	balance khatamodel.Balance
	fresh   bool // whether balance and record have just been read together
	untold  int  // attempts that failed because of the message to the customer alone
}

func (l *Ledger) add(ctx context.Context, s shop.Shop, d Draft, request idempotency.Request,
	guard *keys.Key) (entry khatamodel.Transaction, err error) {
	end, err := l.turns.take(ctx, s.ID, d.Customer)
	if err != nil {
		return entry, err
	}
	defer end()
	a := attempt{Ledger: l, shop: s, draft: d, request: request, guard: guard}
	var done, known bool
	if a.balance, known = l.known.get(s.ID, d.Customer); !known {
		if entry, done, err = a.read(ctx); err != nil || done {
			return entry, err
		}
	}
	return entry, contend(ctx, func() error { return a.again(ctx) }, func() error {
		if err := a.follow(ctx); err != nil {
			return err
		}
		decided, err := decide(s, a.balance, a.draft)
		if err != nil && !a.fresh {
			// A refusal depends on the balance as it is now, and on whether the request was answered before.
			if entry, done, err = a.read(ctx); err != nil || done {
				return err
			}
			decided, err = decide(s, a.balance, a.draft)
		}
		if err != nil {
			return err
		}
		entry, err = a.commit(ctx, decided)
		return err
	})
}

// read reads the balance. It returns the entry of an earlier request, if there is one.
func (a *attempt) read(ctx context.Context) (entry khatamodel.Transaction, done bool, err error) {
	found, err := a.DB.BatchGet(ctx, append(a.request.Refs(), BalanceRef(a.shop.ID, a.draft.Customer)))
	if err != nil {
		return entry, false, err
	}
	var was result
	if done, err = a.request.Earlier(found, a.Now(), &was); err != nil {
		return entry, false, err
	} else if done {
		entry, err = a.earlier(ctx, was)
		return entry, true, err
	}
	if a.balance, err = BalanceIn(found, a.shop.ID, a.draft.Customer); err != nil {
		return entry, false, err
	}
	a.fresh = true
	return entry, false, a.follow(ctx)
}

// follow has the entry go into the account that goes on, if the customer's has been joined to another of the same
// person.
func (a *attempt) follow(ctx context.Context) (err error) {
	if joined := a.balance.JoinedInto; joined != "" {
		a.draft.Customer = joined
		if a.balance, err = a.Balance(ctx, a.shop.ID, joined); errors.Is(err, dynamo.ErrNotFound) {
			a.balance, err = khatamodel.Balance{}, nil
		}
	}
	if a.balance.CustomerPhone != "" {
		a.draft.Customer = a.balance.CustomerPhone
	}
	return err
}

// again reads the balance once more.
func (a *attempt) again(ctx context.Context) (err error) {
	a.balance, err = a.Balance(ctx, a.shop.ID, a.draft.Customer)
	a.fresh = false // whether the request was answered meanwhile is not known
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	return err
}

// earlier returns the entry of an earlier request.
func (a *attempt) earlier(ctx context.Context, was result) (entry khatamodel.Transaction, err error) {
	if was.Store != a.shop.ID {
		return entry, idempotency.ErrKeyReused
	}
	return entry,
		a.DB.Get(ctx, tables.KhataTransactions, keys.KhataEntry(was.Store, was.Customer, was.Transaction), &entry)
}

// commit writes an entry. It returns dynamo.ErrConflict if the balance is another one by now.
func (a *attempt) commit(ctx context.Context, entry khatamodel.Transaction) (khatamodel.Transaction, error) {
	now := a.Now()
	if err := past(a.shop, entry.OccurredOn, now); err != nil {
		return entry, err
	}
	identify(a.shop, &entry, model.Name(a.request.ID()), now)
	writes, balance, err := a.writes(entry, now)
	if err != nil {
		return entry, err
	}
	if a.draft.With != nil {
		more, err := a.draft.With(ctx, entry)
		if err != nil {
			return entry, err
		}
		writes = append(writes, more...)
	}
	outside, err := a.publish(ctx, a.shop, entry)
	if err != nil {
		return entry, err
	}
	writes = append(writes, outside...)
	told, err := a.tell(ctx, balance, entry)
	if err != nil {
		return entry, err
	}
	message := len(writes)
	writes = append(writes, told...)
	err = a.DB.Transact(ctx, writes)
	if err == nil {
		a.known.put(balance)
		return entry, nil
	}
	var cancelled *dynamo.TransactionCancelled
	if !errors.As(err, &cancelled) {
		a.known.forget(a.shop.ID, a.draft.Customer)
		return entry, dynamo.Conflict(err)
	}
	if reason := cancelled.Of(writeRecord); reason.Failed() {
		return a.recorded(ctx, entry, reason, now)
	}
	if a.guard != nil && cancelled.Of(writeGuard).Failed() {
		return entry, a.guarded()
	}
	if cancelled.FirstFailed() >= message {
		a.untold++
	}
	a.known.forget(a.shop.ID, a.draft.Customer)
	return entry, dynamo.Conflict(err)
}

// tell returns the writes of the message that tells the customer of an entry. The books come first: where this message
// alone has failed several times, as in a conversation that cannot be written, the entry is written without it.
func (a *attempt) tell(ctx context.Context, b khatamodel.Balance,
	entry khatamodel.Transaction) ([]dynamo.Write, error) {
	switch {
	case a.Teller == nil || a.draft.Silent:
		return nil, nil
	case a.untold == maxUntold:
		telemetry.Count(ctx, Untold, 1)
		return nil, nil
	}
	return a.Teller.Writes(ctx, a.shop, b, entry, a.draft.From)
}

// recorded returns the entry of the earlier request whose record is in the way.
func (a *attempt) recorded(ctx context.Context, entry khatamodel.Transaction, reason dynamo.Reason,
	now time.Time) (khatamodel.Transaction, error) {
	var was result
	done, err := a.request.Earlier(a.request.Refs()[0].Holding(reason.Item), now, &was)
	if err == nil && !done {
		err = dynamo.ErrConflict // it has expired meanwhile
	}
	if err != nil {
		return entry, err
	}
	return a.earlier(ctx, was)
}

// guarded returns the error of a second sale of an order, of a second reversal, or of a payment that is there.
func (a *attempt) guarded() error {
	if a.draft.Type == khatamodel.Reversal {
		return problem.Breaks(ErrReversal, "already-reversed", "Reversed already",
			"Another entry takes it back already.")
	}
	return problem.Breaks(ErrSold, "already-in-ledger", "In the ledger already", "%s is in the ledger.",
		cmp.Or(string(a.draft.Order), a.draft.Reference))
}

// The places of the writes in the transaction.
const (
	writeEntry = iota
	writeBalance
	writeRecord
	writeGuard
)

// writes returns the transaction of an entry, and the balance that it makes.
func (a *attempt) writes(entry khatamodel.Transaction, now time.Time) ([]dynamo.Write, khatamodel.Balance, error) {
	item, err := dynamo.Marshal(entry)
	if err != nil {
		return nil, a.balance, err
	}
	balance, update := a.next(entry, now)
	record, err := a.request.Writes(now,
		result{entry.TransactionID, entry.StoreID, entry.CustomerPhone, entry.BalanceAfter})
	if err != nil {
		return nil, balance, err
	}
	if len(record) == 0 {
		return nil, balance, fmt.Errorf("ledger: %w: a request without an idempotency key", dynamo.ErrPermanent)
	}
	writes := []dynamo.Write{
		dynamo.Put{Table: tables.KhataTransactions, Item: item, If: dynamo.IfAbsent}, update, record[0]}
	if a.guard != nil {
		mark, err := dynamo.Marshal(khatamodel.Mark{
			PK: a.guard.Partition, SK: a.guard.Sort, TransactionID: entry.TransactionID})
		if err != nil {
			return nil, balance, err
		}
		writes = append(writes, dynamo.Put{Table: tables.KhataTransactions, Item: mark, If: dynamo.IfAbsent})
	}
	return writes, balance, nil
}
