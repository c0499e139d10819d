package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/shared/engine"
)

// running is a local cloud of the test's own.
type running struct {
	*cloud.Cloud
	dir  string
	root string
}

// start starts a cloud on free ports with its data in dir. A failing test shows the functions' logs.
func start(t *testing.T, dir string, adjust ...func(*cloud.Config)) *running {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HTTP_PORT": "0", "DYNAMODB_PORT": "0", "WHATSAPP_PORT": "0", "FILES_PORT": "0", "LOCAL_DIR": dir}
	config, err := cloud.FromEnv(root, func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	var logs lockedBuffer
	config.Logs, config.Progress = &logs, io.Discard
	for _, change := range adjust {
		change(&config)
	}
	c, err := cloud.Start(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Stop()
		if t.Failed() {
			t.Logf("the functions' logs:\n%s", logs.String())
		}
	})
	return &running{Cloud: c, dir: dir, root: root}
}

// lockedBuffer takes what several functions log at once.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// call asks the API and returns status and body.
func (r *running) call(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	return r.callAs(t, r.Addresses.Token, method, path, body)
}

func (r *running) callAs(t *testing.T, token, method, path, body string) (int, string) {
	t.Helper()
	return do(t, r.request(t, token, method, path, body))
}

// request is one to the API; without a token where that is empty.
func (r *running) request(t *testing.T, token, method, path, body string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.Addresses.HTTP+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	request.Header.Set("Content-Type", "application/json")
	return request
}

func do(t *testing.T, request *http.Request) (int, string) {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

// get asks the API until the answer passes, for as long as a patient person would wait.
func (r *running) get(t *testing.T, path string, into any, passes func() bool) {
	t.Helper()
	deadline := time.Now().Add(4 * time.Minute) // an attempt whose end nobody knows waits two, and then for the sweep
	for {
		status, body := r.call(t, http.MethodGet, path, "")
		if status == http.StatusOK {
			if err := json.Unmarshal([]byte(body), into); err != nil {
				t.Fatal(err)
			}
			if passes() {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("GET %s stays at %d %s", path, status, body)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// simulate talks to the simulated WhatsApp's control API.
func (r *running) simulate(t *testing.T, path, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.Addresses.WhatsApp+"/simulator"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	status, answer := do(t, request)
	if status >= 300 {
		t.Fatalf("simulator%s answers %d %s", path, status, answer)
	}
	return answer
}

func readme(t *testing.T, root string) string {
	t.Helper()
	text, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
