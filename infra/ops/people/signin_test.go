package people_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/people"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/shared/httpapi"
)

// signInPages are Cognito's at the wire: they send a browser back with a code, and give a token for the code to whoever
// has the verifier of its challenge.
type signInPages struct {
	t         *testing.T
	challenge string
	redirect  string
	scopes    []string // that are asked for
	refuse    string   // an error that goes back instead of a code
	noToken   bool
}

func (p *signInPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	switch r.URL.Path {
	case "/oauth2/authorize":
		want := "openid " + strings.Join(p.scopes, " ")
		if query.Get("client_id") != "client" || query.Get("response_type") != "code" || query.Get("scope") != want ||
			query.Get("code_challenge_method") != "S256" {
			p.t.Errorf("authorize: %v", query)
		}
		p.challenge, p.redirect = query.Get("code_challenge"), query.Get("redirect_uri")
		back := url.Values{"state": {query.Get("state")}, "code": {"the-code"}}
		if p.refuse != "" {
			back = url.Values{"state": {query.Get("state")}, "error": {p.refuse}}
		}
		http.Redirect(w, r, p.redirect+"?"+back.Encode(), http.StatusFound)
	case "/oauth2/token":
		_ = r.ParseForm()
		sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
		w.Header().Set("Content-Type", "application/json")
		if p.noToken || r.Form.Get("code") != "the-code" || r.Form.Get("client_id") != "client" ||
			r.Form.Get("redirect_uri") != p.redirect ||
			base64.RawURLEncoding.EncodeToString(sum[:]) != p.challenge || r.Form.Get("client_secret") != "" {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"invalid_grant","error_description":"the-code is not good"}`))
			return
		}
		_ = json.NewEncoder(w).
			Encode(map[string]any{
				"access_token": "the-token", "id_token": "the-id", "token_type": "Bearer", "expires_in": 3600})
	default:
		http.NotFound(w, r)
	}
}

// session is one run of sign-in, and what it prints.
type session struct {
	t        *testing.T
	callback string
	out      bytes.Buffer
	address  chan string // what the person is to open
	done     chan error
}

func begin(t *testing.T, pages *signInPages, args ...string) *session {
	t.Helper()
	if pages.scopes == nil {
		pages.scopes = httpapi.EverydayScopes()
	}
	account := newAccount(t)
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	account.Stacks["haatline-identity-prod"].Outputs["SignInUrl"] = server.URL
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	s := &session{
		t: t, callback: "http://localhost:" + port + "/callback", address: make(chan string, 1),
		done: make(chan error, 1)}
	reader, writer := io.Pipe()
	go func() {
		for lines := bufio.NewScanner(reader); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "http") {
				s.address <- lines.Text()
			}
		}
	}()
	go func() {
		s.done <- people.SignIn(t.Context(), append([]string{"-stage", "prod", "-callback", s.callback}, args...),
			&s.out, writer)
		writer.Close()
	}()
	return s
}

// open is the person's browser: it opens an address, and follows it to the end.
func (s *session) open(address string) (int, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(page)
}

func (s *session) end() error {
	s.t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(20 * time.Second):
		s.t.Fatal("it does not end")
		return nil
	}
}

func TestATokenIsForWhatWasAskedForAndForNothingDangerousUnasked(t *testing.T) {
	for asked, want := range map[string][]string{
		"":                           httpapi.EverydayScopes(),
		"all":                        httpapi.ScopeNames(),
		"inbox.read,customers.erase": {httpapi.InboxRead, httpapi.CustomersErase},
		"haatline/outbox.replay":     {httpapi.OutboxReplay},
	} {
		s := begin(t, &signInPages{t: t, scopes: want}, "-scopes", asked)
		if status, page := s.open(<-s.address); status != http.StatusOK {
			t.Errorf("%q: %d %s", asked, status, page)
		}
		if err := s.end(); err != nil {
			t.Errorf("%q: %v", asked, err)
		}
	}
	var wrong usage.Error
	if err := people.SignIn(t.Context(), []string{"-stage", "prod", "-scopes", "inbox.reed"}, io.Discard,
		io.Discard); !errors.As(err, &wrong) {
		t.Errorf("an unknown scope: %v", err)
	}
}

func TestWhoSignsInGetsTheAccessTokenAndNothingElse(t *testing.T) {
	s := begin(t, &signInPages{t: t})
	status, page := s.open(<-s.address)
	if status != http.StatusOK || !strings.Contains(page, "You can close this") {
		t.Errorf("%d %s", status, page)
	}
	if err := s.end(); err != nil || s.out.String() != "the-token\n" {
		t.Errorf("%v: %q", err, s.out.String())
	}
	if _, err := net.Dial("tcp",
		strings.TrimPrefix(strings.TrimSuffix(s.callback, "/callback"), "http://")); err == nil {
		t.Error("somebody still listens")
	}
}

func TestOnlyTheSignInThatWasBegunCounts(t *testing.T) {
	s := begin(t, &signInPages{t: t})
	address := <-s.address
	for path, want := range map[string]int{"?code=stolen&state=another": 400, "?code=stolen": 400, "/other": 404} {
		if status, _ := s.open(s.callback + path); status != want {
			t.Errorf("%s: %d", path, status)
		}
	}
	s.open(address)
	if err := s.end(); err != nil || s.out.String() != "the-token\n" {
		t.Errorf("%v: %q", err, s.out.String())
	}
}

func TestWhoIsRefusedIsToldInOneLine(t *testing.T) {
	s := begin(t, &signInPages{t: t, refuse: "access_denied"})
	if _, page := s.open(<-s.address); !strings.Contains(page, "not signed in") {
		t.Error(page)
	}
	if err := s.end(); err == nil || err.Error() != "the sign-in pages refuse: access_denied" {
		t.Error(err)
	}
	s = begin(t, &signInPages{t: t, noToken: true})
	s.open(<-s.address)
	if err := s.end(); err == nil || err.Error() != "the sign-in pages give no token: HTTP 400 invalid_grant" ||
		s.out.Len() != 0 {
		t.Errorf("%v: %q", err, s.out.String())
	}
}

func TestSignInDoesNotWaitForever(t *testing.T) {
	s := begin(t, &signInPages{t: t}, "-timeout", "50ms")
	if err := s.end(); err == nil || err.Error() != "nobody has signed in within 50ms" {
		t.Error(err)
	}
}

func TestSignInSaysWhatStandsInItsWay(t *testing.T) {
	run := func(args ...string) error {
		return people.SignIn(context.Background(), append([]string{"-stage", "prod"}, args...), io.Discard, io.Discard)
	}
	account := newAccount(t)
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if err := run("-callback", "http://"+taken.Addr().String()+"/callback"); err == nil ||
		!strings.Contains(err.Error(), "could not come back") {
		t.Errorf("a port that is taken: %v", err)
	}
	account.Stacks["haatline-identity-prod"] = awstest.Stack{
		Status: "CREATE_COMPLETE", Outputs: map[string]string{"ClientId": "client"}}
	if err := run(); err == nil ||
		!strings.Contains(err.Error(),
			"add -c domainPrefix=… to everything you deploy with (what is left out is undone)") {
		t.Errorf("no pages: %v", err)
	}
	for _, callback := range []string{
		"https://localhost:3000/callback", "http://example.com:3000/callback", "http://localhost/callback", ":"} {
		var wrong usage.Error
		if err := run("-callback", callback); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", callback, err)
		}
	}
}

func TestTheTokenGoesToAFileOfItsOwnersAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	s := begin(t, &signInPages{t: t}, "-out", file)
	if status, page := s.open(<-s.address); status != http.StatusOK {
		t.Fatalf("%d %s", status, page)
	}
	if err := s.end(); err != nil || s.out.Len() > 0 {
		t.Errorf("printed %q, %v", &s.out, err)
	}
	content, err := os.ReadFile(file)
	if err != nil || string(content) != "the-token\n" {
		t.Errorf("%q, %v", content, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
