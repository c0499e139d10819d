package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/model"
)

// hooks is where the tenant's subscriptions are.
const hooks = "/v1/tenants/demo/event-subscriptions"

// subscribes has an endpoint be told all that happens, and waits until the domains know of it. Nobody is behind its
// name.
func (r *running) subscribes(t *testing.T) {
	t.Helper()
	token := r.mint(t, "platform", "tenant:demo")
	status, answer := r.callAs(t, token, http.MethodGet, "/v1/tenants/demo/event-kinds", "")
	var kinds struct{ Kinds []struct{ Name string } }
	if err := json.Unmarshal([]byte(answer), &kinds); err != nil || status != http.StatusOK || len(kinds.Kinds) < 10 {
		t.Fatalf("kinds: %d %s", status, answer)
	}
	var all []string
	for _, kind := range kinds.Kinds {
		all = append(all, kind.Name)
	}
	list, _ := json.Marshal(all)
	body := `{"url":"https://erp.haatline.invalid/hook","kinds":` + string(list) + `}`
	status, answer = r.callAs(t, token, http.MethodPut, hooks+"/erp", body)
	if status != http.StatusOK || !strings.Contains(answer, `"secret":"whsec_`) {
		t.Fatalf("subscribe: %d %s", status, answer)
	}
	for _, url := range []string{"http://erp.haatline.invalid/", "https://127.0.0.1/"} {
		if status, answer := r.callAs(t, token, http.MethodPut, hooks+"/bad",
			`{"url":"`+url+`","kinds":["order.created"]}`); status != http.StatusUnprocessableEntity {
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
	ends := model.At(time.Now())
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
	var sent struct {
		Items []struct {
			Type      string
			CreatedAt model.Time
		}
	}
	r.get(t, "/v1/outbox?state=sent&limit=50", &sent, func() bool { // the stores know that nobody listens any more
		for _, event := range sent.Items {
			if event.Type == subscriptions.EventNote && event.CreatedAt >= ends {
				return true
			}
		}
		return false
	})
}
