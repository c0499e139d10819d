package whatsappsim_test

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

const (
	phone    = "106540352242922"
	asha     = "919812345678"
	secret   = "a-secret"
	token    = "a-token"
	deadline = time.Minute // of what comes soon, or never
)

// receiver is the system under the webhook. It answers each webhook with the next of its answers, then with 200.
type receiver struct {
	t       *testing.T
	server  *httptest.Server
	mu      sync.Mutex
	answers []int
	raw     [][]byte
	waited  int // how many of raw a test has waited for
	came    chan struct{}
}

func newReceiver(t *testing.T, answers ...int) *receiver {
	r := &receiver{t: t, answers: answers, came: make(chan struct{}, 10_000)}
	r.server = httptest.NewServer(r)
	t.Cleanup(r.server.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	raw, err := io.ReadAll(request.Body)
	if err != nil {
		r.t.Errorf("read webhook: %v", err)
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(raw)
	if got, want := request.Header.Get("X-Hub-Signature-256"), "sha256="+hex.EncodeToString(mac.Sum(nil)); got != want {
		r.t.Errorf("signature %q, want %q", got, want)
	}
	r.mu.Lock()
	status := http.StatusOK
	if len(r.answers) > 0 {
		status, r.answers = r.answers[0], r.answers[1:]
	}
	r.raw = append(r.raw, raw)
	r.mu.Unlock()
	w.WriteHeader(status)
	r.came <- struct{}{}
}

// wait waits until n more webhooks came and returns all that were waited for, this time and before. More may have come.
func (r *receiver) wait(n int) [][]byte {
	r.t.Helper()
	timeout := time.After(deadline)
	for range n {
		select {
		case <-r.came:
		case <-timeout:
			r.t.Fatalf("only %d webhooks came", len(r.all()))
		}
		r.waited++
	}
	return r.all()[:r.waited]
}

// last waits until n more webhooks came and returns the last of them.
func (r *receiver) last(n int) []byte {
	r.t.Helper()
	raw := r.wait(n)
	return raw[len(raw)-1]
}

func (r *receiver) all() [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([][]byte{}, r.raw...)
}

// clock is a time that moves when told to.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type simulator struct {
	t   *testing.T
	url string
	*whatsappsim.Server
}

// start serves a simulator with test defaults in what the options leave out.
func start(t *testing.T, options whatsappsim.Options) simulator {
	t.Helper()
	options.AppSecret, options.AccessToken = secret, token
	options.TemplatesDir = cmp.Or(options.TemplatesDir, "testdata/templates")
	if options.PhoneNumbers == nil {
		options.PhoneNumbers = map[string]string{phone: "15550001111"}
	}
	if options.MediaIDs == nil {
		options.MediaIDs = []string{"1", "123", "1166846181421424"}
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Delays == (whatsappsim.Delays{}) {
		options.Delays = whatsappsim.Delays{
			Sent: time.Millisecond, Delivered: 2 * time.Millisecond, Read: 3 * time.Millisecond}
	}
	if options.RetryDelays == nil {
		options.RetryDelays = []time.Duration{time.Millisecond, time.Millisecond}
	}
	s, err := whatsappsim.New(options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		s.Close()
	})
	return simulator{t: t, url: server.URL, Server: s}
}

// call sends a request as the system under test would, and returns status and decoded answer.
func (s simulator) call(method, path, body string) (int, map[string]any) {
	s.t.Helper()
	return s.callWith(token, method, path, body)
}

func (s simulator) callWith(token, method, path, body string) (int, map[string]any) {
	s.t.Helper()
	response, err := s.tryWith(token, method, path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	var answer map[string]any
	if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &answer) != nil {
		answer = map[string]any{"text": string(raw)}
	}
	return response.StatusCode, answer
}

func (s simulator) try(method, path, body string) (*http.Response, error) {
	return s.tryWith(token, method, path, body)
}

func (s simulator) tryWith(token, method, path, body string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(request)
}

func (s simulator) send(body string) (int, map[string]any) {
	s.t.Helper()
	return s.call("POST", "/v25.0/"+phone+"/messages", body)
}

// mustSend sends what must be accepted and returns the id of the message.
func (s simulator) mustSend(body string) string {
	s.t.Helper()
	status, answer := s.send(body)
	if status != http.StatusOK {
		s.t.Fatalf("not accepted: %d %v", status, answer)
	}
	return at[string](s.t, answer, "messages", 0, "id")
}

func (s simulator) control(method, path, body string) map[string]any {
	s.t.Helper()
	status, answer := s.call(method, "/simulator/"+path, body)
	if status >= 300 {
		s.t.Fatalf("%s %s: %d %v", method, path, status, answer)
	}
	return answer
}

// say opens asha's window.
func (s simulator) say() {
	s.control("POST", "say", `{"from":"`+asha+`","text":"hello","name":"Asha"}`)
}

func text(to, body string) string {
	return `{"messaging_product":"whatsapp","to":"` + to + `","type":"text","text":{"body":"` + body + `"}}`
}

// at reads a decoded JSON value along a path of keys and positions.
func at[T any](t *testing.T, value any, path ...any) T {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[step]
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				t.Fatalf("no element %d on the path %v", step, path)
			}
			value = list[step]
		}
	}
	found, ok := value.(T)
	if !ok {
		t.Fatalf("at %v: %#v is no %T", path, value, found)
	}
	return found
}

func errorCode(t *testing.T, answer map[string]any) int {
	t.Helper()
	return int(at[float64](t, answer, "error", "code"))
}

// statusOf is the one status of a status webhook.
func statusOf(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	return at[map[string]any](t, valueOf(t, raw), "statuses", 0)
}

func valueOf(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(raw, &body); err != nil {
		t.Fatal(err)
	}
	return at[map[string]any](t, body, "entry", 0, "changes", 0, "value")
}
