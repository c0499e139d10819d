package reconcile

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// OrdersOf checks that up to limit orders on credit of a store are in the ledger, after a place ("" for the first). It returns the place
// after which to go on, "" for the end.
func (b *Books) OrdersOf(ctx context.Context, s shop.Shop, limit int, after string) (Checked, string, error) {
	orders, next, err := b.Orders.CreditOrders(ctx, s.ID, limit, after)
	if err != nil {
		return Checked{}, "", err
	}
	findings := make([]*Finding, len(orders))
	jobs := make([]func() error, len(orders))
	for i, order := range orders {
		jobs[i] = func() (err error) {
			findings[i], err = b.order(ctx, s, order)
			return err
		}
	}
	err = errors.Join(lanes.Concurrently(width, jobs...)...)
	all := Checked{Orders: len(orders)}
	for _, f := range findings {
		if f != nil {
			all.Findings = append(all.Findings, *f)
		}
	}
	return all, next, err
}

// order checks one order; nil where its entries are there.
func (b *Books) order(ctx context.Context, s shop.Shop, order CreditOrder) (*Finding, error) {
	f := &Finding{Kind: NoSale, Store: s.ID, Customer: order.Customer, About: string(order.ID), Detail: "the order was delivered on credit, and no sale says so"}
	sale, err := b.Ledger.SaleOf(ctx, s.ID, order.ID)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return f, nil
	case err != nil:
		return nil, err
	case !sale.Amount.Equal(order.Amount.Decimal):
		f.Detail = "the order comes to " + order.Amount.StringFixed(2) + ", and its sale to " + sale.Amount.StringFixed(2)
		return f, nil
	case !order.Refunded:
		return nil, nil
	}
	_, err = b.Ledger.ReversalOf(ctx, s.ID, sale.TransactionID)
	if errors.Is(err, dynamo.ErrNotFound) {
		f.Kind, f.Detail = NoReversal, "the order was refunded, and its sale stands"
		return f, nil
	}
	return nil, err
}

// page is how many stores or orders are looked at together.
const page = 100

// AllOrders checks the orders on credit of all stores, store by store, for as long as more says so. It begins after a store's place, "" for
// the first, and returns the place after which to go on, "" for the end.
func (b *Books) AllOrders(ctx context.Context, after string, more func() bool) (all Checked, next string, err error) {
	for {
		stores, next, err := b.Orders.Stores(ctx, page, after)
		if err != nil {
			return all, after, err
		}
		for _, id := range stores {
			s, err := b.Shops.Shop(ctx, id)
			if errors.Is(err, dynamo.ErrNotFound) {
				continue
			}
			for place := ""; err == nil; {
				var part Checked
				if part, place, err = b.OrdersOf(ctx, s, page, place); err == nil {
					all.add(part)
				}
				if place == "" {
					break
				}
			}
			if err != nil {
				return all, after, err
			}
		}
		if after = next; after == "" || !more() {
			return all, after, nil
		}
	}
}

// Records checks that each record of a request has its entry, page by page, for as long as more says so. It begins after a record's place,
// "" for the first, and returns the place after which to go on, "" for the end.
func (b *Books) Records(ctx context.Context, after string, more func() bool) (all Checked, next string, err error) {
	scan := dynamo.Scan{Table: tables.IdempotencyKeys, Limit: page}
	if after != "" {
		scan.After = dynamo.Item{"pk": dynamo.S(after)}
	}
	for {
		found, err := b.DB.Scan(ctx, scan)
		if err != nil {
			return all, after, err
		}
		isState := func(item dynamo.Item) bool { return dynamo.Text(item, "pk") == keys.KhataCheck().Partition }
		part, err := b.records(ctx, slices.DeleteFunc(found.Items, isState))
		if err != nil {
			return all, after, err
		}
		all.add(part)
		if scan.After = found.Next; scan.After == nil {
			return all, "", nil
		}
		if after = dynamo.Text(found.Next, "pk"); !more() {
			return all, after, nil
		}
	}
}

// records checks a page of records.
func (b *Books) records(ctx context.Context, items []dynamo.Item) (Checked, error) {
	all := Checked{Records: len(items)}
	records := make([]khatamodel.IdempotencyKey, len(items))
	refs := make([]dynamo.Ref, len(items))
	for i, item := range items {
		if err := dynamo.Unmarshal(item, &records[i]); err != nil {
			return all, err
		}
		r := records[i]
		refs[i] = dynamo.Ref{Table: tables.KhataTransactions, Key: keys.KhataEntry(r.StoreID, r.CustomerPhone, r.TransactionID)}
	}
	found, err := b.DB.BatchGet(ctx, refs)
	if err != nil {
		return all, err
	}
	for i, ref := range refs {
		if r := records[i]; dynamo.Text(ref.Found(found), "idempotency_key") != string(r.IdempotencyKey) {
			all.Findings = append(all.Findings, Finding{
				Kind: RecordWithoutEntry, Store: r.StoreID, Customer: r.CustomerPhone, About: string(r.IdempotencyKey), Detail: "it names the entry " + string(r.TransactionID) + ", which is not there",
			})
		}
	}
	return all, nil
}

// remind sets the next reminders of customers right. A clock that was wrong may have put one where nobody would look for years.
func (b *Books) remind(ctx context.Context, balances []khatamodel.Balance) error {
	shops := map[model.Name]shop.Shop{}
	for _, balance := range balances {
		s, known := shops[balance.StoreID]
		if !known {
			var err error
			if s, err = b.Shops.Shop(ctx, balance.StoreID); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
				return err
			}
			shops[balance.StoreID] = s
		}
		if s.ID == "" {
			continue
		}
		if _, err := b.Remind(ctx, s, balance); err != nil {
			return err
		}
	}
	return nil
}

// Everybody checks the ledgers of all stores, page by page, for as long as more says so. It begins after a place, "" for the first, and
// returns the place after which to go on, "" for the end.
func (b *Books) Everybody(ctx context.Context, after string, more func() bool, mend bool) (all Checked, next string, err error) {
	scan := dynamo.Scan{Table: tables.CustomerBalances, Limit: page}
	if after != "" {
		scan.After = placeOf(after)
	}
	for {
		found, err := b.DB.Scan(ctx, scan)
		if err != nil {
			return all, after, err
		}
		balances := make([]khatamodel.Balance, len(found.Items))
		for i, item := range found.Items {
			if err := dynamo.Unmarshal(item, &balances[i]); err != nil {
				return all, after, err
			}
		}
		part, err := b.each(ctx, balances, mend)
		if err == nil && mend && b.Remind != nil {
			err = b.remind(ctx, balances)
		}
		if err != nil {
			return all, after, err
		}
		all.add(part)
		if scan.After = found.Next; scan.After == nil {
			return all, "", nil
		}
		after = textOf(found.Next)
		if !more() {
			return all, after, nil
		}
	}
}

// placeOf and textOf turn a place in a scan of balances into a text and back.
func placeOf(text string) dynamo.Item {
	for i := range text {
		if text[i] == ' ' {
			return dynamo.Item{"pk": dynamo.S(text[:i]), "sk": dynamo.S(text[i+1:])}
		}
	}
	return nil
}

func textOf(place dynamo.Item) string {
	return dynamo.Text(place, "pk") + " " + dynamo.Text(place, "sk")
}
