// Package webhooklog owns the log of what WhatsApp posts: an append-only list of entries, which consumers work off. It appends, reads
// and marks entries, sets aside what fails, sweeps what the stream has left, and removes what is erased. It does not know what an
// entry means: readers do.
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
