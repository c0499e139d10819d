package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Even if a service that the webhook needs does not answer, Meta gets an answer and a log line says what failed.
func TestTheWebhookAnswersAndLogsIfAServiceIsSilent(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	getenv := func(name string) string {
		return map[string]string{
			"AWS_REGION": "ap-south-1", "DYNAMODB_ENDPOINT": silent.URL, "AWS_ENDPOINT_URL_SECRETS_MANAGER": silent.URL,
			"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		}[name]
	}
	const body = `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages",` +
		`"value":{}}]}]}`
	for secret, line := range map[string]string{
		"local-app-secret": "append failed", "secretsmanager:haatline/dev/app": "app secret unavailable"} {
		t.Run(line, func(t *testing.T) {
			t.Parallel() // it waits
			var log bytes.Buffer
			h := Handler{
				Log:        webhooklog.Appender{DB: dynamo.Open(getenv), Now: time.Now},
				AppSecrets: []*secrets.Secret{secrets.New(secret, getenv)},
				Accounts:   accounts(dynamo.Open(getenv), getenv),
				Logger:     slog.New(slog.NewJSONHandler(&log, nil)),
			}
			request := events.APIGatewayV2HTTPRequest{
				Body: body, Headers: map[string]string{
					"x-hub-signature-256": whatsapp.Sign("local-app-secret", []byte(body))}}
			request.RequestContext.HTTP.Method = http.MethodPost
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // of which one is left for the answer
			defer cancel()
			response, err := invocation.Answering(h.Handle)(ctx, request)
			if err != nil || response.StatusCode != http.StatusInternalServerError || ctx.Err() != nil {
				t.Errorf("%s: answered %d, %v; the invocation: %v", line, response.StatusCode, err, ctx.Err())
			}
			if !strings.Contains(log.String(), line) {
				t.Errorf("logged %s", log.String())
			}
		})
	}
}
