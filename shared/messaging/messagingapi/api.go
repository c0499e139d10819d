// Package messagingapi is messaging's part of the operators' API: conversations, messages, numbers, the outbox, the webhook log, and
// the audit records of all of them.
package messagingapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/people"
)

// operations answers the API's operations.
type operations struct {
	store  *messaging.Domain
	outbox *outbox.Store
	audit  *audit.Store
	people *people.Directory
	log    *slog.Logger
}

// API is what messaging adds to the API.
var API = httpapi.Domain{
	Name: "messaging",
	Tags: []*huma.Tag{
		{Name: "Conversations", Description: "The inbox: who has written, what waits, and marks on it."},
		{Name: "Messages", Description: "What was said in a conversation, and sending."},
		{Name: "Numbers", Description: "Your numbers, and whether they can send."},
		{Name: "Outbox", Description: "What is on its way, what has failed, and sending it again."},
		{Name: "Webhook events", Description: "The log of what the platform has posted."},
		{Name: "Customers", Description: "Erasing a customer's data."},
		{Name: "Audit", Description: "Who has done what, and when."},
		{Name: "You", Description: "Who you are, and what you may do."},
	},
	Describe: func(api huma.API) { Register(api, messaging.New(messaging.Config{}), slog.New(slog.DiscardHandler)) },
}

// New puts messaging's operations on a mux, and nothing else.
func New(mux *http.ServeMux, store *messaging.Domain, logger *slog.Logger) huma.API {
	api := httpapi.New(mux, API)
	Register(api, store, logger)
	httpapi.Describe(api)
	return api
}

// Register adds messaging's operations to an API.
func Register(api huma.API, store *messaging.Domain, logger *slog.Logger) {
	o := &operations{
		store: store, outbox: &outbox.Store{DB: store.DB, Now: store.Now}, audit: &audit.Store{DB: store.DB, Now: store.Now, NewID: store.NewID}, log: logger,
		people: &people.Directory{DB: store.DB, Now: store.Now},
	}
	o.auditRecords(api)
	o.conversations(api)
	o.customers(api)
	o.me(api)
	o.messages(api)
	o.numbers(api)
	o.outboxEvents(api)
	o.outboxReplays(api)
	o.webhookEvents(api)
}

// problem maps what the domains return to what a caller is told. What it does not know is logged here, once, and told as
// a fixed text.
func (o *operations) problem(ctx context.Context, operation string, err error) error {
	var told huma.StatusError
	switch {
	case errors.As(err, &told):
		return told
	case errors.Is(err, dynamo.ErrNotFound), errors.Is(err, inbox.ErrNoConversation), errors.Is(err, model.ErrInvalidID):
		return httpapi.NotFound()
	case errors.Is(err, sending.ErrNoSuchMessage):
		return httpapi.Invalid("body.replyTo", "no message of this conversation that the platform knows")
	case errors.Is(err, sending.ErrUnreachable):
		return httpapi.Invalid("path.conversationId", "nobody has written from there, and it is neither a phone number with its country code nor a user id")
	case errors.Is(err, sending.ErrOptedOut):
		return httpapi.Of(httpapi.TypeOptedOut, http.StatusConflict, "Customer opted out",
			"The customer has asked not to be written to, and has written nothing since. "+
				"Wait until they write, or give a reason in overrideOptOut; it stays in the audit record.")
	case errors.Is(err, sending.ErrWindowClosed):
		return httpapi.Of(httpapi.TypeWindowClosed, http.StatusConflict, "Customer service window closed",
			"WhatsApp lets a business send free-form messages only within 24 hours of the customer's last message. "+
				"Send an approved template instead, or wait until the customer writes.")
	case errors.Is(err, idempotency.ErrKeyReused):
		return httpapi.Of(httpapi.TypeKeyReused, http.StatusUnprocessableEntity, "Idempotency key reused",
			"This Idempotency-Key came with another request within the last 24 hours. Use a new key for a new request.")
	case errors.Is(err, outbox.ErrNotDead):
		return httpapi.Of(httpapi.TypeNotReplayed, http.StatusConflict, "Not replayable",
			"Only an event in the state dead_letter that has not been replayed can be replayed.")
	case errors.Is(err, outbox.ErrNotDismissable):
		return httpapi.Of(httpapi.TypeNotDismissable, http.StatusConflict, "Not dismissable",
			"Only an event in the state dead_letter that has not been replayed can be dismissed.")
	case errors.Is(err, dynamo.ErrConflict):
		return httpapi.Of(httpapi.TypeConflict, http.StatusConflict, "Changed meanwhile", "Others kept changing the same thing. Try again.")
	}
	o.log.ErrorContext(ctx, "operation failed", "operation", operation, "error", err)
	if dynamo.Unavailable(err) {
		return httpapi.Unavailable()
	}
	return huma.NewError(http.StatusInternalServerError, "Something went wrong on our side. Try again.")
}

// conversationID is how the API names a conversation: {phoneNumberId}:{customerId}.
func conversationID(pk string) string {
	phone, customer, ok := conversationIDs(pk)
	if !ok {
		return ""
	}
	return string(phone) + ":" + string(customer)
}

// address is a conversation that the caller may see, or change.
type address struct {
	tenant   model.TenantID
	phone    model.PhoneNumberID
	customer model.CustomerID
}

// may says which tenants' things an operation may touch: httpapi.Caller.Sees for one that reads, httpapi.Caller.Owns for one
// that changes.
type may = func(httpapi.Caller, model.TenantID) bool

// address resolves a conversation's id to its number, and the number to its tenant. It returns dynamo.ErrNotFound for one that
// the caller may not touch, exactly as for an id that means nothing.
func (o *operations) address(ctx context.Context, id string, may may) (address, error) {
	phoneText, customerText, _ := strings.Cut(id, ":")
	phone, err := model.ParsePhoneNumberID(phoneText)
	if err != nil {
		return address{}, err
	}
	customer, err := model.ParseCustomer(customerText)
	if err != nil {
		return address{}, err
	}
	tenant, err := o.tenantOf(ctx, phone, may)
	return address{tenant, phone, customer}, err
}

// tenantOf is the tenant of a number that the caller may touch; dynamo.ErrNotFound for any other number.
func (o *operations) tenantOf(ctx context.Context, phone model.PhoneNumberID, may may) (model.TenantID, error) {
	tenant, err := o.store.TenantOf(ctx, phone)
	if err != nil {
		return "", err
	}
	if !may(httpapi.CallerOf(ctx), tenant) {
		return "", dynamo.ErrNotFound
	}
	return tenant, nil
}

// anyOwned says whether one of the tenants is the caller's.
func anyOwned(ctx context.Context, tenants []model.TenantID) bool {
	return slices.ContainsFunc(tenants, httpapi.CallerOf(ctx).Owns)
}

// Page is what every list takes. It is exported, as every embedded input is, because huma fills in only what it can see.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"How many at most."`
	Cursor string `query:"cursor" maxLength:"4096" doc:"The cursor of the page before; leave it out for the first page."`
}

// probe is how many rows a list reads for a page: one more than it shows says whether there is a next page. DynamoDB itself
// says that there may be more whenever a page is full.
func (p Page) probe() int { return p.Limit + 1 }

// done is the answer of an operation that has nothing to say.
type done struct{}
