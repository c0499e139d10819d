package soak

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var operations = flag.Int("operations", 1600, "operations on ledgers, by 32 clients")

// 32 clients write into ledgers. Each is a process of its own that dies now and then.
const (
	ledgerClients   = 32
	ledgerCustomers = 24
)

// effect is what one request should lead to. Clients share it, so nobody changes it once it is in the diary.
type effect struct {
	key      string
	store    int
	customer model.Name
	draft    ledger.Draft
	reverses model.Name
}

// books are the ledgers that all clients write into. Only the diary changes while they do.
type books struct {
	t      *testing.T
	db     *dynamotest.DB
	shops  []shop.Shop
	faults *faults
	diary  diary
}

// TestSoakLedgers runs random operations of concurrent clients with faults, and compares ledgers, balances and records
// with what the clients were told. `make soak` runs 100,000.
func TestSoakLedgers(t *testing.T) {
	db := dynamotest.Start(t, tables.KhataTransactions, tables.CustomerBalances, tables.IdempotencyKeys)
	limit := model.Amount{Decimal: decimal.New(5000, 0)}
	b := &books{t: t, db: db, faults: &faults{rng: rand.New(rand.NewPCG(1, *first))}}
	b.faults.every.Store(25)
	for _, id := range []model.Name{"STR-A", "STR-B"} {
		b.shops = append(b.shops, shop.Shop{ID: id, Tenant: "demo", Zone: time.UTC, Terms: shop.Terms{
			DefaultLimit: &limit, Overpayment: id == "STR-B",
			Reminders: shop.Reminders{Enabled: true, Frequency: khatamodel.Weekly, At: 600},
		}})
	}
	began := time.Now()
	var clients sync.WaitGroup
	for n := range ledgerClients {
		clients.Go(func() {
			b.client(rand.New(rand.NewPCG(uint64(n), *first)), *operations/ledgerClients)
		})
	}
	clients.Wait()
	t.Logf("%d operations, %d calls, %d faults, in %s", len(b.diary.all()), b.faults.counts[calls].Load(),
		b.faults.counts[failBefore].Load()+b.faults.counts[loseAnswer].Load()+
			b.faults.counts[throttle].Load()+b.faults.counts[conflict].Load(), time.Since(began).
			Round(time.Millisecond))
	b.check()
}

// client makes operations, one after the other. Each is tried, by new processes as well, until it is answered.
func (b *books) client(rng *rand.Rand, count int) {
	process := b.process()
	for i := range count {
		if rng.IntN(40) == 0 {
			process = b.process()
		}
		e := b.draw(rng, fmt.Sprintf("%d-%d", rng.Uint64(), i))
		for try := 0; ; try++ {
			entry, err := b.do(process, e)
			if b.settle(e, entry, err) {
				break
			}
			if try > 200 {
				b.t.Errorf("%s is never answered: %v", e.key, err)
				return
			}
			if rng.IntN(3) == 0 {
				process = b.process() // it died, and the client asks another one
			}
		}
	}
}

func (b *books) process() *ledger.Ledger {
	return &ledger.Ledger{DB: b.db.Through(b.faults), Now: time.Now}
}

// draw returns a new request, or one that was made before, with the same body or another.
func (b *books) draw(rng *rand.Rand, key string) *effect {
	if rng.IntN(10) == 0 {
		if earlier, answered := b.diary.earlier(rng); earlier != nil && !answered {
			return earlier // which is being made: one more client makes the same request
		} else if earlier != nil {
			again := *earlier
			if rng.IntN(2) == 0 {
				again.draft.Notes = "another body"
			}
			return &again
		}
	}
	e := &effect{
		key: key, store: rng.IntN(len(b.shops)),
		customer: model.Name(fmt.Sprintf("+9198%08d", rng.IntN(ledgerCustomers)))}
	e.draft = ledger.Draft{
		Customer: e.customer, By: "clerk", Amount: model.Amount{Decimal: decimal.New(rng.Int64N(200_000)+1, -2)}}
	switch n := rng.IntN(20); {
	case n < 9:
		e.draft.Type = khatamodel.CreditSale
	case n < 15:
		e.draft.Type, e.draft.Method = khatamodel.Payment, "cash"
	case n < 17:
		e.draft.Type, e.draft.Reason = khatamodel.Adjustment, "counted again"
		if rng.IntN(2) == 0 {
			e.draft.Amount.Decimal = e.draft.Amount.Neg()
		}
	case n < 19:
		if b.reverse(rng, e) {
			break
		}
		fallthrough
	default:
		e.draft.Type, e.draft.Opening = khatamodel.Adjustment, true
	}
	b.diary.add(e)
	return e
}

// reverse makes a request one that reverses an entry. It reports whether there is an entry to reverse.
func (b *books) reverse(rng *rand.Rand, e *effect) bool {
	of, found := b.diary.reversible(rng)
	if !found {
		return false
	}
	e.reverses, e.draft.Type, e.draft.Reason = of.TransactionID, khatamodel.Reversal, "wrong"
	e.customer, e.draft.Customer = of.CustomerPhone, of.CustomerPhone
	e.store = slices.IndexFunc(b.shops, func(s shop.Shop) bool { return s.ID == of.StoreID })
	return true
}

func (b *books) do(l *ledger.Ledger, e *effect) (khatamodel.Transaction, error) {
	s := b.shops[e.store]
	request, err := ledger.Request(s, idempotency.API, e.key,
		[]any{e.draft.Type, e.customer, e.draft.Amount.String(), e.draft.Notes, e.reverses})
	if err != nil {
		return khatamodel.Transaction{}, err
	}
	if e.reverses != "" {
		return l.Reverse(b.t.Context(), s, e.reverses, e.draft, request)
	}
	return l.Add(b.t.Context(), s, e.draft, request)
}

// rules are the errors by which a request is refused for good.
var rules = []error{
	ledger.ErrAmount, ledger.ErrLimit, ledger.ErrOverpaid, ledger.ErrOpened, ledger.ErrReversal,
	idempotency.ErrKeyReused}

// settle notes the answer to a request, and reports whether it is one.
func (b *books) settle(e *effect, entry khatamodel.Transaction, err error) bool {
	refused := slices.ContainsFunc(rules, func(rule error) bool { return errors.Is(err, rule) })
	if err != nil && !refused {
		return false
	}
	if wrong := b.diary.note(e, entry, err); wrong != "" {
		b.t.Error(wrong)
	}
	return true
}

// check compares what is stored with what the clients were told.
func (b *books) check() {
	type account struct {
		store    int
		customer model.Name
	}
	chains, byKey := map[account][]khatamodel.Transaction{}, map[model.Name]int{}
	marks := 0
	for _, item := range b.db.Items(b.t, tables.KhataTransactions) {
		var entry khatamodel.Transaction
		if err := dynamo.Unmarshal(item, &entry); err != nil {
			b.t.Fatal(err)
		}
		if entry.StoreID == "" {
			marks++
			continue
		}
		store := slices.IndexFunc(b.shops, func(s shop.Shop) bool { return s.ID == entry.StoreID })
		of := account{store, entry.CustomerPhone}
		chains[of] = append(chains[of], entry)
		byKey[entry.IdempotencyKey]++
	}
	sums, told, reversals := map[account]decimal.Decimal{}, 0, 0
	for _, e := range b.diary.all() {
		entry, answered := b.diary.toldOf(e.key)
		if !answered {
			continue
		}
		told++
		if e.reverses != "" {
			reversals++
		}
		of := account{e.store, e.customer}
		sums[of] = sums[of].Add(b.means(e))
		if n := byKey[entry.IdempotencyKey]; n != 1 {
			b.t.Errorf("%s has %d entries", e.key, n)
		}
	}
	stored := 0
	for of, chain := range chains {
		stored += len(chain)
		slices.SortFunc(chain, func(x, y khatamodel.Transaction) int { return int(x.Version - y.Version) })
		balance := decimal.Zero
		for i, entry := range chain {
			if entry.Version != int64(i+1) || !entry.BalanceBefore.Equal(balance) {
				b.t.Fatalf("the chain of %v breaks at entry %d: version %d, before %s, and it was %s", of, i,
					entry.Version, entry.BalanceBefore, balance)
			}
			balance = entry.BalanceAfter.Decimal
		}
		l := ledger.Ledger{DB: b.db.Client, Now: time.Now}
		kept, err := l.Balance(b.t.Context(), b.shops[of.store].ID, of.customer)
		if err != nil || !kept.OutstandingBalance.Equal(balance) || kept.Version != int64(len(chain)) ||
			!sums[of].Equal(balance) {
			b.t.Errorf("%v: the ledger comes to %s, the balance to %s (%d of %d entries), what clients did to %s, %v",
				of, balance, kept.OutstandingBalance, kept.Version, len(chain), sums[of], err)
		}
		if (kept.ReminderBucket != "") != balance.IsPositive() {
			b.t.Errorf("%v owes %s, and its next reminder is %q", of, balance, kept.NextReminderAt)
		}
	}
	if records := len(b.db.Items(b.t, tables.IdempotencyKeys)); stored != told || records != told ||
		marks != reversals || told == 0 || reversals == 0 {
		b.t.Errorf("%d effects, %d entries, %d records, %d reversals, %d marks", told, stored, records, reversals,
			marks)
	}
}

// means returns what a request adds to a balance.
func (b *books) means(e *effect) decimal.Decimal {
	switch e.draft.Type {
	case khatamodel.Payment:
		return e.draft.Amount.Neg()
	case khatamodel.Reversal:
		for _, of := range b.diary.all() {
			if entry, answered := b.diary.toldOf(of.key); answered && entry.TransactionID == e.reverses {
				return b.means(of).Neg()
			}
		}
		b.t.Errorf("%s reverses %s, which nobody wrote", e.key, e.reverses)
	}
	return e.draft.Amount.Decimal
}
