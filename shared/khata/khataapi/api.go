// Package khataapi is the part of the operators' API for credit: what customers buy on credit, what they pay, and what
// they owe.
package khataapi

import (
	"context"
	_ "embed" // embeds the examples
	"errors"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/mailing"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/people"
)

// service answers the operations.
type service struct {
	*operations.Registry
	khata      *khata.Domain
	statements statement.Statements
	mailing    *mailing.Mailing
}

const khataTag = "Khata"

//go:embed examples.json
var examples []byte

// API is what khata adds to the API.
var API = httpapi.Part{
	Examples: examples,
	Name:     "khata",
	Tags: []*huma.Tag{
		{Name: khataTag,
			Description: "The credit book: what customers buy on credit and pay, what they owe, and how they are " +
				"reminded. Entries are only ever added."},
	},
	Describe: func(api huma.API) { Register(api, khata.New(khata.Config{}), nil, slog.New(slog.DiscardHandler)) },
}

// New puts the operations on a mux, and nothing else.
func New(mux *http.ServeMux, k *khata.Domain, bucket papers.Bucket, logger *slog.Logger) huma.API {
	api := httpapi.New(mux, API)
	Register(api, k, bucket, logger)
	return api
}

// Register adds the operations to an API. Callers of them are limited in how often they may call.
func Register(api huma.API, k *khata.Domain, bucket papers.Bucket, logger *slog.Logger) {
	o := &service{
		Registry: &operations.Registry{
			API: operations.Limited(api, k.Limiter, k.CallLimit, logger), Log: logger,
			Audit:  &audit.Log{DB: k.DB, Now: k.Now, NewID: k.NewID},
			People: &people.Directory{DB: k.DB, Now: k.Now},
		},
		khata: k, statements: statement.Statements{Ledger: k.Ledger}, mailing: k.Mailing(bucket),
	}
	o.add()
	o.entries()
	o.customers()
	o.claims()
	o.reports()
	o.books()
	o.send()
	o.paymentRequests()
	o.reminders()
}

// path is where a store's ledgers are.
const path = "/v1/stores/{storeId}/khata"

// StoreInput names a store.
type StoreInput struct {
	StoreID string `path:"storeId" maxLength:"64" example:"STR-K3FJ82" doc:"The store's id."`
}

// CustomerInput names a customer of a store.
type CustomerInput struct {
	StoreInput
	Customer string `path:"customer" maxLength:"131" example:"+919876543210" doc:"The customer's number with its country code, or Meta's user id."`
}

// may says whose stores an operation may touch: httpapi.Caller.Sees for one that reads, httpapi.Caller.Owns for one
// that changes.
type may = func(httpapi.Caller, model.TenantID) bool

// store finds a store that the caller may touch. It returns dynamo.ErrNotFound for any other, exactly as for an id that
// means nothing.
func (o *service) store(ctx context.Context, text string, may may) (khata.Shop, error) {
	id, err := model.Parse[model.Name](text)
	if err != nil {
		return khata.Shop{}, err
	}
	store, err := o.khata.Shops.Shop(ctx, id)
	if err == nil && !may(httpapi.CallerOf(ctx), store.Tenant) {
		err = dynamo.ErrNotFound
	}
	if err != nil {
		return khata.Shop{}, err
	}
	return store, nil
}

// Target types of audit records.
const (
	targetAccount = "khata_account"
	targetEntry   = "khata_entry"
	targetBooks   = "khata"
)

// change finds a store that the caller may change, and says what the change is about. An account is named by a hash:
// audit records hold no numbers of customers.
func (o *service) change(ctx context.Context, store, kind, id string) (khata.Shop, operations.Subject, error) {
	found, err := o.store(ctx, store, httpapi.Caller.Owns)
	return found, operations.Subject{Tenant: found.Tenant, Target: audit.Target{Type: kind, ID: id}}, err
}

// account returns the id of a customer's account in an audit record.
func account(store, customer string) string {
	id, err := model.ParseCustomer(customer)
	if err != nil {
		return "unknown"
	}
	return idempotency.Hash(store, string(model.PhoneOf(id)))[:16]
}

// named returns the account of the customer whom a request names. The error names the field.
func (o *service) named(ctx context.Context, store khata.Shop, text, field string) (model.Name, error) {
	account, err := o.khata.Account(ctx, store, text)
	if errors.Is(err, contacts.ErrNobody) {
		err = httpapi.Invalid(field, "neither a phone number with its country code, nor a user id of Meta's")
	}
	return account, err
}

// shownAs returns rows as they are shown: convert makes one of a row and of what names its customer.
func shownAs[R, S any](
	ctx context.Context, o *service, store khata.Shop, rows []R, account func(R) model.Name,
	convert func(row R, customer string) S,
) (func(R) S, error) {
	accounts := make([]model.Name, len(rows))
	for i, row := range rows {
		accounts[i] = account(row)
	}
	customers, err := o.khata.Shown(ctx, store, accounts...)
	return func(row R) S { return convert(row, customers(account(row))) }, err
}

func ofBalance(b khatamodel.Balance) model.Name   { return b.CustomerPhone }
func ofEntry(t khatamodel.Transaction) model.Name { return t.CustomerPhone }

// balance returns an answer with a balance.
func (o *service) balance(ctx context.Context, store khata.Shop, b khatamodel.Balance,
	err error) (*balanceOutput, error) {
	if err != nil {
		return nil, err
	}
	show, err := shownAs(ctx, o, store, []khatamodel.Balance{b}, ofBalance, showBalance)
	if err != nil {
		return nil, err
	}
	return &balanceOutput{show(b)}, nil
}

// entry returns an answer with an entry.
func (o *service) entry(ctx context.Context, store khata.Shop, t khatamodel.Transaction,
	err error) (*entryOutput, error) {
	if err != nil {
		return nil, err
	}
	show, err := shownAs(ctx, o, store, []khatamodel.Transaction{t}, ofEntry, showEntry)
	if err != nil {
		return nil, err
	}
	return &entryOutput{show(t)}, nil
}

// Amount is money as a text, which may be negative.
type Amount string

// amount parses an amount. The ledger checks the rest.
func (a Amount) amount(field string) (model.Amount, error) {
	value, err := decimal.NewFromString(string(a))
	if err != nil || value.Exponent() > 12 || value.Exponent() < -12 {
		return model.Amount{}, httpapi.Invalid(field, "not an amount, such as 120.50")
	}
	return model.Amount{Decimal: value}, nil
}

// Keyed is a request that adds to a ledger once.
type Keyed struct {
	IdempotencyKey string `header:"Idempotency-Key" required:"true" minLength:"1" maxLength:"255" doc:"Make one up for each entry. Repeating a request with its key adds nothing, for 30 days, and gets the first one's answer."`
}

// request identifies a request of a kind.
func (k Keyed) request(store khata.Shop, kind string, body any) (idempotency.Request, error) {
	return ledger.Request(store, idempotency.API, k.IdempotencyKey, []any{kind, body})
}

// requestAtStore identifies a request whose key counts for all callers of a store.
func requestAtStore(store khata.Shop, operation, key string, body any) (idempotency.Request, error) {
	return idempotency.NewRequest(idempotency.API, store.Tenant, string(store.ID), operation, key, body)
}
