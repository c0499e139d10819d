package e2e

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/topology"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A number that sends by AWS End User Messaging works as one that sends by Meta itself. Each function does there what
// the topology says, and the function that takes what AWS tells does nothing but append.
func TestANumberAtAWSWorksBothWays(t *testing.T) {
	t.Parallel()
	rec := &recorder{t: t, calls: map[string]map[string]bool{}}
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.InMemory, c.Watch = true, rec.watch })
	for _, run := range []struct {
		says string
		args []string
	}{
		{"is demo's", []string{"number", "-stage", "local", "-phone", wt.Phone, "-tenant", "demo", "-aws", "find"}},
		{"AWS tells of it by the topic", []string{"doctor", "-stage", "local"}},
	} {
		if out, err := r.ops(t, run.args...); err != nil || !strings.Contains(out, run.says) {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	const customer = "919876500001"
	const conversation = "/v1/conversations/" + wt.Phone + ":" + customer
	r.simulate(t, "/say", `{"from":"`+customer+`","text":"hello"}`)
	r.simulate(t, "/say",
		`{"from":"`+customer+`","message":{"type":"image","image":{"id":"media9","mime_type":"image/jpeg"}}}`)
	r.fetches(t)
	picture := r.uploads(t, conversation+"/messages")
	var found struct{ UnreadCount int }
	r.get(t, conversation, &found, func() bool { return found.UnreadCount == 2 })
	r.want(t, http.StatusAccepted, http.MethodPost, conversation+"/messages/text", `{"body":"by AWS"}`)
	var page timeline
	r.get(t, conversation+"/messages", &page, func() bool {
		newest := page.Messages[0]
		return newest.Text == "by AWS" && newest.Delivery != nil && newest.Delivery.Status == "read"
	})
	if n := len(page.Messages); n != 4 {
		t.Errorf("%d messages", n)
	}
	r.keepsTemplatesAtAWS(t, picture)
	r.refusesWhatAWSRefuses(t, conversation)

	rec.mu.Lock()
	defer rec.mu.Unlock()
	want := map[string]bool{"dynamodb:PutItem on Messages": true}
	if diff := cmp.Diff(want, rec.calls["eum-webhook"]); diff != "" {
		t.Errorf("what eum-webhook may do (-) and what it does (+):\n%s", diff)
	}
	for _, f := range topology.Functions {
		may := slices.Sorted(slices.Values(slices.Concat(f.EUM, f.Templates)))
		if diff := cmp.Diff(may, slices.Sorted(maps.Keys(rec.calls[f.Name+" at AWS"]))); diff != "" {
			t.Errorf("%s: what it may do at AWS (-) and what it does (+):\n%s", f.Name, diff)
		}
	}
	dead, err := os.ReadDir(filepath.Join(r.dir, "failures", topology.EUMWebhook.Name))
	if err != nil || len(dead) > 0 {
		t.Errorf("dead letters %v, %v", dead, err)
	}
}

// keepsTemplatesAtAWS lists, makes, edits and deletes templates of an account whose number is at AWS. What the review
// says comes by Meta's webhook and by AWS.
func (r *running) keepsTemplatesAtAWS(t *testing.T, picture string) {
	t.Helper()
	const account = `{"wabaId":"` + wt.WABA + `"`
	const path = "/v1/templates/" + wt.WABA + ":at_aws:en"
	contents := func(text string) string {
		return `"components":[{"type":"HEADER","format":"IMAGE","example":{"header_handle":["media:` + picture +
			`"]}},{"type":"BODY","text":"` + text + `"}]}`
	}
	var shown struct {
		Status string
		Asked  struct{ AnsweredAt, Problem string }
	}
	becomes := func(path, status string) {
		t.Helper()
		shown.Asked.AnsweredAt = ""
		r.get(t, path, &shown, func() bool { return shown.Status == status && shown.Asked.AnsweredAt != "" })
		if shown.Asked.Problem != "" {
			t.Errorf("%s: %s", path, shown.Asked.Problem)
		}
	}
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/template-syncs", account+"}")
	var listed struct {
		Items []struct{ Name, Status string }
	}
	r.get(t, "/v1/templates?name=hello_world", &listed, func() bool {
		return len(listed.Items) == 1 && listed.Items[0].Status == "APPROVED"
	})
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/templates",
		account+`,"name":"at_aws","language":"en","category":"UTILITY",`+contents("Your bill is ready."))
	becomes(path, "APPROVED")
	r.want(t, http.StatusAccepted, http.MethodPatch, path, "{"+contents("Your new bill is ready."))
	becomes(path, "APPROVED")
	r.want(t, http.StatusAccepted, http.MethodDelete, path, "")
	becomes(path, "DELETED")
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/library-template-searches", account+`,"topic":"PAYMENTS"}`)
	r.get(t, "/v1/library-templates?wabaId="+wt.WABA+"&topic=PAYMENTS", &listed,
		func() bool { return len(listed.Items) == 1 && listed.Items[0].Name == "payment_reminder_sample" })
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/library-templates", account+
		`,"library":"payment_reminder_sample","name":"due_at_aws","language":"en_US","category":"UTILITY"}`)
	becomes("/v1/templates/"+wt.WABA+":due_at_aws:en_US", "APPROVED")
}

// refusesWhatAWSRefuses has Meta refuse a message, and lose the answer to another one. Neither goes twice.
func (r *running) refusesWhatAWSRefuses(t *testing.T, conversation string) {
	t.Helper()
	var page timeline
	for _, c := range []struct{ fault, text, want string }{
		{`{"fail":{"code":131026,"http":400}}`, "refused", "failed"}, {`{"loseAnswer":true}`, "unanswered", "read"}} {
		r.simulate(t, "/faults", c.fault)
		r.want(t, http.StatusAccepted, http.MethodPost, conversation+"/messages/text", `{"body":"`+c.text+`"}`)
		r.get(t, conversation+"/messages", &page, func() bool {
			newest := page.Messages[0]
			return newest.Text == c.text && newest.Delivery != nil && newest.Delivery.Status == c.want
		})
	}
	if taken := r.simulator(t, http.MethodGet, "/messages", ""); strings.Count(taken, `"body":"unanswered"`) != 1 ||
		strings.Contains(taken, `"body":"refused"`) {
		t.Errorf("taken: %s", taken)
	}
}
