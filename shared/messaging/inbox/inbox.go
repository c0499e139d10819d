// Package inbox owns messages and conversations: which customer an identifier means, the timeline of a conversation, what is unread,
// and who has asked not to be written to. It makes them of logged messages, and gives the writes of messages that the business
// sends.
package inbox

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Inbox reads and writes messages and conversations.
type Inbox struct {
	DB  *dynamo.Client
	Now func() time.Time
	// IndexLag is how long an index may be behind the table: what depends on an index waits for it. 0 for not at all.
	IndexLag time.Duration
	Log      *webhooklog.Log
	Numbers  *tenancy.Numbers
}
