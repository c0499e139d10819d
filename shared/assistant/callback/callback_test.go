package callback_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/callback"
	"github.com/haatline/haatline/shared/outward"
)

var secret = []byte("a project's secret")

func booking() callback.Call {
	return callback.Call{ID: "turn-7-1", Function: "book_visit", Company: "haat", Project: "visits",
		Conversation: "haat#visits#r1#9198", Arguments: json.RawMessage(`{"day":"2026-12-01"}`)}
}

// serving returns a runner that reaches the handler, the address of it, and its host.
func serving(t *testing.T, handler http.HandlerFunc) (*callback.Runner, string, []string) {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	transport := server.Client().Transport.(*http.Transport).Clone()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	host := "localhost:" + port
	transport.TLSClientConfig.ServerName = "example.com" // whom the test's certificate is for
	loopback := func(a netip.Addr) bool { return a.IsLoopback() }
	return callback.New(loopback, transport), "https://" + host + "/hook", []string{host}
}

func TestACallIsSignedAndAnsweredByAText(t *testing.T) {
	runner, address, hosts := serving(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var call callback.Call
		if err := json.Unmarshal(body, &call); err != nil || call.Function != "book_visit" ||
			string(call.Arguments) != `{"day":"2026-12-01"}` || r.Header.Get("Idempotency-Key") != "turn-7-1" {
			t.Errorf("%v %s", err, body)
		}
		signature := r.Header.Get(callback.Header)
		if !callback.Verify(secret, signature, body, time.Now()) ||
			callback.Verify([]byte("other"), signature, body, time.Now()) ||
			callback.Verify(secret, signature, append(body, ' '), time.Now()) ||
			callback.Verify(secret, signature, body, time.Now().Add(6*time.Minute)) {
			t.Errorf("the signature %q", signature)
		}
		_, _ = io.WriteString(w, `{"text":"Booked for 1 December."}`)
	})
	text, err := runner.Run(t.Context(), address, hosts, secret, booking())
	if err != nil || text != "Booked for 1 December." {
		t.Errorf("%q %v", text, err)
	}
}

func TestWhatAServerAnswersDecides(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   assistant.Failure
	}{
		"refused":     {status(422, ""), assistant.Failure{Meaning: assistant.ToPerson, Reason: assistant.Unreached}},
		"a redirect":  {redirect, assistant.Failure{Meaning: assistant.ToPerson, Reason: assistant.Unreached}},
		"too many":    {status(429, "9"), assistant.Failure{Meaning: assistant.Later, After: 9 * time.Second}},
		"broken":      {status(500, ""), assistant.Failure{Meaning: assistant.Later}},
		"a long wait": {status(503, "999999"), assistant.Failure{Meaning: assistant.Later, After: time.Hour}},
		"it hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			assistant.Failure{Meaning: assistant.Later}},
		"no JSON": {saying("<html>"), assistant.Failure{Meaning: assistant.ToPerson, Reason: assistant.Unreadable}},
		"no text": {saying(`{}`), assistant.Failure{Meaning: assistant.ToPerson, Reason: assistant.Unreadable}},
		"a book": {saying(`{"text":"` + strings.Repeat("x", 100_000) + `"}`),
			assistant.Failure{Meaning: assistant.ToPerson, Reason: assistant.Unreadable}},
		"a long text": {saying(`{"text":"` + strings.Repeat("x", callback.MaxText+1) + `"}`),
			assistant.Failure{Meaning: assistant.ToPerson, Reason: assistant.Unreadable}},
	} {
		runner, address, hosts := serving(t, c.answer)
		_, err := runner.Run(t.Context(), address, hosts, secret, booking())
		var failed *assistant.Failure
		if !errors.As(err, &failed) || failed.Meaning != c.want.Meaning || failed.Reason != c.want.Reason ||
			failed.After != c.want.After {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && (strings.Contains(err.Error(), "2026-12") || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: the error holds what it must not: %v", name, err)
		}
	}
}

func status(code int, after string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", after)
		w.WriteHeader(code)
	}
}

func saying(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func redirect(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/inside" {
		panic("the redirect was followed")
	}
	http.Redirect(w, r, "/inside", http.StatusTemporaryRedirect)
}

// The name leads to this machine, as a name does that was changed after it had been looked at.
func TestANameThatLeadsInsideReachesNothing(t *testing.T) {
	reached := false
	_, address, hosts := serving(t, func(http.ResponseWriter, *http.Request) { reached = true })
	_, err := callback.New(outward.Public, &http.Transport{}).Run(t.Context(), address, hosts, secret, booking())
	var failed *assistant.Failure
	if !errors.As(err, &failed) || failed.Meaning != assistant.Never || failed.Code != "inside" || reached {
		t.Errorf("%v, reached: %t", err, reached)
	}
}

func TestOnlyTheOwnersHostsAreCalled(t *testing.T) {
	hosts := []string{"hooks.haat.example", "other.example:8443", "10.0.0.1"}
	for address, ok := range map[string]bool{
		"https://hooks.haat.example/a?b=c": true, "https://HOOKS.haat.example": true,
		"https://other.example:8443/": true,
		"http://hooks.haat.example/":  false, "https://hooks.haat.example:8443/": false,
		"https://evil.example/":                    false,
		"https://hooks.haat.example@evil.example/": false, "https://hooks.haat.example.evil.example/": false,
		"https://user:pw@hooks.haat.example/": false, "https://10.0.0.1/": false, "": false, "https:": false,
		"https://hooks.haat.example#x": false, "file:///etc/passwd": false, "https://other.example/": false,
	} {
		if err := callback.CheckAddress(address, hosts); (err == nil) != ok || err != nil && !errors.Is(err,
			callback.ErrAddress) {
			t.Errorf("%q: %v", address, err)
		}
	}
	_, err := callback.New(outward.Public, &http.Transport{}).Run(t.Context(), "https://evil.example/", hosts, secret,
		booking())
	var failed *assistant.Failure
	if !errors.As(err, &failed) || failed.Meaning != assistant.Never {
		t.Errorf("%v", err)
	}
}

// A server checks the signature before it reads the call.
func ExampleVerify() {
	body, now := []byte(`{"id":"turn-7-1","function":"book_visit"}`), time.Unix(1_795_000_000, 0)
	signature := callback.Sign([]byte("a project's secret"), body, now)
	fmt.Println(callback.Verify([]byte("a project's secret"), signature, body, now.Add(time.Minute)))
	fmt.Println(callback.Verify([]byte("a project's secret"), signature, body, now.Add(time.Hour)))
	// Output:
	// true
	// false
}
