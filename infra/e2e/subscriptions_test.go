package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// hooks is where the tenant's subscriptions are.
const hooks = "/v1/tenants/demo/event-subscriptions"

// subscribes has an endpoint be told all that happens, and waits until the domains know of it. Nobody is behind its
// name.
func (r *running) subscribes(t *testing.T) {
	t.Helper()
	token := r.mint(t, "platform", "tenant:demo")
	status, answer := r.callAs(t, token, http.MethodGet, "/v1/tenants/demo/event-kinds", "")
	var kinds struct{ Items []struct{ Name string } }
	if err := json.Unmarshal([]byte(answer), &kinds); err != nil || status != http.StatusOK || len(kinds.Items) < 10 {
		t.Fatalf("kinds: %d %s", status, answer)
	}
	var all []string
	for _, kind := range kinds.Items {
		all = append(all, kind.Name)
	}
	list, _ := json.Marshal(all)
	body := `{"url":"https://erp.haatline.invalid/hook","kinds":` + string(list) + `}`
	status, answer = r.callAs(t, token, http.MethodPut, hooks+"/erp", body)
	if status != http.StatusOK || !strings.Contains(answer, `"secret":"whsec_`) {
		t.Fatalf("subscribe: %d %s", status, answer)
	}
	for url, want := range map[string]int{
		"http://erp.haatline.invalid/": http.StatusUnprocessableEntity, "https://127.0.0.1/": http.StatusUnprocessableEntity,
	} {
		if status, answer := r.callAs(t, token, http.MethodPut, hooks+"/bad",
			`{"url":"`+url+`","kinds":["order.created"]}`); status != want {
			t.Errorf("%s: %d %s", url, status, answer)
		}
	}
	var sub struct{ ListensSince string }
	r.get(t, hooks+"/erp", &sub, func() bool { return sub.ListensSince != "" })
}

// toldOutside waits until the endpoint was tried in vain, and ends the subscription.
func (r *running) toldOutside(t *testing.T) {
	t.Helper()
	token := r.mint(t, "platform", "tenant:demo")
	var sub struct {
		Failures    int
		LastFailure string
	}
	r.get(t, hooks+"/erp", &sub, func() bool { return sub.Failures > 0 })
	if sub.LastFailure != "the endpoint could not be reached" {
		t.Errorf("%+v", sub)
	}
	for _, call := range []struct {
		method, path, body string
		want               int
	}{
		{http.MethodPost, hooks + "/erp/test", "", http.StatusAccepted},
		{http.MethodPost, hooks + "/erp/rotate-secret", "{}", http.StatusOK},
		{http.MethodPost, hooks + "/erp/replays", "{}", http.StatusOK},
		{http.MethodGet, hooks + "/erp/deliveries?state=failed", "", http.StatusOK},
		{http.MethodGet, hooks, "", http.StatusOK},
		{http.MethodDelete, hooks + "/erp", "", http.StatusNoContent},
	} {
		if status, answer := r.callAs(t, token, call.method, call.path, call.body); status != call.want {
			t.Errorf("%s %s: %d %s", call.method, call.path, status, answer)
		}
	}
}
