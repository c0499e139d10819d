package khataapi

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) entries() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-entries", Method: http.MethodGet, Path: path + "/entries", Tags: []string{khataTag},
		Summary:     "List a store's entries",
		Description: "Those of a day, of a customer, or all; the newest first. A new one shows within a moment.",
		Security:    httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound},
	}, o.listEntries)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-entry", Method: http.MethodGet, Path: path + "/entries/{transactionId}",
		Tags:    []string{khataTag},
		Summary: "Get an entry", Security: httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound},
	}, o.getEntry)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-customer-entries", Method: http.MethodGet, Path: "/v1/khata/{customer}/entries",
		Tags:        []string{khataTag},
		Summary:     "List a customer's entries in all stores of a tenant",
		Description: "Store by store, the newest of each first.",
		Security:    httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound},
	}, o.listCustomerEntries)
}

type entryItem struct {
	Name     string `json:"name" doc:"What was bought."`
	Quantity Amount `json:"quantity" doc:"How much of it."`
	Price    Amount `json:"price" doc:"What one costs."`
}

type entryShown struct {
	ID            string           `json:"id" doc:"The entry's id."`
	StoreID       string           `json:"storeId" doc:"In whose books."`
	Customer      string           `json:"customer" doc:"Whose ledger: the number, or Meta's user id."`
	Type          string           `json:"type" enum:"credit_sale,payment,adjustment,reversal" doc:"What it is."`
	Amount        operations.Money `json:"amount" doc:"What was sold or paid; of adjustments and reversals what was added to the balance."`
	BalanceBefore operations.Money `json:"balanceBefore" doc:"What was owed before."`
	BalanceAfter  operations.Money `json:"balanceAfter" doc:"What is owed after it."`
	Version       int64            `json:"version" doc:"Its place in the customer's ledger, from 1, without gaps."`
	OrderID       string           `json:"orderId,omitempty" doc:"The order that was sold."`
	Items         []entryItem      `json:"items,omitempty" doc:"What was bought."`
	Notes         string           `json:"notes,omitempty" doc:"Anything to remember."`
	ReferenceID   string           `json:"referenceId,omitempty" doc:"A receipt, or the reference of a payment."`
	Method        string           `json:"method,omitempty" enum:"cash,upi,other" doc:"How it was paid."`
	Reason        string           `json:"reason,omitempty" doc:"Why."`
	Reverses      string           `json:"reverses,omitempty" doc:"The entry that it takes back."`
	Opening       bool             `json:"opening,omitempty" doc:"Whether it is what was owed when the ledger began."`
	OverLimit     bool             `json:"overLimit,omitempty" doc:"Whether the goods were handed over although the limit was reached."`
	CreatedBy     string           `json:"createdBy" doc:"Who wrote it down."`
	AllowedBy     string           `json:"allowedBy,omitempty" doc:"The second person who has allowed it, where it takes two."`
	Date          string           `json:"date" doc:"The store's day on which it was written."`
	OccurredOn    string           `json:"occurredOn,omitempty" doc:"The day on which it happened, where it was written down later."`
	CreatedAt     string           `json:"createdAt" doc:"When."`
}

type entryOutput struct{ Body entryShown }

func showEntry(t khatamodel.Transaction, customer string) entryShown {
	shown := entryShown{
		ID: string(t.TransactionID), StoreID: string(t.StoreID), Customer: customer, Type: string(t.Type),
		Amount:        operations.MoneyOf(t.Amount),
		BalanceBefore: operations.MoneyOf(t.BalanceBefore), BalanceAfter: operations.MoneyOf(t.BalanceAfter),
		Version: t.Version, OrderID: string(t.OrderID),
		Notes: t.Notes, ReferenceID: t.ReferenceID, Method: t.PaymentMethod, Reason: t.Reason,
		Reverses: string(t.Reverses), Opening: t.Opening,
		OverLimit: t.OverLimit, CreatedBy: t.CreatedBy, Date: t.Date, OccurredOn: t.OccurredOn,
		CreatedAt: string(t.CreatedAt),
	}
	shown.AllowedBy, _ = t.Metadata[khatamodel.AllowedBy].(string)
	for _, item := range t.Items {
		shown.Items = append(shown.Items,
			entryItem{item.Name, Amount(item.Quantity.String()), Amount(item.Price.String())})
	}
	return shown
}

type entryListOutput struct{ Body httpapi.List[entryShown] }

type listEntriesInput struct {
	StoreInput
	httpapi.Page
	Customer string    `query:"customer" maxLength:"131" doc:"Those of a customer, by number or user id; not together with date."`
	Date     string    `query:"date" format:"date" maxLength:"10" doc:"Those of a day of the store's."`
	From     time.Time `query:"from" format:"date-time" doc:"Those of a customer at this time or later."`
	To       time.Time `query:"to" format:"date-time" doc:"Those of a customer before this time."`
}

func (o *service) listEntries(ctx context.Context, in *listEntriesInput) (*entryListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	e := ledger.Entries{Store: store.ID, Date: in.Date, From: at(in.From), To: at(in.To)}
	switch {
	case in.Customer != "" && in.Date != "":
		return nil, httpapi.Invalid("query.date", "a list is by day or by customer")
	case in.Customer == "" && (e.From != "" || e.To != ""):
		return nil, httpapi.Invalid("query.customer", "times are for the entries of a customer; give a date")
	case e.From != "" && e.To != "" && e.From >= e.To:
		return nil, httpapi.Invalid("query.to", "it is not after from")
	case in.Customer != "":
		if e.Customer, err = o.named(ctx, store, in.Customer, "query.customer"); err != nil {
			return nil, err
		}
	}
	l, err := operations.PageOf(in.Page, "entries", in.StoreID, string(e.Customer), e.Date, string(e.From),
		string(e.To))
	if err != nil {
		return nil, err
	}
	return o.page(ctx, store, in.Page, l, e, nil)
}

// page returns a page of entries.
func (o *service) page(ctx context.Context, store khata.Shop, page httpapi.Page, l operations.List, e ledger.Entries,
	may func(model.TenantID) bool) (*entryListOutput, error) {
	rows, err := o.khata.Ledger.List(ctx, e, page.Probe(), l.After, may)
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(page, rows,
		func(t khatamodel.Transaction) httpapi.Position { return l.Position(e.Place(t)) })
	show, err := shownAs(ctx, o, store, rows, ofEntry, showEntry)
	if err != nil {
		return nil, err
	}
	return &entryListOutput{operations.ListOf(rows, show, next)}, nil
}

type entryInput struct {
	StoreInput
	TransactionID string `path:"transactionId" maxLength:"64" doc:"The entry's id."`
}

func (o *service) getEntry(ctx context.Context, in *entryInput) (*entryOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	id, err := model.Parse[model.Name](in.TransactionID)
	if err != nil {
		return nil, err
	}
	entry, err := o.khata.Ledger.Entry(ctx, store.ID, id)
	return o.entry(ctx, store, entry, err)
}

// CustomerEverywhereInput names a customer of all stores.
type CustomerEverywhereInput struct {
	operations.TenantInput
	Customer string `path:"customer" maxLength:"131" example:"+919876543210" doc:"The customer's number with its country code, or Meta's user id."`
}

type listCustomerEntriesInput struct {
	CustomerEverywhereInput
	httpapi.Page
}

func (o *service) listCustomerEntries(ctx context.Context, in *listCustomerEntriesInput) (*entryListOutput, error) {
	name, ours, err := o.everywhere(ctx, in.CustomerEverywhereInput)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "customer-entries", in.TenantID, string(name))
	if err != nil {
		return nil, err
	}
	return o.page(ctx, khata.Shop{}, in.Page, l, ledger.Entries{Customer: name}, ours)
}

// everywhere returns how the contract names a customer, and whose stores are looked at.
func (o *service) everywhere(ctx context.Context,
	in CustomerEverywhereInput) (model.Name, func(model.TenantID) bool, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return "", nil, err
	}
	var numbers []model.PhoneNumberID
	if tenant != "" {
		if numbers, err = o.khata.NumbersOf(ctx, tenant); err != nil {
			return "", nil, err
		}
	}
	name, err := o.named(ctx, khata.Shop{Phones: numbers}, in.Customer, "path.customer")
	return name, func(of model.TenantID) bool { return tenant == "" || of == tenant }, err
}

// at returns an instant in its stored form; "" for none.
func at(t time.Time) model.Time {
	if t.IsZero() {
		return ""
	}
	return model.At(t)
}
