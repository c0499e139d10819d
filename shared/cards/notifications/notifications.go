// Package notifications tells people by WhatsApp about requests for cards: the admins who decide, and the users who
// have asked. It prepares the messages for the transaction of what they tell about, keeps how far each has come, and
// sends again what has failed.
package notifications

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// ErrNotRetryable means that nobody should get a notification again.
var ErrNotRetryable = errors.New("the notification cannot be sent again")

// Failed counts the notifications that did not reach their recipient.
var Failed = telemetry.Metric{Name: "NotificationsFailed", Unit: "Count", Series: telemetry.LogOnly}

// Notifications reads and writes notifications.
type Notifications struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Domain   string // in the purpose of messages
	Audit    *audit.Log
	Programs *programs.Programs
	Sender   sending.Preparer
	Numbers  programs.Numbers
	Inbox    Inbox
	Contacts Contacts
}

// Inbox marks conversations. inbox.Inbox implements it.
type Inbox interface {
	NeedsPerson(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error
}

// Contacts knows the people behind numbers. contacts.Contacts implements it.
type Contacts interface {
	programs.Contacts
	WhoHad(ctx context.Context, phone model.PhoneNumberID, address model.CustomerID, at model.Time) (model.CustomerID,
		error)
}

// now returns the time, as it is stored.
func (s *Notifications) now() model.Time { return model.At(s.Now()) }

// Get returns a notification, or dynamo.ErrNotFound.
func (s *Notifications) Get(ctx context.Context, id model.Name) (n cardsmodel.Notification, err error) {
	return n, s.DB.Get(ctx, tables.WhatsAppNotifications, keys.Notification(id), &n)
}
