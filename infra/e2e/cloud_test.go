package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/shared/commerce/analytics/pgtest"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/httpapi"
)

// running is a local cloud of the test's own.
type running struct {
	*cloud.Cloud
	dir  string
	root string
	// model is the language model that companies may choose; nil for none.
	model *modelServer
}

// start starts a cloud on free ports with its data in dir. A failing test shows the functions' logs.
func start(t *testing.T, dir string, adjust ...func(*cloud.Config)) *running {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"HTTP_PORT": "0", "DYNAMODB_PORT": "0", "WHATSAPP_PORT": "0", "FILES_PORT": "0", "LIVE_PORT": "0",
		"LOCAL_DIR": dir}
	config, err := cloud.FromEnv(root, func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	var logs lockedBuffer
	config.Logs, config.Progress = &logs, io.Discard
	for _, change := range adjust {
		change(&config)
	}
	config.Built = buildOnce(t, config)
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

// shared is a folder of what is built once for all tests: to link the functions takes longer than most tests.
var shared struct {
	once sync.Once
	err  error
	dir  string
}

// atOnce is how many tests run at once at least.
const atOnce = 4

// TestMain brings PostgreSQL up where a test wants it, and leaves nothing behind.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given && runtime.GOMAXPROCS(0) < atOnce { // most of the time, these tests wait
		_ = flag.Set("test.parallel", strconv.Itoa(atOnce))
	}
	code := pgtest.Main(m)
	if shared.dir != "" {
		os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// buildOnce builds the functions and the command of operations, and returns the folder of the functions.
func buildOnce(t *testing.T, config cloud.Config) string {
	t.Helper()
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "haatline-e2e"); shared.err != nil {
			return
		}
		config.Dir = shared.dir
		if shared.err = cloud.Build(t.Context(), config); shared.err != nil {
			return
		}
		ops := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w",
			"-o", filepath.Join(shared.dir, "ops"), "./infra/ops")
		ops.Dir = config.Root
		if text, err := ops.CombinedOutput(); err != nil {
			shared.err = fmt.Errorf("%w: %s", err, text)
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	config.Dir = shared.dir
	return config.Compiled()
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

// sweepAfter is after how long what a test waits for is swept. By themselves, sweeps come every one or five minutes.
const sweepAfter = 8 * time.Second

// get asks the API until the answer passes, for as long as a patient person would wait. It asks as somebody of its own:
// calls are limited by who makes them, and how often it asks depends on how fast the machine is.
func (r *running) get(t *testing.T, path string, into any, passes func() bool) {
	t.Helper()
	deadline := time.Now().Add(4 * time.Minute) // an attempt whose end nobody knows waits two, and then for the sweep
	sweep := time.Now().Add(sweepAfter)
	token := r.mintFor(t, "waiting-"+rand.Text(), "tenant:demo", httpapi.Platform)
	for pause := 50 * time.Millisecond; ; pause = min(pause+10*time.Millisecond, 500*time.Millisecond) {
		status, body := r.callAs(t, token, http.MethodGet, path, "")
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
		if time.Now().After(sweep) {
			t.Logf("GET %s waits for a sweep", path)
			for _, name := range []string{"slow-lane-sweep", "outbox-sweep"} {
				if _, err := r.Trigger(t.Context(), name); err != nil {
					t.Fatal(err)
				}
			}
			sweep = time.Now().Add(sweepAfter)
		}
		time.Sleep(pause)
	}
}

// simulate talks to the simulated WhatsApp's control API.
func (r *running) simulate(t *testing.T, path, body string) string {
	t.Helper()
	return r.simulator(t, http.MethodPost, path, body)
}

// endToken has the access token end at a time, with an account that is healthy otherwise.
func (r *running) endToken(t *testing.T, at time.Time) {
	t.Helper()
	r.simulator(t, http.MethodPut, "/account", fmt.Sprintf(`{"expiresAt":%d}`, at.Unix()))
}

func (r *running) simulator(t *testing.T, method, path, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.Addresses.WhatsApp+"/simulator"+path,
		strings.NewReader(body))
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
