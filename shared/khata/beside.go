package khata

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

// section shows the shop's people what a person owes.
func (d *Domain) section() beside.Section {
	return beside.Section{Name: "khata", Scope: "khata.read", Values: []string{valueOwed}, Of: d.accounts}
}

// valueOwed fills texts with what a person owes in all; it is absent for somebody who owes nothing.
const valueOwed = "owed"

// accounts shows a person's account in each store of the tenant in which they have one.
func (d *Domain) accounts(ctx context.Context, p lookup.Person) (all beside.Shown, err error) {
	err = d.ofPerson(ctx, p, func(a account) error {
		amount := a.balance.OutstandingBalance
		entry := beside.Entry{
			Path: beside.Path("stores", string(a.shop.ID), "khata", "customers", string(a.key)), ID: string(a.key),
			In: string(a.shop.ID), Title: model.ShownLine(a.shop.Name), Status: "even", Amount: &amount,
			Currency: a.shop.Currency, At: a.balance.LastTransactionAt,
		}
		switch {
		case amount.IsPositive():
			entry.Status = "owes"
			if all.Values == nil { // of several stores the first: amounts of two currencies make no sum
				all.Values = map[string]string{valueOwed: a.shop.Money(amount)}
			}
		case amount.IsNegative():
			entry.Status = "ahead"
		}
		open, err := d.Claims.OpenOf(ctx, a.shop.ID, a.balance.CustomerPhone)
		if err != nil {
			return err
		}
		entry.Waiting = len(open)
		all.Entries = append(all.Entries, entry)
		return nil
	})
	return all, err
}

// account is a person's in a store.
type account struct {
	shop    Shop
	key     model.CustomerID
	balance khatamodel.Balance
}

// ofPerson calls each for the accounts of a person in the stores of a tenant.
func (d *Domain) ofPerson(ctx context.Context, p lookup.Person, each func(account) error) error {
	return p.InStores(ctx, func(store model.Name, key model.CustomerID) error {
		b, err := d.Ledger.Balance(ctx, store, model.PhoneOf(key))
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && b.TenantID != p.Tenant {
			return nil
		}
		if err != nil {
			return err
		}
		shop, err := d.Shops.Shop(ctx, store)
		if errors.Is(err, dynamo.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return each(account{shop, key, b})
	})
}
