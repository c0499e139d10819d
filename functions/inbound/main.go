// Command inbound is the function that turns logged webhook entries into messages and conversations. Domains react here.
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
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("inbound", os.Stderr)
	tenant, err := settings.Tenant(getenv("DEFAULT_TENANT"))
	settings.Check(logger, "DEFAULT_TENANT", err)
	store := registry.Open(messaging.Config{
		DB: dynamo.Open(getenv, tables.All()...), Now: time.Now,
		DefaultTenant: tenant, IndexLag: 2 * time.Second,
	})
	return telemetry.Measured(logger, NewHandler(store, logger).Run)
}
