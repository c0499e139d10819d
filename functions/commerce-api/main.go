// Command commerce-api answers the stores' part of the operators' API.
package main

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/apifunction"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/commerce/commerceapi"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/settings"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	return apifunction.Handler(getenv, commerceapi.API,
		func(mux *http.ServeMux, rooms *messaging.Domain, logger *slog.Logger) {
			d := registry.Commerce(rooms)
			allowed, err := models.Parse(getenv("MODELS"))
			settings.Check(logger, "MODELS", err)
			d.Models = allowed.Names()
			commerceapi.New(mux, d, logger)
		})
}
