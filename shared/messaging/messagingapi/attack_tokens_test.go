package messagingapi

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/front"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
)

// gateway is the local HTTP API before the function, with the routes that are deployed, and the key that signs its
// tokens.
type gateway struct {
	*front.Gateway
	key *rsa.PrivateKey
	kid string
}

const issuerURL = "http://127.0.0.1:3000"

func (w *world) gateway(t *testing.T) gateway {
	t.Helper()
	key, path := newKey(t), filepath.Join(t.TempDir(), "issuer.pem")
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	issuer, err := identity.LoadIssuer(path, issuerURL)
	if err != nil {
		t.Fatal(err)
	}
	minted, err := issuer.Mint(identity.Grant{Subject: "x", IssuedAt: w.now, ExpiresAt: w.now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	parsed, _, err := jwt.NewParser().ParseUnverified(minted, jwt.MapClaims{})
	if err != nil {
		t.Fatal(err)
	}
	g := gateway{key: key, kid: parsed.Header["kid"].(string)}
	handle := httpapi.NewHandler(apitest.Cursors().On(w.mux), API)
	g.Gateway = &front.Gateway{
		Verifier: identity.NewVerifier(issuer, w.rooms.Now), Now: w.rooms.Now, Log: slog.New(slog.DiscardHandler),
		Invoke: func(ctx context.Context, _ string, payload []byte) ([]byte, error) {
			var event events.APIGatewayV2HTTPRequest
			if err := json.Unmarshal(payload, &event); err != nil {
				return nil, err
			}
			response, err := handle(ctx, event)
			if err != nil {
				return nil, err
			}
			return json.Marshal(response)
		},
	}
	for _, f := range topology.Functions {
		for _, route := range f.Routes {
			if f.Name == API.Name+"-api" {
				g.Routes = append(g.Routes,
					front.Route{Method: route.Method, Path: route.Path, For: route.For, Function: f.Name})
			}
		}
	}
	return g
}

func newKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// token signs the owner's claims, some of them changed.
func (g gateway) token(t *testing.T, method jwt.SigningMethod, key any,
	change func(claims jwt.MapClaims, header map[string]any)) string {
	t.Helper()
	claims := jwt.MapClaims{
		"iss": issuerURL, "client_id": identity.Audience, "token_use": "access", "sub": "owner", "username": "owner",
		"scope":          strings.Join(allScopes, " "),
		"cognito:groups": []string{"tenant:tenant-1", "administrator"}, "iat": noon.Unix(),
		"exp": noon.Add(time.Hour).Unix(),
	}
	token := jwt.NewWithClaims(method, claims)
	token.Header["kid"] = g.kid
	change(claims, token.Header)
	signed, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// badAuthorizations are what stands in an Authorization header that opens nothing.
func (g gateway) badAuthorizations(t *testing.T) map[string]string {
	t.Helper()
	good := g.token(t, jwt.SigningMethodRS256, g.key, func(jwt.MapClaims, map[string]any) {})
	parts := strings.Split(good, ".")
	public, err := x509.MarshalPKIXPublicKey(&g.key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	asPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	with := func(name string, value any) string {
		return g.token(t, jwt.SigningMethodRS256, g.key, func(c jwt.MapClaims, _ map[string]any) {
			if c[name] = value; value == nil {
				delete(c, name)
			}
		})
	}
	same := func(jwt.MapClaims, map[string]any) {}
	stranger := newKey(t)
	bad := map[string]string{
		"none": "", "no word": "Bearer", "blanks": "Bearer    ", "garbage": "Bearer garbage", "dots": "Bearer ..",
		"Basic":              "Basic b3duZXI6b3duZXI=",
		"control characters": "Bearer a\tb.c\td.e", "long": "Bearer " + strings.Repeat("a.", 4000),
		"two at once":    "Bearer " + good + ", Bearer " + good,
		"the word twice": "Bearer Bearer " + good, "another word": "Token " + good,
		"a cut signature": good[:len(good)-20], "no signature": parts[0] + "." + parts[1] + ".",
		"another payload": parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"owner"}`)) + "." +
			parts[2], "four parts": good + "." + parts[2],
		"the algorithm none": g.token(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, same),
		"the algorithm None": g.token(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType,
			func(_ jwt.MapClaims, h map[string]any) { h["alg"] = "nOnE" }),
		"the public key as a secret": g.token(t, jwt.SigningMethodHS256, asPEM, same),
		"another algorithm":          g.token(t, jwt.SigningMethodRS512, g.key, same),
		"another padding":            g.token(t, jwt.SigningMethodPS256, g.key, same),
		"another key":                g.token(t, jwt.SigningMethodRS256, stranger, same),
		"another key, brought along": g.token(t, jwt.SigningMethodRS256, stranger,
			func(_ jwt.MapClaims, h map[string]any) { h["jku"] = "http://evil.example/jwks.json" }),
		"an unknown key": g.token(t, jwt.SigningMethodRS256, g.key,
			func(_ jwt.MapClaims, h map[string]any) { h["kid"] = "../../dev/null" }),
		"no key's name": g.token(t, jwt.SigningMethodRS256, g.key,
			func(_ jwt.MapClaims, h map[string]any) { delete(h, "kid") }),
		"another issuer":                with("iss", "http://evil.example"),
		"an issuer that begins with it": with("iss", issuerURL+".evil.example"),
		"an issuer with a slash":        with("iss", issuerURL+"/"),
		"no issuer":                     with("iss", nil),
		"another client":                with("client_id", "other"),
		"no client":                     with("client_id", nil),
		"another audience":              with("aud", "other"),
		"expired":                       with("exp", noon.Add(-time.Second).Unix()),
		"expired this moment":           with("exp", noon.Unix()),
		"no expiry":                     with("exp", nil),
		"an expiry that is no number":   with("exp", "never"),
		"not valid yet":                 with("nbf", noon.Add(time.Hour).Unix()),
		"issued tomorrow":               with("iat", noon.Add(24*time.Hour).Unix()),
		"no subject":                    with("sub", nil),
		"an empty subject":              with("sub", ""),
		"a refresh token":               with("token_use", "refresh"),
		"an ID token for the same client": g.token(t, jwt.SigningMethodRS256, g.key,
			func(c jwt.MapClaims, _ map[string]any) {
				c["token_use"], c["aud"] = "id", identity.Audience
				delete(c, "client_id")
			}),
	}
	for name, text := range bad {
		if strings.Count(text, ".") == 2 && !strings.Contains(text, " ") {
			bad[name] = "Bearer " + text
		}
	}
	return bad
}

func TestNoBadTokenOpensAnyOperationAtTheGateway(t *testing.T) {
	a := newAttacked(t)
	g := a.gateway(t)
	before := a.db.Dump(t)
	send := func(r request, authorization string) answer {
		asked := httptest.NewRequest(r.Method, "http://127.0.0.1:3000"+r.Path+"?"+r.Query.Encode(),
			strings.NewReader(r.Body))
		asked.Header.Set("Content-Type", "application/json")
		if authorization != "" {
			asked.Header.Set("Authorization", authorization)
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, asked)
		return answer{Status: w.Code, Body: w.Body.String()}
	}
	bad, tried := g.badAuthorizations(t), 0
	hidden := slices.Concat(a.own.all("1"), a.other.all("2"), internals)
	for _, one := range a.targets {
		for name, authorization := range bad {
			tried++
			got := send(one.good[0], authorization)
			if got.Status != http.StatusUnauthorized {
				t.Errorf("%s with the token %q answers %d: %.200s", one.OperationID, name, got.Status, got.Body)
			}
			if shown := showsOf(got, hidden); shown != "" ||
				len(authorization) > 20 && strings.Contains(got.Body, authorization[7:]) {
				t.Errorf("%s with the token %q shows %q: %s", one.OperationID, name, shown, got.Body)
			}
		}
		good := "Bearer " + g.token(t, jwt.SigningMethodRS256, g.key, func(jwt.MapClaims, map[string]any) {})
		if slices.Contains(one.Security[0]["jwt"], httpapi.PlatformManage) {
			continue // the token is that of a tenant's administrator
		}
		if got := send(one.absent[0], good); got.Status == http.StatusUnauthorized ||
			got.Status == http.StatusForbidden {
			t.Errorf("%s with the token that they are made from answers %d", one.OperationID, got.Status)
		}
	}
	if diff := cmp.Diff(before, a.db.Dump(t)); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
	t.Logf("over %d operations: bad tokens at the gateway %d", len(a.targets), tried)
}
