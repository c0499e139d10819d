package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/tables"
)

// recorder stands between each function and what it calls, and writes down what IAM would be asked: service, action, and
// the table, index or secret.
type recorder struct {
	t     *testing.T
	mu    sync.Mutex
	calls map[string]map[string]bool // by function
}

// watch gives a function ways to the engine and to Secrets Manager that lead through the recorder. Its secrets are
// references, as they are in AWS.
func (rec *recorder) watch(function, engine string) []string {
	target, err := url.Parse(engine)
	if err != nil {
		rec.t.Error(err)
		return nil
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	dynamodb := rec.serve(func(w http.ResponseWriter, r *http.Request, operation string, body []byte) {
		rec.noteTables(function, operation, body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	})
	secretsManager := rec.serve(func(w http.ResponseWriter, _ *http.Request, operation string, body []byte) {
		var in struct{ SecretId string }
		_ = json.Unmarshal(body, &in)
		name := letters(path.Base(in.SecretId))
		if strings.HasPrefix(in.SecretId, names.NumberSecrets(tables.Dev)) {
			name = "numbers"
		}
		rec.note(function, "secretsmanager:"+operation+" on "+name)
		local := map[string]string{
			names.Secret(tables.Dev):                     `{"WHATSAPP_APP_SECRET":"local-app-secret","WHATSAPP_VERIFY_TOKEN":"local-verify-token","WHATSAPP_ACCESS_TOKEN":"local-access-token"}`,
			names.NumberSecrets(tables.Dev) + otherPhone: "local-access-token",
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"SecretString": local[in.SecretId]})
	})
	variables := []string{"DYNAMODB_ENDPOINT=" + dynamodb, "AWS_ENDPOINT_URL_SECRETS_MANAGER=" + secretsManager}
	for _, f := range topology.Functions {
		for _, name := range f.Secrets {
			if f.Name == function {
				variables = append(variables, name+"="+names.SecretRef(name, tables.Dev))
			}
		}
	}
	return variables
}

// serve starts a stand-in of a service that speaks JSON, and returns its address.
func (rec *recorder) serve(answer func(w http.ResponseWriter, r *http.Request, operation string, body []byte)) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		answer(w, r, operation, body)
	}))
	rec.t.Cleanup(server.Close)
	return server.URL
}

func (rec *recorder) note(function, call string) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.calls[function] == nil {
		rec.calls[function] = map[string]bool{}
	}
	rec.calls[function][call] = true
}

// noteTables takes a call apart the way IAM does: a transaction needs the actions of its parts, a batch its own on each
// table, a query the index.
func (rec *recorder) noteTables(function, operation string, body []byte) {
	var in struct {
		TableName, IndexName string
		RequestItems         map[string]json.RawMessage
		TransactItems        []map[string]struct{ TableName string }
		Item                 struct{ PK struct{ S string } }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		rec.t.Errorf("%s %s: %v", function, operation, err)
		return
	}
	add := func(action, table, index string) {
		rec.note(function, strings.TrimSuffix("dynamodb:"+action+" on "+tableID(table, tables.Dev)+"/"+index, "/"))
	}
	if key := in.Item.PK.S; !mayTouch(function, in.TableName, key) {
		rec.t.Errorf("%s puts an item whose key begins otherwise than it may: %.20s", function, key)
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

// mayTouch reports whether a function's grant covers the item with a key. A put alone is looked at: who is limited to some
// items makes no other calls.
func mayTouch(function, table, key string) bool {
	for _, f := range topology.Functions {
		for _, grant := range f.Grants {
			if f.Name != function || grant.Table.Name(tables.Dev) != table || len(grant.Leading) == 0 {
				continue
			}
			return slices.ContainsFunc(grant.Leading, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
		}
	}
	return true
}

// tableID is the table with a name in a stage.
func tableID(name string, stage tables.Stage) string {
	for _, table := range tables.All() {
		if table.Name(stage) == name {
			return table.ID
		}
	}
	return "no table of ours: " + name
}

// letters are those of a name, in lower case: WhatsappAppSecret and whatsapp-app-secret are the same.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// synthesised is what each function's role allows it to call itself, by the templates as they are synthesised. What a role
// allows beside that is used by Lambda in the function's place: logs, traces, streams, and the failure destinations.
func synthesised(t *testing.T, root string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(root + "/infra/stacks/testdata/grants.golden") // a test of the stacks keeps it as they are
	if err != nil {
		t.Fatal(err)
	}
	const table = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/"
	allowed := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		role, grant, _ := strings.Cut(strings.TrimSpace(line), " ")
		grant, _, _ = strings.Cut(grant, " of ") // of which items, mayTouch looks at
		action, resource, _ := strings.Cut(grant, " on ")
		if of, ok := strings.CutPrefix(resource, table); ok && !strings.Contains(of, "/stream/") {
			name, index, _ := strings.Cut(of, "/index/")
			grant = strings.TrimSuffix(action+" on "+tableID(name, tables.Prod)+"/"+index, "/")
		} else if strings.HasPrefix(action, "secretsmanager:") {
			name := letters(path.Base(strings.TrimSuffix(resource, "/*")))
			grant = action + " on " + strings.TrimSuffix(name, "secrets") // the logical id of haatline/prod/whatsapp is WhatsappSecrets
		} else {
			continue
		}
		function := strings.ToLower(strings.TrimSuffix(role, "Role"))
		allowed[function] = append(allowed[function], grant)
	}
	return allowed
}

// Nothing is missing from what a function is allowed, and nothing is over.
func TestEveryFunctionMayDoExactlyWhatItDoes(t *testing.T) {
	rec := &recorder{t: t, calls: map[string]map[string]bool{}}
	var logs *lockedBuffer
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.Watch, logs = rec.watch, c.Logs.(*lockedBuffer) })
	everything(t, r)
	r.mishaps(t)
	measuresWhatItSays(t, logs)
	r.want(t, http.StatusOK, http.MethodGet, "/webhooks/whatsapp?hub.mode=subscribe&hub.verify_token=local-verify-token&hub.challenge=7", "")
	allowed := synthesised(t, r.root)
	rec.mu.Lock()
	defer rec.mu.Unlock()
	for _, f := range topology.Functions {
		called := slices.Sorted(maps.Keys(rec.calls[f.Name]))
		slices.Sort(allowed[f.Name])
		if diff := cmp.Diff(allowed[f.Name], called); diff != "" {
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
	r.simulate(t, "/webhook", `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"field":"phone_number_quality_update","value":{`+
		`"display_phone_number":"15550783881","event":"FLAGGED","current_limit":"TIER_10K"}}]}]}`)
	var numbers struct {
		Items []struct{ QualityRating, MessagingLimit string }
	}
	r.get(t, "/v1/numbers", &numbers, func() bool {
		return len(numbers.Items) == 1 && numbers.Items[0].QualityRating == "RED" && numbers.Items[0].MessagingLimit == "TIER_10K"
	})
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
	var dead struct{ Items []struct{ ID string } }
	r.get(t, "/v1/outbox?state=dead_letter&tenantId=demo", &dead, func() bool { return len(dead.Items) == 1 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/outbox?state=sent", "")
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/outbox/"+dead.Items[0].ID+"/replay", "")

	var logged struct{ Items []struct{ ID string } }
	r.get(t, "/v1/webhook-events?kind=message", &logged, func() bool { return len(logged.Items) > 0 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/webhook-events/"+logged.Items[0].ID, "")
	r.want(t, http.StatusOK, http.MethodGet, "/v1/webhook-events?failed=true&wabaId=102290129340398", "")
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/webhook-events/"+logged.Items[0].ID+"/replay", "")
	owner := r.mint(t, "tenant:demo") // no platform operator: the account's owner is looked up
	if status, body := r.callAs(t, owner, http.MethodGet, "/v1/webhook-events?wabaId=102290129340398", ""); status != http.StatusOK {
		t.Fatalf("the account's log: %d %s", status, body)
	}
	r.want(t, http.StatusOK, http.MethodGet, "/v1/audit-records?actor=me", "")
	r.want(t, http.StatusOK, http.MethodGet, "/v1/numbers", "")
	r.want(t, http.StatusNoContent, http.MethodPost, "/v1/numbers/106540352242922/resume", "")
	r.learnsLate(t)
	r.stopAndSweep(t, messages)
	r.want(t, http.StatusOK, http.MethodGet, "/v1/numbers", "") // what waits for a stopped one is counted
	r.simulate(t, "/say", `{"from":"919876500002","text":"hello"}`)
	var changed struct{ Address string }
	r.get(t, "/v1/conversations/106540352242922:919876500002", &changed, func() bool { return changed.Address == "919876500002" })
	r.simulate(t, "/say", `{"from":"919876500002","message":{"type":"system","system":{"type":"user_changed_number","wa_id":"919876500003"}}}`)
	r.get(t, "/v1/conversations/106540352242922:919876500002", &changed, func() bool { return changed.Address == "919876500003" })
	r.simulate(t, "/webhook", `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"field":"user_id_update","value":{`+
		`"metadata":{"phone_number_id":"106540352242922"},"user_id_update":[{"wa_id":"919876500001","user_id":{"previous":"IN.2","current":"IN.3"}}]}}]}]}`)
	for _, customer := range []string{"IN.3", "919876500002"} { // by an alias; one whose number somebody else may have by now
		r.erase(t, "/v1/conversations/106540352242922:"+customer)
	}
}

// learnsLate has two customers write before and after somebody else got their number, or user id, and the notices come last:
// messages move then.
func (r *running) learnsLate(t *testing.T) {
	t.Helper()
	began := time.Now()
	at := func(secondsAgo int) string { return strconv.FormatInt(began.Unix()-int64(secondsAgo), 10) }
	post := func(field, value string) {
		r.simulate(t, "/webhook", `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"field":"`+field+`","value":{`+
			`"messaging_product":"whatsapp","metadata":{"phone_number_id":"106540352242922"},`+value+`}}]}]}`)
	}
	text := func(id, from, when string) string {
		return `{"id":"` + id + `","timestamp":"` + when + `","type":"text","text":{"body":"hello"},` + from + `}`
	}
	const number, userID = `"from":"919876500004"`, `"from_user_id":"IN.70"`
	post("messages", `"messages":[`+text("wamid.late1", number, at(120))+`,`+text("wamid.late2", number, at(10))+`,`+
		text("wamid.late3", userID, at(120))+`,`+text("wamid.late4", userID, at(10))+`]`)
	var one struct{ UnreadCount int }
	for _, customer := range []string{"919876500004", "IN.70"} {
		r.get(t, "/v1/conversations/106540352242922:"+customer, &one, func() bool { return one.UnreadCount == 2 })
	}
	post("messages", `"messages":[{"id":"wamid.late5","timestamp":"`+at(60)+`","type":"system",`+number+`,"system":{"type":"user_changed_number","wa_id":"919876500005"}}]`)
	post("user_id_update", `"user_id_update":[{"user_id":{"previous":"IN.70","current":"IN.71"},"timestamp":"`+at(60)+`"}]`)
	for _, customer := range []string{"919876500005", "IN.71"} {
		r.get(t, "/v1/conversations/106540352242922:"+customer, &one, func() bool { return one.UnreadCount == 1 })
	}
}

// erase erases a customer and sees the proof.
func (r *running) erase(t *testing.T, conversation string) {
	t.Helper()
	status, body := 0, ""
	for range 100 { // until the alias is there, and then until nothing is left
		time.Sleep(50 * time.Millisecond)
		if status, body = r.call(t, http.MethodPost, conversation+"/erase", `{"reason":"asked for it"}`); strings.Contains(body, `"complete":true`) {
			r.want(t, http.StatusOK, http.MethodGet, conversation+"/audit", "")
			return
		}
	}
	t.Fatalf("%s is not erased: %d %s", conversation, status, body)
}

// stopAndSweep stops the sender, so that a message stays where only the sweep finds it.
func (r *running) stopAndSweep(t *testing.T, messages string) {
	t.Helper()
	r.simulate(t, "/faults", `{"fail":{"code":190,"http":401}}`)
	for _, text := range []string{"four", "five"} {
		r.want(t, http.StatusAccepted, http.MethodPost, messages+"/text", `{"body":"`+text+`"}`)
	}
	var failed struct{ Items []struct{ ID string } }
	r.get(t, "/v1/outbox?state=failed", &failed, func() bool { return len(failed.Items) > 0 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/outbox?state=pending", "") // the second waits there, or is parked already
	r.appendUnknown(t)                                                       // nothing else may be left for the sweep
	time.Sleep(6 * time.Second)                                              // the sweep leaves what is younger to the stream
	for _, schedule := range []string{"outbox-sweep", "inbound-sweep", "status-sweep"} {
		if _, err := r.Trigger(t.Context(), schedule); err != nil {
			t.Fatal(err)
		}
	}
}

// keyed sends under an idempotency key, twice.
func (r *running) keyed(t *testing.T, path, body string) {
	t.Helper()
	for range 2 {
		request := r.request(t, r.Addresses.Token, http.MethodPost, path, body)
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
		Subject: "owner", Username: "owner", Groups: append([]string{"administrator"}, groups...), Scopes: httpapi.ScopeNames(), IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}
