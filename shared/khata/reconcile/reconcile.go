// Package reconcile proves that the books hold: that each ledger is a chain without gaps, that each balance is its sum,
// that each record of a request has its entry, and that each order on credit has its sale. It names what does not hold.
// It mends balances, which are kept for fast reading, and never a ledger.
package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
)

// CreditOrder is an order on credit that was delivered, or refunded after that.
type CreditOrder struct {
	ID       model.Name
	Customer model.Name // how the contract names them; "" for one who was erased
	Amount   model.Amount
	Refunded bool
}

// Orders finds the stores, and the orders of each.
type Orders interface {
	// Stores returns up to limit stores after a place ("" for the first), and the place after them, "" for the end.
	Stores(ctx context.Context, limit int, after string) (stores []model.Name, next string, err error)
	// CreditOrders returns up to limit orders on credit that are delivered or refunded, after a place ("" for the
	// first), and the place after them ("" for the end).
	CreditOrders(ctx context.Context, store model.Name, limit int, after string) (orders []CreditOrder, next string,
		err error)
	// OnCredit reports whether an order is on credit and its customer has got it or still gets it.
	OnCredit(ctx context.Context, store, order model.Name) (bool, error)
}

// Books checks ledgers.
type Books struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Ledger *ledger.Ledger
	Shops  shop.Shops
	Orders Orders
	// Lag is how long an index may be behind its table: what seems to be missing is looked for again after it.
	Lag time.Duration
	// Remind sets a customer's next reminder right, and reports whether it was wrong; nil for not at all.
	Remind func(ctx context.Context, s shop.Shop, balance khatamodel.Balance) (bool, error)
}

// Checked says how much was checked.
type Checked struct {
	Customers, Entries, Orders, Records int
	Findings                            []Finding
}

// add adds what was checked elsewhere.
func (c *Checked) add(other Checked) {
	c.Customers, c.Entries, c.Orders, c.Records = c.Customers+other.Customers, c.Entries+other.Entries,
		c.Orders+other.Orders, c.Records+other.Records
	c.Findings = append(c.Findings, other.Findings...)
}

// unreadable adds a finding if something cannot be read, whatever is tried, so that it does not delay what follows it.
// It returns any other error.
func (c *Checked) unreadable(err error, of Finding) error {
	if !dynamo.Permanent(err) && !errors.Is(err, dynamo.ErrUndecodable) {
		return err
	}
	of.Kind, of.Detail = Unreadable, err.Error()
	c.Findings = append(c.Findings, of)
	return nil
}

// width is how many customers are checked side by side.
const width = 8

// Customers checks the ledgers of up to limit customers of a store, after a customer ("" for the first). It returns the
// customer after whom to go on, "" for the end.
func (b *Books) Customers(ctx context.Context, s shop.Shop, limit int, after model.Name,
	mend bool) (Checked, model.Name, error) {
	balances, err := b.Ledger.Customers(ctx, s.ID, limit, after)
	if err != nil {
		return Checked{}, "", err
	}
	all, err := b.each(ctx, balances, mend)
	if err != nil || len(balances) < limit {
		return all, "", err
	}
	return all, balances[len(balances)-1].CustomerPhone, nil
}

// each checks customers side by side.
func (b *Books) each(ctx context.Context, balances []khatamodel.Balance, mend bool) (Checked, error) {
	parts := make([]Checked, len(balances))
	jobs := make([]func() error, len(balances))
	for i, balance := range balances {
		jobs[i] = func() (err error) {
			if parts[i], err = b.Customer(ctx, balance, mend); err == nil {
				err = b.openOrders(ctx, balance, mend, &parts[i])
			}
			return parts[i].unreadable(err,
				Finding{Store: balance.StoreID, Customer: balance.CustomerPhone, About: "the ledger"})
		}
	}
	err := errors.Join(lanes.Concurrently(width, jobs...)...)
	var all Checked
	for _, part := range parts {
		all.add(part)
	}
	return all, err
}

// tries is how often a ledger is read that seems to be wrong: an index may be behind, and others go on writing.
const tries = 2

// Customer checks one customer's ledger.
func (b *Books) Customer(ctx context.Context, balance khatamodel.Balance, mend bool) (Checked, error) {
	for try := 1; ; try++ {
		checked, whole, err := b.look(ctx, balance)
		if err != nil || len(checked.Findings) == 0 {
			return checked, err
		}
		if try < tries {
			if err := dynamo.Sleep(ctx, b.Lag); err != nil {
				return checked, err
			}
			if balance, err = b.Ledger.Balance(ctx, balance.StoreID, balance.CustomerPhone); err != nil {
				return checked, err
			}
			continue
		}
		if mend && whole != nil {
			for i, f := range checked.Findings {
				if f.Kind == WrongBalance {
					if checked.Findings[i].Mended, err = b.mend(ctx, balance, *whole); err != nil {
						return checked, err
					}
				}
			}
		}
		return checked, nil
	}
}

// look reads a customer's ledger once. It returns the last entry if the chain is whole, for mending.
func (b *Books) look(ctx context.Context, balance khatamodel.Balance) (Checked, *link, error) {
	checked := Checked{Customers: 1}
	found := func(kind Kind, about, detail string) {
		checked.Findings = append(checked.Findings,
			Finding{Kind: kind, Store: balance.StoreID, Customer: balance.CustomerPhone, About: about, Detail: detail})
	}
	chain, err := b.chain(ctx, balance.StoreID, balance.CustomerPhone)
	if err != nil {
		return checked, nil, err
	}
	checked.Entries = len(chain)
	faults := faultsOf(chain)
	for _, f := range faults {
		found(f.kind, f.about, f.detail)
	}
	var last link
	if len(chain) > 0 {
		last = chain[len(chain)-1]
	}
	if last.version != balance.Version || !last.after.Equal(balance.OutstandingBalance.Decimal) ||
		last.id != balance.LastTransactionID {
		found(WrongBalance, "", fmt.Sprintf("it says %s after %d entries, and the ledger comes to %s after %d",
			balance.OutstandingBalance.StringFixed(2), balance.Version, last.after.StringFixed(2), last.version))
	}
	unrecorded, err := b.unrecorded(ctx, chain)
	if err != nil {
		return checked, nil, err
	}
	for _, id := range unrecorded {
		found(NoRecord, string(id), "its idempotency record is missing, or another entry's")
	}
	if len(faults) > 0 || len(chain) == 0 {
		return checked, nil, nil
	}
	return checked, &last, nil
}

// chainPage is how many entries are read at once.
const chainPage = 500

// chain returns a customer's entries in the order of their versions.
func (b *Books) chain(ctx context.Context, store, customer model.Name) ([]link, error) {
	var all []link
	e := ledger.Entries{Store: store, Customer: customer, Oldest: true}
	for after := ""; ; {
		page, err := b.Ledger.List(ctx, e, chainPage, after, nil)
		if err != nil {
			return nil, err
		}
		for _, entry := range page {
			all = append(all, linkOf(entry))
		}
		if len(page) < chainPage {
			break
		}
		after = e.Place(page[len(page)-1])
	}
	sorting.Func(all, func(x, y link) int { return int(x.version - y.version) })
	return all, nil
}

// young is the age up to which an entry has its record for sure: a day less than records live.
const young = ledger.Lifetime - 24*time.Hour

// unrecorded returns the young entries whose records are not as they should be.
func (b *Books) unrecorded(ctx context.Context, chain []link) ([]model.Name, error) {
	since := model.At(b.Now().Add(-young))
	var refs []dynamo.Ref
	var of []link
	for _, l := range chain {
		if l.at > since {
			refs, of = append(refs, dynamo.Ref{Table: tables.IdempotencyKeys, Key: keys.KhataReplay(l.record)}),
				append(of, l)
		}
	}
	found, err := b.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	var wrong []model.Name
	for i, ref := range refs {
		if dynamo.Text(ref.Found(found), "transaction_id") != string(of[i].id) {
			wrong = append(wrong, of[i].id)
		}
	}
	return wrong, nil
}

// mend makes a balance what its ledger comes to. The condition is that it is as it was read; it reports whether it was.
func (b *Books) mend(ctx context.Context, was khatamodel.Balance, last link) (bool, error) {
	err := b.DB.Update(ctx, dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(was.StoreID, was.CustomerPhone),
		If: dynamo.And("#version = :was", "outstanding_balance = :owed"),
		Do: "SET #version = :version, outstanding_balance = :balance, last_transaction_id = :id, " +
			"last_transaction_at = :at, updated_at = :now",
		Values: dynamo.Item{
			":was": dynamo.N(was.Version), ":owed": dynamo.Number(was.OutstandingBalance.String()),
			":version": dynamo.N(last.version), ":balance": dynamo.Number(last.after.String()),
			":id": dynamo.S(last.id), ":at": dynamo.S(last.at), ":now": dynamo.S(model.At(b.Now())),
		},
	})
	if dynamo.IsConditionFailed(err) {
		return false, nil
	}
	return err == nil, err
}
