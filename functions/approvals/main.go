// Command approvals rejects card requests that nobody has answered in time, and sends notifications again that are due.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("approvals", os.Stderr)
	tenant, err := settings.Tenant(getenv("DEFAULT_TENANT"))
	settings.Check(logger, "DEFAULT_TENANT", err)
	store := registry.Cards(registry.Open(messaging.Config{
		DB: dynamo.Open(getenv, tables.All()...).With(tracing.AWS), Now: time.Now,
		DefaultTenant: tenant, IndexLag: 2 * time.Second,
	}))
	return telemetry.Measured(logger, tracing.Traced("approvals", NewHandler(store)))
}
