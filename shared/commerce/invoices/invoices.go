// Package invoices owns the invoices of orders, and their credit notes: their numbers have no gaps within a store and a
// financial year, and each is made once.
package invoices

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a paper may break.
var (
	ErrEarly = errors.New("the order may still change")
	ErrNone  = errors.New("there is nothing to credit")
)

// Invoices makes and reads invoices and credit notes.
type Invoices struct {
	DB  *dynamo.Client
	Now func() time.Time
}

// Kind tells invoices from credit notes.
type Kind string

// The kinds. Each has a sequence of numbers of its own.
const (
	Invoice    Kind = "invoice"
	CreditNote Kind = "credit_note"
)

func (k Kind) key(store, order model.Name) keys.Key {
	if k == CreditNote {
		return keys.CreditNote(store, order)
	}
	return keys.Invoice(store, order)
}

// Get returns the paper of an order, or dynamo.ErrNotFound.
func (i *Invoices) Get(ctx context.Context, k Kind, store, order model.Name) (found commercemodel.Invoice, err error) {
	return found, i.DB.Get(ctx, tables.Products, k.key(store, order), &found)
}

// List returns up to limit invoices and credit notes of a store that were made on some days, from first to last, from
// after a place on ("" for the first), and the place of the next page ("" for none). It may take a moment until a new
// one shows.
func (i *Invoices) List(ctx context.Context, store model.Name, from, to string, limit int,
	after string) (all []commercemodel.Invoice, next string, err error) {
	first, last := keys.InvoiceDays(from, to)
	rows, next, err := i.DB.Some(ctx, dynamo.Query{
		Table: tables.Products, Index: "GSI1", Where: "gsi1pk = :pk AND gsi1sk BETWEEN :first AND :last",
		Values: dynamo.Item{
			":pk": dynamo.S(keys.InvoicesOf(store)), ":first": dynamo.S(first), ":last": dynamo.S(last)},
	}, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("list invoices: %w", err)
	}
	all = make([]commercemodel.Invoice, len(rows))
	for n, row := range rows {
		if err := dynamo.Unmarshal(row, &all[n]); err != nil {
			return nil, "", err
		}
	}
	return all, next, nil
}

// Due reports whether an order may have an invoice: its lines do not change any more, and something comes of it.
func Due(order commercemodel.Order) bool {
	return !orders.StateOf(order.Status).Editable && order.Status != commercemodel.OrderCancelled
}

// Make returns the invoice of an order. If there is none, it makes one. The number and the invoice commit together.
// It returns ErrEarly for an order whose lines may still change, and for one that was cancelled without an invoice.
func (i *Invoices) Make(ctx context.Context, store commercemodel.Store,
	order commercemodel.Order) (commercemodel.Invoice, error) {
	return i.once(ctx, Invoice, store, order, func(*commercemodel.Invoice) error {
		if !Due(order) {
			return problem.Breaks(ErrEarly, "no-invoice-yet", "No invoice yet",
				"The order is %s. It gets an invoice from when it is being prepared.", order.Status)
		}
		return nil
	})
}

// Credit returns the credit note of an order that was refunded, or cancelled after it had an invoice, and makes it
// where there is none. It returns ErrNone for any other.
func (i *Invoices) Credit(ctx context.Context, store commercemodel.Store,
	order commercemodel.Order) (commercemodel.Invoice, error) {
	return i.once(ctx, CreditNote, store, order, func(note *commercemodel.Invoice) error {
		was, err := i.Get(ctx, Invoice, store.ID, order.ID)
		none := errors.Is(err, dynamo.ErrNotFound)
		if none && order.Status == commercemodel.OrderRefunded {
			was, err = i.Make(ctx, store, order)
			none = false
		}
		back := order.Status == commercemodel.OrderRefunded || order.Status == commercemodel.OrderCancelled
		if none || err == nil && !back {
			return problem.Breaks(ErrNone, "nothing-to-credit", "Nothing to credit",
				"The order is %s. An order with an invoice gets a credit note when it is refunded or cancelled.",
				order.Status)
		}
		note.Reason, note.OfNumber, note.OfDate, note.Seller = order.Reason, was.Number, was.Date, was.Seller
		note.Items, note.Bill, note.CustomerGSTIN = was.Items, was.Bill, was.CustomerGSTIN
		return err
	})
}

// once returns the order's paper of a kind. If there is none, it makes one: allow returns an error if it may not be
// made, and otherwise completes it.
func (i *Invoices) once(ctx context.Context, k Kind, store commercemodel.Store, order commercemodel.Order,
	allow func(*commercemodel.Invoice) error) (made commercemodel.Invoice, err error) {
	return made, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if made, err = i.Get(ctx, k, store.ID, order.ID); !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		now := i.Now()
		made = commercemodel.Invoice{
			StoreID: store.ID, TenantID: store.TenantID, OrderID: order.ID, Date: stores.Date(store, now),
			MadeAt: model.At(now), Seller: sellerOf(store), Items: order.Items,
			Bill: commercemodel.Bill{Subtotal: order.TotalAmount}, CustomerGSTIN: order.CustomerGSTIN}
		if order.Bill != nil {
			made.Bill = *order.Bill
		}
		if err := allow(&made); err != nil {
			return err
		}
		year := financialYear(now.In(stores.Zone(store)))
		var last commercemodel.Sequence
		at := keys.InvoiceSequence(store.ID, string(k), year)
		if err := i.DB.Get(ctx, tables.Products, at, &last); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		made.SequenceNo = last.Last + 1
		made.Number = Number(k, store.ID, year, made.SequenceNo)
		key := k.key(store.ID, order.ID)
		made.PK, made.SK = key.Partition, key.Sort
		made.GSI1PK, made.GSI1SK = keys.InvoicesOf(store.ID), keys.InvoiceMade(made.Date, made.MadeAt)
		item, err := dynamo.Marshal(made)
		if err != nil {
			return err
		}
		count := dynamo.Update{
			Table: tables.Products, Key: at, Do: "SET #last = :next", Names: map[string]string{"#last": "last"},
			Values: dynamo.Item{":next": dynamo.N(made.SequenceNo)}}
		count.If = dynamo.SameNumber("#last", last.Last, count.Values)
		return dynamo.Conflict(i.DB.Transact(ctx, []dynamo.Write{
			dynamo.Put{Table: tables.Products, Item: item, If: dynamo.IfAbsent}, count}))
	})
}

func sellerOf(s commercemodel.Store) commercemodel.Seller {
	return commercemodel.Seller{
		Name: s.Name, GSTIN: s.GSTIN, Address: stores.Address(s), Currency: s.Settings.Currency}
}

// financialYear returns the last two digits of the year in which India's financial year began: from April on.
func financialYear(at time.Time) string {
	year := at.Year()
	if at.Month() < time.April {
		year--
	}
	return fmt.Sprintf("%02d", year%100)
}

// MaxNumber is how long GST lets a number be.
const MaxNumber = 16

// Number returns the number of a paper: the year, the store and its place in the year, such as 26K3FJ82-1. That of a
// credit note begins with a C.
func Number(k Kind, store model.Name, year string, place int64) string {
	number := fmt.Sprintf("%s%s-%d", year, model.Truncate(strings.TrimPrefix(string(store), "STR-"), 6), place)
	if k == CreditNote {
		return "C" + number
	}
	return number
}
