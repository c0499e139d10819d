// Package khata owns the commerce contract's credit tables: the ledgers of customers who buy on credit, what they owe,
// and the reminders of it. It wires its rooms and is the only writer of these tables.
package khata

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/khata/chat"
	"github.com/haatline/haatline/shared/khata/claims"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/mailing"
	"github.com/haatline/haatline/shared/khata/reconcile"
	"github.com/haatline/haatline/shared/khata/reminders"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/khata/telling"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tenancy"
)

// Name is the domain's name in the purpose of its messages.
const Name = "khata"

// The types by which the domain knows stores.
type (
	Shop      = shop.Shop
	Shops     = shop.Shops
	Terms     = shop.Terms
	Reminders = shop.Reminders
	Frequency = khatamodel.Frequency
	Channel   = khatamodel.Channel
)

// NumbersOf returns the numbers of a tenant.
func (d *Domain) NumbersOf(ctx context.Context, tenant model.TenantID) ([]model.PhoneNumberID, error) {
	phones, err := d.Numbers.Phones(ctx, tenant)
	all := make([]model.PhoneNumberID, len(phones))
	for i, p := range phones {
		all[i] = p.PhoneNumberID
	}
	return all, err
}

// Numbers knows which number leads to which store, and which tenant has which numbers.
type Numbers interface {
	tenancy.StoreFinder
	Phones(ctx context.Context, tenant model.TenantID) ([]model.Phone, error)
}

// Contacts knows the people behind addresses.
type Contacts interface {
	reminders.Contacts
	chat.Contacts
	Named(ctx context.Context, phones []model.PhoneNumberID, country, text string) (model.CustomerID, error)
}

// CreditOrder is an order on credit, as the checks of the books need it.
type CreditOrder = reconcile.CreditOrder

// Config is what the domain needs.
type Config struct {
	DB  *dynamo.Client
	Now func() time.Time
	// NewID makes ids that sort by time: UUIDv7.
	NewID func() string
	Shops Shops
	// Publisher tells those outside of entries; nil if nobody is told.
	Publisher *publishing.Publisher
	Sender    reminders.Sender  // prepares WhatsApp messages: sending.Sender
	Texting   reminders.Texting // prepares messages by SMS: texting.Texting
	Numbers   Numbers           // tenancy.Numbers implements it
	Inbox     chat.Inbox        // inbox.Inbox implements it
	Contacts  Contacts          // contacts.Contacts implements it
	// Orders finds the orders on credit, which have to be in the ledgers.
	Orders reconcile.Orders
	// IndexLag is how long an index may be behind its table.
	IndexLag time.Duration
	// Files makes files part of messages.
	Files papers.Files
}

// Domain is the rooms, wired.
type Domain struct {
	Config
	Ledger    *ledger.Ledger
	Claims    *claims.Claims
	Chat      *chat.Chat
	Books     *reconcile.Books
	Reminders *reminders.Reminders
	Limiter   *ratelimit.Limiter
	// CallLimit is how often a caller may call the operations; the zero Limit for no limit.
	CallLimit ratelimit.Limit
}

// New wires the rooms.
func New(c Config) *Domain {
	d := &Domain{
		Config: c, Ledger: &ledger.Ledger{DB: c.DB, Now: c.Now, Publisher: c.Publisher},
		Limiter:   &ratelimit.Limiter{DB: c.DB, Now: c.Now},
		CallLimit: ratelimit.APICalls}
	d.Ledger.Teller = &telling.Teller{DB: c.DB, Domain: Name, Sender: c.Sender, Numbers: c.Numbers}
	d.Claims = &claims.Claims{DB: c.DB}
	d.Chat = &chat.Chat{
		DB: c.DB, Now: c.Now, Domain: Name, Sender: c.Sender, Numbers: c.Numbers, Shops: c.Shops,
		Ledger: d.Ledger, Claims: d.Claims, Limiter: d.Limiter, Inbox: c.Inbox, Contacts: c.Contacts,
	}
	d.Books = &reconcile.Books{
		DB: c.DB, Now: c.Now, Ledger: d.Ledger, Shops: c.Shops, Orders: c.Orders, Lag: c.IndexLag}
	d.Reminders = &reminders.Reminders{
		DB: c.DB, Now: c.Now, Domain: Name, Shops: c.Shops, Sender: c.Sender, Texting: c.Texting,
		Contacts: c.Contacts, Numbers: c.Numbers,
	}
	d.Books.Remind = d.Reminders.Mend
	return d
}

// Adjustment is a change of what a customer owes that somebody of a shop asks for in the chat.
type Adjustment = chat.Adjustment

// Draft is an entry to make.
type Draft = ledger.Draft

// Adjust adds an adjustment that somebody of a shop has asked for in the chat, once for a key. The writes that with
// returns for the balance that it makes commit with it.
func (d *Domain) Adjust(ctx context.Context, s Shop, draft Draft, key string,
	with func(balance model.Amount) ([]dynamo.Write, error)) error {
	request, err := ledger.Request(s, idempotency.Command, key, nil)
	if err != nil {
		return err
	}
	draft.Type, draft.Source = khatamodel.Adjustment, "chat"
	draft.With = func(_ context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error) {
		return with(entry.BalanceAfter)
	}
	_, err = d.Ledger.Add(ctx, s, draft, request)
	return err
}

// CheckBooks checks the books, page by page, for as long as the invocation has time. See reconcile.Books.Nightly.
func (d *Domain) CheckBooks(ctx context.Context, logger *slog.Logger) error {
	return d.Books.Nightly(ctx, logger, reconcile.HasTime(ctx))
}

// Mailing returns what sends statements, with their files in a bucket.
func (d *Domain) Mailing(bucket papers.Bucket) *mailing.Mailing {
	return &mailing.Mailing{
		Post:  papers.Post{DB: d.DB, Now: d.Now, Sender: d.Sender, Files: d.Files, Bucket: bucket},
		NewID: d.NewID, Numbers: d.Numbers}
}

// ShowCodes has the reminders that this process sends show links to pay as QR codes. draw draws one as a PNG picture;
// bucket keeps it.
func (d *Domain) ShowCodes(draw func(link string) ([]byte, error), bucket papers.Bucket) {
	d.Reminders.Codes = &reminders.Codes{
		Post: papers.Post{DB: d.DB, Now: d.Now, Sender: d.Sender, Files: d.Files, Bucket: bucket}, Draw: draw}
}

// StatementPaper is the kind of the paper that a customer gets who asks for a statement.
const StatementPaper = mailing.Paper

// PaperMakers returns what makes the papers that customers ask for, by their kind. layout lays out a statement as a
// file.
func (d *Domain) PaperMakers(layout mailing.Layout) map[string]papers.Maker {
	m := &mailing.Maker{
		Now: d.Now, Shops: d.Shops, Statements: statement.Statements{Ledger: d.Ledger}, Shown: d.Shown, Layout: layout}
	return map[string]papers.Maker{StatementPaper: m.Paper}
}

// Subscriptions returns what reacts to messages.
func (d *Domain) Subscriptions() []inbound.Subscription {
	return []inbound.Subscription{d.Chat.Subscription()}
}

// Part returns what the domain does about messages and customers.
func (d *Domain) Part() domain.Part {
	part := d.Working()
	part.Audiences = map[string]campaigns.Audience{audienceOwes: d.owes}
	part.Beside, part.Marks = []beside.Section{d.section()}, []beside.Mark{d.mark()}
	part.Exporter, part.Eraser = d.exporter(), &erasure.Eraser{
		Domain: Name, Counts: []string{countAccounts, countClaims, countReminders}, Keeps: kept, Erase: d.erase}
	return part
}

// Working returns what the domain does about messages and customers, without what erases and exports: the functions
// that every message keeps busy do neither, and link nothing of it.
func (d *Domain) Working() domain.Part {
	return domain.Part{
		Name: Name, Templates: slices.Concat(chat.Templates, mailing.Templates, reminders.Templates, telling.Templates),
		Wordings: reminders.Wordings,
		Choices:  []string{chat.AnswerPrefix}, Hook: d.Reminders.Hook(), Rekey: d.rekey, Paid: d.paid,
		Refunded: d.refunded,
		Lookups:  []lookup.Lookup{{Name: "khata_balance", Of: d.balanceOf}}, Events: ledger.Events,
	}
}
