package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/infra/local/eum"
	"github.com/haatline/haatline/infra/local/guard"
	"github.com/haatline/haatline/infra/local/sms"
	"github.com/haatline/haatline/infra/local/starts"
	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/commerce/analytics/pgtest"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/sessiontoken"
	"github.com/haatline/haatline/shared/tables"
)

// recorder stands between each function and what it calls, and writes down what IAM would be asked: service, action,
// and the table, index, secret, or beginning of an object's key.
type recorder struct {
	t     *testing.T
	mu    sync.Mutex
	calls map[string]map[string]bool // by function
}

// watch gives a function ways to the engine, to the bucket and to Secrets Manager that lead through the recorder. Its
// secrets are references, as they are in AWS.
func (rec *recorder) watch(function, engine, bucket string) []string {
	proxy := rec.proxy(engine)
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
		if strings.HasPrefix(in.SecretId, names.AccountSecrets(tables.Dev)) {
			name = "webhooks"
		}
		rec.note(function, "secretsmanager:"+operation+" on "+name)
		local := map[string]string{
			names.Secret("",
				tables.Dev): `{"WHATSAPP_APP_SECRET":"local-app-secret",` +
				`"WHATSAPP_VERIFY_TOKEN":"local-verify-token","WHATSAPP_ACCESS_TOKEN":"local-access-token",` +
				`"MODEL_API_KEY":"local-model-key","FLOW_PRIVATE_KEY":"` + whatsappsim.FormKey + `"}`,
			names.Secret(topology.CursorKeys, tables.Dev): `{"CURSOR_KEYS":"local-cursor-keys"}`,
			names.NumberSecrets(tables.Dev) + otherPhone:  "local-access-token",
			names.AccountSecrets(tables.Dev) + "acme":     "secret-of-acme",
			names.AccountSecrets(tables.Dev) + "gateway":  "local-gateway-secret",
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"SecretString": local[in.SecretId]})
	})
	standIn := &sms.Server{Log: slog.New(slog.DiscardHandler)}
	texts := rec.serve(func(w http.ResponseWriter, r *http.Request, operation string, body []byte) {
		rec.note(function, "sms-voice:"+operation+" on senders")
		r.Body = io.NopCloser(bytes.NewReader(body))
		standIn.ServeHTTP(w, r)
	})
	outgoing := rec.proxy(bucket) // the stand-in for SES is beside it, and tells what becomes of emails
	emails := rec.serve(func(w http.ResponseWriter, r *http.Request, _ string, body []byte) {
		for _, action := range []string{"SendEmail", "SendRawEmail"} { // IAM asks for both
			for _, of := range []string{"identity", "configuration-set"} {
				rec.note(function, "ses:"+action+" on "+of)
			}
		}
		r.Body, r.URL.Path = io.NopCloser(bytes.NewReader(body)), email.Path+r.URL.Path
		outgoing.ServeHTTP(w, r)
	})
	started := rec.serve(func(w http.ResponseWriter, r *http.Request, _ string, body []byte) {
		rec.note(function, "lambda:InvokeFunction on "+strings.Split(r.URL.Path, "/")[3])
		r.Body, r.URL.Path = io.NopCloser(bytes.NewReader(body)), starts.Path+r.URL.Path
		outgoing.ServeHTTP(w, r)
	})
	aws := rec.serve(func(w http.ResponseWriter, r *http.Request, _ string, body []byte) {
		// apart, because only a deployment with numbers there lets a function do it
		rec.note(function+" at AWS", eum.Operation(r))
		r.Body, r.URL.Path = io.NopCloser(bytes.NewReader(body)), eum.Path+r.URL.Path
		outgoing.ServeHTTP(w, r)
	})
	variables := []string{
		"AWS_ENDPOINT_URL_SOCIALMESSAGING=" + aws,
		"AWS_ENDPOINT_URL_LAMBDA=" + started, "AWS_ENDPOINT_URL_SESV2=" + emails, "SES_CONFIGURATION=haatline",
		"AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2=" + texts, "DYNAMODB_ENDPOINT=" + dynamodb,
		"S3_ENDPOINT=" + rec.watchBucket(function, bucket), "AWS_ENDPOINT_URL_SECRETS_MANAGER=" + secretsManager}
	for _, f := range topology.Functions {
		for _, name := range f.Secrets {
			if f.Name == function {
				variables = append(variables, name+"="+names.SecretRef(name, tables.Dev))
			}
		}
	}
	return variables
}

func (rec *recorder) proxy(to string) http.Handler {
	proxy, err := guard.Proxy(to)
	if err != nil {
		rec.t.Fatal(err)
	}
	return proxy
}

// watchBucket records what is done with objects. What is done with a link is done by the function that has made it.
func (rec *recorder) watchBucket(function, bucket string) string {
	actions := map[string]string{
		http.MethodGet: "GetObject", http.MethodHead: "GetObject", http.MethodPut: "PutObject",
		http.MethodDelete: "DeleteObject"}
	proxy := rec.proxy(bucket)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		under, _, _ := strings.Cut(key, "/")
		rec.note(function, "s3:"+actions[r.Method]+" on "+under+"/")
		proxy.ServeHTTP(w, r)
	}))
	rec.t.Cleanup(server.Close)
	return server.URL
}

// noted waits until a call has been recorded: what nobody waits for otherwise.
func (rec *recorder) noted(t *testing.T, function, call string) {
	t.Helper()
	for deadline := time.Now().Add(eventually.Limit); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		rec.mu.Lock()
		made := rec.calls[function][call]
		rec.mu.Unlock()
		if made {
			return
		}
	}
	t.Errorf("%s has not called %s", function, call)
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
		Item, Key            struct{ PK struct{ S string } }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		rec.t.Errorf("%s %s: %v", function, operation, err)
		return
	}
	add := func(action, table, index string) {
		rec.note(function, strings.TrimSuffix("dynamodb:"+action+" on "+tableID(table, tables.Dev)+"/"+index, "/"))
	}
	key := in.Item.PK.S + in.Key.PK.S
	if in.IndexName == "" && !mayTouch(function, in.TableName, key) {
		rec.t.Errorf("%s touches an item whose key begins otherwise than it may: %.20s", function, key)
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

// mayTouch reports whether a function's grant covers the item with a key. Calls about one item are looked at, because
// who is limited to some items makes no others.
func mayTouch(function, table, key string) bool {
	limited := false
	for _, f := range topology.Functions {
		for _, grant := range f.Grants {
			if f.Name != function || grant.Table.Name(tables.Dev) != table || len(grant.Leading) == 0 {
				continue
			}
			limited = true
			if slices.ContainsFunc(grant.Leading, func(prefix string) bool { return strings.HasPrefix(key, prefix) }) {
				return true
			}
		}
	}
	return !limited
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

// synthesised is what each function's role allows it to call itself, by the templates as they are synthesised. What a
// role allows beside that is used by Lambda in the function's place: logs, traces, streams, and the failure
// destinations.
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
		} else if _, object, is := strings.Cut(resource, ":s3:::haatline-files-"); is {
			_, under, _ := strings.Cut(object, "/")
			grant = action + " on " + strings.TrimSuffix(under, "*")
		} else if strings.HasPrefix(action, "secretsmanager:") {
			name := letters(path.Base(strings.TrimSuffix(resource, "/*")))
			// the logical id of haatline/prod/whatsapp is WhatsappSecrets
			grant = action + " on " + strings.TrimSuffix(name, "secrets")
		} else if _, name, is := strings.Cut(resource, ":function:haatline-"); is && action == "lambda:InvokeFunction" {
			grant = action + " on " + strings.TrimSuffix(name, "-prod:live")
		} else if strings.HasPrefix(action, "sms-voice:") {
			grant = action + " on senders"
		} else if _, of, is := strings.Cut(resource, ":ses:"); is {
			grant = action + " on " + strings.TrimSuffix(of[strings.LastIndexByte(of, ':')+1:], "/*")
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
	t.Parallel()
	rec := &recorder{t: t, calls: map[string]map[string]bool{}}
	var logs *lockedBuffer
	m := newModelServer(t)
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.Watch, logs = rec.watch, c.Logs.(*lockedBuffer) },
		withAnalytics(pgtest.Database(t)), withModel(m))
	r.model = m
	r.subscribes(t)
	callEverything(t, r)
	r.mishaps(t)
	measuresWhatItSays(t, logs)
	r.want(t, http.StatusOK, http.MethodGet,
		"/webhooks/whatsapp?hub.mode=subscribe&hub.verify_token=local-verify-token&hub.challenge=7", "")
	rec.noted(t, "slow-lane", "s3:DeleteObject on files/")
	rec.noted(t, "models", "secretsmanager:GetSecretValue on cursors")
	r.authorizes(t)
	r.listens(t)
	r.worksForTenants(t)
	r.runsTenants(t)
	r.verifiesAccounts(t)
	r.writesTemplates(t)
	r.setsNumbers(t)
	r.sendsCampaigns(t)
	r.readsCatalogues(t)
	r.keepsGroups(t)
	r.endsCalls(t)
	r.makesFlows(t)
	r.assigns(t)
	r.worksTogether(t)
	r.toldOutside(t)
	allowed := synthesised(t, r.root)
	rec.mu.Lock()
	defer rec.mu.Unlock()
	for _, f := range topology.Functions {
		called := slices.Sorted(maps.Keys(rec.calls[f.Name]))
		granted := allowed[strings.ReplaceAll(f.Name, "-", "")] // a logical id has no dash
		slices.Sort(granted)
		if diff := cmp.Diff(granted, called); diff != "" {
			t.Errorf("%s: what it may do (-) and what it does (+):\n%s", f.Name, diff)
		}
	}
}

// authorizes asks the function that authorizes sessions about its samples.
func (r *running) authorizes(t *testing.T) {
	t.Helper()
	name := topology.Authorizer().Name
	for file, want := range map[string]string{"good": `{"isAuthorized":true,`, "forged": `{"isAuthorized":false}`} {
		event, err := os.ReadFile(path.Join(r.root, "events", name, file+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := r.Invoke(t.Context(), name, event); err != nil || !strings.HasPrefix(string(answer), want) {
			t.Errorf("%s: %s, %v", file, answer, err)
		}
	}
}

// listens has a person in a session listen to the live channel, and tells them something. The function that admits them
// reads its keys as in AWS.
func (r *running) listens(t *testing.T) {
	t.Helper()
	keys := sessiontoken.Keys(func(context.Context) (string, error) { return "local-cursor-keys", nil })
	token, err := keys.Sign(t.Context(), sessiontoken.Token{
		Subject: "user-1", Session: "session-1", Tenant: "demo", Expires: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]string{"host": "127.0.0.1", "Authorization": admission.TokenPrefix + token}
	headers, err := json.Marshal(by)
	if err != nil {
		t.Fatal(err)
	}
	socket, _, err := websocket.Dial(t.Context(), r.Addresses.Live+"/event/realtime", &websocket.DialOptions{
		Subprotocols: []string{
			"aws-appsync-event-ws", "header-" + base64.RawURLEncoding.EncodeToString(headers)}})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseNow()
	own := live.OfPerson("demo", "user-1")
	subscribe := func(channel live.Channel) map[string]any {
		return map[string]any{"type": "subscribe", "id": "1", "channel": channel, "authorization": by}
	}
	env := map[string]string{
		live.Variable: r.Addresses.Live, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "local",
		"AWS_SECRET_ACCESS_KEY": "local"}
	publisher := live.Open(func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
	for _, step := range []struct {
		say  map[string]any
		want string
	}{
		{subscribe(live.OfPerson("demo", "user-2")), "subscribe_error"},
		{subscribe(own), "subscribe_success"},
		{nil, `{\"kind\":\"message\",\"of\":\"chat-1\"}`},
	} {
		if step.say == nil {
			publisher.Publish(t.Context(), own, live.Hint{Kind: "message", Of: "chat-1"})
		} else if err := wsjson.Write(t.Context(), socket, step.say); err != nil {
			t.Fatal(err)
		}
		if _, said, err := socket.Read(t.Context()); err != nil || !strings.Contains(string(said), step.want) {
			t.Fatalf("%s, %v, want %s", said, err, step.want)
		}
	}
}

func callEverything(t *testing.T, r *running) {
	t.Helper()
	for _, call := range domainCalls {
		call(t, r)
	}
}
