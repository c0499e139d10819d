// Command commerce-api answers the stores' part of the operators' API.
package main

import (
	"net/http"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/commerce/commerceapi"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("commerce-api", os.Stderr)
	store := registry.Commerce(registry.FromEnvironment(dynamo.Open(getenv, tables.All()...).With(tracing.AWS), logger, getenv))
	mux := http.NewServeMux()
	commerceapi.New(mux, store, logger)
	cursors := &httpapi.Cursors{Keys: secrets.New(getenv("CURSOR_KEYS"), getenv).Get, Log: logger}
	handler := httpapi.Correlated(tracing.Traced("commerce-api", httpapi.NewHandler(cursors.On(mux), commerceapi.API)))
	return telemetry.Measured(logger, invocation.Answering(handler))
}
