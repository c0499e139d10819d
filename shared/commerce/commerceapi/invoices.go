package commerceapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/invoicepaper"
	"github.com/haatline/haatline/shared/commerce/invoices"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) invoices() {
	o.invoiceLists()
	for _, of := range []struct {
		kind                 invoices.Kind
		name, path, says, is string
		file                 string
		make                 func(*invoices.Invoices) makes
	}{
		{invoices.Invoice, "invoice", "/invoice", "Make an order's invoice",
			"From when it is being prepared, an order gets an invoice: a tax invoice, or a plain bill in a store " +
				"without a GSTIN. Its number has no gaps within the store and the financial year.",
			"Get an order's invoice as a PDF file",
			func(i *invoices.Invoices) makes { return i.Make }},
		{invoices.CreditNote, "credit-note", "/credit-note", "Make an order's credit note",
			"An order that was refunded gets one, and one that was cancelled after it had an invoice. The numbers " +
				"are a sequence of their own.",
			"Get an order's credit note as a PDF file",
			func(i *invoices.Invoices) makes { return i.Credit }},
	} {
		path := "/v1/stores/{storeId}/orders/{orderId}" + of.path
		operations.Change(o.Registry, huma.Operation{
			OperationID: "make-" + of.name, Method: http.MethodPost, Path: path, Tags: []string{ordersTag},
			Summary: of.says, Description: of.is + " It is made once: repeating the request answers the same.",
			Security: httpapi.Needs(httpapi.OrdersWrite), Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, func(ctx context.Context, in *OrderInput) (commercemodel.Store, operations.Subject, error) {
			return o.change(ctx, in.StoreID, targetOrder, in.OrderID)
		}, func(ctx context.Context, in *OrderInput, found commercemodel.Store) (*invoiceOutput, error) {
			id, err := name(in.OrderID)
			if err != nil {
				return nil, err
			}
			made, err := o.shop.Invoices.Get(ctx, of.kind, found.ID, id) // its order may have expired
			if errors.Is(err, dynamo.ErrNotFound) {
				var order commercemodel.Order
				if order, err = o.shop.Orders.Get(ctx, found.ID, id); err != nil {
					return nil, err
				}
				made, err = of.make(o.shop.Invoices)(ctx, found, order)
			}
			return &invoiceOutput{showInvoice(made)}, err
		})
		operations.Read(o.Registry, huma.Operation{
			OperationID: "get-" + of.name, Method: http.MethodGet, Path: path, Tags: []string{ordersTag},
			Summary: of.file, Description: "It is there when it has been made.",
			Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
		}, func(ctx context.Context, in *OrderInput) (*paperOutput, error) { return o.paper(ctx, in, of.kind) })
	}
}

// makes makes the paper of an order.
type makes = func(context.Context, commercemodel.Store, commercemodel.Order) (commercemodel.Invoice, error)

type invoiceShown struct {
	Number string           `json:"number" example:"26K3FJ82-1" doc:"Its number."`
	Date   string           `json:"date" doc:"Its day, by the store's clock."`
	Total  operations.Money `json:"total" doc:"What it comes to."`
	For    string           `json:"for,omitempty" doc:"The number of the invoice that a credit note is for."`
}

func showInvoice(i commercemodel.Invoice) invoiceShown {
	return invoiceShown{i.Number, i.Date, operations.MoneyOf(i.Bill.Total()), i.OfNumber}
}

type invoiceOutput struct{ Body invoiceShown }

type paperOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

// paper returns the file of an order's invoice or credit note. The order may have expired, or may name nobody any more.
func (o *service) paper(ctx context.Context, in *OrderInput, kind invoices.Kind) (*paperOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	id, err := name(in.OrderID)
	if err != nil {
		return nil, err
	}
	made, err := o.shop.Invoices.Get(ctx, kind, store.ID, id)
	if err != nil {
		return nil, err
	}
	order, err := o.shop.Orders.Get(ctx, store.ID, id)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	file, err := invoicepaper.Of(made, order)
	return &paperOutput{"application/pdf", `attachment; filename="` + made.Number + `.pdf"`, file}, err
}
