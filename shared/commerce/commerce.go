// Package commerce owns the commerce contract's stores: what they sell, the orders that customers make, the assistant
// that takes orders in a chat, and the figures of the day. It wires its rooms and is the only writer of the contract's
// tables.
package commerce

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/commerce/addressform"
	"github.com/haatline/haatline/shared/commerce/analytics"
	"github.com/haatline/haatline/shared/commerce/assistant"
	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/codes"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/figures"
	"github.com/haatline/haatline/shared/commerce/following"
	"github.com/haatline/haatline/shared/commerce/invoices"
	"github.com/haatline/haatline/shared/commerce/invoicing"
	"github.com/haatline/haatline/shared/commerce/notices"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/owner"
	"github.com/haatline/haatline/shared/commerce/stock"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tenancy"
)

// Name is the domain's name in the purpose of its messages.
const Name = "commerce"

// Numbers knows which number leads to which store. tenancy.Numbers implements it.
type Numbers interface {
	stores.Numbers
	tenancy.StoreFinder
}

// Inbox marks conversations, and knows what was said in them. inbox.Inbox implements it.
type Inbox interface {
	assistant.Inbox
	owner.Inbox
	PersonDone(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error
}

// Contacts knows the people behind addresses. contacts.Contacts implements it.
type Contacts interface {
	notices.Contacts
	owner.Contacts
	Named(ctx context.Context, phones []model.PhoneNumberID, country, text string) (model.CustomerID, error)
	Shown(ctx context.Context, phone model.PhoneNumberID, customers ...model.CustomerID) (map[model.CustomerID]string,
		error)
}

// Config is what the domain needs.
type Config struct {
	DB  *dynamo.Client
	Now func() time.Time
	// NewID makes ids that sort by time: UUIDv7.
	NewID    func() string
	Sender   sending.Preparer
	Numbers  Numbers
	Inbox    Inbox
	Contacts Contacts
	// Credit is the credit book; nil if there is none: then nothing is written down, and a person answers who asks what
	// they owe.
	Credit Credit
	// Papers takes what customers ask for in the chat; nil if papers are not sent there.
	Papers assistant.Papers
	// Catalogs keeps the product catalogues at Meta; nil if stores keep none.
	Catalogs Catalogs
	// Addresses knows the default addresses of customers, and Forms sends forms that ask for one; nil for neither.
	Addresses addressform.Addresses
	Forms     assistant.Forms
	// Publisher tells those outside what becomes of orders; nil if nobody is told. Heard reports whether somebody is,
	// of a tenant.
	Publisher *publishing.Publisher
	Heard     func(ctx context.Context, tenant model.TenantID) (bool, error)
	// Queue queues questions to language models; nil if none is asked.
	Queue assistant.Queue
}

// Domain is the rooms, wired.
type Domain struct {
	Config
	Stores    *stores.Stores
	Catalogue *catalogue.Catalogue
	Codes     *codes.Codes
	Invoices  *invoices.Invoices
	Orders    *orders.Orders
	Figures   *figures.Figures
	Waiting   *following.Waiting
	Limiter   *ratelimit.Limiter
	// CallLimit is how often a caller may call the operations of stores; the zero Limit for no limit.
	CallLimit ratelimit.Limit
	Assistant *assistant.Assistant
	Owner     *owner.Owner
	// Models are the language models that stores may choose, by service and id: models.Models.Names.
	Models []string
}

// New wires the rooms.
func New(c Config) *Domain {
	d := &Domain{
		Config:    c,
		Stores:    &stores.Stores{DB: c.DB, Now: c.Now, Numbers: c.Numbers, Catalogs: c.Catalogs, Heard: c.Heard},
		Catalogue: &catalogue.Catalogue{DB: c.DB, Now: c.Now},
		Codes:     &codes.Codes{DB: c.DB, Now: c.Now},
		Invoices:  &invoices.Invoices{DB: c.DB, Now: c.Now},
		Orders:    &orders.Orders{DB: c.DB, Now: c.Now, Credit: c.Credit},
		Figures:   &figures.Figures{DB: c.DB, Now: c.Now},
		Waiting:   &following.Waiting{DB: c.DB, Now: c.Now},
		Limiter:   &ratelimit.Limiter{DB: c.DB, Now: c.Now},
		CallLimit: ratelimit.APICalls,
	}
	d.Catalogue.Follows, d.Stores.Follows = d.follows, d.follows
	d.Assistant = &assistant.Assistant{
		DB: c.DB, Now: c.Now, Domain: Name, Sender: c.Sender, Numbers: c.Numbers, Inbox: c.Inbox, Limiter: d.Limiter,
		Orders: d.Orders, Reader: assistant.FromCatalogue(d.Catalogue), Credit: c.Credit,
		Papers: c.Papers, Queue: c.Queue, Addresses: c.Addresses, Forms: c.Forms,
	}
	d.Owner = &owner.Owner{
		DB: c.DB, Now: c.Now, Domain: Name, Sender: c.Sender, Numbers: c.Numbers,
		Inbox: c.Inbox, Contacts: c.Contacts, Orders: d.Orders, Catalogue: d.Catalogue, Figures: d.Figures,
	}
	if c.Credit != nil {
		d.Owner.Book = c.Credit
	}
	return d
}

// PaperMakers returns what makes the papers that customers ask for, by their kind. layout lays out an invoice as a
// file.
func (d *Domain) PaperMakers(layout invoicing.Layout) map[string]papers.Maker {
	m := &invoicing.Maker{Stores: d.Stores, Orders: d.Orders, Invoices: d.Invoices, Layout: layout}
	return map[string]papers.Maker{assistant.InvoicePaper: m.Paper}
}

// Following returns what does what follows from orders. It copies them to a database of analytics, unless that is nil.
func (d *Domain) Following(logger *slog.Logger, to analytics.Sink) *following.Consumer {
	var copier *analytics.Copier
	if to != nil {
		copier = &analytics.Copier{DB: d.DB, Now: d.Now, Log: logger, Sink: to}
	}
	told := &notices.Notices{DB: d.DB, Now: d.Now, Sender: d.Sender, Numbers: d.Numbers, Contacts: d.Contacts}
	return following.New(following.Consumer{
		DB: d.DB, Now: d.Now, Log: logger, Figures: d.Figures,
		Stock: &stock.Stock{DB: d.DB, TellLow: told.Low, Follows: d.follows},
		Codes: d.Codes, Notices: told, Analytics: copier, Credit: d.Credit,
		Publisher: d.Publisher,
	})
}

// Subscriptions returns what reacts to messages.
func (d *Domain) Subscriptions() []inbound.Subscription {
	return []inbound.Subscription{d.Owner.Subscription(), d.Assistant.Subscription()}
}

// Part returns what the domain does about messages and customers.
func (d *Domain) Part() domain.Part {
	part := d.Working()
	part.Owned = d.owned
	part.Audiences = map[string]campaigns.Audience{audienceBought: d.bought}
	part.Beside, part.Marks = []beside.Section{d.section()}, []beside.Mark{d.mark()}
	part.Exporter, part.Eraser = d.exporter(), &erasure.Eraser{
		Domain: Name, Counts: []string{countOrders, countSessions}, Keeps: kept, Open: d.open, Erase: d.erase}
	return part
}

// Working returns what the domain does about messages and customers, without what erases and exports: the functions
// that every message keeps busy do neither, and link nothing of it.
func (d *Domain) Working() domain.Part {
	return domain.Part{
		Name: Name, Templates: notices.Templates,
		Handlers: map[string]outbox.Handler{EventShelf: d.shelfHandler()},
		Rekey:    d.rekey, Suspends: d.suspends,
		Choices: []string{assistant.TapPrefix, owner.TapPrefix},
		Forms:   map[string]forms.Form{addressform.Name: addressform.New(d.Addresses, d.Stores)},
		Lookups: []lookup.Lookup{{Name: "order_state", Of: d.orderState}}, Paid: d.paid,
		Events: following.Events, Heard: d.Stores.MarkSubscribed,
	}
}

// Customer returns the key of the customer of a store whom a text names: by a number in any of its forms, by a user id
// of Meta's, or by the key of a conversation. It is the person who has the number now. It returns contacts.ErrNobody.
func (d *Domain) Customer(ctx context.Context, store commercemodel.Store, text string) (model.CustomerID, error) {
	return d.Contacts.Named(ctx, store.PhoneNumberIDs, stores.Country(store), text)
}

// Shown returns what names the customers of orders to others: the number in E.164 or the user id that leads to them
// now. An order of somebody who has moved to another number may be kept under one that is somebody else's by now.
func (d *Domain) Shown(ctx context.Context, all ...commercemodel.Order) (func(commercemodel.Order) string, error) {
	customers := map[model.PhoneNumberID][]model.CustomerID{}
	for _, order := range all {
		if order.PhoneNumberID != "" && order.Customer != "" &&
			!slices.Contains(customers[order.PhoneNumberID], order.Customer) {
			customers[order.PhoneNumberID] = append(customers[order.PhoneNumberID], order.Customer)
		}
	}
	shown := map[model.PhoneNumberID]map[model.CustomerID]string{}
	for phone, of := range customers {
		var err error
		if shown[phone], err = d.Contacts.Shown(ctx, phone, of...); err != nil {
			return nil, err
		}
	}
	return func(order commercemodel.Order) string {
		return cmp.Or(shown[order.PhoneNumberID][order.Customer], string(order.CustomerPhone))
	}, nil
}

// SessionID returns the id of a customer's session with a store.
func (d *Domain) SessionID(store model.Name, customer model.CustomerID) model.Name {
	return assistant.SessionID(store, customer)
}

// HandBack has the assistant answer a customer again. The mark on the conversation goes first: repeating the request
// does the rest.
func (d *Domain) HandBack(ctx context.Context, store commercemodel.Store,
	customer model.CustomerID) (commercemodel.Session, error) {
	s, err := d.Assistant.Session(ctx, store.ID, customer)
	if err != nil {
		return s, err
	}
	if err := d.Inbox.PersonDone(ctx, s.PhoneNumberID, s.Customer); err != nil &&
		!errors.Is(err, inbox.ErrNoConversation) {
		return s, err
	}
	return d.Assistant.HandBack(ctx, store, customer)
}
