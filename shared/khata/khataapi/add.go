package khataapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

var addErrors = []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity}

func (o *service) add() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "add-credit-sale", Method: http.MethodPost, Path: path + "/sales", Tags: []string{khataTag},
		Summary: "Write a credit sale down", Description: "It adds to what the customer owes, up to their limit.",
		Security: httpapi.Needs(httpapi.KhataAdd), Errors: addErrors, DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *saleInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetAccount, account(in.StoreID, in.Body.Customer))
	}, o.addSale)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "add-payment", Method: http.MethodPost, Path: path + "/payments", Tags: []string{khataTag},
		Summary: "Write a payment down",
		Description: "It takes from what the customer owes. More than that is taken only where the store's " +
			"terms allow it.",
		Security: httpapi.Needs(httpapi.KhataAdd), Errors: addErrors, DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *paymentInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetAccount, account(in.StoreID, in.Body.Customer))
	}, o.addPayment)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "adjust-balance", Method: http.MethodPost, Path: path + "/adjustments", Tags: []string{khataTag},
		Summary: "Adjust what a customer owes",
		Description: "A positive amount adds to it, a negative one takes from it. With opening, it is what the " +
			"customer owed when the ledger began, and has to be the first entry. An adjustment over the store's " +
			"limit takes two people, and is asked for in the chat.",
		Security: httpapi.Needs(httpapi.KhataManage), Errors: addErrors, DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *adjustmentInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetAccount, account(in.StoreID, in.Body.Customer))
	}, o.adjust)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "reverse-entry", Method: http.MethodPost, Path: path + "/entries/{transactionId}/reverse",
		Tags:    []string{khataTag},
		Summary: "Take an entry back",
		Description: "It adds one that takes back exactly this one. An entry is taken back once, and a " +
			"reversal is not.",
		Security: httpapi.Needs(httpapi.KhataManage), Errors: addErrors, DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *reverseInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetEntry, in.TransactionID)
	}, o.reverse)
}

// Who names the customer to whose ledger an entry is added.
type Who struct {
	Customer     string `json:"customer" minLength:"1" maxLength:"131" example:"+919876543210" doc:"The customer's number with its country code, or Meta's user id."`
	CustomerName string `json:"customerName,omitempty" maxLength:"120" doc:"What they are called; leave it out to keep what is known."`
}

type saleItem struct {
	Name     string `json:"name" minLength:"1" maxLength:"200" doc:"What was bought."`
	Quantity Amount `json:"quantity" pattern:"^[0-9]{1,9}(\\.[0-9]{1,6})?$" doc:"How much of it."`
	Price    Amount `json:"price" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"What one costs."`
}

type saleInput struct {
	StoreInput
	Keyed
	Body struct {
		Who
		Amount      Amount     `json:"amount" maxLength:"30" example:"120.50" doc:"What it comes to."`
		Items       []saleItem `json:"items,omitempty" maxItems:"100" doc:"What was bought."`
		Notes       string     `json:"notes,omitempty" maxLength:"500" doc:"Anything to remember."`
		ReferenceID string     `json:"referenceId,omitempty" maxLength:"100" doc:"The number of a receipt."`
		OccurredOn  string     `json:"occurredOn,omitempty" format:"date" maxLength:"10" doc:"The day on which it happened, if it is not today."`
	}
}

func (o *service) addSale(ctx context.Context, in *saleInput, store khata.Shop) (*entryOutput, error) {
	d, err := o.draft(ctx, store, khatamodel.CreditSale, in.Body.Who, in.Body.Amount)
	if err != nil {
		return nil, err
	}
	d.Notes, d.Reference = in.Body.Notes, in.Body.ReferenceID
	d.OccurredOn = in.Body.OccurredOn
	for _, item := range in.Body.Items {
		quantity, err := item.Quantity.amount("body.items")
		if err != nil {
			return nil, err
		}
		price, err := item.Price.amount("body.items")
		if err != nil {
			return nil, err
		}
		d.Items = append(d.Items, khatamodel.Item{Name: item.Name, Quantity: quantity, Price: price})
	}
	return o.write(ctx, store, in.Keyed, d, in.Body)
}

type paymentInput struct {
	StoreInput
	Keyed
	Body struct {
		Who
		Amount      Amount `json:"amount" maxLength:"30" example:"500" doc:"What was paid."`
		Method      string `json:"method,omitempty" enum:"cash,upi,other" default:"cash" doc:"How it was paid."`
		ReferenceID string `json:"referenceId,omitempty" maxLength:"100" doc:"The reference of the UPI payment, or the number of a receipt."`
		Notes       string `json:"notes,omitempty" maxLength:"500" doc:"Anything to remember."`
		OccurredOn  string `json:"occurredOn,omitempty" format:"date" maxLength:"10" doc:"The day on which it happened, if it is not today."`
	}
}

func (o *service) addPayment(ctx context.Context, in *paymentInput, store khata.Shop) (*entryOutput, error) {
	d, err := o.draft(ctx, store, khatamodel.Payment, in.Body.Who, in.Body.Amount)
	if err != nil {
		return nil, err
	}
	d.Notes, d.Reference, d.Method = in.Body.Notes, in.Body.ReferenceID, in.Body.Method
	d.OccurredOn = in.Body.OccurredOn
	return o.write(ctx, store, in.Keyed, d, in.Body)
}

type adjustmentInput struct {
	StoreInput
	Keyed
	Body struct {
		Who
		Amount     Amount `json:"amount" maxLength:"30" example:"-50" doc:"What is added to what they owe; negative to take from it."`
		Reason     string `json:"reason,omitempty" maxLength:"500" doc:"Why; an opening balance needs no reason."`
		Opening    bool   `json:"opening,omitempty" doc:"Whether it is what the customer owed when the ledger began."`
		Notes      string `json:"notes,omitempty" maxLength:"500" doc:"Anything to remember."`
		OccurredOn string `json:"occurredOn,omitempty" format:"date" maxLength:"10" doc:"The day on which it happened, if it is not today."`
	}
}

func (o *service) adjust(ctx context.Context, in *adjustmentInput, store khata.Shop) (*entryOutput, error) {
	d, err := o.draft(ctx, store, khatamodel.Adjustment, in.Body.Who, in.Body.Amount)
	if err != nil {
		return nil, err
	}
	d.Reason, d.Opening, d.Notes = in.Body.Reason, in.Body.Opening, in.Body.Notes
	d.OccurredOn = in.Body.OccurredOn
	return o.write(ctx, store, in.Keyed, d, in.Body)
}

type reverseInput struct {
	StoreInput
	Keyed
	TransactionID string `path:"transactionId" maxLength:"64" doc:"The entry's id."`
	Body          struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why."`
	}
}

func (o *service) reverse(ctx context.Context, in *reverseInput, store khata.Shop) (*entryOutput, error) {
	id, err := model.Parse[model.Name](in.TransactionID)
	if err != nil {
		return nil, err
	}
	request, err := in.request(store, "reverse "+in.TransactionID, in.Body)
	if err != nil {
		return nil, err
	}
	entry, err := o.khata.Ledger.Reverse(ctx, store, id,
		ledger.Draft{Reason: in.Body.Reason, By: httpapi.CallerOf(ctx).Subject, Source: sourceAPI}, request)
	return o.entry(ctx, store, entry, err)
}

// sourceAPI says of an entry that it came by the API.
const sourceAPI = "api"

// draft returns an entry to make.
func (o *service) draft(ctx context.Context, store khata.Shop, kind khatamodel.Type, of Who,
	text Amount) (ledger.Draft, error) {
	name, err := o.named(ctx, store, of.Customer, "body.customer")
	if err != nil {
		return ledger.Draft{}, err
	}
	amount, err := text.amount("body.amount")
	return ledger.Draft{
		Customer: name, Name: strings.TrimSpace(of.CustomerName), Type: kind, Amount: amount, Source: sourceAPI}, err
}

// write adds an entry.
func (o *service) write(ctx context.Context, store khata.Shop, key Keyed, d ledger.Draft,
	body any) (*entryOutput, error) {
	request, err := key.request(store, string(d.Type), body)
	if err != nil {
		return nil, err
	}
	d.By = httpapi.CallerOf(ctx).Subject
	entry, err := o.khata.Ledger.Add(ctx, store, d, request)
	return o.entry(ctx, store, entry, err)
}
