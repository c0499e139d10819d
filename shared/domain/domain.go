// Package domain defines the value that a domain registers: its readers of webhook entries, the handlers of its outbox
// events, its hook for the messages that it sends, its eraser and its exporter. What reacts to messages is no part of
// it: only the function that hands messages over links what reads them. CONTRIBUTING.md says where its reactions, HTTP
// operations, tables, functions and schedules are registered.
package domain

import (
	"context"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Part is what one domain registers. A field that a domain does not need stays empty.
type Part struct {
	Name string // as in the purpose of its messages
	// Readers process webhook entries other than messages, such as payments and template states.
	Readers []webhooklog.Reader
	// Handlers send, settle, pace and replay the domain's own outbox events, by event type, which begins with the
	// domain's name and a dot. WhatsApp messages have a handler already, and so have texts by SMS.
	Handlers map[string]outbox.Handler
	// Hook is told how the messages that the domain has sent end, on whichever channel. It is nil if the domain does
	// not need to know.
	Hook *sending.Hook
	// Templates are the WhatsApp templates that the domain sends. Their samples are in template-samples.
	Templates []whatsapp.OwnTemplate
	// Wordings are the fixed texts that the domain sends by SMS.
	Wordings []sms.Wording
	// Schedules are what the domain does by schedules of the function status, by the detail type of their events.
	Schedules map[string]func(ctx context.Context) error
	// Rekey moves what the domain keeps of a person under one key to another one of the same person. It may run again
	// after any failure, and after it has completed. It is nil if the domain keeps nothing by key.
	Rekey func(ctx context.Context, of contacts.Rekeyed) error
	// Suspends reports whether a number that has passed from one person to another had an authority in the domain. It
	// is nil if the domain gives none to numbers.
	Suspends func(ctx context.Context, of contacts.PassedOn) (bool, error)
	// Owned returns what a tenant has in the domain. It is nil if nothing stands in the way of a tenant's deletion.
	Owned func(ctx context.Context, tenant model.TenantID) ([]tenancy.Belonging, error)
	// Paid settles an order that a customer has paid through WhatsApp, if a message of the domain has asked for it: its
	// purpose says so. It may be called again. It is nil if the domain asks for no money.
	Paid func(ctx context.Context, order model.PaymentOrder) error
	// Refunded settles a refund that has reached the customer, of an order that Paid has settled. It may be called
	// again. It is nil if the domain has nothing to settle then.
	Refunded func(ctx context.Context, order model.PaymentOrder, refund model.Refund) error
	// Choices begin the ids of the domain's buttons and rows, and the payloads of its quick replies. Nobody else sends
	// such ones.
	Choices []string
	// Audiences are the customers to whom a campaign may go because of what the domain knows of them, by kinds that no
	// other domain has.
	Audiences map[string]campaigns.Audience
	// Forms answer the screens of forms, by names that begin with the domain's name and a dot.
	Forms map[string]forms.Form
	// Lookups tell a person what the domain keeps of them, by names that no other domain has.
	Lookups []lookup.Lookup
	// Beside are what the domain shows the shop's people of the person of a conversation, by names that no other domain
	// has.
	Beside []beside.Section
	// Marks are what the domain knows of customers that their rows in the inbox show, by names that no other domain
	// has.
	Marks []beside.Mark
	// Events are the kinds of events that the domain publishes to those outside who are told, by names that begin with
	// what they are about: order.created.
	Events []publishing.Kind
	// Heard has the domain note whether somebody outside is told events of a tenant, where it publishes them. It may
	// run again after any failure. It is nil if the domain publishes none, or knows by the number.
	Heard func(ctx context.Context, tenant model.TenantID, heard bool) error
	// Eraser erases the domain's data of a customer. It is nil if the domain keeps none.
	Eraser *erasure.Eraser
	// Exporter exports the domain's data of a customer. A domain with an eraser has one.
	Exporter *export.Exporter
}
