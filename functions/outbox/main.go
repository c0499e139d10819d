// Command outbox is the function that sends what the domains have put into the outbox.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/awsclient"
	"github.com/haatline/haatline/shared/messaging/metaclient"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
	"github.com/haatline/haatline/shared/whatsapp"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("outbox", os.Stderr)
	rooms := registry.Working(messaging.Config{
		DB: dynamo.Open(getenv).With(tracing.AWS), Now: time.Now, Live: live.Open(getenv, logger)})
	client := tracing.HTTP(whatsapp.HTTPClient())
	numbers := sender{
		metaclient.Open(getenv, client, logger, rooms.AccessTokenRef),
		awsclient.Open(getenv, client, rooms.AWSPhoneNumberID, time.Now)}
	handler := dispatch.Handler{Relay: &outbox.Relay{
		Outbox: *rooms.Outbox(), Handlers: dispatch.Traced(rooms.Handlers(numbers)),
		Log: logger, Sleep: dynamo.Sleep, Credential: numbers.credential,
	}}
	return telemetry.Measured(logger, invocation.Fresh(client, tracing.Traced("outbox", handler.Handle)))
}
