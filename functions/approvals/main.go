// Command approvals rejects card requests that nobody has answered in time, and sends notifications again that are due.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("approvals", os.Stderr)
	store := registry.Cards(
		registry.FromEnvironment(dynamo.Open(getenv).With(tracing.AWS), logger, getenv))
	return telemetry.Measured(logger, tracing.Traced("approvals", NewHandler(store)))
}
