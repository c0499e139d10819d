// Package erasure orchestrates the erasure of a customer across all domains. Each domain provides an eraser. The
// orchestrator keeps the audit record, which counts and proves the erasure, and resumes unfinished erasures.
package erasure

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
)

// Orchestrator erases customers.
type Orchestrator struct {
	DB       *dynamo.Client
	Now      func() time.Time
	NewID    func() string // of audit records
	Contacts *contacts.Contacts
	Inbox    *inbox.Inbox
	Erasers  []Eraser // of all domains, in the order of erasure
}
