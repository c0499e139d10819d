// Command orders is the function that does what follows from an order: figures, stock, what customer and shop are told,
// and a copy for analytics.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/commerce/analytics/postgres"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("orders", os.Stderr)
	rooms := registry.Open(messaging.Config{DB: dynamo.Open(getenv), Now: time.Now})
	return telemetry.Measured(logger, registry.Commerce(rooms).Following(logger, postgres.Open(getenv)).Run)
}
