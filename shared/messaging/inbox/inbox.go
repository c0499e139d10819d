// Package inbox owns messages and conversations: which customer an identifier means, the timeline of a conversation, what is
// unread, and who has opted out. It makes messages and conversations from webhook entries, and returns the writes of messages
// that the business sends.
package inbox

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Inbox reads and writes messages and conversations.
type Inbox struct {
	DB  *dynamo.Client
	Now func() time.Time
	// IndexLag bounds how long an index lags behind the table. Decisions that depend on an index wait that long. 0 means no wait.
	IndexLag time.Duration
	Log      *webhooklog.Log
	Numbers  *tenancy.Numbers
	Files    *media.Files
	// Events takes the events that have domains move what they keep of a person; nil for none.
	Events *outbox.Store
}
