package e2e

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// sendsCampaigns sends a template to those in a file, and to those whom the inbox, the shop and the credit book know.
func (r *running) sendsCampaigns(t *testing.T) {
	t.Helper()
	token, keys := r.mint(t, "tenant:demo"), 0
	r.simulator(t, http.MethodPut, "/account", `{"limit":"TIER_10K"}`)
	r.want(t, http.StatusNoContent, http.MethodPost, itsNumber+"/resume", "")
	calls := func(method, path, contentType, body string, want int) string {
		t.Helper()
		request := r.request(t, token, method, "/v1/campaigns"+path, body)
		request.Header.Set("Content-Type", contentType)
		keys++
		request.Header.Set("Idempotency-Key", "campaigns "+strconv.Itoa(keys))
		status, answer := do(t, request)
		if status != want {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
		return answer
	}
	const facts = `"name":"Diwali","templates":[{"name":"hello_world","language":"en_US"}]`
	makes := func(phone, name string) string {
		t.Helper()
		return "/" + field(t, calls(http.MethodPost, "", "application/json",
			`{"phoneNumberId":"`+phone+`","name":"`+name+`","templates":[{"name":"hello_world","language":"en_US"}]}`,
			http.StatusCreated), "campaignId")
	}
	const file = "to,name\n919870011111,Asha\n919870011112,Ravi\n"
	one := makes("106540352242922", "Diwali")
	calls(http.MethodPut, one, "application/json", "{"+facts+"}", http.StatusOK)
	list := field(t, calls(http.MethodPost, one+"/files", "text/csv", file, http.StatusOK), "listId")
	calls(http.MethodDelete, one+"/lists/"+list, "application/json", "", http.StatusNoContent)
	calls(http.MethodPost, one+"/files", "text/csv", file+"\n", http.StatusOK)
	calls(http.MethodGet, one+"/estimate", "application/json", "", http.StatusOK)
	calls(http.MethodPost, one+"/start", "application/json", "", http.StatusOK)
	var seen struct{ Counts struct{ Sent int } }
	began := time.Now()
	r.get(t, "/v1/campaigns"+one, &seen, func() bool {
		if seen.Counts.Sent < 2 && time.Since(began) > 10*time.Second { // the next count comes later
			calls(http.MethodPost, one+"/count", "application/json", "", http.StatusOK)
		}
		return seen.Counts.Sent == 2
	})
	calls(http.MethodGet, one+"/recipients", "application/json", "", http.StatusOK)
	calls(http.MethodGet, one+"/messages", "application/json", "", http.StatusOK)
	calls(http.MethodGet, "?tenantId=demo", "application/json", "", http.StatusOK)

	other := makes(shopPhone, "Others")
	for _, audience := range []string{
		`{"kind":"label","label":"vip"}`, `{"kind":"not_seen_since","since":"2020-01-01T00:00:00Z"}`,
		`{"kind":"bought"}`} {
		calls(http.MethodPost, other+"/audiences", "application/json", audience, http.StatusOK)
	}
	owing := makes(bookPhone, "Those who owe")
	calls(http.MethodPost, owing+"/audiences", "application/json", `{"kind":"owes","atLeast":"1"}`, http.StatusOK)
	calls(http.MethodPost, other+"/files", "text/csv", file, http.StatusOK)
	tomorrow := time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	calls(http.MethodPost, other+"/schedule", "application/json", `{"at":"`+tomorrow+`"}`, http.StatusOK)
	calls(http.MethodPost, other+"/pause", "application/json", "", http.StatusOK)
	calls(http.MethodPost, other+"/cancel", "application/json", "", http.StatusOK)
	copied := "/" + field(t, calls(http.MethodPost, other+"/copy", "application/json", `{"name":"Again"}`,
		http.StatusCreated), "campaignId")
	calls(http.MethodDelete, copied, "application/json", "", http.StatusNoContent)
}

// field returns a text of an answer.
func field(t *testing.T, answer, name string) string {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(answer), &fields); err != nil {
		t.Fatal(err)
	}
	text, _ := fields[name].(string)
	return text
}
