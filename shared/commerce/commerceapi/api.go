// Package commerceapi is the part of the operators' API for stores: their settings, what they sell, their orders, the
// assistant's sessions, and the figures of the day.
package commerceapi

import (
	"context"
	_ "embed" // embeds the examples
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/people"
	"github.com/haatline/haatline/shared/problem"
)

// service answers the operations.
type service struct {
	*operations.Registry
	shop *commerce.Domain
}

const (
	storesTag   = "Stores"
	productsTag = "Products"
	codesTag    = "Discount codes"
	ordersTag   = "Orders"
	chatTag     = "Assistant"
	metricsTag  = "Figures"
)

//go:embed examples.json
var examples []byte

// API is what commerce adds to the API.
var API = httpapi.Part{
	Examples: examples,
	Name:     "commerce",
	Tags: []*huma.Tag{
		{Name: storesTag,
			Description: "Shops: their settings, their hours, and the numbers whose customers order there."},
		{Name: productsTag, Description: "What stores sell, at which price, and how much of it is there."},
		{Name: codesTag, Description: "Words for which customers get a discount, and how often they were used."},
		{Name: ordersTag, Description: "What customers want, and how far it is."},
		{Name: chatTag,
			Description: "The assistant that takes orders in a chat: what it knows of a conversation, what it " +
				"says, and when a person goes on."},
		{Name: metricsTag, Description: "What a store's orders of a day come to."},
	},
	Describe: func(api huma.API) { Register(api, commerce.New(commerce.Config{}), slog.New(slog.DiscardHandler)) },
}

// New puts the operations on a mux, and nothing else.
func New(mux *http.ServeMux, shop *commerce.Domain, logger *slog.Logger) huma.API {
	api := httpapi.New(mux, API)
	Register(api, shop, logger)
	return api
}

// Register adds the operations to an API. Callers of them are limited in how often they may call.
func Register(api huma.API, shop *commerce.Domain, logger *slog.Logger) {
	api = operations.Limited(api, shop.Limiter, shop.CallLimit, logger)
	o := &service{
		Registry: &operations.Registry{
			API: api, Log: logger,
			Audit:  &audit.Log{DB: shop.DB, Now: shop.Now, NewID: shop.NewID},
			People: &people.Directory{DB: shop.DB, Now: shop.Now},
		},
		shop: shop,
	}
	o.register()
}

// register puts the operations on the service's API.
func (o *service) register() {
	o.stores()
	o.products()
	o.files()
	o.codes()
	o.invoices()
	o.orders()
	o.followUps()
	o.sessions()
	o.limits()
	o.metrics()
}

// StoreInput names a store.
type StoreInput struct {
	StoreID string `path:"storeId" maxLength:"64" example:"STR-K3FJ82" doc:"The store's id."`
}

// may says whose stores an operation may touch: httpapi.Caller.Sees for one that reads, httpapi.Caller.Owns for one
// that changes.
type may = func(httpapi.Caller, model.TenantID) bool

// store finds a store that the caller may touch. It returns dynamo.ErrNotFound for any other, exactly as for an id that
// means nothing.
func (o *service) store(ctx context.Context, text string, may may) (commercemodel.Store, error) {
	id, err := model.Parse[model.Name](text)
	if err != nil {
		return commercemodel.Store{}, err
	}
	store, err := o.shop.Stores.Get(ctx, id)
	if err == nil && !may(httpapi.CallerOf(ctx), store.TenantID) {
		err = dynamo.ErrNotFound
	}
	if err != nil {
		return commercemodel.Store{}, err
	}
	return store, nil
}

// Target types of audit records.
const (
	targetStore   = "store"
	targetProduct = "product"
	targetOrder   = "order"
	targetCode    = "discount code"
	targetSession = "session"
)

// change finds a store that the caller may change, and says what the change is about.
func (o *service) change(ctx context.Context, store, kind, id string) (commercemodel.Store, operations.Subject, error) {
	found, err := o.store(ctx, store, httpapi.Caller.Owns)
	return found, operations.Subject{Tenant: found.TenantID, Target: audit.Target{Type: kind, ID: id}}, err
}

// customer returns the key of the customer whom a request names. A path that names nobody is not found. For any other
// field the error names it.
func (o *service) customer(ctx context.Context, store commercemodel.Store, text,
	field string) (model.CustomerID, error) {
	key, err := o.shop.Customer(ctx, store, text)
	switch {
	case errors.Is(err, contacts.ErrNobody) && strings.HasPrefix(field, "path."):
		err = dynamo.ErrNotFound
	case errors.Is(err, contacts.ErrNobody):
		err = httpapi.Invalid(field, "neither a phone number with its country code, nor a user id of Meta's")
	}
	return key, err
}

// name returns an id in a path.
func name(text string) (model.Name, error) { return model.Parse[model.Name](text) }

// Quantity is a decimal number as a text, so that no program rounds it.
type Quantity string

// quantity parses a quantity or a price, whose form the schema has checked; nil for "".
func quantity[T ~string](text T, field string) (*model.Amount, error) {
	if text == "" {
		return nil, nil
	}
	value, err := decimal.NewFromString(string(text))
	if err != nil {
		return nil, httpapi.Invalid(field, "not a number")
	}
	return &model.Amount{Decimal: value}, nil
}

// shown returns an amount as it is shown; "" for none.
func shown(a *model.Amount) Quantity {
	if a == nil {
		return ""
	}
	return Quantity(a.String())
}

// fieldProblems collects the problems of several fields, so that one answer names them all.
type fieldProblems struct{ fields []problem.Field }

func (p *fieldProblems) amount(text Quantity, field string) *model.Amount {
	value, err := quantity(text, field)
	if err != nil {
		p.fields = append(p.fields, problem.Field{Path: field, Detail: "not a number"})
	}
	return value
}

func (p *fieldProblems) err() error {
	if len(p.fields) == 0 {
		return nil
	}
	return problem.New("fields", problem.Error{Class: problem.Invalid, Fields: p.fields})
}
