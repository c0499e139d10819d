// Package erasure orchestrates the erasure of a customer over all domains. Each domain brings an eraser. The orchestrator keeps the
// audit record, which counts and proves the erasure, and resumes one that a call has not finished.
package erasure

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/inbox"
)

// Orchestrator erases customers.
type Orchestrator struct {
	DB      *dynamo.Client
	Now     func() time.Time
	NewID   func() string // of audit records
	Inbox   *inbox.Inbox
	Erasers []Eraser // of every domain, in the order in which they erase
}
