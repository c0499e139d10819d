package main

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

func TestSampleEventsAreAnsweredAndLogged(t *testing.T) {
	cases := map[string]struct {
		status int
		body   string
		logged []string // kinds
	}{
		"handshake":         {http.StatusOK, "1158201444", nil},
		"text-message":      {http.StatusOK, "ok", []string{"message"}},
		"echo":              {http.StatusOK, "ok", []string{"message"}},
		"statuses":          {http.StatusOK, "ok", []string{"status"}},
		"template-approved": {http.StatusOK, "ok", []string{"template"}},
		"unknown-field":     {http.StatusOK, "ok", []string{"unknown"}},
		"forged":            {http.StatusUnauthorized, "invalid signature", nil},
	}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "webhook", cases)
	noEnv := func(string) string { return "" }
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, tables.Messages)
			h := Handler{ // configured like in the local cloud
				Log:         webhooklog.Appender{DB: db.Client, Now: func() time.Time { return noon }},
				AppSecrets:  []*secrets.Secret{secrets.New("local-app-secret", noEnv)},
				VerifyToken: secrets.New("local-verify-token", noEnv),
				Accounts:    accounts(db.Client, noEnv),
				Logger:      slog.New(slog.DiscardHandler),
			}
			response, err := h.Handle(t.Context(), samples[name])
			if err != nil || response.StatusCode != c.status || response.Body != c.body {
				t.Errorf("answered %d %q, %v", response.StatusCode, response.Body, err)
			}
			var kinds []string
			for _, item := range db.Items(t, tables.Messages) {
				kinds = append(kinds, dynamo.Text(item, "eventType"))
			}
			if diff := cmp.Diff(c.logged, kinds); diff != "" {
				t.Error(diff)
			}
		})
	}
}
