package messagingapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// What a payment gateway posts is verified by a secret whose reference is never shown. The one before it counts for
// another day.
func TestTheSecretOfAGatewaysWebhooksIsWriteOnly(t *testing.T) {
	w := newWorld(t)
	w.isTenant(shop, "Shop", number)
	for _, name := range []model.Name{"razorpay-pg", "billdesk-pg", "upi-main"} {
		w.paysBy(name, shop, waba)
	}
	const all = "/v1/tenants/" + shop + "/payment-configurations/"
	put := func(name, secret string) answer {
		t.Helper()
		return w.do(request{By: platformOperator(), Method: http.MethodPut, Path: all + name + "/webhook-secret",
			Body: `{"secret":"` + secret + `"}`})
	}
	stored := func() model.PaymentConfig {
		t.Helper()
		c, err := w.rooms.Gateways.Get(t.Context(), shop, "razorpay-pg")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, step := range []struct{ secret, now, before string }{
		{"env:WEBHOOK_A", "env:WEBHOOK_A", ""}, {"env:WEBHOOK_A", "env:WEBHOOK_A", ""},
		{"env:WEBHOOK_B", "env:WEBHOOK_B", "env:WEBHOOK_A"}, {"", "", ""},
	} {
		answer := put("razorpay-pg", step.secret)
		answer.Want(t, http.StatusOK)
		text := answer.Body
		if strings.Contains(text, "env:") || !strings.Contains(text, `"webhookPath":"/webhooks/payments/`+shop+
			`/razorpay-pg"`) || strings.Contains(text, `"hasWebhookSecret":true`) != (step.secret != "") {
			t.Error(text)
		}
		c := stored()
		until := model.Time("")
		if step.before != "" {
			until = model.At(w.rooms.Now().Add(24 * time.Hour))
		}
		if c.WebhookSecret != step.now || c.FormerWebhookSecret != step.before || c.FormerSecretUntil != until {
			t.Errorf("%q: %+v", step.secret, c)
		}
	}
	// nobody knows how these sign, or they post nothing
	put("billdesk-pg", "env:WEBHOOK_A").Want(t, http.StatusConflict)
	put("upi-main", "env:WEBHOOK_A").Want(t, http.StatusConflict)
	put("nothing", "env:WEBHOOK_A").Want(t, http.StatusNotFound)
	for _, secret := range []string{
		"the-secret-itself", "env:WHATSAPP_APP_SECRET", "secretsmanager:haatline/dev/numbers/1",
		"secretsmanager:other"} {
		put("razorpay-pg", secret).Want(t, http.StatusUnprocessableEntity)
	}
}
