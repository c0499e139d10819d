// Command live-authorizer says who may listen to the live channel. AWS AppSync asks it about people in sessions.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("live-authorizer", os.Stderr)
	admits := gate(dynamo.Open(getenv), secrets.New(getenv("CURSOR_KEYS"), getenv).Get)
	return telemetry.Measured(logger, invocation.Answering(admits.Admit))
}
