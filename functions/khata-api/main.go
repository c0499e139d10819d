// Command khata-api answers the part of the operators' API for credit.
package main

import (
	"net/http"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/khata/khataapi"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("khata-api", os.Stderr)
	store := registry.Khata(registry.FromEnvironment(dynamo.Open(getenv, tables.All()...).With(tracing.AWS), logger, getenv))
	mux := http.NewServeMux()
	khataapi.New(mux, store, objects.Open(getenv, http.DefaultClient), logger)
	cursors := &httpapi.Cursors{Keys: secrets.New(getenv("CURSOR_KEYS"), getenv).Get, Log: logger}
	handler := httpapi.Correlated(tracing.Traced("khata-api", httpapi.NewHandler(cursors.On(mux), khataapi.API)))
	return telemetry.Measured(logger, invocation.Answering(handler))
}
