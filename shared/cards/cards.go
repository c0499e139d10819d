// Package cards owns the cards contract: users with their scores, requests for cards and who decides them, cards with
// their transactions, and the WhatsApp notifications about requests. It wires its rooms and is the only writer of the
// contract's tables, except for the outbox and the audit log, which serve every domain.
package cards

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/cards/answers"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/issued"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Name is the domain's name in the purpose of its messages.
const Name = "cards"

// Contacts knows the people behind numbers. contacts.Contacts implements it.
type Contacts interface {
	users.Contacts
	notifications.Contacts
}

// Config is what the domain needs.
type Config struct {
	DB  *dynamo.Client
	Now func() time.Time
	// NewID makes ids that sort by time: UUIDv7.
	NewID    func() string
	Sender   sending.Preparer
	Numbers  programs.Numbers    // tenancy.Numbers
	Inbox    notifications.Inbox // inbox.Inbox
	Contacts Contacts            // contacts.Contacts
	// Publisher tells those outside of decisions; nil if nobody is told. Heard reports whether somebody is, of a
	// tenant.
	Publisher *publishing.Publisher
	Heard     func(ctx context.Context, tenant model.TenantID) (bool, error)
}

// Domain is the rooms, wired.
type Domain struct {
	Config
	Programs      *programs.Programs
	Users         *users.Users
	Issued        *issued.Cards
	Notifications *notifications.Notifications
	Requests      *requests.Requests
	Answers       *answers.Answers
}

// New wires the rooms.
func New(c Config) *Domain {
	log := &audit.Log{DB: c.DB, Now: c.Now, NewID: c.NewID}
	d := &Domain{
		Config: c,
		Programs: &programs.Programs{
			DB: c.DB, Now: c.Now, Audit: log, Numbers: c.Numbers, Contacts: c.Contacts, Heard: c.Heard},
		Issued: &issued.Cards{DB: c.DB, Now: c.Now, NewID: c.NewID, Audit: log},
	}
	d.Users = &users.Users{DB: c.DB, Now: c.Now, NewID: c.NewID, Audit: log, Programs: d.Programs, Contacts: c.Contacts}
	d.Notifications = &notifications.Notifications{
		DB: c.DB, Now: c.Now, Domain: Name, Audit: log, Programs: d.Programs, Sender: c.Sender, Numbers: c.Numbers,
		Inbox: c.Inbox, Contacts: c.Contacts,
	}
	d.Requests = &requests.Requests{
		DB: c.DB, Now: c.Now, NewID: c.NewID, Audit: log, Issued: d.Issued, Notifications: d.Notifications,
		Publisher: c.Publisher}
	d.Answers = &answers.Answers{
		DB: c.DB, Now: c.Now, Domain: Name, Programs: d.Programs, Notifications: d.Notifications, Requests: d.Requests}
	return d
}

// Subscriptions returns what reacts to messages.
func (d *Domain) Subscriptions() []inbound.Subscription {
	return []inbound.Subscription{d.Answers.Subscription()}
}

// Part returns what the domain does about messages and customers.
func (d *Domain) Part() domain.Part {
	part := d.Working()
	part.Beside = []beside.Section{d.section()}
	part.Exporter, part.Eraser = d.exporter(), &erasure.Eraser{
		Domain: Name, Counts: []string{countUsers, countNotifications, countCommands}, Keeps: kept, Erase: d.erase}
	return part
}

// Working returns what the domain does about messages and customers, without what erases and exports: the functions
// that every message keeps busy do neither, and link nothing of it.
func (d *Domain) Working() domain.Part {
	return domain.Part{
		Name:      Name,
		Hook:      &sending.Hook{Domain: Name, Settle: d.Notifications.Settle, Status: d.Notifications.Status},
		Templates: Templates(),
		Rekey:     d.Users.Rekey,
		Suspends:  d.Programs.Suspends,
		Choices:   []string{command.PayloadPrefix},
		Lookups:   []lookup.Lookup{{Name: "card_request", Of: d.requestState}},
		Events:    requests.Events,
		Heard:     d.Programs.MarkSubscribed,
	}
}

// Templates returns the WhatsApp templates of the notifications.
func Templates() []whatsapp.OwnTemplate {
	return []whatsapp.OwnTemplate{
		{Name: cardsmodel.NotifyApprovalRequest, Languages: policy.Languages(), Body: 3, Replies: 2}, // who, what, code
		{Name: cardsmodel.NotifyApproved, Languages: policy.Languages(), Body: 2},                    // product, limit
		{Name: cardsmodel.NotifyRejected, Languages: policy.Languages(), Body: 1},                    // product
		{Name: cardsmodel.NotifyExpired, Languages: policy.Languages(), Body: 1},
	}
}

// Tick is a run of the schedule: it expires requests, sends notifications again that are due, and measures what waits.
func (d *Domain) Tick(ctx context.Context) error {
	expired, err := d.Requests.Expire(ctx)
	telemetry.Count(ctx, DecisionsByExpiry, float64(expired.Expired))
	_, again := d.Notifications.Retry(ctx)
	waiting, measured := d.Requests.Waiting(ctx)
	if waiting.Pending > 0 { // who does not use cards pays for no metric
		telemetry.Observe(ctx, ApprovalsPending, float64(waiting.Pending))
		telemetry.Observe(ctx, ApprovalsOldest, waiting.Oldest.Seconds())
		telemetry.Observe(ctx, ApprovalsOverdue, waiting.Overdue.Seconds())
	}
	return errors.Join(err, again, measured)
}
