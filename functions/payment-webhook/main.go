// Command payment-webhook is the function that receives what payment gateways post: it verifies it, appends it to the
// log of webhooks, and answers.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/messaging/gateways/verifying"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment. It accepts entries of any age: a gateway posts
// again for a day, and people have it post again what is older.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("payment-webhook", os.Stderr)
	db := dynamo.Open(getenv)
	handler := Handler{
		Log:      webhooklog.Appender{DB: db, Now: time.Now, Sources: &webhooklog.Sources{}},
		Gateways: &verifying.Secrets{DB: db, Now: time.Now, Getenv: getenv, Log: logger}, Logger: logger,
	}
	return telemetry.Measured(logger, invocation.Answering(handler.Handle))
}
