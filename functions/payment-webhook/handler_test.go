package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/gateways/verifying"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// secrets are those that references lead to.
var secrets = map[string]string{
	"WEBHOOK_GATEWAY": "local-gateway-secret", "WEBHOOK_FORMER": "former-secret", "WEBHOOK_OTHER": "secret-of-other",
	"AWS_ENDPOINT_URL_SECRETS_MANAGER": "http://127.0.0.1:1"}

func handler(client *dynamo.Client, now func() time.Time) Handler {
	log := slog.New(slog.DiscardHandler)
	return Handler{
		Log: webhooklog.Appender{DB: client, Now: now, Sources: &webhooklog.Sources{}}, Logger: log,
		Gateways: &verifying.Secrets{
			DB: client, Now: now, Getenv: func(name string) string { return secrets[name] }, Log: log}}
}

func at(t time.Time) func() time.Time { return func() time.Time { return t } }

// config seeds a payment configuration.
func config(t testing.TB, db *dynamotest.DB, tenant model.TenantID, name model.Name,
	change func(c *model.PaymentConfig)) {
	t.Helper()
	c := model.PaymentConfig{
		PK: keys.PaymentConfig(tenant, name).Partition, ItemType: model.ItemPaymentConfig, TenantID: tenant,
		ConfigName: name, WABAID: "102290129340398", Type: "PG", Provider: "razorpay", Status: "active",
		WebhookSecret: "env:WEBHOOK_GATEWAY", Version: 1}
	change(&c)
	db.Seed(t, tables.Messages, c)
}

func asItIs(*model.PaymentConfig) {}

// logged returns the tenants' accounts and the kinds of the entries of the log.
func logged(t testing.TB, db *dynamotest.DB) (all []string) {
	t.Helper()
	for _, item := range db.Items(t, tables.Messages) {
		if dynamo.Text(item, "itemType") == model.ItemWebhookEvent {
			all = append(all, dynamo.Text(item, "wabaMetaId")+" "+dynamo.Text(item, "eventType")+" "+
				dynamo.Text(item, "field"))
		}
	}
	return all
}

func TestSampleEventsAreAnsweredAndLogged(t *testing.T) {
	cases := map[string]int{"captured": http.StatusOK, "refunded": http.StatusOK, "unknown-event": http.StatusOK,
		"forged": http.StatusUnauthorized}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "payment-webhook", cases)
	for name, status := range cases {
		db := dynamotest.Start(t, tables.Messages)
		config(t, db, "demo", "razorpay-main", asItIs)
		h := handler(db.Client, at(noon))
		var want []string
		if status == http.StatusOK {
			want = []string{"tenant.demo gateway razorpay"}
		}
		for range 2 { // a repeated body changes nothing
			response, err := h.Handle(t.Context(), samples[name])
			if err != nil || response.StatusCode != status {
				t.Errorf("%s: answered %d %q, %v", name, response.StatusCode, response.Body, err)
			}
			if diff := cmp.Diff(want, logged(t, db)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

// Nothing is taken that the configuration's own gateway has not signed, and nobody learns which configurations there
// are.
func TestOnlyItsOwnGatewayPostsForAConfiguration(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	config(t, db, "demo", "razorpay-main", asItIs)
	config(t, db, "demo", "off", func(c *model.PaymentConfig) { c.WebhookSecret = "" })
	config(t, db, "demo", "empty", func(c *model.PaymentConfig) { c.WebhookSecret = "env:WEBHOOK_NOTHING" })
	config(t, db, "demo", "bank", func(c *model.PaymentConfig) { c.Provider = "billdesk" })
	config(t, db, "other", "razorpay-main", func(c *model.PaymentConfig) { c.WebhookSecret = "env:WEBHOOK_OTHER" })
	config(t, db, "demo", "changed", func(c *model.PaymentConfig) {
		c.WebhookSecret, c.FormerWebhookSecret = "env:WEBHOOK_GATEWAY", "env:WEBHOOK_FORMER"
		c.FormerSecretUntil = model.At(noon.Add(time.Hour))
	})
	config(t, db, "demo", "changed-long-ago", func(c *model.PaymentConfig) {
		c.FormerWebhookSecret, c.FormerSecretUntil = "env:WEBHOOK_FORMER", model.At(noon)
	})
	config(t, db, "demo", "unreadable", func(c *model.PaymentConfig) {
		c.WebhookSecret = "secretsmanager:haatline/dev/webhooks/nothing"
	})
	config(t, db, "demo", "half-readable", func(c *model.PaymentConfig) {
		c.FormerWebhookSecret, c.FormerSecretUntil = "secretsmanager:haatline/dev/webhooks/nothing",
			model.At(noon.Add(time.Hour))
	})
	h := handler(db.Client, at(noon))
	const ours, refused = "local-gateway-secret", http.StatusUnauthorized
	for _, c := range []struct {
		tenant, config, secret string
		want                   int
	}{
		{"demo", "razorpay-main", ours, http.StatusOK},
		{"demo", "razorpay-main", "secret-of-other", refused},
		{"demo", "razorpay-main", "", refused},
		{"other", "razorpay-main", ours, refused},
		{"demo", "off", ours, refused}, {"demo", "off", "", refused},
		{"demo", "empty", "", refused},
		{"demo", "bank", ours, refused},
		{"demo", "changed", ours, http.StatusOK}, {"demo", "changed", "former-secret", http.StatusOK},
		{"demo", "changed-long-ago", ours, http.StatusOK}, {"demo", "changed-long-ago", "former-secret", refused},
		{"demo", "nothing", ours, refused}, {"nobody", "razorpay-main", ours, refused},
		{"", "razorpay-main", ours, refused}, {"demo", "a#b", ours, refused},
		{"demo", "unreadable", ours, http.StatusInternalServerError},
		{"demo", "half-readable", ours, http.StatusOK},
	} {
		response, err := h.Handle(t.Context(), post(c.tenant, c.config, c.secret, `{"event":"payment.captured"}`))
		if err != nil || response.StatusCode != c.want {
			t.Errorf("%+v: %d %q, %v", c, response.StatusCode, response.Body, err)
		}
		if c.want == refused && response.Body != "invalid signature" {
			t.Errorf("%+v: %q", c, response.Body)
		}
	}
}

// Whatever a stranger writes as a name is answered like a wrong signature, and no error of ours.
func TestOddNamesAreNoErrors(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	config(t, db, "demo", "main", asItIs)
	h := handler(db.Client, at(noon))
	for _, name := range []string{
		"main/", "ma%69n", "../demo/main", "main\x00", "\xff", "main\n", " main", "MAIN", "मुख्य", "a/b", "a|b", "+",
		strings.Repeat("a", 513), strings.Repeat("a", 2100), strings.Repeat("é", 4000), "{configName}", ":",
	} {
		for _, of := range [][2]string{{"demo", name}, {name, "main"}, {name, name}} {
			response, err := h.Handle(t.Context(), post(of[0], of[1], "local-gateway-secret", "{}"))
			if err != nil || response.StatusCode != http.StatusUnauthorized {
				t.Errorf("%.20q: %d %q, %v", of, response.StatusCode, response.Body, err)
			}
		}
	}
}

// A change of the secret counts within a minute. What strangers post does not make it be read before.
func TestAChangedSecretCountsWithinAMinute(t *testing.T) {
	db, now := dynamotest.Start(t, tables.Messages), noon
	h := handler(db.Client, func() time.Time { return now })
	try := func() int {
		t.Helper()
		response, err := h.Handle(t.Context(), post("demo", "main", "local-gateway-secret", "{}"))
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode
	}
	if try() != http.StatusUnauthorized {
		t.Error("there is none yet")
	}
	config(t, db, "demo", "main", asItIs)
	if try() != http.StatusUnauthorized {
		t.Error("it was read again at once")
	}
	now = now.Add(time.Minute)
	if try() != http.StatusOK {
		t.Error("it does not count")
	}
	for i := range 1000 { // names that do not exist are not remembered for ever
		if _, err := h.Handle(t.Context(), post("demo", fmt.Sprint(i), "", "{}")); err != nil {
			t.Fatal(err)
		}
	}
	if try() != http.StatusOK {
		t.Error("it is forgotten")
	}
}

func TestBadBodiesLoseNothing(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	config(t, db, "demo", "main", asItIs)
	h := handler(db.Client, at(noon))
	const secret = "local-gateway-secret"
	encoded := post("demo", "main", secret, "{}")
	encoded.Body, encoded.IsBase64Encoded = base64.StdEncoding.EncodeToString([]byte("{}")), true
	broken := encoded
	broken.Body = "%"
	for name, c := range map[string]struct {
		request events.APIGatewayV2HTTPRequest
		want    int
	}{
		"in base64": {encoded, http.StatusOK},
		"no base64": {broken, http.StatusBadRequest},
		"too large": {post("demo", "main", secret, strings.Repeat("x", maxBody+1)),
			http.StatusRequestEntityTooLarge},
		"signed, and no JSON": {post("demo", "main", secret, "a=b"), http.StatusOK},
		"signed, and no text": {post("demo", "main", secret, "\xff\x00"), http.StatusOK},
		"signed, and nothing": {post("demo", "main", secret, ""), http.StatusOK},
		"signed, and a list":  {post("demo", "main", secret, "[1]"), http.StatusOK},
		"signed, and large":   {post("demo", "main", secret, `"`+strings.Repeat("x", maxBody-2)+`"`), http.StatusOK},
		"signed, with a null": {post("demo", "main", secret, `{"event":null,"payload":{"":1}}`), http.StatusOK},
		"no signature at all": {events.APIGatewayV2HTTPRequest{Body: "{}"}, http.StatusUnauthorized},
	} {
		response, err := h.Handle(t.Context(), c.request)
		if err != nil || response.StatusCode != c.want {
			t.Errorf("%s: %d %q, %v", name, response.StatusCode, response.Body, err)
		}
	}
	if n := len(logged(t, db)); n != 7 {
		t.Errorf("%d entries", n)
	}
}

// A gateway posts again what was not answered with 200. That is the re-run.
func TestPaymentWebhookSurvivesEveryCrashPoint(t *testing.T) {
	for name, body := range map[string]string{
		"small": `{"event":"payment.captured"}`, "no JSON": "status=success",
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: []tables.Table{tables.Messages},
				Seed:   func(t testing.TB, db *dynamotest.DB) { config(t, db, "demo", "main", asItIs) },
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					response, err := handler(client, at(noon)).Handle(ctx,
						post("demo", "main", "local-gateway-secret", body))
					if err == nil && response.StatusCode != http.StatusOK {
						return errors.New(response.Body)
					}
					return err
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

func post(tenant, config, secret, body string) events.APIGatewayV2HTTPRequest {
	return events.APIGatewayV2HTTPRequest{
		Body: body, PathParameters: map[string]string{"tenantId": tenant, "configName": config},
		Headers: map[string]string{"x-razorpay-signature": sign(secret, body)}}
}

func sign(secret, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}
