package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/webhooks/verifying"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// An account may have secrets of its own. They count beside those of the deployment, and so do for a day the ones that
// they have replaced.
func TestAnAccountMayHaveSecretsOfItsOwn(t *testing.T) {
	getenv := func(name string) string {
		return map[string]string{
			"WEBHOOK_A": "secret-of-a", "WEBHOOK_B": "secret-of-b", "WEBHOOK_OFF": "secret-that-is-off",
			"WEBHOOK_OLD": "old-secret", "WEBHOOK_FORMER": "former-secret", "WEBHOOK_TOKEN": "token-of-a",
			"AWS_ENDPOINT_URL_SECRETS_MANAGER": "http://127.0.0.1:1"}[name]
	}
	d, now := newDoor(t), noon
	d.Accounts = &verifying.Secrets{
		DB: d.db.Client, Now: func() time.Time { return now }, Getenv: getenv, Log: d.Logger}
	config := func(waba model.WABAID, change func(c *model.WebhookConfig)) {
		c := model.WebhookConfig{
			PK: keys.WebhookConfig(waba).Partition, ItemType: model.ItemWebhookConfig, WABAMetaID: waba, Enabled: true,
			FromPK: keys.WebhookConfigs, ReceivedAt: model.At(noon), UpdatedAt: model.At(noon), Version: 1}
		change(&c)
		d.db.Seed(t, tables.Messages, c)
	}
	config("1", func(c *model.WebhookConfig) { c.AppSecret, c.VerifyToken = "env:WEBHOOK_A", "env:WEBHOOK_TOKEN" })
	config("2", func(c *model.WebhookConfig) { c.AppSecret, c.Enabled = "env:WEBHOOK_OFF", false })
	config("3", func(c *model.WebhookConfig) { // this secret cannot be read, and the others still count
		c.AppSecret = "secretsmanager:haatline/dev/webhooks/nothing"
	})
	config("4", func(c *model.WebhookConfig) {
		c.AppSecret, c.FormerAppSecret = "env:WEBHOOK_B", "env:WEBHOOK_FORMER"
		c.FormerUntil = model.At(noon.Add(time.Hour))
	})
	config("5", func(c *model.WebhookConfig) {
		c.FormerAppSecret, c.FormerUntil = "env:WEBHOOK_OLD", model.At(noon.Add(-time.Hour))
	})
	tried := func(secret string) int {
		t.Helper()
		p := knock{body: goodBody, signature: whatsapp.Sign(secret, []byte(goodBody))}
		response, err := d.Handle(t.Context(), p.request())
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode
	}
	for secret, want := range map[string]int{
		doorSecret: http.StatusOK, "secret-of-a": http.StatusOK, "secret-of-b": http.StatusOK,
		"former-secret": http.StatusOK, "secret-that-is-off": http.StatusUnauthorized,
		"old-secret": http.StatusUnauthorized, "": http.StatusUnauthorized, "env:WEBHOOK_A": http.StatusUnauthorized,
	} {
		if got := tried(secret); got != want {
			t.Errorf("%q: %d, want %d", secret, got, want)
		}
	}
	handshake := events.APIGatewayV2HTTPRequest{QueryStringParameters: map[string]string{
		"hub.mode": "subscribe", "hub.verify_token": "token-of-a", "hub.challenge": "42"}}
	handshake.RequestContext.HTTP.Method = http.MethodGet
	if response, err := d.Handle(t.Context(), handshake); err != nil || response.Body != "42" {
		t.Errorf("the handshake is answered %q, %v", response.Body, err)
	}
	// A change counts within five minutes. What strangers post does not make it be read before.
	if err := d.db.Client.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookConfig("1"), Do: "SET enabled = :no", If: dynamo.IfPresent,
		Values: dynamo.Item{":no": dynamo.Bool(false)}}); err != nil {
		t.Fatal(err)
	}
	if tried("secret-of-a") != http.StatusOK {
		t.Error("the configurations were read again at once")
	}
	now = now.Add(6 * time.Minute)
	if tried("secret-of-a") != http.StatusUnauthorized {
		t.Error("the change does not count")
	}
}
