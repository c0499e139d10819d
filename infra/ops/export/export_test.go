package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/usage"
)

// ids are those of the lines of a kind, in order.
func ids(lines []row, kind string) []string {
	var list []string
	for _, line := range lines {
		if line["kind"] == kind {
			list = append(list, fmt.Sprint(line["id"]))
		}
	}
	return list
}

func TestEverythingOfATenantIsExportedOnceAndCounted(t *testing.T) {
	a := newAPI(t)
	a.fill(7, 5)
	a.groups = []row{{"id": "g1"}}
	lines, err := a.exported()
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{
		"conversation": {"1:0", "1:1", "1:3", "1:4", "1:6", "1:2", "1:5"},
		"call": {
			"call-of-1:0", "call-of-1:1", "call-of-1:3", "call-of-1:4", "call-of-1:6", "call-of-1:2", "call-of-1:5"},
		"group":        {"g1"},
		"outboxEvent":  {"f1", "f2", "f3", "d1"},
		"webhookEvent": {"m1", "m2", "m3", "s1"},
	} {
		if diff := cmp.Diff(want, ids(lines, kind)); diff != "" {
			t.Errorf("%s:\n%s", kind, diff)
		}
	}
	if n := len(ids(lines, "message")); n != 35 || lines[1]["id"] != "1:0-0" || lines[1]["text"] != "<b> & ₹" {
		t.Errorf("%d messages, the first %v", n, lines[1])
	}
	counts := map[string]any{
		"conversation": 7.0, "message": 35.0, "call": 7.0, "group": 1.0, "outboxEvent": 4.0, "webhookEvent": 4.0}
	if diff := cmp.Diff(row{"kind": "end", "counts": counts}, lines[len(lines)-1]); diff != "" {
		t.Errorf("the end:\n%s", diff)
	}
	for _, line := range lines {
		if line["kind"] == "webhookEvent" && (line["eventKind"] == nil || line["payload"] == nil) {
			t.Errorf("a webhook event: %v", line)
		}
	}
}

func TestATenantWithNothingIsExportedToo(t *testing.T) {
	a := newAPI(t)
	if lines, err := a.exported(); err != nil || len(lines) != 1 || lines[0]["kind"] != "end" {
		t.Errorf("%v: %v", err, lines)
	}
}

func TestAConversationThatMovesUpMeanwhileIsNotMissed(t *testing.T) {
	a := newAPI(t)
	a.fill(7, 1)
	moved := false
	a.before = func(path string) func(http.ResponseWriter) {
		// the first page is read: the last row becomes the first
		if path == "/v1/conversations/1:1/messages" && !moved {
			moved = true
			last := a.conversations[6]
			a.conversations = append([]row{last}, a.conversations[:6]...)
		}
		return nil
	}
	lines, err := a.exported()
	got := ids(lines, "conversation")
	slices.Sort(got)
	if err != nil || len(got) != 7 || len(slices.Compact(got)) != 7 {
		t.Errorf("%v: %v", err, got)
	}
}

func TestAnExportEndsAlthoughNewConversationsKeepComing(t *testing.T) {
	a := newAPI(t)
	a.fill(3, 1)
	a.before = func(path string) func(http.ResponseWriter) {
		if path == "/v1/conversations" {
			id := fmt.Sprintf("9:%d", len(a.conversations))
			a.conversations = append([]row{{"id": id, "archived": false}}, a.conversations...)
			a.messages[id] = []row{{"id": id, "receivedAt": time.Now().Add(time.Second).UTC().Format(time.RFC3339)}}
		}
		return nil
	}
	if lines, err := a.exported(); err != nil || len(ids(lines, "conversation")) < 3 {
		t.Errorf("%v: %v", err, lines)
	}
}

func TestSeveralBusinessAccountsAreNamed(t *testing.T) {
	a := newAPI(t)
	a.wabas = []string{"11", "22"}
	a.log = map[string][]row{
		"11message": {{"id": "a", "kind": "message"}}, "22unknown": {{"id": "b", "kind": "unknown"}}}
	if _, err := a.exported(); err == nil || !strings.Contains(err.Error(), "-waba") {
		t.Errorf("not named: %v", err)
	}
	if lines, err := a.exported("-waba", "11, 22"); err != nil ||
		!slices.Equal(ids(lines, "webhookEvent"), []string{"a", "b"}) {
		t.Errorf("%v: %v", err, lines)
	}
	if lines, err := a.exported("-waba", "none"); err != nil || ids(lines, "webhookEvent") != nil {
		t.Errorf("none: %v: %v", err, lines)
	}
}

func TestTheTokenSaysWhoseDataItIs(t *testing.T) {
	a := newAPI(t)
	a.token = tokenOf("tenant:acme", "platform", "tenant:other")
	a.outbox["other/failed"] = []row{{"id": "of another"}}
	if lines, err := a.exported(); err != nil || !slices.Equal(ids(lines, "outboxEvent"), []string{"of another"}) {
		t.Errorf("%v: %v", err, lines)
	}
	if !slices.Equal(a.recorded, []string{"acme", "other"}) {
		t.Errorf("an export of %v leaves a record", a.recorded)
	}
	for token, want := range map[string]string{
		"nonsense": "is no access token", "a.b.c": "is no access token", tokenOf("platform"): "no tenant's",
	} {
		a.token, a.asked = token, nil
		if _, err := a.exported(); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), token) || len(a.asked) > 0 {
			t.Errorf("%s: %v, asked %v", token, err, a.asked)
		}
	}
}

func TestTheAPIsAddressComesFromTheFlagTheStackOrTheLocalCloud(t *testing.T) {
	account := awstest.New(t)
	account.Stacks["haatline-functions-prod"] = awstest.Stack{
		Status: "CREATE_COMPLETE", Outputs: map[string]string{"ApiUrl": "https://abc.example/"}}
	dir := t.TempDir()
	t.Setenv("LOCAL_DIR", dir)
	t.Setenv("HTTP_PORT", "3456")
	for _, c := range []struct{ stage, api, address, file string }{
		{"prod", "", "https://abc.example", ""},
		{"prod", "https://own.example", "https://own.example", ""},
		{"", "https://own.example/", "https://own.example", ""},
		{"local", "", "http://127.0.0.1:3456", filepath.Join(dir, "token")},
	} {
		address, file, err := Where(t.Context(), c.stage, c.api)
		if err != nil || address != c.address || file != c.file {
			t.Errorf("%+v: %s, %s, %v", c, address, file, err)
		}
	}
	for _, c := range []struct{ stage, api string }{
		{"", ""}, {"nowhere", ""}, {"", "ftp://x"}, {"", "x"}, {"", "http://own.example"}} {
		var wrong usage.Error
		if _, _, err := Where(t.Context(), c.stage, c.api); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, _, err := Where(t.Context(), "dev", ""); err == nil ||
		!strings.Contains(err.Error(), "haatline-functions-dev is not there") {
		t.Errorf("not deployed: %v", err)
	}
}

func TestALineIsTheObjectWithItsKindBeforeIt(t *testing.T) {
	var out strings.Builder
	l := newLines(&out)
	for _, object := range []string{"{ \"a\": 1.50,\n \"b\": \"x\" }", `{}`} {
		if err := l.write("message", json.RawMessage(object)); err != nil {
			t.Error(err)
		}
	}
	if err := l.write("message", json.RawMessage(`[1]`)); err == nil {
		t.Error("a list is written")
	}
	if err := l.end(); err != nil {
		t.Error(err)
	}
	want := `{"kind":"message","a":1.50,"b":"x"}` + "\n" + `{"kind":"message"}` + "\n" +
		`{"kind":"end","counts":{"call":0,"conversation":0,"group":0,"message":2,"outboxEvent":0,` +
		`"webhookEvent":0}}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// A file under its own name is a whole export. One that was cut off has another name, which the error says.
func TestAnExportGoesToAFileOfItsOwnersAlone(t *testing.T) {
	a := newAPI(t)
	a.fill(2, 1)
	file := filepath.Join(t.TempDir(), "acme.jsonl")
	a.before = func(path string) func(http.ResponseWriter) {
		if path == "/v1/outbox" {
			return func(w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) }
		}
		return nil
	}
	if _, err := a.exported("-out", file); err == nil || !strings.Contains(err.Error(), file+".part") {
		t.Errorf("cut off: %v", err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is cut off has the name of the whole: %v", err)
	}
	a.before = nil
	lines, err := a.exported("-out", file)
	if err != nil || len(lines) > 0 {
		t.Errorf("printed %v, %v", lines, err)
	}
	content, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(content), `"kind":"end"`) {
		t.Errorf("%s, %v", content, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
