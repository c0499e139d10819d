// Package statement tells what a ledger comes to: the statement of a customer for a period, and how old the dues are.
package statement

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/sorting"
)

// ErrLong means that a period has more entries than one statement holds.
var ErrLong = errors.New("too many entries for a statement")

// MaxEntries bounds a statement.
const MaxEntries = 2000

// Statement is what happened in a customer's ledger in a period.
type Statement struct {
	Shop     shop.Shop
	Customer model.Name // the account
	Contact  string     // what names the customer to others; "" for the account's name
	Name     string
	Language string
	From, To model.Time // To exclusive
	Opening  model.Amount
	Entries  []khatamodel.Transaction // by the ledger's order
	Closing  model.Amount
	Sold     model.Amount // what was bought on credit
	Paid     model.Amount
	Balance  model.Amount // now
	Ages     Ages
}

// Days returns the first and the last day of the period.
func (s Statement) Days() (first, last time.Time) {
	return s.From.Go().In(s.Shop.Zone), s.To.Go().In(s.Shop.Zone).AddDate(0, 0, -1)
}

// Period returns the period as people write it.
func (s Statement) Period(language string) string {
	first, last := s.Days()
	return shop.Day(first, language) + " – " + shop.Day(last, language)
}

// Statements makes statements.
type Statements struct {
	Ledger *ledger.Ledger
}

// Of returns a customer's statement for a period. It returns dynamo.ErrNotFound for a customer without a ledger, and
// ErrLong.
func (s Statements) Of(ctx context.Context, store shop.Shop, customer model.Name, from,
	to time.Time) (Statement, error) {
	all := Statement{Shop: store, Customer: customer, From: model.At(from), To: model.At(to)}
	balance, err := s.Ledger.Balance(ctx, store.ID, customer)
	if err != nil {
		return all, err
	}
	all.Name, all.Language, all.Balance = model.ShownLine(balance.CustomerName), balance.PreferredLanguage,
		balance.OutstandingBalance
	all.Entries, err = s.Ledger.List(ctx,
		ledger.Entries{Store: store.ID, Customer: customer, From: all.From, To: all.To, Oldest: true}, MaxEntries+1,
		"", nil)
	if err != nil {
		return all, err
	}
	if len(all.Entries) > MaxEntries {
		return all, problem.Breaks(ErrLong, "statement-too-long", "Too many entries",
			"A statement holds %d entries: ask for a shorter period.", MaxEntries)
	}
	sorting.Func(all.Entries, func(a, b khatamodel.Transaction) int { return int(a.Version - b.Version) })
	if err := s.bounds(ctx, &all); err != nil {
		return all, err
	}
	for _, entry := range all.Entries {
		switch entry.Type {
		case khatamodel.CreditSale:
			all.Sold.Decimal = all.Sold.Add(entry.Amount.Decimal)
		case khatamodel.Payment:
			all.Paid.Decimal = all.Paid.Add(entry.Amount.Decimal)
		}
	}
	all.Ages, err = s.agesOf(ctx, store, balance)
	return all, err
}

// bounds sets what was owed at the beginning and at the end of a statement's period.
func (s Statements) bounds(ctx context.Context, all *Statement) error {
	if len(all.Entries) > 0 {
		all.Opening, all.Closing = all.Entries[0].BalanceBefore, all.Entries[len(all.Entries)-1].BalanceAfter
		return nil
	}
	before, err := s.Ledger.List(ctx, ledger.Entries{Store: all.Shop.ID, Customer: all.Customer, To: all.From}, 1,
		"", nil)
	if err != nil {
		return fmt.Errorf("statement: %w", err)
	}
	if len(before) > 0 {
		all.Opening, all.Closing = before[0].BalanceAfter, before[0].BalanceAfter
	}
	return nil
}

// Ages are dues by how long they are owed. Payments pay the oldest first.
type Ages struct {
	UpTo30, UpTo60, UpTo90, Older model.Amount
}

// span is the length of one age.
const span = 30 * 24 * time.Hour

// Age returns the ages of a balance, of which the newest charges are unpaid. charges are what was added to the balance,
// the newest first, of at least the last 90 days.
func Age(balance model.Amount, charges []Charge, now time.Time) (a Ages) {
	left := balance.Decimal
	for _, c := range charges {
		if !left.IsPositive() {
			return a
		}
		part := decimal.Min(left, c.Amount.Decimal)
		age := a.of(now.Sub(c.At))
		age.Decimal = age.Add(part)
		left = left.Sub(part)
	}
	if left.IsPositive() {
		a.Older.Decimal = a.Older.Add(left)
	}
	return a
}

func (a *Ages) of(age time.Duration) *model.Amount {
	switch {
	case age <= span:
		return &a.UpTo30
	case age <= 2*span:
		return &a.UpTo60
	case age <= 3*span:
		return &a.UpTo90
	}
	return &a.Older
}

// Charge is an amount that was added to a balance.
type Charge struct {
	At     time.Time
	Amount model.Amount
}

// Charges returns the charges among entries, in their order. An entry that was reversed is none, and neither is a
// reversal: where it takes back a payment, the charges before the payment are owed again, because the newest charges
// are those that are unpaid.
func Charges(entries []khatamodel.Transaction) []Charge {
	reversed := map[model.Name]bool{}
	for _, entry := range entries {
		if entry.Reverses != "" {
			reversed[entry.Reverses] = true
		}
	}
	var charges []Charge
	for _, entry := range entries {
		if delta := entry.Delta(); delta.IsPositive() && entry.Type != khatamodel.Reversal &&
			!reversed[entry.TransactionID] {
			charges = append(charges, Charge{entry.CreatedAt.Go(), delta})
		}
	}
	return charges
}

// agesOf returns the ages of one customer's dues.
func (s Statements) agesOf(ctx context.Context, store shop.Shop, balance khatamodel.Balance) (Ages, error) {
	if !balance.OutstandingBalance.IsPositive() {
		return Ages{}, nil
	}
	now := s.Ledger.Now()
	recent, err := s.Ledger.List(ctx,
		ledger.Entries{Store: store.ID, Customer: balance.CustomerPhone, From: model.At(now.Add(-3 * span))}, MaxRecent,
		"", nil)
	return Age(balance.OutstandingBalance, Charges(recent), now), err
}

// MaxRecent bounds the entries of 90 days from which ages are told: of one customer, and of one customer of a store's.
const MaxRecent = 20_000

// Aged are the dues of one customer.
type Aged struct {
	Customer model.Name
	Name     string
	Owed     model.Amount
	Ages
	Place string // in the list
}

// Ageing returns the dues of a store's customers, the largest first, after a place, and their ages.
func (s Statements) Ageing(ctx context.Context, store shop.Shop, limit int, after string) ([]Aged, error) {
	balances, err := s.Ledger.Largest(ctx, store.ID, limit, after)
	if err != nil {
		return nil, err
	}
	all := make([]Aged, len(balances))
	for i, b := range balances {
		ages, err := s.agesOf(ctx, store, b)
		if err != nil {
			return nil, err
		}
		all[i] = Aged{b.CustomerPhone, model.ShownLine(b.CustomerName), b.OutstandingBalance, ages, ledger.DuePlace(b)}
	}
	return all, nil
}
