// Command pre-token says which tenants and roles a person's token holds. Cognito asks it before it makes one.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/people"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("pre-token", os.Stderr)
	handler := Handler{Members: &people.Members{DB: dynamo.Open(getenv), Now: time.Now}}
	return telemetry.Measured(logger, invocation.Answering(handler.Handle))
}
