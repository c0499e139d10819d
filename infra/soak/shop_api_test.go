package soak

import (
	"context"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// khataOf returns the credit book of a new process, and the shop as it knows it.
func (w *simulation) khataOf(ctx context.Context) (*khata.Domain, khata.Shop, error) {
	k := registry.Khata(w.rooms())
	shop, err := k.Shops.Shop(ctx, w.shop.store.ID)
	return k, shop, err
}

// isRule reports whether a rule forbids a call, so that another try is in vain.
func isRule(err error) bool {
	var rule *problem.Error
	return errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) && rule.Class != problem.Unavailable
}

// answered calls until there is an answer, as a client does: nil, or a rule that forbids it.
func (w *simulation) answered(what string, call func() error) (refused bool) {
	var err error
	for range 80 {
		if err = call(); err == nil {
			return false
		}
		if isRule(err) || errors.Is(err, dynamo.ErrNotFound) {
			return true
		}
	}
	w.t.Errorf("%s is never answered: %v", what, err)
	return true
}

// enters has a cashier write an entry down through the API.
func (w *simulation) enters(c *customer) {
	c, names := w.named(c)
	if len(names) == 0 {
		return
	}
	kind, sign := khatamodel.CreditSale, int64(1)
	if w.rng.IntN(3) == 0 {
		kind, sign = khatamodel.Payment, -1
	}
	i := w.means("API", c, sign)
	name := names[w.rng.IntN(len(names))]
	w.operations = append(w.operations, func() {
		i.refused = w.answered(i.what, func() error {
			k, shop, err := w.khataOf(w.t.Context())
			if err != nil {
				return err
			}
			account, err := k.Account(w.t.Context(), shop, name)
			if err != nil {
				return err
			}
			request, err := ledger.Request(shop, idempotency.API, "entry "+i.amount.String(), kind)
			if err != nil {
				return err
			}
			_, err = k.Ledger.Add(w.t.Context(), shop,
				ledger.Draft{
					Customer: account, Type: kind, Amount: model.Amount{Decimal: i.amount}, Method: "cash",
					By: "cashier"}, request)
			return err
		})
		i.accepted = !i.refused
	})
}

// reverses takes an entry back through the API.
func (w *simulation) reverses() func() {
	i := &intention{what: "reversal", amount: decimal.New(-int64(len(w.shop.meant))-1, 0)}
	w.shop.meant = append(w.shop.meant, i)
	pick := w.rng.IntN(1000)
	return func() {
		var entries []khatamodel.Transaction
		for _, entry := range w.entries() {
			if entry.Type != khatamodel.Reversal && entry.OrderID == "" && entry.Metadata["source"] != "join" {
				entries = append(entries, entry)
			}
		}
		if len(entries) == 0 {
			return
		}
		of := entries[pick%len(entries)]
		i.reverses = of.TransactionID
		i.refused = w.answered(i.what, func() error {
			k, shop, err := w.khataOf(w.t.Context())
			if err != nil {
				return err
			}
			request, err := ledger.Request(shop, idempotency.API, "reversal "+i.amount.String(), nil)
			if err != nil {
				return err
			}
			_, err = k.Ledger.Reverse(w.t.Context(), shop, of.TransactionID, ledger.Draft{Reason: "wrong", By: "owner"},
				request)
			return err
		})
		i.accepted = !i.refused
	}
}

// entries returns the entries of all ledgers.
func (w *simulation) entries() []khatamodel.Transaction {
	var all []khatamodel.Transaction
	for _, item := range w.items(tables.KhataTransactions) {
		var entry khatamodel.Transaction
		if unmarshal(w.t, item, &entry); entry.StoreID != "" {
			all = append(all, entry)
		}
	}
	return all
}

// buys has a cashier make an order on credit through the API.
func (w *simulation) buys(c *customer) {
	c, names := w.named(c)
	if len(names) == 0 {
		return
	}
	seed, name, quantity := fmt.Sprintf("order-%d", w.ids.Add(1)), names[w.rng.IntN(len(names))], 1+w.rng.Int64N(9)
	at := w.clock()
	w.operations = append(w.operations, func() {
		w.answered("an order", func() error {
			request, err := idempotency.NewRequest(idempotency.API, tenant, "cashier", "create-order", seed, seed)
			if err != nil {
				return err
			}
			shop := registry.Commerce(w.rooms())
			key, err := shop.Customer(w.t.Context(), w.shop.store, name)
			if err != nil {
				return err
			}
			_, err = shop.Orders.Create(w.t.Context(), w.shop.store, orders.Draft{
				Who: orders.Who{Customer: key, Name: c.name, Phone: shopPhone}, Channel: commercemodel.Web,
				PaymentMethod: orders.OnCredit, By: "cashier", Seed: seed, At: at,
				Wanted: []orders.Wanted{
					{Product: "RICE-1", Quantity: model.Amount{Decimal: decimal.NewFromInt(quantity)}}},
			}, request)
			return err
		})
	})
}

// moves brings an order on, mostly towards the customer.
func (w *simulation) moves(seed uint64) {
	items := w.items(tables.Orders)
	if len(items) == 0 {
		return
	}
	var order commercemodel.Order
	unmarshal(w.t, items[seed%uint64(len(items))], &order)
	for range []int{1, 2, 6, 6}[seed>>8%4] {
		next := orders.StateOf(order.Status).Next
		if len(next) == 0 || order.Status == commercemodel.OrderDelivered && seed>>24%4 > 0 {
			return
		}
		to := next[0]
		if seed>>16%8 == 0 {
			to = next[len(next)-1]
		}
		if w.answered("a move", func() error {
			moved, err := registry.Commerce(w.rooms()).Orders.Move(w.t.Context(), w.shop.store.ID, order.ID,
				orders.Move{To: to, Reason: "because", By: "cashier"})
			if err == nil {
				order = moved
			}
			return err
		}) {
			return
		}
	}
}

// reminds plans and sends reminders, twice side by side.
func (w *simulation) reminds() {
	reminders := registry.Khata(w.rooms()).Reminders
	_, _ = reminders.Plan(w.t.Context()), reminders.Send(w.t.Context()) // what fails is done the next time
}
