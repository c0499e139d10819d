// Package sending owns WhatsApp messages of the business on their way out: it prepares them for a transaction, sends them through the
// outbox, records how a send has ended, and replays what could not be sent.
package sending

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tenancy"
)

// Sender prepares and sends messages.
type Sender struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string // of messages, until WhatsApp names them, and of audit records
	// NewToken makes the secret part of callback data; nil takes it from crypto/rand.
	NewToken func() string
	Inbox    *inbox.Inbox
	Numbers  *tenancy.Numbers
	Hooks    []Hook                    // of the domains
	Others   map[string]outbox.Handler // of the domains' own outbox events, by their type
}
