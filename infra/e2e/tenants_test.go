package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// verifiesAccounts gives an account's webhooks secrets of their own, by which a post is verified then.
func (r *running) verifiesAccounts(t *testing.T) {
	t.Helper()
	token := r.mint(t, "platform")
	const path = "/v1/webhook-configurations/" + wt.WABA
	secret := "secretsmanager:" + names.AccountSecrets(tables.Dev) + "acme"
	for _, call := range []struct {
		method, path, body string
		want               int
	}{
		{http.MethodPut, path, `{"appSecret":"` + secret + `","enabled":true}`, http.StatusOK},
		{http.MethodPost, path + "/test", "", http.StatusAccepted},
		{http.MethodGet, "/v1/webhook-configurations", "", http.StatusOK},
	} {
		if status, answer := r.callAs(t, token, call.method, call.path, call.body); status != call.want {
			t.Errorf("%s %s: %d %s", call.method, call.path, status, answer)
		}
	}
	var config struct{ Asked struct{ AnsweredAt string } }
	r.get(t, path, &config, func() bool { return config.Asked.AnsweredAt != "" })
	const body = `{"object":"whatsapp_business_account","entry":[]}`
	// A request for a screen that is signed is read, and this is none.
	for path, want := range map[string]int{
		"/webhooks/whatsapp": http.StatusOK, "/webhooks/flows": http.StatusBadRequest} {
		request := r.request(t, "", http.MethodPost, path, body)
		request.Header.Set("X-Hub-Signature-256", whatsapp.Sign("secret-of-acme", []byte(body)))
		if status, answer := do(t, request); status != want {
			t.Errorf("%s, signed by the account's secret: %d %s", path, status, answer)
		}
	}
}

// runsTenants has a platform operator create, disable and delete a tenant, and set what holds for all.
func (r *running) runsTenants(t *testing.T) {
	t.Helper()
	token := r.mint(t, "platform", "tenant:demo")
	today := time.Now().UTC().Format("2006-01-02")
	for _, call := range []struct {
		method, path, body string
		want               int
	}{
		{http.MethodPost, "/v1/tenants", `{"tenantId":"sharma","displayName":"Sharma Kirana"}`, http.StatusCreated},
		{http.MethodPatch, "/v1/tenants/demo", `{"displayName":"Demo"}`, http.StatusOK},
		{http.MethodPost, "/v1/tenants/sharma/disable", `{"reason":"has not paid"}`, http.StatusOK},
		{http.MethodPost, "/v1/tenants/sharma/enable", "", http.StatusOK},
		{http.MethodGet, "/v1/tenants/demo/belongings", "", http.StatusOK},
		{http.MethodGet, "/v1/tenants", "", http.StatusOK},
		{http.MethodDelete, "/v1/tenants/sharma", "", http.StatusNoContent},
		{http.MethodPut, "/v1/infrastructure", `{"vpcEndpoint":"vpce-0a1b2c3d4e5f67890"}`, http.StatusOK},
		{http.MethodGet, "/v1/infrastructure", "", http.StatusOK},
		{http.MethodPut, "/v1/media-types", `{"items":[]}`, http.StatusOK},
		{http.MethodGet, "/v1/ping", "", http.StatusOK},
		{http.MethodPost, "/v1/analytics-counts", `{"wabaId":"` + wt.WABA + `","from":"` + today + `","to":"` + today + `"}`,
			http.StatusAccepted},
		{http.MethodPost, "/v1/response-time-counts",
			`{"phoneNumberId":"` + wt.Phone + `","from":"` + today + `","to":"` + today + `"}`, http.StatusAccepted},
		{http.MethodGet, "/v1/messages?direction=inbound", "", http.StatusOK},
		{http.MethodGet, "/v1/messages?status=sent", "", http.StatusOK},
		{http.MethodGet, "/v1/payment-orders?paymentStatus=captured", "", http.StatusOK},
		{http.MethodGet, "/v1/payment-orders?orderId=R1", "", http.StatusOK},
		{http.MethodGet, "/v1/templates?wabaId=" + wt.WABA + "&status=APPROVED", "", http.StatusOK},
		{http.MethodGet, "/v1/templates?wabaId=" + wt.WABA + "&name=hello_world", "", http.StatusOK},
		{http.MethodPost, "/v1/webhook-event-purges", `{"wabaId":"` + wt.WABA + `","reason":"a test"}`, http.StatusOK},
		{http.MethodGet, "/v1/tenants/demo/usage?month=" + today[:7], "", http.StatusOK},
	} {
		if status, answer := r.callAs(t, token, call.method, call.path, call.body); status != call.want {
			t.Errorf("%s %s: %d %s", call.method, call.path, status, answer)
		}
	}
	var counted struct{ Days []struct{ CountedAt string } }
	r.get(t, "/v1/analytics?wabaId="+wt.WABA+"&from="+today+"&to="+today, &counted,
		func() bool { return len(counted.Days) == 1 && counted.Days[0].CountedAt != "" })
	counted.Days = nil
	r.get(t, "/v1/response-times?phoneNumberId="+wt.Phone+"&from="+today+"&to="+today, &counted,
		func() bool { return len(counted.Days) == 1 && counted.Days[0].CountedAt != "" })
}

// writesTemplates has a template created, edited and deleted at WhatsApp.
func (r *running) writesTemplates(t *testing.T) {
	t.Helper()
	token := r.mint(t, "tenant:demo")
	const path = "/v1/templates/" + wt.WABA + ":e2e_ready:en"
	contents := func(text string) string { return `"components":[{"type":"BODY","text":"` + text + `"}]}` }
	calls := func(method, path, body string, want int) {
		t.Helper()
		if status, answer := r.callAs(t, token, method, path, body); status != want {
			t.Errorf("%s %s: %d %s", method, path, status, answer)
		}
	}
	var shown struct {
		Status string
		Asked  struct{ AnsweredAt, Problem string }
	}
	becomes := func(status string) {
		t.Helper()
		r.get(t, path, &shown, func() bool { return shown.Status == status && shown.Asked.AnsweredAt != "" })
		if shown.Asked.Problem != "" {
			t.Error(shown.Asked.Problem)
		}
	}
	calls(http.MethodPost, "/v1/templates", `{"wabaId":"`+wt.WABA+
		`","name":"e2e_ready","language":"en","category":"UTILITY",`+contents("Your order is ready."),
		http.StatusAccepted)
	becomes("APPROVED")
	calls(http.MethodPatch, path, "{"+contents("Your order waits for you."), http.StatusAccepted)
	shown.Asked.AnsweredAt = ""
	becomes("APPROVED")
	var diff struct{ Differences []any }
	r.get(t, path+"/diff", &diff, func() bool { return diff.Differences != nil })
	if len(diff.Differences) > 0 {
		t.Errorf("WhatsApp has something else: %v", diff.Differences)
	}
	calls(http.MethodPost, "/v1/template-deletions", `{"wabaId":"`+wt.WABA+`","name":"e2e_ready"}`,
		http.StatusAccepted)
	becomes("DELETED")
	calls(http.MethodDelete, path, "", http.StatusNotFound)
}
