// Package claims keeps what customers say that they have paid, until the shop confirms or refuses it. A claim stands
// beside the balances of its store, under a key that holds its state: what changes the state moves the item, on the
// condition that it is where it was read. So a claim is settled once, whoever settles it.
package claims

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// ErrSettled is of a claim that is not open any more.
var ErrSettled = errors.New("the claim is settled")

// Settled returns ErrSettled about a claim, as a caller is told.
func Settled(c khatamodel.Claim) error {
	return problem.Breaks(ErrSettled, "claim-settled", "Settled already", "The claim is %s by now.", c.State)
}

// Claims reads claims, and prepares the writes that change them.
type Claims struct{ DB *dynamo.Client }

// Said is what a customer has said.
type Said struct {
	Customer  model.Name // whose account it is about
	Amount    model.Amount
	Reference string
	Message   model.MessageID
	At        model.Time // of the message
	Phone     model.PhoneNumberID
}

// Open returns the open claim that a message makes, and its write. The condition is that there is none.
func (c *Claims) Open(s shop.Shop, said Said) (khatamodel.Claim, dynamo.Write, error) {
	claim := khatamodel.Claim{
		ClaimID: keys.ClaimID(said.At, said.Message), StoreID: s.ID, CustomerPhone: said.Customer, Amount: said.Amount,
		ReferenceID: said.Reference, MessageID: said.Message, PhoneNumberID: said.Phone, CreatedAt: said.At,
		TenantID: s.Tenant,
	}
	at(&claim, khatamodel.ClaimOpen)
	put, err := put(claim)
	return claim, put, err
}

// at gives a claim its state and the keys that follow from it.
func at(claim *khatamodel.Claim, state khatamodel.ClaimState) {
	key := keys.KhataClaim(claim.StoreID, string(state), claim.ClaimID)
	claim.State, claim.PK, claim.SK = state, key.Partition, key.Sort
	claim.GSI1PK = keys.KhataOf(claim.CustomerPhone)
	claim.GSI1SK = keys.KhataClaimOf(claim.StoreID, string(state), claim.ClaimID)
}

func put(claim khatamodel.Claim) (dynamo.Write, error) {
	item, err := dynamo.Marshal(claim)
	return dynamo.Put{Table: tables.CustomerBalances, Item: item, If: dynamo.IfAbsent}, err
}

// Settle returns an open claim as it is settled, and the writes that do so. Their condition is that it is open, and
// that it is still of the same customer.
func Settle(claim khatamodel.Claim, to khatamodel.ClaimState, when model.Time, by string,
	entry model.Name) (khatamodel.Claim, []dynamo.Write, error) {
	remove := dynamo.Delete{
		Table:  tables.CustomerBalances,
		Key:    keys.KhataClaim(claim.StoreID, string(khatamodel.ClaimOpen), claim.ClaimID),
		If:     dynamo.And(dynamo.IfPresent, "customer_phone = :customer"),
		Values: dynamo.Item{":customer": dynamo.S(claim.CustomerPhone)}}
	at(&claim, to)
	claim.SettledAt, claim.SettledBy, claim.TransactionID = when, by, entry
	put, err := put(claim)
	return claim, []dynamo.Write{remove, put}, err
}

// Get returns a claim of a store in whatever state it is, or dynamo.ErrNotFound. What is settled stays settled, so the
// open one is looked for first.
func (c *Claims) Get(ctx context.Context, store, id model.Name) (claim khatamodel.Claim, err error) {
	ref := func(state khatamodel.ClaimState) dynamo.Ref {
		return dynamo.Ref{Table: tables.CustomerBalances, Key: keys.KhataClaim(store, string(state), id)}
	}
	open := ref(khatamodel.ClaimOpen)
	if err := c.DB.Get(ctx, open.Table, open.Key, &claim); !errors.Is(err, dynamo.ErrNotFound) {
		return claim, err
	}
	refs := []dynamo.Ref{
		ref(khatamodel.ClaimConfirmed), ref(khatamodel.ClaimRefused), ref(khatamodel.ClaimWithdrawn)}
	found, err := c.DB.BatchGet(ctx, refs)
	if err != nil {
		return claim, err
	}
	for _, ref := range refs {
		if item := ref.Found(found); item != nil {
			return claim, dynamo.Unmarshal(item, &claim)
		}
	}
	return claim, dynamo.ErrNotFound
}

// List returns up to limit claims of a store in a state, the newest first, after a claim ("" for the first).
func (c *Claims) List(ctx context.Context, store model.Name, state khatamodel.ClaimState, limit int,
	after model.Name) ([]khatamodel.Claim, error) {
	q := dynamo.Query{
		Table: tables.CustomerBalances, Where: "pk = :pk AND begins_with(sk, :prefix)", Backwards: true,
		Limit: int32(limit),
		Values: dynamo.Item{
			":pk": dynamo.S(keys.StoreScope(store)), ":prefix": dynamo.S(keys.KhataClaims(string(state)))},
	}
	if after != "" {
		key := keys.KhataClaim(store, string(state), after)
		q.After = dynamo.Item{"pk": dynamo.S(key.Partition), "sk": dynamo.S(key.Sort)}
	}
	return all(ctx, c.DB, q, limit)
}

// maxOpen bounds how many open claims of a customer are looked at.
const maxOpen = 20

// OpenOf returns the open claims of a customer in a store, the newest first. The index may be behind by a moment.
func (c *Claims) OpenOf(ctx context.Context, store, customer model.Name) ([]khatamodel.Claim, error) {
	q := ofCustomer(customer, keys.KhataClaimsOf(store, string(khatamodel.ClaimOpen)))
	q.Backwards, q.Limit = true, maxOpen
	return all(ctx, c.DB, q, maxOpen)
}

// OfCustomer returns the query for all claims of a customer in all stores of a tenant.
func OfCustomer(tenant model.TenantID, customer model.Name) dynamo.Query {
	q := ofCustomer(customer, keys.KhataClaimPrefix)
	q.Filter, q.Values[":tenant"] = "tenant_id = :tenant", dynamo.S(tenant)
	return q
}

func ofCustomer(customer model.Name, prefix string) dynamo.Query {
	return dynamo.Query{
		Table: tables.CustomerBalances, Index: "GSI1", Where: "gsi1pk = :pk AND begins_with(gsi1sk, :prefix)",
		Values: dynamo.Item{":pk": dynamo.S(keys.KhataOf(customer)), ":prefix": dynamo.S(prefix)}}
}

// all reads the claims of a query, up to limit; 0 for no limit.
func all(ctx context.Context, db *dynamo.Client, q dynamo.Query, limit int) (found []khatamodel.Claim, err error) {
	for {
		page, err := db.Query(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("list claims: %w", err)
		}
		for _, item := range page.Items {
			var claim khatamodel.Claim
			if err := dynamo.Unmarshal(item, &claim); err != nil {
				return nil, err
			}
			found = append(found, claim)
		}
		if q.After = page.Next; q.After == nil || limit > 0 && len(found) >= limit {
			return found, nil
		}
	}
}

// Move makes the claims of an account those of another one of the same person, in a store. A repeated call does
// nothing.
func (c *Claims) Move(ctx context.Context, s shop.Shop, from, to model.Name) error {
	found, err := all(ctx, c.DB, OfCustomer(s.Tenant, from), 0)
	if err != nil {
		return err
	}
	for _, claim := range found {
		if claim.StoreID != s.ID {
			continue
		}
		err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
			now, err := c.Get(ctx, s.ID, claim.ClaimID) // it may have been settled since the index had it
			if errors.Is(err, dynamo.ErrNotFound) || err == nil && now.CustomerPhone != from {
				return nil
			}
			if err != nil {
				return err
			}
			err = c.DB.Update(ctx, dynamo.Update{
				Table: tables.CustomerBalances, Key: keys.KhataClaim(s.ID, string(now.State), now.ClaimID),
				If: dynamo.And(dynamo.IfPresent, "customer_phone = :from"),
				Do: "SET customer_phone = :to, gsi1pk = :pk",
				Values: dynamo.Item{
					":from": dynamo.S(from), ":to": dynamo.S(to), ":pk": dynamo.S(keys.KhataOf(to))},
			})
			return dynamo.Conflict(err)
		})
		if err != nil {
			return fmt.Errorf("move a claim: %w", err)
		}
	}
	return nil
}

// Erase deletes the claims of a customer in all stores of a tenant. count returns the writes by which an erasure
// counts them.
func (c *Claims) Erase(ctx context.Context, tenant model.TenantID, customer model.Name,
	count func(n int) []dynamo.Write) error {
	found, err := all(ctx, c.DB, OfCustomer(tenant, customer), 0)
	if err != nil {
		return err
	}
	for _, claim := range found {
		now, err := c.Get(ctx, claim.StoreID, claim.ClaimID) // it may have been settled since the index had it
		if errors.Is(err, dynamo.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := c.DB.Transact(ctx, append(count(1), dynamo.Delete{
			Table: tables.CustomerBalances, Key: keys.KhataClaim(now.StoreID, string(now.State), now.ClaimID),
			If: dynamo.IfPresent})); err != nil {
			return dynamo.Conflict(err)
		}
	}
	return nil
}
