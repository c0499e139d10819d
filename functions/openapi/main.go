// Command openapi describes the operators' API of all domains as one document, and answers paths that no domain has.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(_ func(string) string) any {
	logger := telemetry.Logger("openapi", os.Stderr)
	mux, err := describe(domains)
	if err != nil {
		panic(err) // the examples are part of the binary
	}
	handler := httpapi.Correlated(httpapi.NewHandler(mux, domains...))
	return telemetry.Measured(logger, invocation.Answering(handler))
}
