package subscriptions_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/guard"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/standardwebhooks"
)

// script writes a program and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.mjs")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The ERP gets what the slow lane posts, once each, and reads the order from the API. Somebody else's post is refused.
func TestTheERPOfTheExampleListens(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		fmt.Fprintf(w, `{"path":%q}`, r.URL.Path)
	}))
	t.Cleanup(api.Close)
	program := exec.CommandContext(t.Context(), "node", "examples/erp.mjs")
	program.Env = append(os.Environ(),
		"WEBHOOK_SECRET="+secret, "PORT=0", "HAATLINE_API="+api.URL, "HAATLINE_TOKEN=token")
	program.Stderr = os.Stderr
	out, err := program.StdoutPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill(); _ = program.Wait() })
	lines := bufio.NewScanner(out)
	next := func() string {
		if !lines.Scan() {
			t.Fatal("it has ended")
		}
		return lines.Text()
	}
	erp := "http://127.0.0.1:" + strings.TrimPrefix(next(), "listening on ")
	proxy, err := guard.Proxy(erp)
	if err != nil {
		t.Fatal(err)
	}
	h, e, _ := started(t)
	h.now = time.Now()                    // the program's clock is the machine's
	front := httptest.NewTLSServer(proxy) // as in front of a real one
	t.Cleanup(front.Close)
	e.address = strings.Replace(front.URL, "127.0.0.1", "localhost", 1)
	w := to(e.address + "/")
	h.put(t, "erp", w)
	created := ordered("7")
	created.Data = map[string]string{"storeId": "STR-1", "orderId": "ORD-7"}
	h.publish(t, created)
	now := func() {
		if err := h.relay(e, nil).Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		h.now = h.now.Add(6 * time.Second)
		now()
	}
	if line := next(); !strings.Contains(line, `"type":"order.created"`) ||
		!strings.Contains(line, `/v1/stores/STR-1/orders/ORD-7`) {
		t.Error(line)
	}
	if sub := h.get(t, "erp"); sub.Failures != 0 {
		t.Errorf("%+v", sub)
	}
	post := func(key standardwebhooks.Secret, id string, at time.Time) int {
		body := `{"type":"payment.completed","timestamp":"2026-11-27T12:00:00.000Z","data":{"referenceId":"R1"}}`
		request, _ := http.NewRequest(http.MethodPost, erp, strings.NewReader(body))
		standardwebhooks.Sign(request.Header, id, []byte(body), at, key)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
	key, _ := standardwebhooks.ParseSecret(secret)
	for name, c := range map[string]struct{ have, want int }{
		"somebody else's": {post(standardwebhooks.NewSecret(), "evt_9", time.Now()), http.StatusUnauthorized},
		"an old one":      {post(key, "evt_9", time.Now().Add(-time.Hour)), http.StatusUnauthorized},
		"a good one":      {post(key, "evt_8", time.Now()), http.StatusNoContent},
		"the same again":  {post(key, "evt_8", time.Now()), http.StatusNoContent},
		"the next one":    {post(key, "evt_10", time.Now()), http.StatusNoContent},
	} {
		if c.have != c.want {
			t.Errorf("%s: HTTP %d", name, c.have)
		}
	}
	if first, second := next(), next(); !strings.Contains(first, "evt_") || first == second {
		t.Errorf("done twice: %s", first)
	}
}

// n8n runs the code of the node as the body of an async function, with $input, $env and this.helpers.
const asN8N = `
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
const { code, headers, body, secret } = JSON.parse(readFileSync(0, 'utf8'));
const AsyncFunction = (async () => {}).constructor;
const run = new AsyncFunction('require', '$input', '$env', code);
const helpers = { getBinaryDataBuffer: async (item, name) => {
  if (item !== 0 || name !== 'data') throw new Error('no such file');
  return Buffer.from(body);
} };
const input = { first: () => ({ json: { headers, body: {} } }) };
run.call({ helpers }, createRequire(import.meta.url), input, { HAATLINE_WEBHOOK_SECRET: secret })
  .then((items) => console.log(JSON.stringify(items)), (error) => console.log(error.message));
`

func TestTheWorkflowOfTheExampleVerifies(t *testing.T) {
	text, err := os.ReadFile("examples/n8n.json")
	if err != nil {
		t.Fatal(err)
	}
	var flow struct {
		Nodes []struct {
			Name, Type string
			Parameters struct {
				JSCode  string `json:"jsCode"`
				Path    string
				Options struct{ RawBody bool }
			}
		}
		Connections map[string]any
	}
	if err := json.Unmarshal(text, &flow); err != nil {
		t.Fatal(err)
	}
	if hook := flow.Nodes[0]; hook.Type != "n8n-nodes-base.webhook" || !hook.Parameters.Options.RawBody ||
		flow.Connections[hook.Name] == nil || flow.Nodes[1].Type != "n8n-nodes-base.code" {
		t.Fatalf("%+v", flow)
	}
	program := script(t, asN8N)
	runs := func(header http.Header, body, with string) string {
		headers := map[string]string{}
		for name := range header { // n8n has their names in small letters
			headers[strings.ToLower(name)] = header.Get(name)
		}
		in, err := json.Marshal(map[string]any{
			"code": flow.Nodes[1].Parameters.JSCode, "headers": headers, "body": body, "secret": with})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "node", program)
		cmd.Stdin, cmd.Stderr = strings.NewReader(string(in)), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	// what the slow lane posts while the secret is replaced
	h, e, _ := started(t)
	h.now = time.Now()
	h.put(t, "n8n", to(e.address+"/n8n"))
	made, err := h.EventSubscriptions.Rotate(t.Context(), tenant, "n8n", "")
	if err != nil {
		t.Fatal(err)
	}
	h.publish(t, ordered("7"))
	h.sweeps(t, e, nil, 0)
	got := e.at("/n8n")
	if len(got) != 1 {
		t.Fatalf("%d", len(got))
	}
	id := got[0].header.Get("webhook-id")
	for _, with := range []string{secret, made} {
		var items []struct{ JSON map[string]any }
		said := runs(got[0].header, string(got[0].body), with)
		if err := json.Unmarshal([]byte(said), &items); err != nil || len(items) != 1 || items[0].JSON["id"] != id ||
			items[0].JSON["type"] != "order.created" || items[0].JSON["orderId"] != "ORD-7" {
			t.Errorf("%s", said)
		}
	}
	for name, said := range map[string]string{
		"another secret": runs(got[0].header, string(got[0].body), standardwebhooks.NewSecret().String()),
		"another body":   runs(got[0].header, string(got[0].body)+" ", secret),
	} {
		if said != "The webhook is not signed by haatline." {
			t.Errorf("%s: %s", name, said)
		}
	}
	old := http.Header{}
	key, _ := standardwebhooks.ParseSecret(secret)
	standardwebhooks.Sign(old, "evt_1", []byte("{}"), time.Now().Add(-subscriptions.Overlap), key)
	if said := runs(old, "{}", secret); said != "The webhook is too old." {
		t.Error(said)
	}
}
