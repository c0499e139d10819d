package ledger

import (
	"context"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Entry returns an entry of a store, or dynamo.ErrNotFound.
func (l *Ledger) Entry(ctx context.Context, store, id model.Name) (entry khatamodel.Transaction, err error) {
	page, err := l.DB.Query(ctx, dynamo.Query{
		Table: tables.KhataTransactions, Where: "pk = :pk AND begins_with(sk, :store)",
		Values: dynamo.Item{":pk": dynamo.S(keys.KhataEntryOf(id)), ":store": dynamo.S(keys.StoreScope(store) + "#")},
	})
	if err != nil {
		return entry, fmt.Errorf("khata entry: %w", err)
	}
	if len(page.Items) == 0 {
		return entry, dynamo.ErrNotFound
	}
	return entry, dynamo.Unmarshal(page.Items[0], &entry)
}

// SaleOf returns the credit sale of an order, or dynamo.ErrNotFound.
func (l *Ledger) SaleOf(ctx context.Context, store, order model.Name) (khatamodel.Transaction, error) {
	return l.marked(ctx, store, keys.SaleOf(store, order))
}

// ReversalOf returns the entry that takes an entry back, or dynamo.ErrNotFound.
func (l *Ledger) ReversalOf(ctx context.Context, store, id model.Name) (khatamodel.Transaction, error) {
	return l.marked(ctx, store, keys.ReversalOf(id))
}

func (l *Ledger) marked(ctx context.Context, store model.Name, key keys.Key) (khatamodel.Transaction, error) {
	var mark khatamodel.Mark
	if err := l.DB.Get(ctx, tables.KhataTransactions, key, &mark); err != nil {
		return khatamodel.Transaction{}, err
	}
	return l.Entry(ctx, store, mark.TransactionID)
}

// Balance returns what a customer owes a store, or dynamo.ErrNotFound for a customer without a ledger. Of an account
// that was joined to another it returns the one that goes on.
func (l *Ledger) Balance(ctx context.Context, store, customer model.Name) (b khatamodel.Balance, err error) {
	for range maxJoins {
		b = khatamodel.Balance{}
		ref := BalanceRef(store, customer)
		if err := l.DB.Get(ctx, ref.Table, ref.Key, &b); err != nil {
			return b, err
		}
		if b.JoinedInto == "" {
			return b, nil
		}
		customer = b.JoinedInto
	}
	return b, fmt.Errorf("%w: the accounts of %s form a cycle", dynamo.ErrPermanent, store)
}

// maxJoins bounds how many joined accounts are followed.
const maxJoins = 8

// Entries selects entries: of a customer in a store, of a customer in all stores (no Store), or of a store (no
// Customer).
type Entries struct {
	Store, Customer model.Name
	From, To        model.Time // of a customer: between two instants, To exclusive; "" for all
	Date            string     // of a store: on one day; "" for all
	Oldest          bool       // first; else the newest
}

// query returns the query of entries.
func (e Entries) query(limit int, after string) dynamo.Query {
	q := dynamo.Query{
		Table: tables.KhataTransactions, Index: "GSI1", Backwards: !e.Oldest, Limit: int32(limit),
		Values: dynamo.Item{}}
	bounds := func(partition, low, high string) {
		name := strings.ToLower(q.Index)
		q.Where = name + "pk = :pk AND " + name + "sk BETWEEN :low AND :high"
		q.Values[":pk"], q.Values[":low"], q.Values[":high"] = dynamo.S(partition), dynamo.S(low), dynamo.S(high)
		if after != "" {
			place, key, _ := strings.Cut(after, " ")
			id, account, _ := strings.Cut(key, " ")
			q.After = dynamo.Item{
				"pk": dynamo.S(id), "sk": dynamo.S(account), name + "pk": dynamo.S(partition),
				name + "sk": dynamo.S(place)}
		}
	}
	if e.Customer == "" {
		q.Index = "GSI2"
		low, high := "DATE#", "DATE#~"
		if e.Date != "" {
			low, high = keys.KhataDatePrefix(e.Date), keys.KhataDatePrefix(e.Date)+"~"
		}
		bounds(keys.StoreScope(e.Store), low, high)
		return q
	}
	low, high := "STORE#", "STORE#~"
	if e.Store != "" {
		low, high = keys.StoreScope(e.Store)+"#", keys.StoreScope(e.Store)+"#~"
		if e.From != "" {
			low = keys.KhataAtStore(e.Store, e.From)
		}
		if e.To != "" {
			high = keys.KhataAtStore(e.Store, e.To) // no entry ends there: it is excluded below
			q.Filter, q.Values[":to"] = "created_at < :to", dynamo.S(e.To)
		}
	}
	bounds(keys.KhataOf(e.Customer), low, high)
	return q
}

// Place returns an entry's place in the lists that Entries selects.
func (e Entries) Place(entry khatamodel.Transaction) string {
	if e.Customer == "" {
		return entry.GSI2SK + " " + entry.PK + " " + entry.SK
	}
	return entry.GSI1SK + " " + entry.PK + " " + entry.SK
}

// List returns up to limit entries after a place ("" for the first). The indexes may be behind by a moment. may reports
// whose entries are shown, nil for all.
func (l *Ledger) List(ctx context.Context, e Entries, limit int, after string,
	may func(model.TenantID) bool) ([]khatamodel.Transaction, error) {
	return collect(ctx, l.DB, e.query(limit, after), limit,
		func(t khatamodel.Transaction) bool { return may == nil || may(t.TenantID) })
}

// Largest returns up to limit balances of a store with the largest dues, after a place. The index may be behind by a
// moment.
func (l *Ledger) Largest(ctx context.Context, store model.Name, limit int, after string) ([]khatamodel.Balance, error) {
	q := dynamo.Query{
		Table: tables.CustomerBalances, Index: tables.IndexDues, Backwards: true, Limit: int32(limit),
		Where:  "pk = :pk AND outstanding_balance > :zero",
		Values: dynamo.Item{":pk": dynamo.S(keys.StoreScope(store)), ":zero": dynamo.N(0)},
	}
	if amount, sk, ok := strings.Cut(after, " "); ok {
		q.After = dynamo.Item{
			"pk": dynamo.S(keys.StoreScope(store)), "sk": dynamo.S(sk), "outstanding_balance": dynamo.Number(amount)}
	}
	page, err := l.DB.Query(ctx, q)
	if err != nil || len(page.Items) == 0 {
		return nil, err
	}
	all, err := dynamo.Whole[khatamodel.Balance](ctx, l.DB, tables.CustomerBalances, page.Items)
	if err != nil {
		return nil, err
	}
	listed := make(map[string]model.Amount, len(page.Items)) // as the index has them, so that the order holds
	for _, row := range page.Items {
		var b khatamodel.Balance
		if err := dynamo.Unmarshal(row, &b); err != nil {
			return nil, err
		}
		listed[b.SK] = b.OutstandingBalance
	}
	for i := range all {
		all[i].OutstandingBalance = listed[all[i].SK]
	}
	return all, nil
}

// DuePlace returns a balance's place among the largest dues.
func DuePlace(b khatamodel.Balance) string { return b.OutstandingBalance.String() + " " + b.SK }

// Customers returns up to limit balances of a store, after a customer ("" for the first); OfCustomer those of a
// customer in all stores.
func (l *Ledger) Customers(ctx context.Context, store model.Name, limit int,
	after model.Name) ([]khatamodel.Balance, error) {
	q := dynamo.Query{
		Table: tables.CustomerBalances, Limit: int32(limit), Where: "pk = :pk AND begins_with(sk, :prefix)",
		Values: dynamo.Item{":pk": dynamo.S(keys.StoreScope(store)), ":prefix": dynamo.S(keys.KhataCustomerPrefix)},
	}
	if after != "" {
		key := keys.KhataBalance(store, after)
		q.After = dynamo.Item{"pk": dynamo.S(key.Partition), "sk": dynamo.S(key.Sort)}
	}
	return collect(ctx, l.DB, q, limit, func(khatamodel.Balance) bool { return true })
}

// OfCustomer returns a customer's balances in all stores that may allows.
func (l *Ledger) OfCustomer(ctx context.Context, customer model.Name,
	may func(model.TenantID) bool) ([]khatamodel.Balance, error) {
	return collect(ctx, l.DB, dynamo.Query{
		Table: tables.CustomerBalances, Index: "GSI1", Where: "gsi1pk = :pk AND begins_with(gsi1sk, :store)",
		Values: dynamo.Item{":pk": dynamo.S(keys.KhataOf(customer)), ":store": dynamo.S(keys.KhataStorePrefix)},
	}, maxStores, func(b khatamodel.Balance) bool { return may == nil || may(b.TenantID) })
}

// EntriesOfCustomer returns the query for a customer's entries in all stores of a tenant.
func EntriesOfCustomer(tenant model.TenantID, customer model.Name) dynamo.Query {
	return dynamo.Query{
		Table: tables.KhataTransactions, Index: "GSI1", Where: "gsi1pk = :pk", Filter: "tenant_id = :tenant",
		Values: dynamo.Item{":pk": dynamo.S(keys.KhataOf(customer)), ":tenant": dynamo.S(tenant)},
	}
}

// maxStores bounds the balances of one customer in all stores.
const maxStores = 1000

// collect returns up to limit entities of a query that are wanted.
func collect[T any](ctx context.Context, db *dynamo.Client, q dynamo.Query, limit int,
	wanted func(T) bool) (all []T, err error) {
	for {
		page, err := db.Query(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("list khata: %w", err)
		}
		for _, item := range page.Items {
			var entity T
			if err := dynamo.Unmarshal(item, &entity); err != nil {
				return nil, err
			}
			if wanted(entity) {
				all = append(all, entity)
			}
		}
		if q.After = page.Next; q.After == nil || len(all) >= limit {
			return all[:min(len(all), limit)], nil
		}
	}
}
