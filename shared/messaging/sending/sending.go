// Package sending owns outbound WhatsApp messages: it prepares them for a transaction, sends them through the outbox,
// records how a send has ended, and replays dead letters.
package sending

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tenancy"
)

// Preparer prepares WhatsApp messages for the transactions of domains. Sender implements it.
type Preparer interface {
	Refs(out Outgoing) []dynamo.Ref
	Prepare(ctx context.Context, out Outgoing, found dynamo.Found) (Prepared, error)
}

// Sender prepares and sends messages.
type Sender struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string // of messages before Meta assigns one, and of audit records
	// NewToken returns the secret part of callback data. If it is nil, crypto/rand is used.
	NewToken  func() string
	Contacts  *contacts.Contacts
	Inbox     *inbox.Inbox
	Numbers   *tenancy.Numbers
	Templates *templates.Cache
	Hooks     []Hook                    // of the domains
	Others    map[string]outbox.Handler // of the domains' own outbox events, by their type
	// Unsent returns the writes that publish that a message of a channel beside WhatsApp could not be sent. It is nil
	// where nothing is sent.
	Unsent func(ctx context.Context, channel model.Channel, event model.OutboxEvent, outcome outbox.Outcome) (
		[]dynamo.Write, error)
	// GoesOn says of a campaign why its messages are not sent any more; "" if they are. It returns an *outbox.Later if
	// they wait. It is nil where nothing is sent.
	GoesOn func(ctx context.Context, campaign model.Name) (unwanted string, err error)
	// Forget has search forget what messages say that are emptied next; nil where there is no search.
	Forget func(ctx context.Context, messages []model.Message) error
}
