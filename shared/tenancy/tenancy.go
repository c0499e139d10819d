// Package tenancy owns whose a business number is, and what is known of it: its tenant, its WhatsApp Business Account, its quality and
// its limits.
package tenancy

import (
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Numbers reads and writes numbers and their tenants.
type Numbers struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string // of audit records
	// DefaultTenant gets every number that nobody has when its first message comes in; "" where there is none.
	DefaultTenant model.TenantID
	Log           *webhooklog.Log

	claimed sync.Map // numbers that have been claimed, and whether with a WABA: saves a write per body
}
