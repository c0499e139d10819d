// Package delivery owns the delivery states of messages: sent, delivered, read, played or failed, from WhatsApp's
// statuses. It calls the reactions to each status, and settles the outbox event that a status proves to be sent.
package delivery

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Statuses applies WhatsApp's statuses to messages and outbox events.
type Statuses struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Log    *webhooklog.Log
	Inbox  *inbox.Inbox
	Sender *sending.Sender
	// Paid stores what a status says of a payment for a number.
	Paid func(ctx context.Context, phone model.PhoneNumberID, status whatsapp.Status, at model.Order) error
}
