// Package messaging owns the WhatsApp contract: the log of what the platform posts, messages, conversations, who a
// customer is, and delivery state. It is the only writer of the messages table. It knows nothing of the events that
// start it, and reaches the outside only through the outbox.
package messaging

import (
	"errors"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Store is the domain. Every field is set once, before the first call.
type Store struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string // of messages accepted here, until the platform names them, and of audit records
	// NewToken makes the secret part of callback data; nil takes it from crypto/rand.
	NewToken func() string
	// DefaultTenant owns every number that no PHONE item gives to somebody; empty where there is none.
	DefaultTenant model.TenantID

	// IndexLag is how long an index may be behind the table: an erasure waits for it before it trusts one. 0 for not at all.
	IndexLag time.Duration

	claimed sync.Map // numbers known to have an owner; saves a write per body
}

// ErrPermanent is wrapped by errors that trying again cannot mend.
var ErrPermanent = errors.New("cannot be used")

// Permanent says whether trying again cannot help.
func Permanent(err error) bool { return errors.Is(err, ErrPermanent) || dynamo.Permanent(err) }

// attempts is how often a write decided on what was read is decided anew when somebody else wrote in between.
const attempts = 12

var table = tables.Messages
