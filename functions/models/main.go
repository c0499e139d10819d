// Command models is the function that asks language models: to answer turns of conversations, and to read what the
// assistant of a shop has not understood. Another function wakes it for each question.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler.
func wire(getenv func(string) string) any {
	rooms := registry.Open(messaging.Config{DB: dynamo.Open(getenv).With(tracing.AWS), Now: time.Now})
	logger := telemetry.Logger("models", os.Stderr)
	handle := handler{newRelay(rooms, openWorld(getenv, logger), logger), logger}.Handle
	return telemetry.Measured(logger, tracing.Traced("models", handle))
}
