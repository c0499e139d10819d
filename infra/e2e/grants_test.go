package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

// recorder stands between each function and the engine and writes down what IAM would be asked: action and table or index.
type recorder struct {
	t     *testing.T
	mu    sync.Mutex
	calls map[string]map[string]bool // by function
}

func (rec *recorder) endpoint(function, engine string) string {
	target, err := url.Parse(engine)
	if err != nil {
		rec.t.Error(err)
		return engine
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		rec.note(function, strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "DynamoDB_20120810."), body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	rec.t.Cleanup(server.Close)
	return server.URL
}

// note takes a call apart the way IAM does: a transaction needs the actions of its parts, a batch its own on each table, a
// query the index.
func (rec *recorder) note(function, operation string, body []byte) {
	var in struct {
		TableName, IndexName string
		RequestItems         map[string]json.RawMessage
		TransactItems        []map[string]struct{ TableName string }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		rec.t.Errorf("%s %s: %v", function, operation, err)
		return
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	add := func(action, table, index string) {
		if rec.calls[function] == nil {
			rec.calls[function] = map[string]bool{}
		}
		rec.calls[function][strings.TrimSuffix(fmt.Sprintf("%s on %s/%s", action, table, index), "/")] = true
	}
	for table := range in.RequestItems {
		add(operation, table, "")
	}
	for _, item := range in.TransactItems {
		for part, of := range item {
			action := part + "Item"
			if part == "ConditionCheck" {
				action = "ConditionCheckItem"
			}
			add(action, of.TableName, "")
		}
	}
	if in.TableName != "" {
		add(operation, in.TableName, in.IndexName)
	}
}

// granted is what the topology lets a function do, in the same words.
func granted(f topology.Function) []string {
	list := []string{}
	for _, grant := range f.Grants {
		name := grant.Table.Name(tables.Dev)
		for _, action := range grant.Actions {
			list = append(list, action+" on "+name)
		}
		for _, index := range grant.Indexes {
			list = append(list, "Query on "+name+"/"+index)
		}
	}
	slices.Sort(list)
	return list
}

func TestEveryFunctionMayDoExactlyWhatItDoes(t *testing.T) {
	rec := &recorder{t: t, calls: map[string]map[string]bool{}}
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.EndpointFor = rec.endpoint })
	everything(t, r)
	rec.mu.Lock()
	defer rec.mu.Unlock()
	for _, f := range topology.Functions {
		called := []string{}
		for call := range rec.calls[f.Name] {
			called = append(called, call)
		}
		slices.Sort(called)
		if diff := cmp.Diff(granted(f), called); diff != "" {
			t.Errorf("%s: what it may do (-) and what it does (+):\n%s", f.Name, diff)
		}
	}
}

// everything makes every function do everything it does.
func everything(t *testing.T, r *running) {
	t.Helper()
	const id = "106540352242922:919876500001"
	messages := "/v1/conversations/" + id + "/messages"
	r.simulate(t, "/say", `{"from":"919876500001","text":"hello"}`)
	r.simulate(t, "/say", `{"from":"919876500001","message":{"type":"image","image":{"id":"media-9","mime_type":"image/jpeg"}}}`)
	r.simulate(t, "/webhook", `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"field":"user_id_update","value":{`+
		`"metadata":{"phone_number_id":"106540352242922"},"user_id_update":[{"wa_id":"919876500001","user_id":{"previous":"IN.1","current":"IN.2"}}]}}]}]}`)
	var list inbox
	r.get(t, "/v1/conversations", &list, func() bool { return len(list.Conversations) == 1 && list.Conversations[0].UnreadCount == 2 })
	for _, mark := range []string{"read", "unread", "archive", "unarchive"} {
		r.want(t, http.StatusNoContent, http.MethodPost, "/v1/conversations/"+id+"/"+mark, "")
	}
	r.simulate(t, "/faults", `{"delayAnswer":"3s"}`) // a status is faster and settles it
	r.keyed(t, messages+"/text", `{"body":"one"}`)
	var page timeline
	read := func(n int) func() bool {
		return func() bool {
			count := 0
			for _, m := range page.Messages {
				if m.Delivery != nil && m.Delivery.Status == "read" {
					count++
				}
			}
			return count == n
		}
	}
	r.get(t, messages, &page, read(1))
	r.want(t, http.StatusAccepted, http.MethodPost, messages+"/text", `{"body":"two"}`)
	r.get(t, messages, &page, read(2))
	r.want(t, http.StatusOK, http.MethodGet, "/v1/messages/"+url.PathEscape(page.Messages[0].ID), "")

	r.simulate(t, "/faults", `{"fail":{"code":131026,"http":400}}`)
	r.want(t, http.StatusAccepted, http.MethodPost, messages+"/text", `{"body":"three"}`)
	var dead struct{ Events []struct{ ID string } }
	r.get(t, "/v1/outbox?state=dead_letter&tenantId=demo", &dead, func() bool { return len(dead.Events) == 1 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/outbox?state=sent", "")
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/outbox/"+dead.Events[0].ID+"/replay", "")

	var logged struct{ Events []struct{ ID string } }
	r.get(t, "/v1/webhook-events?kind=message", &logged, func() bool { return len(logged.Events) > 0 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/webhook-events/"+logged.Events[0].ID, "")
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/webhook-events/"+logged.Events[0].ID+"/replay", "")
	owner := r.mint(t, "tenant:demo") // no platform operator: the account's owner is looked up
	if status, body := r.callAs(t, owner, http.MethodGet, "/v1/webhook-events?wabaId=102290129340398", ""); status != http.StatusOK {
		t.Fatalf("the account's log: %d %s", status, body)
	}
	r.stopAndSweep(t, messages)
}

// stopAndSweep stops the sender, so that a message stays where only the sweep finds it.
func (r *running) stopAndSweep(t *testing.T, messages string) {
	t.Helper()
	r.simulate(t, "/faults", `{"fail":{"code":190,"http":401}}`)
	for _, text := range []string{"four", "five"} {
		r.want(t, http.StatusAccepted, http.MethodPost, messages+"/text", `{"body":"`+text+`"}`)
	}
	var failed, pending struct{ Events []struct{ ID string } }
	r.get(t, "/v1/outbox?state=failed", &failed, func() bool { return len(failed.Events) > 0 })
	r.get(t, "/v1/outbox?state=pending", &pending, func() bool { return len(pending.Events) > 0 })
	time.Sleep(6 * time.Second) // the sweep leaves what is younger to the stream
	if _, err := r.Trigger(t.Context(), "outbox-sweep"); err != nil {
		t.Fatal(err)
	}
}

// keyed sends under an idempotency key, twice.
func (r *running) keyed(t *testing.T, path, body string) {
	t.Helper()
	for range 2 {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.Addresses.HTTP+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+r.Addresses.Token)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", "order-7")
		if status, answer := do(t, request); status != http.StatusAccepted {
			t.Fatalf("%s: %d %s", path, status, answer)
		}
	}
}

func (r *running) want(t *testing.T, status int, method, path, body string) {
	t.Helper()
	if got, answer := r.call(t, method, path, body); got != status {
		t.Fatalf("%s %s: %d %s", method, path, got, answer)
	}
}

// mint makes a token of the local issuer with every scope.
func (r *running) mint(t *testing.T, groups ...string) string {
	t.Helper()
	issuer, err := cloud.Issuer(r.dir, r.Addresses.HTTP)
	if err != nil {
		t.Fatal(err)
	}
	token, err := issuer.Mint(identity.Grant{
		Subject: "owner", Username: "owner", Groups: groups, Scopes: cloud.OperatorScopes(), IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}
