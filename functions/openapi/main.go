// Command openapi describes the operators' API of all domains as one document, and answers paths that no domain has.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/cards/cardsapi"
	"github.com/haatline/haatline/shared/commerce/commerceapi"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/khata/khataapi"
	"github.com/haatline/haatline/shared/messaging/messagingapi"
	"github.com/haatline/haatline/shared/telemetry"
)

// domains lists what each domain adds to the API.
var domains = []httpapi.Domain{
	messagingapi.API,
	cardsapi.API,
	commerceapi.API,
	khataapi.API,
}

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(_ func(string) string) any {
	logger := telemetry.Logger("openapi", os.Stderr)
	handler := httpapi.Correlated(httpapi.NewHandler(describe(domains), domains...))
	return telemetry.Measured(logger, invocation.Answering(handler))
}
