// Package messagingapi is messaging's part of the operators' API: conversations, messages, numbers, the outbox, the
// webhook log, and the audit records of all of them.
package messagingapi

import (
	"context"
	_ "embed" // embeds the examples
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/messaging/media/uploading"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/people"
)

// service answers the operations.
type service struct {
	*operations.Registry
	rooms  *messaging.Domain
	outbox *outbox.Outbox
	bucket Bucket
}

// Bucket gives out ways to the bucket of files.
type Bucket interface {
	uploading.Bucket
	flows.Bucket
	// Link returns an address under which anybody can read a stored file for some time.
	Link(ctx context.Context, key string, lasts time.Duration, answer url.Values) (string, error)
}

//go:embed examples.json
var examples []byte

// API is what messaging adds to the API.
var API = httpapi.Part{
	Examples: examples,
	Name:     "messaging",
	Tags: []*huma.Tag{
		{Name: "Conversations", Description: "The inbox: who has written, what waits, and marks on it."},
		{Name: "Messages", Description: "What was said in a conversation, and sending."},
		{Name: "Files", Description: "The files of messages, and uploading files to send."},
		{Name: "Answers", Description: "What customers fill in: forms and addresses."},
		{Name: "Campaigns", Description: "Templates that go to many customers."},
		{Name: "Calls", Description: "The calls with a customer."},
		{Name: "Payments", Description: "The orders that customers pay through WhatsApp."},
		{Name: "Groups", Description: "The WhatsApp groups of your numbers."},
		{Name: "Teamwork", Description: "What your people keep for one another: notes and quick replies."},
		{Name: "Templates", Description: "The message templates of your accounts, and whether they can be sent."},
		{Name: "Numbers", Description: "Your numbers, whether they can send, and what is set of them at Meta."},
		{Name: "Catalogues", Description: "The product catalogues of your accounts, and what Meta has in them."},
		{Name: "Flows", Description: "The forms of your accounts that customers fill in within a chat."},
		{Name: "Analytics", Description: "What accounts and tenants have sent and got."},
		{Name: "Tenants", Description: "The businesses that use haatline."},
		{Name: "Platform", Description: "What holds for all tenants."},
		{Name: "SMS", Description: "How your tenants send by SMS."},
		{Name: "Suppressions", Description: "Addresses to which nothing is sent by email or SMS any more."},
		{Name: "Outbox", Description: "What is on its way, what has failed, and sending it again."},
		{Name: "Webhook events", Description: "The log of what Meta has posted."},
		{Name: "Event subscriptions",
			Description: "To whom outside your events are told: signed webhooks, or the event bus."},
		{Name: "Webhook configurations", Description: "How the webhooks of single accounts are verified."},
		{Name: "Customers", Description: "Erasing and exporting a customer's data."},
		{Name: "Audit", Description: "Who has done what, and when."},
		{Name: "People", Description: "Who works for your tenants."},
		{Name: "You", Description: "Who you are, and what you may do."},
	},
	IDPaths: []string{"/v1/groups/", "/v1/messages/"}, // Meta's ids of groups and messages are base64
	Describe: func(api huma.API) {
		Register(api, messaging.New(messaging.Config{}), nil, slog.New(slog.DiscardHandler))
	},
}

// New puts messaging's operations on a mux, and nothing else.
func New(mux *http.ServeMux, rooms *messaging.Domain, bucket Bucket, logger *slog.Logger) huma.API {
	api := httpapi.New(mux, API)
	Register(api, rooms, bucket, logger)
	return api
}

// Register adds messaging's operations to an API.
func Register(api huma.API, rooms *messaging.Domain, bucket Bucket, logger *slog.Logger) {
	o := &service{
		Registry: &operations.Registry{
			API: api, Log: logger,
			Audit:  &audit.Log{DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID},
			People: &people.Directory{DB: rooms.DB, Now: rooms.Now},
		},
		rooms: rooms, bucket: bucket, outbox: &outbox.Outbox{DB: rooms.DB, Now: rooms.Now},
	}
	hinting := huma.NewGroup(api)
	hinting.UseMiddleware(o.hinting)
	o.API = hinting
	o.register()
}

// register puts the operations on the service's API.
func (o *service) register() {
	o.allMessages()
	o.allPaymentOrders()
	o.analytics()
	o.analyticsExport()
	o.arrivals()
	o.auditRecords()
	o.calls()
	o.callActs()
	o.missedCalls()
	o.campaigns()
	o.catalogues()
	o.flows()
	o.answers()
	o.conversations()
	o.person()
	o.presence()
	o.conversationChanges()
	o.work()
	o.notes()
	o.drafts()
	o.quickReplies()
	o.filters()
	o.customers()
	o.erasures()
	o.eventSubscriptions()
	o.pushDevices()
	o.eventDeliveries()
	o.exports()
	o.groups()
	o.groupChanges()
	o.groupLists()
	o.idempotencyRecords()
	o.me()
	o.media()
	o.messages()
	o.numbers()
	o.unansweredSends()
	o.assignment()
	o.numberSettings()
	o.numberActs()
	o.qrCodes()
	o.blocked()
	o.outboxEvents()
	o.outboxReplays()
	o.paymentOrders()
	o.refunds()
	o.responseTimes()
	o.search()
	o.paymentConfigs()
	o.people()
	o.platform()
	o.templates()
	o.templateChanges()
	o.tenants()
	o.texts()
	o.suppressions()
	o.uploads()
	o.webhookConfigs()
	o.webhookEvents()
	o.webhookEventPurges()
}

// address is a conversation that the caller may see, or change.
type address struct {
	tenant   model.TenantID
	number   model.Phone
	phone    model.PhoneNumberID
	customer model.CustomerID
}

// may says which tenants' things an operation may touch: httpapi.Caller.Sees for one that reads, httpapi.Caller.Owns
// for one that changes.
type may = func(httpapi.Caller, model.TenantID) bool

// address resolves a conversation's id to its number, and the number to its tenant. It returns dynamo.ErrNotFound for
// one that the caller may not touch, exactly as for an id that means nothing.
func (o *service) address(ctx context.Context, id string, may may) (address, error) {
	a, err := parseAddress(id)
	if err != nil {
		return address{}, err
	}
	a.number, err = o.number(ctx, a.phone, may)
	a.tenant = a.number.TenantID
	return a, err
}

// parseAddress reads a conversation's id.
func parseAddress(id string) (a address, err error) {
	phone, customer, _ := strings.Cut(id, ":")
	if a.phone, err = model.ParsePhoneNumberID(phone); err != nil {
		return address{}, err
	}
	if a.customer, err = model.ParseCustomer(customer); err != nil {
		return address{}, err
	}
	return a, nil
}

// number is a number that the caller may touch; dynamo.ErrNotFound for any other number.
func (o *service) number(ctx context.Context, phone model.PhoneNumberID, may may) (model.Phone, error) {
	number, err := o.rooms.Number(ctx, phone)
	return allowed(ctx, number, may, err)
}

// allowed returns a number that was read, if the caller may touch it; otherwise dynamo.ErrNotFound, or the error with
// which it was read.
func allowed(ctx context.Context, number model.Phone, may may, err error) (model.Phone, error) {
	if err == nil && !may(httpapi.CallerOf(ctx), number.TenantID) {
		err = dynamo.ErrNotFound
	}
	if err != nil {
		return model.Phone{}, err
	}
	return number, nil
}

// tenantOf is the tenant of a number that the caller may touch; dynamo.ErrNotFound for any other number.
func (o *service) tenantOf(ctx context.Context, phone model.PhoneNumberID, may may) (model.TenantID, error) {
	number, err := o.number(ctx, phone, may)
	return number.TenantID, err
}

// ownTenant returns the caller's tenant of an id, or the caller's first if the id is "". It returns dynamo.ErrNotFound
// for any other.
func ownTenant(ctx context.Context, id string) (model.TenantID, error) {
	caller, tenant := httpapi.CallerOf(ctx), model.TenantID(id)
	if tenant == "" && len(caller.Tenants) > 0 {
		tenant = caller.Tenants[0]
	}
	if !caller.Owns(tenant) {
		return "", dynamo.ErrNotFound
	}
	return tenant, nil
}

// anyOwned reports whether the caller belongs to one of the tenants.
func anyOwned(ctx context.Context, tenants []model.TenantID) bool {
	return slices.ContainsFunc(tenants, httpapi.CallerOf(ctx).Owns)
}

// done is the answer of an operation that has nothing to say.
type done struct{}

// enumValue returns a stored value as the API writes values: in lower case, with underscores.
func enumValue[S ~string](stored S) string {
	return strings.ReplaceAll(strings.ToLower(string(stored)), "-", "_")
}
