// Command eum-webhook is the function that receives what AWS End User Messaging tells of WhatsApp: it appends it to the
// log of webhooks.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler. It accepts entries of any age: nobody but AWS writes into the queue, and a
// message may have waited in the dead letter queue for two weeks.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("eum-webhook", os.Stderr)
	handler := Handler{
		Log:    webhooklog.Appender{DB: dynamo.Open(getenv), Now: time.Now, Sources: &webhooklog.Sources{}},
		Logger: logger,
	}
	return telemetry.Measured(logger, invocation.Answering(handler.Handle))
}
