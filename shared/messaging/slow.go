package messaging

import (
	"maps"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/assigning"
	"github.com/haatline/haatline/shared/messaging/calls"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/messaging/gateways"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/messaging/pushes"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/messaging/templates/library"
	"github.com/haatline/haatline/shared/messaging/templates/writing"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/messaging/webhooks"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tenancy"
)

// Bucket keeps what the slow lane stores and deletes: objects.Bucket.
type Bucket interface {
	papers.Bucket
	arrivals.Bucket
	writing.Bucket
	flows.Files
}

// SlowClients are what the slow lane sends through.
type SlowClients struct {
	Templates templates.Lister        // lists an account's templates at Meta
	Texts     texting.Client          // sends by SMS
	Bucket    Bucket                  // keeps papers and files
	Papers    map[string]papers.Maker // make papers, by their kind
	Payments  payments.Meta           // looks up what was paid
	Gateways  gateways.Meta           // has the payment configurations at Meta
	Webhooks  webhooks.Meta           // says to whom Meta posts webhooks
	Writing   writing.Meta            // changes templates at Meta
	Library   library.Meta            // lists the library of templates
	Numbers   numbers.Meta            // changes the settings of numbers at Meta
	Analytics analytics.Meta          // has counts of its own
	Catalogs  catalogues.Meta         // has the product catalogues
	Shelf     catalogues.Shelf        // knows what stores sell
	Groups    groups.Meta             // has the groups of numbers
	Flows     flows.Meta              // has the flows
	Secrets   webhooks.Resolve        // reads secrets by their references
	Endpoints *subscriptions.Poster   // posts events to those who are told
	Bus       subscriptions.Bus       // the deployment's event bus; nil for none
	Browsers  pushes.Poster           // notifies colleagues in their browsers
}

// SlowHandlers returns the handlers of the outbox events of the slow lane, but for those of files.
func (d *Domain) SlowHandlers(clients SlowClients) map[string]outbox.Handler {
	all := d.SyncHandlers(clients.Templates)
	maps.Copy(all, d.Tenants.Holding(d.Texting.Handlers(clients.Texts)))
	all[tenancy.EventHold] = d.Tenants.Handler()
	all[assigning.EventAssign] = d.Assigning.Handler()
	maps.Copy(all, d.Analytics.Handlers())
	all[analytics.EventAsk] = d.Analytics.AskHandler(clients.Analytics, d.TemplateCache, sending.AsFailure)
	maps.Copy(all, d.Campaigns.Handlers())
	maps.Copy(all, d.Payments.Handlers(clients.Payments,
		payments.Domains{Paid: d.settle, Refunded: d.refunded}, sending.AsFailure))
	all[writing.EventChange] = d.Writing.Handler(clients.Writing, clients.Bucket, sending.AsFailure)
	all[library.EventAsk] = d.Library.Handler(clients.Library, sending.AsFailure)
	all[gateways.EventAsk] = d.Gateways.Handler(clients.Gateways, sending.AsFailure)
	all[numbers.EventAsk] = d.NumberSettings.Handler(clients.Numbers, clients.Bucket, sending.AsFailure)
	all[groups.EventAsk] = d.Groups.Handler(clients.Groups, clients.Bucket, sending.AsFailure)
	all[calls.EventAsk] = d.Calls.Handler(clients.Numbers, sending.AsFailure)
	all[catalogues.EventAsk] = d.Catalogues.Handler(clients.Catalogs, sending.AsFailure)
	all[catalogues.EventEdit] = d.Catalogues.EditHandler(clients.Catalogs, dynamo.Sleep, sending.AsFailure)
	all[catalogues.EventPush] = d.Catalogues.PushHandler(clients.Catalogs, clients.Shelf, dynamo.Sleep,
		sending.AsFailure)
	all[flows.EventAsk] = d.Flows.Handler(clients.Flows, clients.Bucket, sending.AsFailure)
	all[webhooks.EventAsk] = d.Webhooks.Handler(clients.Webhooks, clients.Secrets, sending.AsFailure)
	maps.Copy(all, d.EventSubscriptions.Handlers(clients.Endpoints, clients.Bus))
	maps.Copy(all, d.Tenants.Holding(d.Pushes.Handlers(clients.Browsers)))
	post := &papers.Post{
		DB: d.DB, Now: d.Now, Sender: d.Sender, Files: d.Files, Bucket: clients.Bucket, Contacts: d.Contacts}
	maps.Copy(all, post.Handlers(clients.Papers))
	maps.Copy(all, arrivals.Handlers(clients.Bucket))
	return all
}
