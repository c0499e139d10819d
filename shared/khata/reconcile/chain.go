package reconcile

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
)

// Kind is what does not hold.
type Kind string

const (
	Gap Kind = "gap" // an entry is missing, or a place is taken twice
	// an entry does not begin where the one before it ended, or adds another amount than it says
	Broken       Kind = "broken"
	WrongBalance Kind = "wrong_balance" // the balance is not what the ledger comes to
	// a young entry has no idempotency record, or that of another entry
	NoRecord           Kind = "no_record"
	RecordWithoutEntry Kind = "record_without_entry" // an idempotency record names an entry that is not there
	// an order on credit was delivered, and its sale is not in the ledger
	NoSale     Kind = "no_sale"
	NoReversal Kind = "no_reversal" // an order on credit was refunded, and its sale stands
	NotOpen    Kind = "not_open"    // an order counts against the limit, and nothing is open of it
	NoEntry    Kind = "no_entry"    // a claim is confirmed, and its entry is not in the ledger
	Unreadable Kind = "unreadable"  // a ledger could not be checked, whatever is tried
)

// Finding is one thing that does not hold.
type Finding struct {
	Kind     Kind
	Store    model.Name
	Customer model.Name // "" if none is known
	About    string     // the entry, the order, or the record
	Detail   string
	Mended   bool
}

// link is what of an entry the chain needs.
type link struct {
	id            model.Name
	version       int64
	kind          khatamodel.Type
	amount        decimal.Decimal
	before, after decimal.Decimal
	record        model.Name
	at            model.Time
}

func linkOf(t khatamodel.Transaction) link {
	return link{
		t.TransactionID, t.Version, t.Type, t.Amount.Decimal, t.BalanceBefore.Decimal, t.BalanceAfter.Decimal,
		t.IdempotencyKey, t.CreatedAt}
}

// adds returns what an entry says that it adds to the balance.
func (l link) adds() decimal.Decimal {
	if l.kind == khatamodel.Payment {
		return l.amount.Neg()
	}
	return l.amount
}

// fault is something that is wrong with a chain.
type fault struct {
	kind          Kind
	about, detail string
}

// faultsOf returns what is wrong with a chain, in the order of versions.
func faultsOf(chain []link) []fault {
	var all []fault
	next, balance := int64(1), decimal.Zero
	for _, l := range chain {
		switch {
		case l.version != next:
			all = append(all, fault{Gap, string(l.id), fmt.Sprintf("entry %d follows entry %d", l.version, next-1)})
		case !l.before.Equal(balance):
			all = append(all,
				fault{Broken, string(l.id),
					fmt.Sprintf("it begins at %s, and the entry before it ended at %s", l.before.StringFixed(2),
						balance.StringFixed(2))})
		}
		if !l.after.Sub(l.before).Equal(l.adds()) {
			all = append(all,
				fault{Broken, string(l.id),
					fmt.Sprintf("it says %s, and moves the balance from %s to %s", l.adds().StringFixed(2),
						l.before.StringFixed(2), l.after.StringFixed(2))})
		}
		next, balance = l.version+1, l.after
	}
	return all
}
