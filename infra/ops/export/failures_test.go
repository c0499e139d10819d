package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// failing answers the first requests of a path in its own way.
func failing(path string, times int, how func(http.ResponseWriter)) func(string) func(http.ResponseWriter) {
	return func(asked string) func(http.ResponseWriter) {
		if asked != path || times == 0 {
			return nil
		}
		times--
		return how
	}
}

func status(code int) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { w.WriteHeader(code) }
}

func breakOff(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "1000")
	fmt.Fprint(w, `{"items":[`)
}

func hangUp(http.ResponseWriter) { panic(http.ErrAbortHandler) }

// impatient is a client that does not wait, and says how long it would have.
func impatient(a *api) (*exporter, *strings.Builder, *[]time.Duration) {
	var out strings.Builder
	var waits []time.Duration
	c := newClient(a.URL, func() (string, error) { return a.token, nil }, func(string) {})
	c.wait = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	return &exporter{client: c, lines: newLines(&out), began: time.Now()}, &out, &waits
}

func TestWhatMaySucceedTheNextTimeIsTriedAgain(t *testing.T) {
	const path = "/v1/conversations/1:0/messages"
	for name, how := range map[string]func(http.ResponseWriter){
		"too many": status(429), "failing": status(500), "unavailable": status(503), "broken off": breakOff,
		"hung up": hangUp,
	} {
		t.Run(name, func(t *testing.T) {
			a := newAPI(t)
			a.fill(3, 5)
			a.before = failing(path, attempts-1, how)
			e, _, waits := impatient(a)
			if err := e.run(t.Context()); err != nil || e.counts[messageLine] != 15 {
				t.Errorf("%v, %v", err, e.counts)
			}
			least := attempts - 1
			if name == "hung up" {
				least-- // the transport itself asks again where an old connection is hung up
			}
			if len(*waits) < least || len(*waits) > attempts-1 || (*waits)[0] != firstWait ||
				!slices.IsSorted(*waits) || slices.Max(*waits) > longest {
				t.Errorf("waits: %v", *waits)
			}
		})
	}
}

func TestTheAPISaysHowLongToWait(t *testing.T) {
	a := newAPI(t)
	a.before = failing("/v1/outbox", 1, func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(429)
	})
	e, _, waits := impatient(a)
	var told []string
	e.tell = func(text string) { told = append(told, text) }
	if err := e.run(t.Context()); err != nil || !slices.Equal(*waits, []time.Duration{7 * time.Second}) {
		t.Errorf("%v, %v", err, *waits)
	}
	if !slices.Equal(told, []string{"/v1/outbox: HTTP 429; trying again in 7s"}) {
		t.Errorf("told %q", told)
	}
}

func TestWhatCannotBeReadFailsTheExportWhichThenHasNoEnd(t *testing.T) {
	problem := func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"detail":"The access token lacks the scope haatline/events.read."}`)
	}
	for _, c := range []struct {
		path string
		how  func(http.ResponseWriter)
		want string
	}{
		{"/v1/conversations", status(500), "list the conversations: read /v1/conversations: HTTP 500, 9 times"},
		{"/v1/conversations/1:1/messages", breakOff, "the answer broke off: unexpected EOF, 9 times"},
		{"/v1/outbox", status(400), "list the outbox of acme: read /v1/outbox: the API answers HTTP 400"},
		{"/v1/webhook-events", problem, "HTTP 403 The access token lacks the scope haatline/events.read."},
		{"/v1/webhook-events/m2", status(502), "read /v1/webhook-events/m2: HTTP 502, 9 times"},
		{"/v1/conversations", func(w http.ResponseWriter) { fmt.Fprint(w, "<html>") }, "is not what the API answers"},
		{"/v1/outbox", func(w http.ResponseWriter) { fmt.Fprint(w, "{}") }, "has no list of items"},
		{"/v1/outbox", func(w http.ResponseWriter) { fmt.Fprint(w, `{"items":[],"cursor":"same"}`) },
			"the list does not go on"},
		{"/v1/conversations", status(302), "the API answers HTTP 302"},
		{"/v1/conversations", status(401), "the API does not take the token"},
	} {
		t.Run(c.path+" "+c.want, func(t *testing.T) {
			a := newAPI(t)
			a.fill(3, 3)
			a.before = failing(c.path, -1, c.how)
			e, out, _ := impatient(a)
			if err := e.run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			_ = e.out.Flush()
			if strings.Contains(out.String(), `"kind":"end"`) {
				t.Error("it has an end")
			}
		})
	}
}

func TestAnEventThatExpiresMeanwhileIsCounted(t *testing.T) {
	a := newAPI(t)
	a.log["message"] = []row{{"id": "m1", "kind": "message"}, {"id": "m2", "kind": "message", "gone": true}}
	lines, err := a.exported()
	if err != nil || !slices.Equal(ids(lines, "webhookEvent"), []string{"m1"}) {
		t.Fatalf("%v: %v", err, lines)
	}
	if counts := lines[len(lines)-1]["counts"].(map[string]any); counts["expired"] != 1.0 {
		t.Errorf("%v", counts)
	}
}

func TestANewTokenInTheFileIsTakenWhileTheExportRuns(t *testing.T) {
	a := newAPI(t)
	a.fill(3, 3)
	tokens, next := []string{a.token, tokenOf("tenant:acme", "renewed")}, 0
	a.before = func(path string) func(http.ResponseWriter) {
		if path == "/v1/outbox" {
			a.token = tokens[1] // the hour is over
		}
		return nil
	}
	e, _, _ := impatient(a)
	e.token = func() (string, error) {
		token := tokens[min(next, 1)]
		next++
		return token, nil
	}
	if err := e.run(t.Context()); err != nil || e.counts[webhookLine] != 4 {
		t.Errorf("%v, %v", err, e.counts)
	}
}

// full is a disk that takes nothing more.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnExportThatCannotBeWrittenFails(t *testing.T) {
	a := newAPI(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(a.token), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), []string{"-api", a.URL, "-token-file", file}, full{}, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v", err)
	}
}

func TestACustomerWhoIsErasedMeanwhileIsCounted(t *testing.T) {
	a := newAPI(t)
	a.fill(3, 3)
	a.before = failing("/v1/conversations/1:1/messages", -1, status(404))
	lines, err := a.exported()
	if err != nil {
		t.Fatal(err)
	}
	if counts := lines[len(lines)-1]["counts"].(map[string]any); counts["erased"] != 1.0 {
		t.Errorf("%v", counts)
	}
}
