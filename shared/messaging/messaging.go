// Package messaging owns the WhatsApp contract: the log of what the platform posts, messages, conversations, who a
// customer is, and delivery state. It is the only writer of the messages table. It knows nothing of the events that
// start it, and reaches the outside only through the outbox.
package messaging

import (
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// Store is the domain. Every field is set once, before the first call.
type Store struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string // of messages accepted here, until the platform names them, and of audit records
	// NewToken makes the secret part of callback data; nil takes it from crypto/rand.
	NewToken func() string
	// DefaultTenant gets every number that nobody has when its first message comes in; empty where there is none.
	DefaultTenant model.TenantID

	// IndexLag is how long an index may be behind the table: an erasure waits for it before it trusts one. 0 for not at all.
	IndexLag time.Duration

	Erasers []Eraser // of the domains

	claimed sync.Map // numbers that have been claimed, and whether with a WABA; saves a write per body
}
