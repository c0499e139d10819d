// Package messaging owns the WhatsApp contract as one domain of several rooms: the webhook log, the tenants' numbers,
// the contacts, the inbox, sending, delivery states, and the erasure of customers. It is the only writer of the
// messages table, and reaches the outside only through the outbox.
package messaging

import (
	"maps"
	"time"

	"github.com/google/uuid"

	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/messaging/accounts"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/messaging/answers"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/assigning"
	"github.com/haatline/haatline/shared/messaging/calls"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/messaging/gateways"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/messaging/hints"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/messaging/pushes"
	"github.com/haatline/haatline/shared/messaging/search"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/messaging/templates/library"
	"github.com/haatline/haatline/shared/messaging/templates/writing"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/messaging/webhooks"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Name is the name of the domain.
const Name = "messaging"

// Config is what the rooms need.
type Config struct {
	DB  *dynamo.Client
	Now func() time.Time
	// NewID makes the ids of messages accepted here, until WhatsApp names them, and of whatever a domain creates. They
	// sort by time. nil makes UUIDv7.
	NewID func() string
	// NewToken makes the secret part of callback data; nil takes it from crypto/rand.
	NewToken func() string
	// DefaultTenant gets every number that nobody has when its first message comes in; "" if there is none.
	DefaultTenant model.TenantID
	// IndexLag is how long an index may be behind the table: what depends on an index waits for it. 0 for not at all.
	IndexLag time.Duration
	// Live tells open programs what has changed; nil for nobody.
	Live *live.Publisher
}

// Domain is the rooms, wired.
type Domain struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string

	*webhooklog.Log
	*tenancy.Numbers
	*contacts.Contacts
	*inbox.Inbox
	*sending.Sender
	*delivery.Statuses
	*erasure.Orchestrator
	// Tenants keeps the businesses that use haatline.
	Tenants *tenancy.Tenants
	// Analytics counts what accounts have sent and got.
	Analytics *analytics.Analytics
	// Webhooks keeps by which secrets the webhooks of single accounts are verified.
	Webhooks *webhooks.Configs
	// Gateways keeps the payment configurations of tenants.
	Gateways *gateways.Configs
	// NumberSettings keeps what Meta lets a business set of its numbers.
	NumberSettings *numbers.Settings
	// Catalogues keeps the product catalogues of accounts.
	Catalogues *catalogues.Catalogues
	// Flows keeps the flows of accounts.
	Flows *flows.Flows
	// Files keeps the files of messages.
	Files *media.Files
	// Accounts keeps what Meta says of accounts and their numbers.
	Accounts *accounts.Accounts
	// Campaigns sends templates to many customers.
	Campaigns *campaigns.Campaigns
	// Calls keeps the calls with customers.
	Calls *calls.Calls
	// Answers keeps what customers fill in.
	Answers *answers.Answers
	// Teamwork keeps notes and quick replies.
	Teamwork *teamwork.Teamwork
	// Assigning has conversations that nobody takes care of get a colleague.
	Assigning *assigning.Assigning
	// Publisher publishes what happens to those outside who are told.
	Publisher *publishing.Publisher
	// EventSubscriptions keeps to whom outside events are told, and tells them.
	EventSubscriptions *subscriptions.Subscriptions
	// Pushes keeps the browsers of colleagues, and notifies them.
	Pushes *pushes.Pushes
	// Search finds conversations, notes and messages by words and numbers. A function that takes messages in has none.
	Search *search.Search
	// Forms keeps which forms customers were sent whose screens a domain answers.
	Forms *forms.Forms
	// Groups keeps the groups of numbers.
	Groups *groups.Groups
	// Payments keeps the orders that customers pay through WhatsApp.
	Payments *payments.Payments
	// TemplateCache holds Meta's templates of all accounts.
	TemplateCache *templates.Cache
	// Writing asks Meta for changes of templates.
	Writing *writing.Templates
	// Library looks for templates in Meta's library.
	Library *library.Library
	// Exports reads what is kept of a person.
	Exports *export.Reader
	// Texting sends messages by SMS.
	Texting *texting.Texting
	// Mailing takes messages to be sent by email.
	Mailing *mailing.Mailing
	// Suppressed is to whom nothing is sent by email or SMS.
	Suppressed *suppression.List
	// Arrivals keeps what people send by email and SMS.
	Arrivals *arrivals.Arrivals
	// Papers takes what customers ask for in a chat, such as a statement.
	Papers *papers.Desk
	// Live tells open programs what has changed. A function that does so opens it.
	Live *live.Publisher
	// Hints tells open pages in which conversations something has changed.
	Hints *hints.Hints

	config    Config
	joined    []domain.Part
	reactions []inbound.Subscription
}

// New wires the rooms.
func New(c Config) *Domain {
	d := Receiving(c)
	d.Search = &search.Search{DB: c.DB, Now: c.Now, Accounts: d.Log.Accounts, Phones: d.PhonesOfAccount}
	d.Sender.Forget = d.Search.Forget
	d.EventSubscriptions = &subscriptions.Subscriptions{
		DB: c.DB, Now: c.Now, Outbox: d.Sender.Outbox(), Tenants: d.Tenants, Note: d.heard, Reveal: d.reveal}
	d.Pushes = &pushes.Pushes{
		DB: c.DB, Now: c.Now, Outbox: d.Sender.Outbox(), Noting: d.EventSubscriptions.Noting,
		Owner: d.Numbers.TenantOf, Conversation: d.conversationOf}
	d.EventSubscriptions.Browsers = d.Pushes
	d.Sender.Unsent, d.Mailing.Returned = d.unsentWrites, d.tellReturned
	d.Sender.GoesOn, d.Statuses.Paid = d.Campaigns.GoesOn, d.Payments.Paid
	maps.Copy(d.Sender.Others, d.Campaigns.DueHandlers())
	d.Sender.Others[contacts.EventRekey] = d.RekeyHandler(contacts.Followers{Rekey: d.rekey, Passed: d.passed})
	d.Erasers, d.Exports.Exporters = []erasure.Eraser{d.eraser()}, []export.Exporter{d.exporter()}
	return d
}

// Receiving wires the rooms for a function that takes messages in. It has nothing that settles what was sent, erases or
// exports, so that such a function links nothing of that.
func Receiving(c Config) *Domain {
	if c.NewID == nil {
		c.NewID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if c.Live == nil {
		c.Live = &live.Publisher{}
	}
	d := &Domain{DB: c.DB, Now: c.Now, NewID: c.NewID, Live: c.Live, config: c}
	d.Log = &webhooklog.Log{DB: c.DB, Now: c.Now}
	events := &outbox.Outbox{DB: c.DB, Now: c.Now, NewToken: c.NewToken}
	d.Numbers = &tenancy.Numbers{DB: c.DB, Now: c.Now, NewID: c.NewID, DefaultTenant: c.DefaultTenant, Log: d.Log}
	d.Tenants = &tenancy.Tenants{
		DB: c.DB, Now: c.Now, Outbox: events, Group: sending.SenderGroup, Owned: d.owned}
	d.Numbers.Tenants = d.Tenants
	d.Hints = &hints.Hints{Live: d.Live, Number: d.Numbers.Number, Now: c.Now}
	d.Publisher = &publishing.Publisher{DB: c.DB, Now: c.Now}
	d.Analytics = &analytics.Analytics{DB: c.DB, Now: c.Now, Outbox: events, Numbers: d.Numbers}
	d.Webhooks = &webhooks.Configs{DB: c.DB, Now: c.Now, Outbox: events, Numbers: d.Numbers}
	d.Gateways = &gateways.Configs{DB: c.DB, Now: c.Now, Outbox: events, Numbers: d.Numbers, Tenants: d.Tenants}
	d.Catalogues = &catalogues.Catalogues{DB: c.DB, Now: c.Now, Outbox: events, Numbers: d.Numbers}
	d.Flows = &flows.Flows{DB: c.DB, Now: c.Now, Outbox: events, Numbers: d.Numbers, Log: d.Log}
	d.Files = &media.Files{DB: c.DB, Now: c.Now, Outbox: events, Numbers: d.Numbers}
	d.Contacts = &contacts.Contacts{DB: c.DB, Now: c.Now, Numbers: d.Numbers, Events: events}
	d.Inbox = &inbox.Inbox{
		DB: c.DB, Now: c.Now, IndexLag: c.IndexLag, Log: d.Log, Numbers: d.Numbers, Files: d.Files,
		Contacts: d.Contacts, Publisher: d.Publisher,
	}
	d.TemplateCache = &templates.Cache{DB: c.DB, Now: c.Now, Log: d.Log, Numbers: d.Numbers, Outbox: events}
	d.Writing = &writing.Templates{DB: c.DB, Now: c.Now, Outbox: events, Cache: d.TemplateCache}
	d.Library = &library.Library{DB: c.DB, Now: c.Now, Outbox: events, Numbers: d.Numbers}
	d.Sender = &sending.Sender{
		DB: c.DB, Now: c.Now, NewID: c.NewID, NewToken: c.NewToken,
		Contacts: d.Contacts, Inbox: d.Inbox, Numbers: d.Numbers, Templates: d.TemplateCache,
		Others: map[string]outbox.Handler{},
	}
	d.Campaigns = &campaigns.Campaigns{
		DB: c.DB, Now: c.Now, Outbox: events, Numbers: d.Numbers, Sender: d.Sender, Sleep: dynamo.Sleep}
	d.Texting = &texting.Texting{Sender: d.Sender, Contacts: d.Contacts}
	d.Suppressed = &suppression.List{DB: c.DB, Now: c.Now}
	d.Mailing = &mailing.Mailing{Sender: d.Sender, List: d.Suppressed}
	d.Arrivals = &arrivals.Arrivals{DB: c.DB, Now: c.Now, Log: d.Log, Outbox: events, List: d.Suppressed}
	d.Arrivals.Decided = d.tellDecided
	d.Papers = &papers.Desk{DB: c.DB, Outbox: events}
	d.Calls = &calls.Calls{
		DB: c.DB, Now: c.Now, Log: d.Log, Contacts: d.Contacts, Inbox: d.Inbox, Outbox: events, Numbers: d.Numbers,
		Sender: d.Sender}
	d.Answers = &answers.Answers{DB: c.DB, Now: c.Now}
	d.Teamwork = &teamwork.Teamwork{DB: c.DB, Now: c.Now}
	d.Assigning = &assigning.Assigning{DB: c.DB, Inbox: d.Inbox, Numbers: d.Numbers, Outbox: events}
	d.Forms = &forms.Forms{DB: c.DB, Now: c.Now, NewToken: c.NewToken}
	d.Groups = &groups.Groups{DB: c.DB, Now: c.Now, Log: d.Log, Outbox: events, Numbers: d.Numbers}
	d.Accounts = &accounts.Accounts{DB: c.DB, Now: c.Now, Log: d.Log, Numbers: d.Numbers, Outbox: events}
	d.NumberSettings = &numbers.Settings{
		DB: c.DB, Now: c.Now, Outbox: events, Number: d.Numbers.Number,
		Conversation: d.Inbox.Conversation, Checked: d.Accounts.Checked}
	d.Payments = &payments.Payments{
		DB: c.DB, Now: c.Now, Numbers: d.Numbers, Outbox: events, Log: d.Log, NeedsPerson: d.NeedsPerson,
		Publisher: d.Publisher}
	d.Statuses = &delivery.Statuses{
		DB: c.DB, Now: c.Now, Log: d.Log, Inbox: d.Inbox, Sender: d.Sender}
	d.Orchestrator = &erasure.Orchestrator{
		DB: c.DB, Now: c.Now, NewID: c.NewID, Contacts: d.Contacts, Inbox: d.Inbox}
	d.Exports = &export.Reader{Contacts: d.Contacts}
	return d
}

// With returns the rooms wired anew, with another configuration. Nothing reacts to messages in them.
func (d *Domain) With(change func(c *Config)) *Domain {
	c := d.config
	change(&c)
	next := New(c)
	for _, joined := range d.joined {
		next.Join(joined)
	}
	return next
}

// Readers returns what reads webhook entries that are no messages. reactions react to statuses, before the domains.
func (d *Domain) Readers(reactions ...delivery.OnDelivery) []webhooklog.Reader {
	all := append(d.Accounts.Readers(), d.TemplateCache.Reader(), d.UserIDReader(), d.PreferenceReader(),
		d.NameReader(), d.Calls.Reader(), d.Groups.Reader(), d.Flows.Reader(), d.Payments.Reader(),
		d.StatusReader(append(reactions, delivery.TellDomains(d.Hooks), d.MarkMarketingStopped(), d.TellOutside())...))
	for _, joined := range d.joined {
		all = append(all, joined.Readers...)
	}
	return all
}
