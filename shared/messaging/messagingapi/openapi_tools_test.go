package messagingapi

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// tools is where the pinned linters and the generator of clients are.
const tools = "../../../infra/openapi"

// installed makes sure that the tools are those of the lockfile, each with the hash that stands there. No package's
// scripts run.
func installed(t *testing.T) {
	t.Helper()
	want, err := os.Stat(filepath.Join(tools, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.Stat(filepath.Join(tools, "node_modules", ".package-lock.json")); err == nil &&
		!got.ModTime().Before(want.ModTime()) {
		return
	}
	runs(t, tools, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
}

// runs runs a command, fails the test where it fails, and returns what it prints.
func runs(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "NO_COLOR=1", "CI=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s\n%s", name, strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	return stdout.String() + ignored(stderr.String())
}

// ignored is what a command says on the side that a test looks at: Redocly counts its warnings there.
func ignored(stderr string) string {
	if strings.Contains(stderr, "You have") {
		return stderr
	}
	return ""
}

// described is a folder with the description as the API serves it, and with what the tools need.
func described(t *testing.T, w *world) string {
	t.Helper()
	installed(t)
	dir := t.TempDir()
	answer := w.get(nil, "/openapi.json", nil)
	if err := os.WriteFile(filepath.Join(dir, "openapi.json"), []byte(answer.Body), 0o600); err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Abs(filepath.Join(tools, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"client.ts", "tsconfig.json", "package.json", "spectral.yaml", "redocly.yaml"} {
		text, err := os.ReadFile(filepath.Join(tools, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheLintersHaveNothingToSayAboutTheDescription(t *testing.T) {
	dir := described(t, newWorld(t))
	runs(t, dir, "node_modules/.bin/spectral", "lint", "--fail-severity=hint", "--quiet", "--ruleset=spectral.yaml",
		"openapi.json")
	if said := runs(t, dir, "node_modules/.bin/redocly", "lint", "--config=redocly.yaml", "--max-problems=40",
		"openapi.json"); said != "" {
		t.Error(said)
	}
}

func TestAClientGeneratedFromTheDescriptionReadsAnInbox(t *testing.T) {
	w := open(t)
	w.receives(number, waba, wt.Contact("918888888888", "Ravi"),
		wt.Text("918888888888", "wamid.RAVI1", "hello", minutesAgo(3)))
	w.relays(sent(w, nil)[0].OutboxEventID, refuses)
	dir := described(t, w)
	runs(t, dir, "node_modules/.bin/openapi-typescript", "openapi.json", "--output=api.d.ts")
	runs(t, dir, "node_modules/.bin/tsc", "--project", "tsconfig.json")
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		var by *caller
		if r.Header.Get("Authorization") == "Bearer secret" {
			by = operator(shop)
		}
		body, _ := io.ReadAll(r.Body)
		answer, err := w.try(r.Context(),
			request{By: by, Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.Query(), Body: string(body)})
		if err != nil {
			t.Error(err)
		}
		for name, value := range answer.Headers {
			out.Header().Set(name, value)
		}
		out.WriteHeader(answer.Status)
		_, _ = io.WriteString(out, answer.Body)
	}))
	defer server.Close()
	want := ashas + " | Asha | 1 | outbound | failed | text 0\n" +
		number + ":918888888888 | Ravi | 1 | inbound |  | hello\n" +
		"dead_letter | 131026: Reach the customer in another way. Dismiss this one.\n404\n"
	if diff := cmp.Diff(want, runs(t, dir, "node", "client.js", server.URL, "secret")); diff != "" {
		t.Error(diff)
	}
}
