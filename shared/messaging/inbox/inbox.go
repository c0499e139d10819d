// Package inbox owns messages and conversations: the timeline of a conversation, what is unread, and who has opted out.
// It makes messages and conversations from webhook entries, and returns the writes of messages that the business sends.
//
// Package contacts says whose conversation a message belongs to. If what is known of identifiers changes, this package
// merges conversations and moves messages between them.
package inbox

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Inbox reads and writes messages and conversations.
type Inbox struct {
	DB  *dynamo.Client
	Now func() time.Time
	// IndexLag bounds how long an index lags behind the table. Decisions that depend on an index wait that long. 0
	// means no wait.
	IndexLag time.Duration
	Log      *webhooklog.Log
	Numbers  *tenancy.Numbers
	Files    *media.Files
	// Publisher tells those outside what happens. A function that has none tells nothing.
	Publisher *publishing.Publisher
	// Contacts knows who is behind an identifier.
	Contacts *contacts.Contacts

	tallies tallies
}
