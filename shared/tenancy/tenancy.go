// Package tenancy owns the business numbers: the tenant of each, its WhatsApp Business Account (WABA), quality and
// limits.
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
	// DefaultTenant gets every number without a tenant when its first message arrives; "" for none.
	DefaultTenant model.TenantID
	Log           *webhooklog.Log
	// Tenants is told of a number that joins or leaves a disabled tenant; nil if nobody has to know.
	Tenants *Tenants

	claimed sync.Map // numbers claimed by this process, and whether with a WABA: saves a write per body
	stores  sync.Map // the stores of numbers, as this process knows them: saves a read per message
}
