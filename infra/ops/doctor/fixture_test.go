package doctor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/doctor"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The secrets of a healthy deployment.
const (
	appSecret   = "3f8a1c0b5d9e47726ab1f0c2d3e4a5b6"
	verifyToken = "u7Kq2WbX_9ZpLmN4cRt.hJ8"
	accessToken = "EAAJB0d1F2g3H4i5K6l7M8n9O0p1Q2r3S4t5U6v7W8x9Y0z"
	waba        = "102290129340398"
	phone       = "106540352242922"
)

// fixture is a healthy deployment of prod, until a test breaks something.
type fixture struct {
	t    *testing.T
	aws  *awstest.AWS
	api  *api
	page *api // the console, with the API behind it
	meta *httptest.Server

	secrets  map[string]string // by variable
	localRef string            // of the token of the number of a local cloud
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{t: t, aws: awstest.New(t), api: newAPI(t), page: newAPI(t)}
	simulator, err := whatsappsim.New(whatsappsim.Options{
		WebhookURL: w.api.URL + "/webhooks/whatsapp", AppSecret: appSecret, AccessToken: accessToken,
		PhoneNumbers: map[string]string{phone: "15550783881"}, TemplatesDir: "../../../template-samples",
		Fields: whatsapp.Fields(), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.meta = httptest.NewServer(simulator)
	t.Cleanup(func() {
		w.meta.Close()
		simulator.Close()
	})
	stage := tables.Prod
	w.aws.Stacks["haatline-data-prod"] = awstest.Stack{Status: "CREATE_COMPLETE", Protected: true}
	w.aws.Stacks["haatline-identity-prod"] = awstest.Stack{
		Status: "UPDATE_COMPLETE", Protected: true, Outputs: map[string]string{
			"UserPoolId": "ap-south-1_pool", "ClientId": "client",
			"SignInUrl": "https://acme-line.auth.ap-south-1.amazoncognito.com",
		}}
	w.aws.Stacks["haatline-functions-prod"] = awstest.Stack{
		Status: "UPDATE_COMPLETE", Protected: true, Outputs: map[string]string{
			"ApiUrl": w.api.URL, "ConsoleUrl": w.page.URL}}
	w.aws.Resources["haatline-functions-prod/Alarms"], w.aws.Subscribed = true, 1
	for _, table := range tables.All() {
		w.aws.Tables[table.Name(stage)] = awstest.Table{
			Status: "ACTIVE", Protected: table.Recoverable(stage), Recoverable: table.Recoverable(stage)}
	}
	w.secrets = map[string]string{
		"WHATSAPP_APP_SECRET": appSecret, "WHATSAPP_VERIFY_TOKEN": verifyToken, "WHATSAPP_ACCESS_TOKEN": accessToken}
	w.putSecrets()
	w.aws.Alarms = []awstest.Alarm{
		{Name: "haatline-prod-ApiErrors", State: "OK", Says: "errors"},
		{Name: "haatline-prod-WebhookErrors", State: "INSUFFICIENT_DATA", Says: "errors"},
	}
	w.aws.Users = []string{"somebody"}
	return w
}

// putSecrets stores the values in the stage's secret.
func (w *fixture) putSecrets() {
	text, err := json.Marshal(w.secrets)
	if err != nil {
		w.t.Fatal(err)
	}
	w.aws.Secrets[names.Secret("", tables.Prod)] = awstest.Secret{Value: string(text), Versions: 2}
	w.aws.Secrets[names.Secret(topology.CursorKeys, tables.Prod)] = awstest.Secret{
		Value: `{"CURSOR_KEYS":"0123456789abcdef0123456789abcdef"}`, Versions: 1}
}

// examine runs the doctor on prod and checks that its report contains no secret.
func (w *fixture) examine(args ...string) (string, error) {
	w.t.Helper()
	var out bytes.Buffer
	err := doctor.Run(w.t.Context(),
		append([]string{"-stage", "prod", "-graph-url", w.meta.URL + "/v23.0"}, args...), &out)
	shown := out.String() + fmt.Sprint(err)
	holdsNoSecret(w.t, shown)
	return out.String(), err
}

// holdsNoSecret fails if the text contains eight characters in a row of a secret.
func holdsNoSecret(t *testing.T, shown string) {
	t.Helper()
	for _, secret := range []string{appSecret, verifyToken, accessToken, awstest.SecretKey, awstest.SessionToken} {
		for i := range len(secret) - 7 {
			if strings.Contains(shown, secret[i:i+8]) {
				t.Errorf("%q of a secret is shown in:\n%s", secret[i:i+8], shown)
				return
			}
		}
	}
}

// account sets Meta's account in the simulator.
func (w *fixture) account(set string) {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPut, w.meta.URL+"/simulator/account",
		strings.NewReader(set))
	if err != nil {
		w.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		w.t.Fatalf("set %s: %d", set, response.StatusCode)
	}
}

// api is the deployed API over HTTP: the webhook, and the other routes as unauthenticated callers see them.
type api struct {
	*httptest.Server
	verifyToken, appSecret string
	// instead maps a path to a handler that answers instead.
	instead map[string]http.HandlerFunc
	date    time.Time
	logged  int // number of accepted webhooks
}

func newAPI(t *testing.T) *api {
	a := &api{verifyToken: verifyToken, appSecret: appSecret, instead: map[string]http.HandlerFunc{}}
	a.Server = httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(a.Close)
	return a
}

func (a *api) serve(w http.ResponseWriter, r *http.Request) {
	if !a.date.IsZero() {
		w.Header().Set("Date", a.date.UTC().Format(http.TimeFormat))
	}
	if instead := a.instead[r.Method+" "+r.URL.Path]; instead != nil {
		instead(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	query := r.URL.Query()
	switch r.Method + " " + r.URL.Path {
	case "GET /openapi.json":
		fmt.Fprint(w, `{"openapi":"3.1.0","paths":{"/v1/conversations":{}}}`)
	case "GET /config.json":
		fmt.Fprint(w, `{"signIn":"https://acme-line.auth.ap-south-1.amazoncognito.com","clientId":"console"}`)
	case "GET /v1/conversations":
		http.Error(w, `{"message":"Unauthorized"}`, http.StatusUnauthorized)
	case "GET /webhooks/whatsapp":
		if query.Get("hub.mode") != "subscribe" || query.Get("hub.verify_token") != a.verifyToken {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, query.Get("hub.challenge"))
	case "POST /webhooks/whatsapp":
		if !whatsapp.VerifySignature(strings.Split(a.appSecret, ","), r.Header.Get("X-Hub-Signature-256"), body) {
			http.Error(w, "invalid signature", http.StatusUnauthorized)
			return
		}
		if !json.Valid(body) {
			http.Error(w, "not JSON", http.StatusBadRequest)
			return
		}
		a.logged++
		fmt.Fprint(w, "ok")
	default:
		http.NotFound(w, r)
	}
}

// answers returns a handler with a fixed answer.
func answers(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// has fails for each wanted text with which no line of the report begins.
func has(t *testing.T, report string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		found := false
		for line := range strings.SplitSeq(report, "\n") {
			found = found || strings.Contains(line, want)
		}
		if !found {
			t.Errorf("no line has %q in:\n%s", want, report)
		}
	}
}
