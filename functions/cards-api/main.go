// Command cards-api answers the cards' part of the operators' API.
package main

import (
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/cards/cardsapi"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/invocation"
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
	logger := telemetry.Logger("cards-api", os.Stderr)
	tenant, err := settings.Tenant(getenv("DEFAULT_TENANT"))
	settings.Check(logger, "DEFAULT_TENANT", err)
	store := registry.Cards(registry.Open(messaging.Config{
		DB: dynamo.Open(getenv, tables.All()...).With(tracing.AWS), Now: time.Now,
		DefaultTenant: tenant, IndexLag: 2 * time.Second,
	}))
	mux := http.NewServeMux()
	cardsapi.New(mux, store, logger)
	handler := httpapi.Correlated(tracing.Traced("cards-api", httpapi.NewHandler(mux, cardsapi.API)))
	return telemetry.Measured(logger, invocation.Answering(handler))
}
