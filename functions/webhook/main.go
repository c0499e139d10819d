// Command webhook is the function that receives Meta's webhooks: it verifies them, appends them to the log, and answers.
package main

import (
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
)

func main() {
	logger := telemetry.Logger("webhook", os.Stderr)
	maxAge, err := settings.Duration(os.Getenv("WEBHOOK_MAX_AGE")) // if unset, entries of any age are accepted
	settings.Check(logger, "WEBHOOK_MAX_AGE", err)
	handler := Handler{
		Log: webhooklog.Appender{
			DB: dynamo.Open(os.Getenv, tables.Messages), Now: time.Now, Sources: &webhooklog.Sources{}, MaxAge: maxAge,
		},
		VerifyToken: secrets.New(os.Getenv("WHATSAPP_VERIFY_TOKEN"), os.Getenv),
		Logger:      logger,
	}
	for text := range strings.SplitSeq(os.Getenv("WHATSAPP_APP_SECRET"), ",") {
		handler.AppSecrets = append(handler.AppSecrets, secrets.New(text, os.Getenv))
	}
	lambda.Start(telemetry.Measured(logger, invocation.Answering(handler.Handle)))
}
