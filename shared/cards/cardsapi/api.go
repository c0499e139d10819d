// Package cardsapi is the part of the operators' API for cards: users and their scores, card requests and who decides
// them, cards with their transactions, notifications, the card program, and the audit records of all of them.
package cardsapi

import (
	"context"
	_ "embed"
	"log/slog"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/people"
)

// service answers the operations.
type service struct {
	*operations.Registry
	domain *cards.Domain
}

//go:embed examples.json
var examples []byte

// API is what cards add to the API.
var API = httpapi.Part{
	Examples: examples,
	Name:     "cards",
	Tags: []*huma.Tag{
		{Name: "Card users", Description: "People with a score, who may have cards."},
		{Name: "Card requests", Description: "Requests for cards, and who decides them."},
		{Name: "Cards", Description: "Cards, purchases and payments."},
		{Name: "Card notifications", Description: "The WhatsApp messages about requests, and how far they have come."},
		{Name: "Card program",
			Description: "Who decides, from which number, and by which policy; and who has changed what."},
	},
	Describe: func(api huma.API) { Register(api, cards.New(cards.Config{}), slog.New(slog.DiscardHandler)) },
}

// New puts the operations on a mux, and nothing else.
func New(mux *http.ServeMux, domain *cards.Domain, logger *slog.Logger) huma.API {
	api := httpapi.New(mux, API)
	Register(api, domain, logger)
	return api
}

// Register adds the operations to an API.
func Register(api huma.API, domain *cards.Domain, logger *slog.Logger) {
	o := &service{
		Registry: &operations.Registry{
			API: api, Log: logger,
			Audit:  &audit.Log{DB: domain.DB, Now: domain.Now, NewID: domain.NewID},
			People: &people.Directory{DB: domain.DB, Now: domain.Now},
		},
		domain: domain,
	}
	o.register()
}

// register puts the operations on the service's API.
func (o *service) register() {
	o.users()
	o.scores()
	o.requests()
	o.decisions()
	o.cards()
	o.transactions()
	o.notifications()
	o.program()
	o.auditRecords()
}

// may says what an operation may touch: httpapi.Caller.Sees for one that reads, httpapi.Caller.Owns for one that
// changes, each with the scope for the things of a tenant. Where own is set, a caller without that scope, or outside
// the tenant, touches what is their own.
type may struct {
	tenant func(httpapi.Caller, model.TenantID) bool
	scope  string
	own    bool
}

var (
	read  = may{httpapi.Caller.Sees, httpapi.CardsRead, true}
	use   = may{httpapi.Caller.Owns, httpapi.CardsWrite, true}
	write = may{httpapi.Caller.Owns, httpapi.CardsWrite, false}
)

// UserInput names a user.
type UserInput struct {
	UserID string `path:"userId" maxLength:"128" example:"01a1fbae-3de3-707d-9ea6-5db5e19f0001" doc:"The user's id."`
}

// touched is a user whom an operation may touch, and who does it.
type touched struct {
	cardsmodel.User
	by changes.By
}

// user finds a user whom the caller may touch. It returns dynamo.ErrNotFound for any other, exactly as for an id that
// means nothing.
func (o *service) user(ctx context.Context, text string, may may) (touched, error) {
	id, err := model.Parse[model.Name](text)
	if err != nil {
		return touched{}, err
	}
	user, err := o.domain.Users.Get(ctx, id)
	if err != nil {
		return touched{}, err
	}
	caller := httpapi.CallerOf(ctx)
	by := changes.By{Via: cardsmodel.ViaAPI, Decides: decides(caller)}
	switch {
	case user.TenantID == "": // an item that is no user
		return touched{}, dynamo.ErrNotFound
	case may.tenant(caller, user.TenantID) && slices.Contains(caller.Scopes, may.scope):
	case may.own && user.FirebaseUID != "" && string(user.FirebaseUID) == caller.Subject &&
		slices.Contains(caller.Scopes, httpapi.CardsOwn):
		by.Own = true
	default:
		return touched{}, dynamo.ErrNotFound
	}
	return touched{user, by}, nil
}

// change finds a user whom the caller may change, for an operation whose change keeps an audit record of its own.
func (o *service) change(ctx context.Context, text string, may may) (touched, operations.Subject, error) {
	found, err := o.user(ctx, text, may)
	if err == nil && !found.by.Own {
		found.by.Actor, err = o.Actor(ctx)
	}
	return found, operations.Subject{}, err
}

// decides reports whether a caller may decide card requests.
func decides(caller httpapi.Caller) bool { return slices.Contains(caller.Scopes, httpapi.CardsDecide) }

// by returns who makes a change for a tenant.
func (o *service) by(ctx context.Context) (changes.By, error) {
	actor, err := o.Actor(ctx)
	return changes.By{Via: cardsmodel.ViaAPI, Actor: actor, Decides: decides(httpapi.CallerOf(ctx))}, err
}
