// Command session-authorizer says whose session a request belongs to. API Gateway asks it before each operation that
// needs a session.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("session-authorizer", os.Stderr)
	handler := Handler{Keys: secrets.New(getenv("CURSOR_KEYS"), getenv).Get, Now: time.Now, Log: logger}
	return telemetry.Measured(logger, invocation.Answering(handler.Handle))
}
