// Package conversations owns the multi-channel contract: companies, their projects, and their conversations with
// people. It wires its rooms and is the only writer of the conversations table.
package conversations

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/expiring"
	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/conversations/replies"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/sms"
)

// Name is the domain's name in the purpose of its messages.
const Name = "conversations"

// Numbers knows the WhatsApp numbers of tenants and companies: tenancy.Numbers.
type Numbers interface {
	companies.Numbers
	replies.Numbers
}

// Contacts knows the people behind addresses: contacts.Contacts.
type Contacts interface {
	opening.Contacts
	replies.Contacts
}

// Config is what the domain needs.
type Config struct {
	DB  *dynamo.Client
	Now func() time.Time
	// NewID makes ids that sort by time: UUIDv7.
	NewID    func() string
	Sender   sending.Preparer // prepares WhatsApp messages: sending.Sender
	Texting  opening.Texting  // prepares messages by SMS: texting.Texting
	Mailing  opening.Mailing  // prepares emails: mailing.Mailing
	Numbers  Numbers
	Inbox    replies.Inbox // inbox.Inbox implements it
	Contacts Contacts
	Outbox   *outbox.Outbox
}

// Domain is the rooms, wired.
type Domain struct {
	Config
	Companies *companies.Companies
	Talks     *talks.Talks
	Opening   *opening.Opening
	Replies   *replies.Replies
	Turns     *turns.Desk
	Limiter   *ratelimit.Limiter
	// CallLimit is how often a caller may call the operations; the zero Limit for no limit.
	CallLimit ratelimit.Limit
	// FunctionHosts are where the functions of projects may be.
	FunctionHosts []string
	// Models are the language models that projects may choose, by service and id: models.Models.Names.
	Models []string
}

// New wires the rooms.
func New(c Config) *Domain {
	d := &Domain{
		Config: c, Companies: &companies.Companies{DB: c.DB, Now: c.Now, Numbers: c.Numbers},
		Talks:   &talks.Talks{DB: c.DB, Now: c.Now, Plan: c.Outbox.Plan},
		Limiter: &ratelimit.Limiter{DB: c.DB, Now: c.Now}, CallLimit: ratelimit.APICalls,
	}
	d.Turns = &turns.Desk{Outbox: c.Outbox}
	d.Opening = &opening.Opening{
		DB: c.DB, Now: c.Now, Domain: Name, Talks: d.Talks, Sender: c.Sender, Texting: c.Texting, Mailing: c.Mailing,
		Contacts: c.Contacts}
	d.Replies = &replies.Replies{
		DB: c.DB, Now: c.Now, Domain: Name, Talks: d.Talks, Companies: d.Companies, Sender: c.Sender,
		Texting: c.Texting, Mailing: c.Mailing,
		Contacts: c.Contacts, Inbox: c.Inbox, Numbers: c.Numbers, Turns: d.Turns,
	}
	return d
}

// Subscriptions returns what reacts to messages.
func (d *Domain) Subscriptions() []inbound.Subscription {
	return []inbound.Subscription{d.Replies.Subscription()}
}

// SlowHandlers returns the handlers of the domain's events in the slow lane, without those of rooms that weigh much.
func (d *Domain) SlowHandlers() map[string]outbox.Handler { return expiring.Handlers(d.Talks) }

// Part returns what the domain does about messages and customers.
func (d *Domain) Part() domain.Part {
	part := d.Working()
	part.Owned = d.owned
	part.Beside = []beside.Section{d.section()}
	part.Exporter, part.Eraser = d.exporter(), &erasure.Eraser{
		Domain: Name, Counts: []string{countConversations}, Keeps: kept,
		Erase: func(ctx context.Context, of erasure.Subject,
			count func(string, int) []dynamo.Write) (func(model.CustomerID) []dynamo.Write, error) {
			return nil, d.erase(ctx, of, func(n int) []dynamo.Write { return count(countConversations, n) })
		},
	}
	return part
}

// Working returns what the domain does about messages and customers, without what erases and exports: the functions
// that every message keeps busy do neither, and link nothing of it.
func (d *Domain) Working() domain.Part {
	return domain.Part{
		Name: Name, Hook: d.Opening.Hook(),
		Choices:  []string{replies.PickPrefix},
		Wordings: []sms.Wording{opening.Wording}, Rekey: d.Opening.Rekey,
	}
}
