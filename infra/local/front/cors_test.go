package front

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/identity"
)

const desk = "http://localhost:5173"

func corsGateway(t *testing.T) *gateway {
	t.Helper()
	g := newGateway(t,
		`{"statusCode":200,"headers":{"retry-after":"5","Access-Control-Allow-Origin":"*"},"body":"{}"}`, nil)
	g.Origin = LocalOrigin
	return g
}

func TestWhatABrowserAsksFirstIsAnsweredWithoutAToken(t *testing.T) {
	for origin, allowed := range map[string]string{
		desk: desk, "http://127.0.0.1:3000": "http://127.0.0.1:3000", "https://elsewhere.example": "", "null": ""} {
		g := corsGateway(t)
		r := httptest.NewRequest("OPTIONS", "/v1/conversations", nil)
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "GET")
		r.Header.Set("Access-Control-Request-Headers", "authorization")
		response := g.serve(r)
		if response.StatusCode != 204 || response.Header.Get("Access-Control-Allow-Origin") != allowed ||
			g.event != nil {
			t.Errorf("%s: %d %v", origin, response.StatusCode, response.Header)
		}
		for name, want := range map[string]string{
			"Access-Control-Allow-Methods": "GET,POST,PUT,PATCH,DELETE",
			"Access-Control-Allow-Headers": "authorization,content-type,idempotency-key,if-none-match",
			"Access-Control-Max-Age":       "7200",
		} {
			if allowed == "" {
				want = ""
			}
			if got := response.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", origin, name, got)
			}
		}
	}
}

func TestAnAnswerIsReadableToPagesOfItsOriginsOnly(t *testing.T) {
	for origin, allowed := range map[string]string{desk: desk, "https://elsewhere.example": "", "": ""} {
		g := corsGateway(t)
		token, err := g.issuer.Mint(identity.Grant{Subject: "s", IssuedAt: now, ExpiresAt: now.Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "/v1/conversations", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		response := g.serve(r)
		exposed := response.Header.Get("Access-Control-Expose-Headers")
		if response.StatusCode != 200 || response.Header.Get("Access-Control-Allow-Origin") != allowed ||
			(exposed == "apigw-requestid,etag,retry-after") != (allowed != "") {
			t.Errorf("%q: %d %v", origin, response.StatusCode, response.Header)
		}
	}
}

// CORS does not replace the token.
func TestAPageWithoutATokenIsRefused(t *testing.T) {
	g := corsGateway(t)
	for _, method := range []string{"GET", "OPTIONS"} { // OPTIONS without a requested method is no preflight request
		r := httptest.NewRequest(method, "/v1/conversations", nil)
		r.Header.Set("Origin", desk)
		if response := g.serve(r); response.StatusCode != 401 || g.event != nil {
			t.Errorf("%s: %d", method, response.StatusCode)
		}
	}
}

func TestOnlyPagesOfThisMachineAreLocal(t *testing.T) {
	for origin, want := range map[string]bool{
		"http://localhost": true, "http://localhost:5173": true, "http://127.0.0.1:8080": true,
		"http://[::1]:8080":      true,
		"https://localhost:5173": false, "http://localhost.evil.example": false, "http://localhost:5173/": false,
		"http://user@localhost": false,
		"http://10.0.0.1":       false, "http://localhost:5173@evil.example": false,
		"http://127.0.0.1.evil.example":              false,
		"http://evil-localhost:5173":                 false,
		"http://localhost:5173, http://evil.example": false, "http://localhost:5173 http://evil.example": false,
		"http://localhost%2eevil.example": false,
		"http://[::1].evil.example":       false, "http://0.0.0.0:5173": false, "http://127.1": false,
		"http://2130706433": false, "http://a.localhost": false,
		"http://LOCALHOST:5173": false, "HTTP://localhost": false, "http://localhost:5173?x": false,
		"http://localhost:5173#x": false, "http://localhost:": false,
		"http://localhost\\.evil.example": false, "http://[::ffff:10.0.0.1]": false, "chrome-extension://abc": false,
		"null": false, "": false, "file://": false,
	} {
		if LocalOrigin(origin) != want {
			t.Errorf("%q: %t", origin, !want)
		}
	}
}
