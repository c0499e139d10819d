// Command flow-exchange is the function that answers the encrypted requests by which WhatsApp asks for the screens of
// flows. Domains say what the screens hold.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/messaging/webhooks/verifying"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("flow-exchange", os.Stderr)
	db := dynamo.Open(getenv)
	rooms := registry.Working(registry.Environment(db, logger, getenv))
	handler := Handler{
		Forms: rooms.Forms, Screens: rooms.Screens(), PrivateKeys: secrets.New(getenv("FLOW_PRIVATE_KEY"), getenv),
		AppSecrets: secrets.Each(getenv("WHATSAPP_APP_SECRET"), getenv),
		Accounts:   &verifying.Secrets{DB: db, Now: time.Now, Getenv: getenv, Log: logger}, Logger: logger,
	}
	return telemetry.Measured(logger, invocation.Answering(handler.Handle))
}
