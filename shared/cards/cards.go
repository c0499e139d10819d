// Package cards owns the cards contract: users with their scores, requests for cards and who decides them, cards with their
// transactions, and the WhatsApp notifications about requests. It is the only writer of the contract's tables, except for the outbox
// and the audit log, which serve every domain.
package cards

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Name is the domain's name in the purpose of its messages.
const Name = "cards"

// Sender prepares WhatsApp messages for the domain's own transactions: sending.Sender.
type Sender interface {
	Refs(out sending.Outgoing) []dynamo.Ref
	Prepare(ctx context.Context, out sending.Outgoing, found dynamo.Found) (sending.Prepared, error)
}

// Numbers finds the tenant of a business number. tenancy.Numbers implements it.
type Numbers interface {
	TenantOf(ctx context.Context, phone model.PhoneNumberID) (model.TenantID, error)
}

// Inbox marks conversations. inbox.Inbox implements it.
type Inbox interface {
	NeedsPerson(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error
}

// Contacts knows the people behind numbers. contacts.Contacts implements it.
type Contacts interface {
	Named(ctx context.Context, phones []model.PhoneNumberID, country, text string) (model.CustomerID, error)
	WhoHad(ctx context.Context, phone model.PhoneNumberID, address model.CustomerID, at model.Time) (model.CustomerID, error)
	Authorities(
		ctx context.Context, phones []model.PhoneNumberID, sender model.CustomerID, given ...contacts.Authority,
	) (holders []model.CustomerID, held int, err error)
}

// Config is what the domain needs.
type Config struct {
	DB  *dynamo.Client
	Now func() time.Time
	// NewID makes ids that sort by time: UUIDv7.
	NewID    func() string
	Sender   Sender
	Numbers  Numbers
	Inbox    Inbox
	Contacts Contacts
}

// Store is the domain.
type Store struct {
	Config
	audit *audit.Store
}

// New returns the domain.
func New(c Config) *Store {
	return &Store{Config: c, audit: &audit.Store{DB: c.DB, Now: c.Now, NewID: c.NewID}}
}

// Domain returns what the domain does about messages and customers.
func (s *Store) Domain() domain.Domain {
	return domain.Domain{
		Name:          Name,
		Subscriptions: []inbound.Subscription{s.commands()},
		Hook:          &sending.Hook{Domain: Name, Settle: s.settleNotification, Status: s.noteStatus},
		Templates:     Templates(),
		Rekey:         s.rekey,
		Suspends:      s.suspends,
		Choices:       []string{command.PayloadPrefix},
		Eraser:        &erasure.Eraser{Domain: Name, Counts: []string{countUsers, countNotifications, countCommands}, Keeps: kept, Erase: s.erase},
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

// By is who changes something.
type By struct {
	Actor audit.Actor
	Via   string // a channel of cardsmodel
	// Own is set for a user who changes what is their own. It leaves no audit record: the change itself says who made it.
	Own bool
	// Decides is set for who may decide card requests.
	Decides bool
}

// mayLift returns ErrMayNotDecide for a change into the tier of those who get cards without a decision, by who may not decide.
func (by By) mayLift(from, to cardsmodel.Tier) error {
	if to == cardsmodel.TierHigh && from != to && !by.Decides {
		return mayNotDecide()
	}
	return nil
}

// Target types of audit records.
const (
	TargetUser    = "cardUser"
	TargetRequest = "cardRequest"
	TargetCard    = "card"
	TargetProgram = "cardProgram"
)

// values are what an audit record says of a thing before or after a change.
type values = map[string]any

// record returns the write of the audit record of a change, for its transaction; none for a user's change of their own.
func (s *Store) record(by By, what audit.Draft, before, after values) ([]dynamo.Write, error) {
	if by.Own {
		return nil, nil
	}
	what.By = by.Actor
	_, put, err := s.audit.CompletedRecord(what, before, after)
	return []dynamo.Write{put}, err
}

func target(kind string, id model.Name) audit.Target { return audit.Target{Type: kind, ID: string(id)} }

// newID returns a new id.
func (s *Store) newID() (model.Name, error) { return model.Parse[model.Name](s.NewID()) }

// now returns the time, as it is stored.
func (s *Store) now() model.Time { return model.At(s.Now()) }
