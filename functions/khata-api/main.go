// Command khata-api answers the part of the operators' API for credit.
package main

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/apifunction"
	"github.com/haatline/haatline/shared/khata/khataapi"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/registry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	return apifunction.Handler(getenv, khataapi.API,
		func(mux *http.ServeMux, rooms *messaging.Domain, logger *slog.Logger) {
			khataapi.New(mux, registry.Khata(rooms), objects.Open(getenv, http.DefaultClient), logger)
		})
}
