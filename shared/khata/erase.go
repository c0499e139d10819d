package khata

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
)

// The names of the counts of an erasure.
const (
	countAccounts  = "khataAccounts"
	countClaims    = "paymentClaims"
	countReminders = "paymentReminders"
)

// kept is what an erasure keeps.
var kept = []erasure.Kept{
	{What: "the entries of the ledgers and what is owed, under the number or id that the account has",
		Why: "they are the store's books, which the law has it keep, and what is owed is still owed"},
	{What: "the records of requests that have added entries, for 30 days",
		Why: "an entry must not be written twice; they hold the account's key"},
}

// erase takes from a customer's accounts what names them, stops the reminders, and deletes those that are kept, and
// what the customer has said that they have paid. The
// ledger stays with the number that it is kept under: it is the store's books, which the store has to keep.
func (d *Domain) erase(ctx context.Context, of erasure.Subject,
	count func(string, int) []dynamo.Write) (func(model.CustomerID) []dynamo.Write, error) {
	for _, customer := range of.Accounts {
		err := d.Claims.Erase(ctx, of.Tenant, model.PhoneOf(customer),
			func(n int) []dynamo.Write { return count(countClaims, n) })
		if err != nil {
			return nil, err
		}
	}
	balances, err := d.balances(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("erase khata: %w", err)
	}
	for _, b := range balances {
		writes := append(count(countAccounts, 1), d.Ledger.Forget(b.StoreID, b.CustomerPhone))
		err := d.DB.Transact(ctx, writes)
		var cancelled *dynamo.TransactionCancelled
		done := errors.As(err, &cancelled) && cancelled.Of(len(writes)-1).Failed()
		if err != nil && !done {
			return nil, dynamo.Conflict(err)
		}
		err = d.Reminders.Erase(ctx, b, func(n int) []dynamo.Write { return count(countReminders, n) })
		if err != nil {
			return nil, fmt.Errorf("erase reminders: %w", err)
		}
	}
	return nil, nil
}

// balances returns a customer's accounts in all stores of the tenant.
func (d *Domain) balances(ctx context.Context, of erasure.Subject) ([]khatamodel.Balance, error) {
	var all []khatamodel.Balance
	for _, customer := range of.Accounts {
		balances, err := d.Ledger.OfCustomer(ctx, model.PhoneOf(customer),
			func(tenant model.TenantID) bool { return tenant == of.Tenant })
		if err != nil {
			return nil, err
		}
		all = append(all, balances...)
	}
	return all, nil
}
