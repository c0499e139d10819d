package e2e

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"testing"
)

// theFlow is JSON that Meta publishes.
const theFlow = `{"version":"7.0","screens":[{"id":"ASK","title":"Feedback","terminal":true,` +
	`"layout":{"type":"SingleColumnLayout","children":[{"type":"Footer"}]}}]}`

// flowShown is a flow as the API shows it.
type flowShown struct {
	FlowID, Name, Status, PreviewURL string
	ValidationErrors                 []struct{ Message string }
	Metrics                          struct{ Problems map[string]string }
	Asked                            struct{ Wish, AnsweredAt, Problem string }
}

// flowClient calls the operations on flows.
type flowClient struct {
	*running
	t     *testing.T
	token string
}

// asks makes a change, and waits for its answer.
func (c *flowClient) asks(wish, method, path, body string) (f flowShown) {
	c.t.Helper()
	status, answer := do(c.t, c.request(c.t, c.token, method, path, body))
	if err := json.Unmarshal([]byte(answer), &f); err != nil || status != http.StatusAccepted {
		c.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	if wish == "delete" {
		return f
	}
	id := f.FlowID
	c.get(c.t, "/v1/flows/"+id, &f, func() bool { return f.Asked.Wish == wish && f.Asked.AnsweredAt != "" })
	if f.Asked.Problem != "" {
		c.t.Errorf("%s: %s", wish, f.Asked.Problem)
	}
	return f
}

// makesFlows makes flows at the simulated WhatsApp, changes them, publishes one, and reads them all.
func (r *running) makesFlows(t *testing.T) {
	t.Helper()
	c := &flowClient{r, t, r.mint(t, "tenant:demo")}
	const all, account = "/v1/flows", "102290129340398"
	c.putsKey()
	draft := c.asks("create", http.MethodPost, all,
		`{"wabaId":"`+account+`","name":"Draft","categories":["OTHER"],"json":`+theFlow+`}`)
	f := c.asks("create", http.MethodPost, all, `{"wabaId":"`+account+`","name":"Feedback","categories":["SURVEY"]}`)
	one := all + "/" + f.FlowID
	c.asks("put_json", http.MethodPut, one+"/json", `{"json":`+theFlow+`}`)
	if status, text := do(t, r.request(t, c.token, http.MethodGet, one+"/json", "")); text != theFlow {
		t.Errorf("%d %s", status, text)
	}
	c.asks("fetch_json", http.MethodPost, one+"/json/fetch", "") // as if it had been made elsewhere
	if status, text := do(t, r.request(t, c.token, http.MethodGet, one+"/json", "")); text != theFlow {
		t.Errorf("fetched: %d %s", status, text)
	}
	if got := c.asks("change", http.MethodPatch, one, `{"name":"Survey"}`); got.Name != "Survey" {
		t.Errorf("%+v", got)
	}
	c.asks("publish", http.MethodPost, one+"/publish", "")
	got := c.asks("preview", http.MethodPost, one+"/preview", "")
	if got.PreviewURL == "" || got.Status != "PUBLISHED" {
		t.Errorf("%+v", got)
	}
	if got := c.asks("metrics", http.MethodPost, one+"/metrics", `{"granularity":"day"}`); len(got.Metrics.Problems) != 5 {
		t.Errorf("%+v", got)
	}
	r.simulator(t, http.MethodPost, "/flows", `{"id":"`+f.FlowID+`","status":"THROTTLED"}`)
	f.Status = ""
	r.get(t, one, &f, func() bool { return f.Status == "THROTTLED" }) // by the webhook
	if got := c.asks("deprecate", http.MethodPost, one+"/deprecate", ""); got.Status != "DEPRECATED" {
		t.Errorf("%+v", got)
	}
	c.asks("delete", http.MethodDelete, all+"/"+draft.FlowID, "")
	r.readsFlows(t, c.token, account)
}

// readsFlows reads the flows of an account until one is left.
func (r *running) readsFlows(t *testing.T, token, account string) {
	t.Helper()
	var page struct{ Items []flowShown }
	r.get(t, "/v1/flows?wabaId="+account, &page, func() bool {
		all := page.Items
		page.Items = nil // an absent member would leave what was decoded before
		return len(all) == 1
	})
	if status, answer := r.callAs(t, token, http.MethodPost, "/v1/flow-reads",
		`{"wabaId":"`+account+`"}`); status != http.StatusAccepted {
		t.Fatal(status, answer)
	}
	var read struct {
		Asked struct{ AnsweredAt, Problem string }
	}
	r.get(t, "/v1/flow-reads?wabaId="+account, &read, func() bool { return read.Asked.AnsweredAt != "" })
	if read.Asked.Problem != "" {
		t.Error(read.Asked.Problem)
	}
}

// putsKey puts the public key of the number.
func (c *flowClient) putsKey() {
	c.t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		c.t.Fatal(err)
	}
	text, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := json.Marshal(map[string]string{
		"businessPublicKey": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: text}))})
	if err != nil {
		c.t.Fatal(err)
	}
	n := &numberClient{running: c.running, t: c.t, token: c.token}
	n.calls(http.MethodPut, "/settings/encryption", string(body))
	n.become("encryption")
}
