// Package apifunction wires what the functions of the API have in common: the rooms, the sealed cursors, the
// correlation of requests, and the answer to API Gateway.
package apifunction

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

// burst is how many seconds' worth of calls a tenant may make at once.
const burst = 10

// Handler returns the handler of the function that serves a domain's part of the API. register puts the operations on
// the mux. The function is configured by its environment, and named as the domain's function is: cards-api.
func Handler(
	getenv func(string) string, part httpapi.Part,
	register func(mux *http.ServeMux, rooms *messaging.Domain, logger *slog.Logger),
) any {
	name := part.Name + "-api"
	logger := telemetry.Logger(name, os.Stderr)
	rooms := registry.FromEnvironment(dynamo.Open(getenv).With(tracing.AWS), logger, getenv)
	mux := http.NewServeMux()
	register(mux, rooms, logger)
	cursors := &httpapi.Cursors{Keys: secrets.New(getenv("CURSOR_KEYS"), getenv).Get, Log: logger}
	rate, err := settings.Count(getenv("TENANT_RATE"))
	settings.Check(logger, "TENANT_RATE", err)
	limited := httpapi.Limited(cursors.On(mux),
		&ratelimit.Buckets{DB: rooms.DB, Now: rooms.Now, Rate: rate, Burst: burst * rate}, logger)
	handler := httpapi.Correlated(tracing.Traced(name, httpapi.NewHandler(limited, part)))
	return telemetry.Measured(logger, invocation.Answering(handler))
}
