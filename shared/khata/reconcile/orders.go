package reconcile

import (
	"context"
	"encoding/json"
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

// OrdersOf checks that up to limit orders on credit of a store are in the ledger, after a place ("" for the first). It
// returns the place after which to go on, "" for the end. An order that cannot be read is a finding.
func (b *Books) OrdersOf(ctx context.Context, s shop.Shop, limit int, after string) (Checked, string, error) {
	orders, next, err := b.Orders.CreditOrders(ctx, s.ID, limit, after)
	if err != nil {
		return Checked{}, "", err
	}
	parts := make([]Checked, len(orders))
	jobs := make([]func() error, len(orders))
	for i, order := range orders {
		jobs[i] = func() error {
			finding, err := b.order(ctx, s, order)
			if finding != nil {
				parts[i].Findings = append(parts[i].Findings, *finding)
			}
			return parts[i].unreadable(err, Finding{Store: s.ID, Customer: order.Customer, About: string(order.ID)})
		}
	}
	err = errors.Join(lanes.Concurrently(width, jobs...)...)
	all := Checked{Orders: len(orders)}
	for _, part := range parts {
		all.add(part)
	}
	return all, next, err
}

// order checks one order; nil if its entries are there.
func (b *Books) order(ctx context.Context, s shop.Shop, order CreditOrder) (*Finding, error) {
	f := &Finding{
		Kind: NoSale, Store: s.ID, Customer: order.Customer, About: string(order.ID),
		Detail: "the order was delivered on credit, and no sale says so"}
	sale, err := b.Ledger.SaleOf(ctx, s.ID, order.ID)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return f, nil
	case err != nil:
		return nil, err
	case !sale.Amount.Equal(order.Amount.Decimal):
		f.Detail = "the order comes to " + order.Amount.StringFixed(2) + ", and its sale to " +
			sale.Amount.StringFixed(2)
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

// page is how many orders, records or balances are looked at together.
const page = 100

// ordersPlace is how far AllOrders has come.
type ordersPlace struct {
	Stores string `json:"stores,omitempty"` // the place in the list of stores after this one
	// the store whose orders are being checked; "" if the next one is to be found
	Store  model.Name `json:"store,omitempty"`
	Orders string     `json:"orders,omitempty"` // the place in its orders
}

// AllOrders checks the orders on credit of all stores, a page of orders at a time, for as long as more says so. It
// begins
// after a place, and returns the place after which to go on, "" for the end. If the place is "" or cannot be read, it
// begins at the first store. A store that cannot be read is a finding.
func (b *Books) AllOrders(ctx context.Context, after string, more func() bool) (all Checked, next string, err error) {
	var at ordersPlace
	if json.Unmarshal([]byte(after), &at) != nil {
		at = ordersPlace{} // the place of another version, which would stop every night
	}
	for {
		part, ended, err := b.pageOfOrders(ctx, &at)
		if err != nil {
			return all, after, err
		}
		all.add(part)
		if ended {
			return all, "", nil
		}
		text, err := json.Marshal(at)
		if err != nil {
			return all, after, err
		}
		if after = string(text); !more() {
			return all, after, nil
		}
	}
}

// pageOfOrders checks the next page of a store's orders, and moves the place after it. It reports whether it was the
// last page of the last store.
func (b *Books) pageOfOrders(ctx context.Context, at *ordersPlace) (checked Checked, ended bool, err error) {
	if at.Store == "" {
		stores, next, err := b.Orders.Stores(ctx, 1, at.Stores)
		if err != nil {
			return checked, false, err
		}
		if len(stores) == 0 {
			at.Stores = next
			return checked, next == "", nil
		}
		at.Store, at.Stores = stores[0], next
	}
	place := ""
	s, err := b.Shops.Shop(ctx, at.Store)
	if err == nil {
		checked, place, err = b.OrdersOf(ctx, s, page, at.Orders)
	}
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil // the store was deleted meanwhile
	}
	if err := checked.unreadable(err, Finding{Store: at.Store, About: "its orders"}); err != nil {
		return checked, false, err
	}
	if at.Orders = place; place == "" {
		at.Store = ""
	}
	return checked, at.Store == "" && at.Stores == "", nil
}

// Records checks that each record of a request has its entry, page by page, for as long as more says so. It begins
// after a record's place, "" for the first, and returns the place after which to go on, "" for the end.
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
	var records []khatamodel.IdempotencyKey
	var refs []dynamo.Ref
	for _, item := range items {
		var r khatamodel.IdempotencyKey
		if err := dynamo.Unmarshal(item, &r); err != nil {
			if err := all.unreadable(err, Finding{About: "the record " + dynamo.Text(item, "pk")}); err != nil {
				return all, err
			}
			continue
		}
		records = append(records, r)
		refs = append(refs,
			dynamo.Ref{Table: tables.KhataTransactions,
				Key: keys.KhataEntry(r.StoreID, r.CustomerPhone, r.TransactionID)})
	}
	found, err := b.DB.BatchGet(ctx, refs)
	if err != nil {
		return all, err
	}
	for i, ref := range refs {
		if r := records[i]; dynamo.Text(ref.Found(found), "idempotency_key") != string(r.IdempotencyKey) {
			all.Findings = append(all.Findings, Finding{
				Kind: RecordWithoutEntry, Store: r.StoreID, Customer: r.CustomerPhone, About: string(r.IdempotencyKey),
				Detail: "it names the entry " + string(r.TransactionID) + ", which is not there",
			})
		}
	}
	return all, nil
}

// remind sets the next reminders of customers right. A clock that was wrong may have put one where nobody would look
// for years.
func (b *Books) remind(ctx context.Context, balances []khatamodel.Balance) (checked Checked, err error) {
	shops := map[model.Name]shop.Shop{}
	for _, balance := range balances {
		s, known := shops[balance.StoreID]
		if !known {
			s, err = b.Shops.Shop(ctx, balance.StoreID)
			if errors.Is(err, dynamo.ErrNotFound) {
				err = nil
			}
			if err := checked.unreadable(err, Finding{Store: balance.StoreID, About: "the store"}); err != nil {
				return checked, err
			}
			shops[balance.StoreID] = s
		}
		if s.ID == "" {
			continue
		}
		_, err := b.Remind(ctx, s, balance)
		of := Finding{Store: balance.StoreID, Customer: balance.CustomerPhone, About: "the next reminder"}
		if err := checked.unreadable(err, of); err != nil {
			return checked, err
		}
	}
	return checked, nil
}

// Everybody checks the ledgers of all stores, page by page, for as long as more says so. It begins after a place, ""
// for the first, and returns the place after which to go on, "" for the end.
func (b *Books) Everybody(ctx context.Context, after string, more func() bool,
	mend bool) (all Checked, next string, err error) {
	scan := dynamo.Scan{Table: tables.CustomerBalances, Limit: page}
	if after != "" {
		scan.After = placeOf(after)
	}
	for {
		found, err := b.DB.Scan(ctx, scan)
		if err != nil {
			return all, after, err
		}
		var balances []khatamodel.Balance
		var claimed []khatamodel.Claim
		for _, item := range found.Items {
			var balance khatamodel.Balance
			var claim khatamodel.Claim
			read := func() error { return dynamo.Unmarshal(item, &balance) }
			if isClaim(item) {
				read = func() error { return dynamo.Unmarshal(item, &claim) }
			}
			if err := read(); err != nil {
				of := Finding{Store: model.Name(dynamo.Text(item, "store_id")), About: "a balance"}
				if err := all.unreadable(err, of); err != nil {
					return all, after, err
				}
				continue
			}
			if isClaim(item) {
				claimed = append(claimed, claim)
			} else {
				balances = append(balances, balance)
			}
		}
		part, err := b.each(ctx, balances, mend)
		if err != nil {
			return all, after, err
		}
		all.add(part)
		if part, err = b.claims(ctx, claimed); err != nil {
			return all, after, err
		}
		all.add(part)
		if mend && b.Remind != nil {
			if part, err = b.remind(ctx, balances); err != nil {
				return all, after, err
			}
			all.add(part)
		}
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
