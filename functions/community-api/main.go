// Command community-api answers the part of the API for communities.
package main

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/apifunction"
	"github.com/haatline/haatline/shared/community/communityapi"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/sessiontoken"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	return apifunction.Handler(getenv, communityapi.API,
		func(mux *http.ServeMux, rooms *messaging.Domain, logger *slog.Logger) {
			keys := sessiontoken.Keys(secrets.New(getenv("CURSOR_KEYS"), getenv).Get)
			*rooms.Live = *live.Open(getenv, logger)
			d := registry.Community(rooms)
			d.Files.Bucket = objects.Open(getenv, http.DefaultClient)
			communityapi.New(mux, d, communityapi.Access(d, keys), logger)
		})
}
