// Command live-authorizer says who may listen to the live channel. AWS AppSync asks it about people in sessions.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("live-authorizer", os.Stderr)
	gate := admission.Gate{Keys: secrets.New(getenv("SESSION_KEYS"), getenv).Get, Now: time.Now, Rule: admission.Own{}}
	return telemetry.Measured(logger, invocation.Answering(gate.Admit))
}
