// Package khata owns the commerce contract's credit tables: the ledgers of customers who buy on credit, what they owe, and the reminders
// of it. It wires its rooms and is the only writer of these tables.
package khata

import (
	"time"

	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/reminders"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/ratelimit"
)

// Name is the domain's name in the purpose of its messages.
const Name = "khata"

// What the domain needs to know of stores.
type (
	Shop      = shop.Shop
	Shops     = shop.Shops
	Terms     = shop.Terms
	Reminders = shop.Reminders
	Frequency = khatamodel.Frequency
	Channel   = khatamodel.Channel
)

// Config is what the domain needs.
type Config struct {
	DB  *dynamo.Client
	Now func() time.Time
	// NewID makes ids that sort by time: UUIDv7.
	NewID func() string
	Shops Shops
	// Sender, Inbox and Numbers are what reminders are sent with.
	Sender  reminders.Sender
	Inbox   reminders.Inbox
	Numbers reminders.Numbers
}

// Domain is the rooms, wired.
type Domain struct {
	Config
	Ledger    *ledger.Ledger
	Reminders *reminders.Reminders
	Limiter   *ratelimit.Limiter
	// CallLimit is how often a caller may call the operations; the zero Limit for no limit.
	CallLimit ratelimit.Limit
}

// New wires the rooms.
func New(c Config) *Domain {
	return &Domain{
		Config: c, Ledger: &ledger.Ledger{DB: c.DB, Now: c.Now}, Limiter: &ratelimit.Limiter{DB: c.DB, Now: c.Now}, CallLimit: ratelimit.APICalls,
		Reminders: &reminders.Reminders{DB: c.DB, Now: c.Now, Domain: Name, Shops: c.Shops, Sender: c.Sender, Inbox: c.Inbox, Numbers: c.Numbers},
	}
}

// Domain returns what the domain does about messages and customers.
func (d *Domain) Domain() domain.Domain {
	return domain.Domain{
		Name: Name, Templates: reminders.Templates, Hook: d.Reminders.Hook(), Eraser: &erasure.Eraser{Counts: []string{countAccounts, countReminders}, Erase: d.erase},
	}
}
