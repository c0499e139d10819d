package signin_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/local/signin"
)

const (
	here = "127.0.0.1:3000"
	page = "http://" + here + "/"
)

// desk is the sign-in pages with a browser in front of them.
type desk struct {
	t        *testing.T
	mux      *http.ServeMux
	now      time.Time
	verifier *identity.Verifier
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	issuer, err := identity.LoadIssuer(filepath.Join(t.TempDir(), "issuer.pem"), "http://"+here)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, mux: http.NewServeMux(), now: time.Now()}
	now := func() time.Time { return d.now }
	d.verifier = identity.NewVerifier(issuer, now)
	(&signin.Server{
		Issuer: issuer, Tenant: "demo", Pages: []string{page}, Scopes: []string{"haatline/inbox.read"}, Now: now,
		People: []signin.Person{{Subject: "s1", Username: "asha", Name: "Asha <b>", Groups: []string{"tenant:demo"}}},
	}).Register(d.mux)
	return d
}

// ask sends a request as the page's own browser does, unless headers say otherwise.
func (d *desk) ask(method, path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	d.t.Helper()
	request := httptest.NewRequestWithContext(d.t.Context(), method, path, strings.NewReader(form.Encode()))
	request.Host = here
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == http.MethodPost {
		request.Header.Set("Origin", "http://"+here)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	d.mux.ServeHTTP(recorder, request)
	return recorder
}

func challenge(verifier string) string {
	hashed := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(hashed[:])
}

func asked(verifier string, changes ...string) url.Values {
	values := url.Values{"client_id": {identity.Audience}, "redirect_uri": {page}, "response_type": {"code"},
		"scope": {"openid haatline/inbox.read"}, "state": {"st"}, "nonce": {"once"},
		"code_challenge": {challenge(verifier)}, "code_challenge_method": {"S256"}}
	for i := 0; i < len(changes); i += 2 {
		values.Set(changes[i], changes[i+1])
	}
	return values
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// code chooses the person on the page, as its form does, and returns the code.
func (d *desk) code(verifier string) string {
	d.t.Helper()
	shown := d.ask(http.MethodGet, "/oauth2/authorize?"+asked(verifier).Encode(), nil)
	form := url.Values{"person": {"s1"}}
	for _, found := range hidden.FindAllStringSubmatch(shown.Body.String(), -1) {
		form.Set(found[1], html.UnescapeString(found[2]))
	}
	sent := d.ask(http.MethodPost, "/oauth2/authorize", form)
	to, err := sent.Result().Location()
	if err != nil {
		d.t.Fatalf("%d %s: %v", sent.Code, sent.Body, err)
	}
	if to.Scheme+"://"+to.Host+to.Path != page || to.Query().Get("state") != "st" || to.Query().Get("code") == "" {
		d.t.Fatalf("sent to %s", to)
	}
	return to.Query().Get("code")
}

type tokens struct {
	Access  string `json:"access_token"`
	ID      string `json:"id_token"`
	Refresh string `json:"refresh_token"`
	Expires int    `json:"expires_in"`
	Error   string `json:"error"`
}

func (d *desk) token(form url.Values, headers ...string) (got tokens, status int) {
	d.t.Helper()
	form.Set("client_id", identity.Audience)
	answer := d.ask(http.MethodPost, "/oauth2/token", form, headers...)
	if answer.Header().Get("Content-Type") == "application/json" {
		if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
			d.t.Fatal(err)
		}
	}
	return got, answer.Code
}

func (d *desk) redeem(code, verifier string, changes ...string) (tokens, int) {
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier},
		"redirect_uri": {page}}
	for i := 0; i < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
	}
	return d.token(form)
}

func (d *desk) renew(refresh string) (tokens, int) {
	return d.token(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
}

func TestAPersonSignsInByACodeWithItsVerifier(t *testing.T) {
	d, verifier := newDesk(t), rand.Text()
	got, status := d.redeem(d.code(verifier), verifier)
	if status != http.StatusOK || got.Refresh == "" || got.Expires != 3600 {
		t.Fatalf("%d %+v", status, got)
	}
	access, err := d.verifier.Verify("Bearer " + got.Access)
	if err != nil || access["sub"] != "s1" || access["scope"] != "openid haatline/inbox.read" ||
		access["token_use"] != "access" {
		t.Errorf("%v %v", access, err)
	}
	id, err := d.verifier.Verify(got.ID)
	if err != nil || id["sub"] != "s1" || id["nonce"] != "once" || id["aud"] != identity.Audience ||
		id["scope"] != nil {
		t.Errorf("%v %v", id, err)
	}
}

func TestACodeServesOnceForWhoAskedForIt(t *testing.T) {
	d, verifier := newDesk(t), rand.Text()
	for name, try := range map[string]func(code string) (tokens, int){
		"twice": func(code string) (tokens, int) {
			if got, status := d.redeem(code, verifier); status != http.StatusOK {
				t.Errorf("the first time: %d %+v", status, got)
			}
			return d.redeem(code, verifier)
		},
		"after another verifier": func(code string) (tokens, int) {
			_, _ = d.redeem(code, rand.Text())
			return d.redeem(code, verifier)
		},
		"another verifier": func(code string) (tokens, int) { return d.redeem(code, rand.Text()) },
		"no verifier":      func(code string) (tokens, int) { return d.redeem(code, "") },
		"the challenge":    func(code string) (tokens, int) { return d.redeem(code, challenge(verifier)) },
		"another page": func(code string) (tokens, int) {
			return d.redeem(code, verifier, "redirect_uri", page+"x")
		},
		"no code": func(string) (tokens, int) { return d.redeem("", verifier) },
		"late": func(code string) (tokens, int) {
			d.now = d.now.Add(6 * time.Minute)
			return d.redeem(code, verifier)
		},
	} {
		if got, status := try(d.code(verifier)); status != http.StatusBadRequest || got.Error != "invalid_grant" ||
			got.Access != "" {
			t.Errorf("%s: %d %+v", name, status, got)
		}
	}
}

// Nobody is sent anywhere but to the pages of the console, whatever the request looks like.
func TestNobodyIsSentElsewhere(t *testing.T) {
	d, verifier := newDesk(t), rand.Text()
	for _, to := range []string{"", "https://evil.example/", "http://127.0.0.1:3000", "http://127.0.0.1:3000/x",
		"http://127.0.0.1:3000/?a=b", "http://127.0.0.1:3000/#a", "http://127.0.0.1:3000@evil.example/",
		"//evil.example",
		"http://127.0.0.1:30000/", "HTTP://127.0.0.1:3000/", "javascript:alert(1)", page + "\r\nX: y"} {
		values := asked(verifier, "redirect_uri", to)
		form := asked(verifier, "redirect_uri", to, "person", "s1")
		out := url.Values{"client_id": {identity.Audience}, "logout_uri": {to}}
		for name, got := range map[string]*httptest.ResponseRecorder{
			"to choose": d.ask(http.MethodGet, "/oauth2/authorize?"+values.Encode(), nil),
			"chosen":    d.ask(http.MethodPost, "/oauth2/authorize", form),
			"signs out": d.ask(http.MethodGet, "/logout?"+out.Encode(), nil),
		} {
			if got.Code != http.StatusBadRequest || got.Header().Get("Location") != "" {
				t.Errorf("%s, %q: %d to %q", name, to, got.Code, got.Header().Get("Location"))
			}
		}
	}
	for name, want := range map[[2]string]string{
		{"response_type", "token"}:         "unsupported_response_type",
		{"code_challenge", ""}:             "invalid_request",
		{"code_challenge_method", "plain"}: "invalid_request",
		{"scope", "haatline/everything"}:   "invalid_scope",
	} {
		for _, got := range []*httptest.ResponseRecorder{
			d.ask(http.MethodGet, "/oauth2/authorize?"+asked(verifier, name[0], name[1]).Encode(), nil),
			d.ask(http.MethodPost, "/oauth2/authorize", asked(verifier, name[0], name[1], "person", "s1")),
		} {
			if to := got.Header().Get("Location"); to != page+"?error="+want+"&state=st" {
				t.Errorf("%v: %d to %q", name, got.Code, to)
			}
		}
	}
	nobody := d.ask(http.MethodPost, "/oauth2/authorize", asked(verifier, "person", "s2"))
	if nobody.Code != http.StatusBadRequest {
		t.Errorf("nobody: %d", nobody.Code)
	}
	if got := d.ask(http.MethodGet, "/logout?client_id=haatline&logout_uri="+url.QueryEscape(page), nil); got.Header().
		Get("Location") != page {
		t.Errorf("signs out: %d %v", got.Code, got.Header())
	}
}

// No page of another address, port or name may choose a person, redeem a code or renew a token.
func TestOnlyTheConsoleMayUseThePages(t *testing.T) {
	d, verifier := newDesk(t), rand.Text()
	got, _ := d.redeem(d.code(verifier), verifier)
	for name, headers := range map[string][]string{
		"another site":   {"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"},
		"another port":   {"Origin", "http://127.0.0.1:3999", "Sec-Fetch-Site", "same-site"},
		"a file":         {"Origin", "null", "Sec-Fetch-Site", "cross-site"},
		"a rebound name": {"Host", "evil.example:3000", "Origin", "http://evil.example:3000"},
		"an old browser": {"Origin", "http://localhost:3000", "Sec-Fetch-Site", ""},
	} {
		form := asked(verifier, "person", "s1")
		if got := d.ask(http.MethodPost, "/oauth2/authorize", form, headers...); got.Code != http.StatusForbidden {
			t.Errorf("%s chooses: %d %v", name, got.Code, got.Header())
		}
		if got := d.ask(http.MethodGet, "/oauth2/authorize?"+asked(verifier).Encode(), nil,
			headers...); got.Code != http.StatusForbidden {
			t.Errorf("%s looks: %d", name, got.Code)
		}
		form = url.Values{"grant_type": {"refresh_token"}, "refresh_token": {got.Refresh}}
		if got, status := d.token(form, headers...); status != http.StatusForbidden || got.Access != "" {
			t.Errorf("%s renews: %d %+v", name, status, got)
		}
	}
	shown := d.ask(http.MethodGet, "/oauth2/authorize?"+asked(verifier, "state", `"><script>`).Encode(), nil)
	policy := shown.Header().Get("Content-Security-Policy")
	if text := shown.Body.String(); strings.Contains(text, "<script") || strings.Contains(text, "<b>") ||
		!strings.Contains(text, "Asha &lt;b&gt;") {
		t.Error(text)
	}
	if !strings.Contains(policy, "frame-ancestors 'self'") || !strings.Contains(policy, "default-src 'none'") {
		t.Error(policy)
	}
}

func TestARefreshTokenIsReplacedWithEachUse(t *testing.T) {
	d, verifier := newDesk(t), rand.Text()
	first, _ := d.redeem(d.code(verifier), verifier)
	second, status := d.renew(first.Refresh)
	if status != http.StatusOK || second.Refresh == first.Refresh || second.Access == first.Access {
		t.Fatalf("%d %+v", status, second)
	}
	if _, status := d.renew(first.Refresh); status != http.StatusOK { // the answer was lost
		t.Errorf("at once again: %d", status)
	}
	d.now = d.now.Add(2 * time.Minute)
	if got, status := d.renew(first.Refresh); status != http.StatusBadRequest || got.Error != "invalid_grant" {
		t.Errorf("later: %d %+v", status, got)
	}
	third, status := d.renew(second.Refresh)
	if status != http.StatusOK {
		t.Errorf("the newest: %d", status)
	}
	d.now = d.now.Add(24 * time.Hour)
	if _, status := d.renew(third.Refresh); status != http.StatusBadRequest {
		t.Errorf("after a day: %d", status)
	}
}

func TestWhoSignsOutIsOutEverywhere(t *testing.T) {
	d, verifier := newDesk(t), rand.Text()
	first, _ := d.redeem(d.code(verifier), verifier)
	other, _ := d.redeem(d.code(verifier), verifier)
	second, _ := d.renew(first.Refresh)
	form := url.Values{"client_id": {identity.Audience}, "token": {first.Refresh}}
	if got := d.ask(http.MethodPost, "/oauth2/revoke", form); got.Code != http.StatusOK {
		t.Errorf("%d", got.Code)
	}
	for _, refresh := range []string{first.Refresh, second.Refresh} {
		if _, status := d.renew(refresh); status != http.StatusBadRequest {
			t.Errorf("after signing out: %d", status)
		}
	}
	if _, status := d.renew(other.Refresh); status != http.StatusOK {
		t.Errorf("signed in elsewhere: %d", status)
	}
}

func TestSomebodyElseSignsInWithANameATenantAndARole(t *testing.T) {
	d, verifier := newDesk(t), rand.Text()
	sent := d.ask(http.MethodPost, "/oauth2/authorize",
		asked(verifier, "name", "ravi", "tenant", "acme", "role", "operator"))
	to, err := sent.Result().Location()
	if err != nil {
		t.Fatal(sent.Code, err)
	}
	got, _ := d.redeem(to.Query().Get("code"), verifier)
	claims, err := d.verifier.Verify(got.Access)
	if flat := identity.Flatten(claims); err != nil || flat["sub"] != "local-ravi" ||
		flat["cognito:groups"] != "[tenant:acme operator]" {
		t.Errorf("%v %v", flat, err)
	}
	for _, wrong := range [][]string{{"name", "", "tenant", "acme", "role", "operator"},
		{"name", "a b", "tenant", "acme", "role", "operator"}, {"name", "a", "tenant", "a:b", "role", "operator"},
		{"name", "a", "tenant", "acme", "role", "king"}} {
		got := d.ask(http.MethodPost, "/oauth2/authorize", asked(verifier, wrong...))
		if got.Code != http.StatusBadRequest {
			t.Errorf("%v: %d", wrong, got.Code)
		}
	}
}
