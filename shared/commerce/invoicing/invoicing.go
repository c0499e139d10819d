// Package invoicing makes the invoices that customers ask for in the chat.
package invoicing

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/invoices"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Layout lays out an order's invoice as a PDF file. invoicepaper.Of does.
type Layout func(i commercemodel.Invoice, o commercemodel.Order) ([]byte, error)

// Maker makes invoices.
type Maker struct {
	Stores   *stores.Stores
	Orders   *orders.Orders
	Invoices *invoices.Invoices
	Layout   Layout
}

// Paper returns the invoice of an order. It goes as a document: WhatsApp's templates have none for it.
func (m *Maker) Paper(ctx context.Context, of papers.Asked) (papers.Paper, error) {
	store, err := m.Stores.Get(ctx, of.Store)
	if err == nil && store.TenantID != of.Tenant {
		err = papers.ErrGone
	}
	if err != nil {
		return papers.Paper{}, gone(err)
	}
	order, err := m.Orders.Get(ctx, store.ID, of.Of)
	if err == nil && order.ErasedAt != "" {
		err = papers.ErrGone
	}
	if err != nil {
		return papers.Paper{}, gone(err)
	}
	made, err := m.Invoices.Make(ctx, store, order)
	if err != nil {
		return papers.Paper{}, gone(err)
	}
	caption := wording.Text(store.Settings, "invoice_caption", of.Language, wording.Values{
		"store": store.Name, "invoice": made.Number, "number": string(order.OrderNumber),
		"total": wording.Money(store.Settings, made.Bill.Total())})
	return papers.Paper{
		Filename: made.Number + ".pdf", File: func() ([]byte, error) { return m.Layout(made, order) },
		Contents: func(file model.Media) []content.Content {
			return []content.Content{content.Document{
				File: content.File{MediaID: string(file.MediaID)}, Caption: caption, Filename: file.Filename}}
		}}, nil
}

// gone returns papers.ErrGone for what is not there any more, or gets no invoice, and any other error as it is.
func gone(err error) error {
	if errors.Is(err, dynamo.ErrNotFound) || errors.Is(err, invoices.ErrEarly) {
		return papers.ErrGone
	}
	return err
}
