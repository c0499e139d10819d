// Package community owns the community contract: people of a tenant, their communities, group chats and private chats,
// what they write there, what they ask, and what they are told. It wires its rooms and is the only writer of the
// contract's tables.
package community

import (
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/closing"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/digests"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/notifications"
	"github.com/haatline/haatline/shared/community/pictures"
	"github.com/haatline/haatline/shared/community/presence"
	"github.com/haatline/haatline/shared/community/reports"
	"github.com/haatline/haatline/shared/community/requests"
	"github.com/haatline/haatline/shared/community/settings"
	"github.com/haatline/haatline/shared/community/telling"
	"github.com/haatline/haatline/shared/community/templates"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/ratelimit"
)

// Name is the domain's name in its events, its API and its data.
const Name = "community"

// The usual limits of what people in sessions may change. Who has signed up within a day may do less.
var (
	Writes   = ratelimit.Limit{Kind: "community_writes", PerMinute: 60, PerDay: 2000}
	FirstDay = ratelimit.Limit{Kind: "community_first_day", PerMinute: 10, PerDay: 200}
	Uploads  = ratelimit.Limit{Kind: "community_uploads", PerMinute: 30, PerDay: 300}
)

// Config is what the domain needs.
type Config struct {
	DB        *dynamo.Client
	Now       func() time.Time
	NewID     func() string // makes ids that sort by time: UUIDv7
	Outbox    *outbox.Outbox
	Mailing   *mailing.Mailing
	Mailboxes settings.Mailboxes
	Numbers   Numbers          // tenancy.Numbers implements it
	Sender    sending.Preparer // prepares WhatsApp messages: sending.Sender
	Inbox     bridges.Inbox    // inbox.Inbox implements it
	Groups    bridges.Groups   // groups.Groups implements it
	Told      Told
	// NewSecret makes secrets of 128 bits. If it is nil, crypto/rand is used.
	NewSecret func() string
	// Live tells open programs what has changed. It may be nil.
	Live Live
}

// Numbers returns the tenant of a number.
type Numbers = settings.Numbers

// Told empties what was told to others of customers: sending.Sender implements it.
type Told interface {
	EraseTold(ctx context.Context, tenant model.TenantID, customers []model.CustomerID,
		count func(name string, n int) []dynamo.Write) error
}

// Domain is the rooms, wired. The room of access hashes passwords and signs tokens: only the API links it.
type Domain struct {
	Config
	Notifications *notifications.Notifications
	Communities   *communities.Communities
	Chats         *chats.Chats
	Messages      *messages.Messages
	Requests      *requests.Requests
	Reports       *reports.Reports
	Telling       *telling.Telling
	Bridges       *bridges.Bridges
	Closing       *closing.Closing
	Presence      *presence.Presence
	Files         *files.Files
	Pictures      *pictures.Pictures
	Digests       *digests.Digests

	Settings *settings.Settings
	Users    *users.Users
	Audit    *audit.Log
	Limiter  *ratelimit.Limiter
	// Writes, FirstDay and Uploads are the limits of people in sessions; the zero Limit for none.
	Writes, FirstDay, Uploads ratelimit.Limit
}

// New wires the rooms.
func New(c Config) *Domain {
	if c.NewSecret == nil {
		c.NewSecret = rand.Text
	}
	log := &audit.Log{DB: c.DB, Now: c.Now, NewID: c.NewID}
	d := &Domain{
		Config:        c,
		Notifications: &notifications.Notifications{DB: c.DB, Now: c.Now, NewID: c.NewID},
		Chats:         &chats.Chats{DB: c.DB, Now: c.Now, NewID: c.NewID},
		Settings:      &settings.Settings{DB: c.DB, Now: c.Now, Mailboxes: c.Mailboxes, Numbers: c.Numbers},
		Audit:         log,
		Limiter:       &ratelimit.Limiter{DB: c.DB, Now: c.Now},
		Writes:        Writes, FirstDay: FirstDay, Uploads: Uploads,
	}
	d.Chats.Moved = d.moved
	d.Users = &users.Users{DB: c.DB, Now: c.Now, Audit: log}
	d.Communities = &communities.Communities{
		DB: c.DB, Now: c.Now, NewID: c.NewID, NewSecret: c.NewSecret, Audit: log, Outbox: c.Outbox,
		Notifications: d.Notifications,
	}
	d.Files = &files.Files{DB: c.DB, Now: c.Now, NewID: c.NewID, Outbox: c.Outbox}
	d.Pictures = &pictures.Pictures{
		DB: c.DB, Now: c.Now, NewID: c.NewID, Outbox: c.Outbox, Communities: d.Communities, Files: d.Files}
	d.Messages = &messages.Messages{
		DB: c.DB, Now: c.Now, NewID: c.NewID, Chats: d.Chats, Outbox: c.Outbox, Files: d.Files,
		Notifications: d.Notifications, Hint: d.hints}
	d.Requests = &requests.Requests{
		DB: c.DB, Now: c.Now, NewID: c.NewID, Chats: d.Chats, Notifications: d.Notifications,
		NewPending: c.NewSecret,
	}
	d.Reports = &reports.Reports{
		DB: c.DB, Now: c.Now, NewID: c.NewID, Audit: log, Communities: d.Communities, Chats: d.Chats,
		Messages: d.Messages, Notifications: d.Notifications,
	}
	d.Presence = presence.New(c.DB, c.Now, d.Chats)
	d.Presence.Tell = d.present
	d.Telling = &telling.Telling{DB: c.DB, Chats: d.Chats, Notifications: d.Notifications}
	d.Bridges = &bridges.Bridges{
		DB: c.DB, Now: c.Now, Domain: Name, Outbox: c.Outbox, Communities: d.Communities, Messages: d.Messages,
		Users: d.Users, Sender: c.Sender, Inbox: c.Inbox, Groups: c.Groups, Numbers: c.Numbers,
	}
	d.Closing = &closing.Closing{
		DB: c.DB, Now: c.Now, Audit: log, Outbox: c.Outbox, Communities: d.Communities, Chats: d.Chats,
		Requests: d.Requests, Bridges: d.Bridges, Files: d.Files, Pictures: d.Pictures,
	}
	d.Digests = &digests.Digests{
		DB: c.DB, Now: c.Now, Domain: Name, Notifications: d.Notifications, Settings: d.Settings, Numbers: c.Numbers,
		Sender: c.Sender, Mailing: c.Mailing,
	}
	return d
}

// SendDigests is the detail type of the event of the schedule that has digests sent.
const SendDigests = "community-digests"

// DigestsSent is the metric of the digests that were handed over for sending.
var DigestsSent = digests.Sent

// Subscriptions returns what reacts to messages of customers: bridges hear what is written in WhatsApp groups.
func (d *Domain) Subscriptions() []inbound.Subscription {
	return []inbound.Subscription{d.Bridges.Subscription()}
}

// Part returns what the domain does about events and customers.
func (d *Domain) Part() domain.Part {
	part := d.Working()
	part.Exporter, part.Eraser = d.exporter(), &erasure.Eraser{
		Domain: Name, Counts: counts, Keeps: kept, Erase: d.erase}
	return part
}

// Working returns what the domain does about messages and customers, without what erases and exports: the functions
// that every message keeps busy do neither, and link nothing of it.
func (d *Domain) Working() domain.Part {
	handlers := d.Telling.Handlers()
	maps.Copy(handlers, d.Bridges.Handlers())
	maps.Copy(handlers, d.Closing.Handlers())
	maps.Copy(handlers, d.Messages.Handlers())
	return domain.Part{
		Name:      Name,
		Templates: templates.All,
		Handlers:  handlers,
		Schedules: map[string]func(context.Context) error{SendDigests: d.Digests.Send},
		Hook: &sending.Hook{
			Domain: Name, Still: d.still,
			Settle: func(ctx context.Context, reference string, _ model.OutboxEvent, outcome outbox.Outcome) (
				[]dynamo.Write, error) {
				return d.Bridges.Settle(ctx, reference, outcome)
			},
		},
	}
}

// SlowHandlers returns the handlers of the domain's events that do what takes long: they delete files.
func (d *Domain) SlowHandlers(bucket files.Remover) map[string]outbox.Handler {
	handlers := d.Files.Handlers(bucket)
	maps.Copy(handlers, d.Pictures.Handlers(bucket))
	return handlers
}

// codeExpired is why a message with a code is not sent any more: the code is of no use.
const codeExpired = "code_expired"

// still returns why a message of the domain is not sent any more. Its reference says whether it is a code, a digest, or
// a message of a chat.
func (d *Domain) still(ctx context.Context, reference string, event model.OutboxEvent,
	to contacts.Addressee) (string, error) {
	made, code := users.CodeOf(reference)
	if code && d.Now().Sub(cmp.Or(made, event.CreatedAt).Go()) >= communitymodel.CodeLife {
		return codeExpired, nil
	}
	if why := digests.Still(reference, d.Now(), to.Conversation()); why != "" {
		return why, nil
	}
	return d.Bridges.Still(ctx, reference)
}
