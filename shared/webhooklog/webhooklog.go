// Package webhooklog owns the log of WhatsApp's webhooks: an append-only list of entries that consumers process. It
// appends, reads and marks entries, sets aside failing ones, sweeps those that the stream has not delivered, and
// removes erased data. It does not interpret entries; readers do.
package webhooklog

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
)

// Log reads and marks entries. Appender appends them.
type Log struct {
	DB  *dynamo.Client
	Now func() time.Time
}
