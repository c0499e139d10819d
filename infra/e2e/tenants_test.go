package e2e

import (
	"net/http"
	"testing"
)

// runsTenants has a platform operator create, disable and delete a tenant, and set what holds for all.
func (r *running) runsTenants(t *testing.T) {
	t.Helper()
	token := r.mint(t, "platform", "tenant:demo")
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
	} {
		if status, answer := r.callAs(t, token, call.method, call.path, call.body); status != call.want {
			t.Errorf("%s %s: %d %s", call.method, call.path, status, answer)
		}
	}
}
