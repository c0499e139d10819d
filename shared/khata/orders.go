package khata

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// Order is an order on credit that the customer has got.
type Order struct {
	ID       model.Name
	Store    model.Name
	Customer model.Name // the account: how the contract names them; "" if nothing of it is known any more
	Name     string
	Silent   bool // the customer is not to be told: nothing leads to them any more
	Amount   model.Amount
	Items    []Item
	Refunded bool // after that
	Reason   string
}

// Item is one article of an order.
type Item = khatamodel.Item

// bySystem says of an entry that it follows from an order.
const bySystem = "order"

// Follow writes the sale of an order down, and its reversal where it was refunded. Each happens once, whenever it is
// asked for. The sale is written down over the customer's limit as well: the goods are handed over.
func (d *Domain) Follow(ctx context.Context, o Order) error {
	if !o.Amount.IsPositive() {
		return nil
	}
	s, err := d.Shops.Shop(ctx, o.Store)
	if err != nil {
		return err
	}
	sale, err := d.Ledger.SaleOf(ctx, o.Store, o.ID)
	switch missing := errors.Is(err, dynamo.ErrNotFound); {
	case missing && o.Customer == "" && o.Refunded:
		return nil // there is no sale to take back
	case missing && o.Customer == "":
		return fmt.Errorf("%w: the order %s names no account", dynamo.ErrPermanent, o.ID)
	case missing:
		sale, err = d.Ledger.Sell(ctx, s, ledger.Draft{
			Customer: o.Customer, Name: o.Name, Type: khatamodel.CreditSale, Amount: o.Amount, Order: o.ID,
			Items: o.Items, By: bySystem, Source: bySystem, Delivered: true, Silent: o.Silent,
		})
	}
	if err != nil || !o.Refunded {
		return lasting(err)
	}
	request, err := ledger.Request(s, idempotency.Order, "refund "+string(o.ID), nil)
	if err != nil {
		return err
	}
	_, err = d.Ledger.Reverse(ctx, s, sale.TransactionID,
		ledger.Draft{Reason: "refunded: " + o.Reason, By: bySystem, Source: bySystem, Silent: o.Silent}, request)
	if errors.Is(err, ledger.ErrReversal) {
		return nil // a person has taken it back
	}
	return lasting(err)
}

// lasting marks an error of the rules as one that another try cannot mend.
func lasting(err error) error {
	var rule *problem.Error
	if errors.As(err, &rule) && rule.Class != problem.Conflict && rule.Class != problem.Unavailable {
		return fmt.Errorf("%w: %w", dynamo.ErrPermanent, err)
	}
	return err
}

// Count returns the writes by which an open order on credit counts against its customer's limit, with what it comes to,
// for the transaction that writes the order. Zero ends that. It returns ledger.ErrLimit for an order that is beyond the
// limit.
func (d *Domain) Count(ctx context.Context, store, customer, order model.Name,
	amount model.Amount) ([]dynamo.Write, error) {
	if amount.IsZero() {
		return d.Ledger.Release(ctx, store, customer, order)
	}
	s, err := d.Shops.Shop(ctx, store)
	if err != nil {
		return nil, err
	}
	return d.Ledger.Order(ctx, s, customer, order, amount)
}

// Owed returns what a customer owes a store, and reports whether they have a ledger there.
func (d *Domain) Owed(ctx context.Context, store, customer model.Name) (model.Amount, bool, error) {
	b, err := d.Ledger.Balance(ctx, store, customer)
	if errors.Is(err, dynamo.ErrNotFound) {
		return model.Amount{}, false, nil
	}
	return b.OutstandingBalance, err == nil, err
}
