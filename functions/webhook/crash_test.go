package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func handler(client *dynamo.Client) Handler {
	noEnv := func(string) string { return "" }
	return Handler{
		Log:        webhooklog.Appender{DB: client, Now: func() time.Time { return noon }},
		AppSecrets: []*secrets.Secret{secrets.New("s3cret", noEnv)}, VerifyToken: secrets.New("verify", noEnv),
		Accounts: accounts(client, noEnv), Logger: slog.New(slog.DiscardHandler),
	}
}

func post(body []byte) events.APIGatewayV2HTTPRequest {
	return events.APIGatewayV2HTTPRequest{
		Body: string(body), Headers: map[string]string{"x-hub-signature-256": whatsapp.Sign("s3cret", body)},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: http.MethodPost}},
	}
}

// Meta posts a body again if it was not answered with 200. That is the re-run.
func TestWebhookSurvivesEveryCrashPoint(t *testing.T) {
	large := wt.Text("919876543210", "wamid.LARGE", strings.Repeat("long ", 100_000), noon)
	body := wt.Body(
		wt.Messages(wt.List{wt.Contact("919876543210", "Asha")}, wt.Text("919876543210", "wamid.1", "2 kg rice", noon)),
		wt.Statuses(wt.Status("wamid.2", "sent", "919876543210", noon, nil)),
		wt.Messages(nil, large), // does not fit into an item, so it is stored in chunks
	)
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			response, err := handler(client).Handle(ctx, post(body))
			if err == nil && response.StatusCode != http.StatusOK {
				return fmt.Errorf("answered %d", response.StatusCode)
			}
			return err
		},
	})
	t.Logf("%d crash points", points)
}
