package commerceapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/invoices"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) invoiceLists() {
	const path = "/v1/stores/{storeId}/invoices"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-invoices", Method: http.MethodGet, Path: path, Tags: []string{ordersTag},
		Summary: "List a store's invoices and credit notes",
		Description: "In the order in which they were made. Days are those of the store's time zone. It may take a " +
			"moment until a new one shows.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listInvoices)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "export-invoices", Method: http.MethodGet, Path: path + "/export", Tags: []string{ordersTag},
		Summary: "Export a store's invoices and credit notes as CSV",
		Description: "For a tax return: a line for each rate of an invoice, and one for an invoice without tax. The " +
			"amounts of credit notes are negative. A file has at most 10,000 papers; ask for fewer days where " +
			"there are more.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.exportInvoices)
}

type listInvoicesInput struct {
	StoreInput
	DaysInput
	httpapi.Page
}

type listedInvoice struct {
	Kind    string `json:"kind" enum:"invoice,credit_note" doc:"What it is."`
	OrderID string `json:"orderId" doc:"Its order."`
	invoiceShown
}

func listed(i commercemodel.Invoice) listedInvoice {
	return listedInvoice{string(kindOf(i)), string(i.OrderID), showInvoice(i)}
}

func kindOf(i commercemodel.Invoice) invoices.Kind {
	if i.IsCreditNote() {
		return invoices.CreditNote
	}
	return invoices.Invoice
}

type invoiceListOutput struct{ Body httpapi.List[listedInvoice] }

func (o *service) listInvoices(ctx context.Context, in *listInvoicesInput) (*invoiceListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "invoices", string(store.ID), in.From, in.To)
	if err != nil {
		return nil, err
	}
	rows, next, err := o.shop.Invoices.List(ctx, store.ID, in.From, in.To, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &invoiceListOutput{operations.ListOf(rows, listed, l.Position(next))}, nil
}

const (
	maxExported = 10_000 // invoices of a file
	exportPage  = 500    // read at a time
)

type exportInvoicesInput struct {
	StoreInput
	DaysInput
}

func (o *service) exportInvoices(ctx context.Context, in *exportInvoicesInput) (*fileOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	lines := [][]string{{"number", "kind", "date", "order", "for_number", "for_date", "customer_gstin", "place",
		"rate", "taxable", "cgst", "sgst", "igst", "total"}}
	for after, count := "", 0; ; {
		page, next, err := o.shop.Invoices.List(ctx, store.ID, in.From, in.To, exportPage, after)
		if err != nil {
			return nil, err
		}
		if count += len(page); count > maxExported {
			return nil, httpapi.Invalid("query.to", "these days have over 10,000 invoices: ask for fewer")
		}
		for _, made := range page {
			lines = append(lines, linesOf(made)...)
		}
		if after = next; after == "" {
			return csvOf("invoices.csv", lines)
		}
	}
}

// linesOf returns the lines of an invoice in a file. The total is on the first.
func linesOf(i commercemodel.Invoice) (lines [][]string) {
	amount := func(a model.Amount) string {
		if i.IsCreditNote() {
			a = model.Amount{Decimal: a.Neg()}
		}
		return a.StringFixed(2)
	}
	about := []string{i.Number, string(kindOf(i)), i.Date, string(i.OrderID), i.OfNumber, i.OfDate, i.CustomerGSTIN,
		i.Bill.Place}
	taxes := i.Bill.Taxes
	if len(taxes) == 0 {
		taxes = []commercemodel.Tax{{Taxable: i.Bill.Total()}}
	}
	for n, tax := range taxes {
		igst, total := model.Amount{}, ""
		if tax.IGST != nil {
			igst = *tax.IGST
		}
		if n == 0 {
			total = amount(i.Bill.Total())
		}
		line := append(about[:len(about):len(about)], tax.Rate.String(), amount(tax.Taxable), amount(tax.CGST),
			amount(tax.SGST), amount(igst), total)
		lines = append(lines, line)
	}
	return lines
}
