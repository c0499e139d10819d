// Command webhook is the function that receives Meta's webhooks: it verifies them, appends them to the log, and
// answers.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/messaging/webhooks/verifying"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("webhook", os.Stderr)
	maxAge, err := settings.Duration(getenv("WEBHOOK_MAX_AGE")) // if unset, entries of any age are accepted
	settings.Check(logger, "WEBHOOK_MAX_AGE", err)
	db := dynamo.Open(getenv)
	handler := Handler{
		Log:         webhooklog.Appender{DB: db, Now: time.Now, Sources: &webhooklog.Sources{}, MaxAge: maxAge},
		VerifyToken: secrets.New(getenv("WHATSAPP_VERIFY_TOKEN"), getenv),
		Accounts:    &verifying.Secrets{DB: db, Now: time.Now, Getenv: getenv, Log: logger},
		AppSecrets:  secrets.Each(getenv("WHATSAPP_APP_SECRET"), getenv),
		Logger:      logger,
	}
	return telemetry.Measured(logger, invocation.Answering(handler.Handle))
}
