package identity

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"
)

const issuerURL = "http://127.0.0.1:3000"

func newIssuer(t *testing.T, url string) *Issuer {
	t.Helper()
	issuer, err := LoadIssuer(filepath.Join(t.TempDir(), "issuer.pem"), url)
	if err != nil {
		t.Fatal(err)
	}
	return issuer
}

func grant(now time.Time) Grant {
	return Grant{
		Subject: "s", Username: "operator", Groups: []string{"tenant:demo", "platform"}, Scopes: []string{"a", "b"},
		IssuedAt: now, ExpiresAt: now.Add(time.Hour)}
}

func mint(t *testing.T, issuer *Issuer, g Grant) string {
	t.Helper()
	token, err := issuer.Mint(g)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestAMintedTokenIsAcceptedAndFlattened(t *testing.T) {
	issuer, now := newIssuer(t, issuerURL), time.Unix(1795221658, 0)
	verifier := NewVerifier(issuer, func() time.Time { return now })
	for _, scheme := range []string{"Bearer ", "bearer ", ""} {
		claims, err := verifier.Verify(scheme + mint(t, issuer, grant(now)))
		if err != nil {
			t.Fatalf("%q: %v", scheme, err)
		}
		flat := Flatten(claims)
		delete(flat, "jti")
		want := map[string]string{
			"iss": issuerURL, "sub": "s", "token_use": "access", "client_id": "haatline", "username": "operator",
			"scope":          "a b",
			"cognito:groups": "[tenant:demo platform]", "iat": "1795221658", "auth_time": "1795221658",
			"exp": "1795225258",
		}
		if diff := cmp.Diff(want, flat); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTokensThatAreRefused(t *testing.T) {
	now := time.Now()
	issuer := newIssuer(t, issuerURL)
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	claims := func(change func(jwt.MapClaims)) jwt.MapClaims {
		c := jwt.MapClaims{"iss": issuerURL, "client_id": Audience, "exp": now.Add(time.Hour).Unix(), "iat": now.Unix()}
		change(c)
		return c
	}
	sign := func(method jwt.SigningMethod, key any, c jwt.MapClaims) string {
		token := jwt.NewWithClaims(method, c)
		token.Header["kid"] = issuer.keyID
		signed, err := token.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	same := func(jwt.MapClaims) {}
	valid := sign(jwt.SigningMethodRS256, issuer.key, claims(same))
	signature := strings.LastIndexByte(valid, '.')
	for name, token := range map[string]string{
		"none at all":           "",
		"only the scheme":       "Bearer ",
		"no token":              "Bearer abc",
		"another key":           sign(jwt.SigningMethodRS256, stranger, claims(same)),
		"no signature":          sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims(same)),
		"a cut signature":       valid[:signature+10],
		"a secret for a key":    sign(jwt.SigningMethodHS256, issuer.key.N.Bytes(), claims(same)),
		"another RSA algorithm": sign(jwt.SigningMethodRS512, issuer.key, claims(same)),
		"another issuer": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { c["iss"] = "http://elsewhere" })),
		"no issuer": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { delete(c, "iss") })),
		"expired": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { c["exp"] = now.Add(-time.Second).Unix() })),
		"no expiry": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { delete(c, "exp") })),
		"not valid yet": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { c["nbf"] = now.Add(time.Minute).Unix() })),
		"issued in the future": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { c["iat"] = now.Add(time.Minute).Unix() })),
		"another client": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { c["client_id"] = "other" })),
		"another audience": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { c["aud"] = "other" })),
		"neither client nor aud": sign(jwt.SigningMethodRS256, issuer.key,
			claims(func(c jwt.MapClaims) { delete(c, "client_id") })),
	} {
		if _, err := NewVerifier(issuer, time.Now).Verify(token); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewVerifier(issuer, time.Now).Verify(valid); err != nil {
		t.Errorf("the token that they are made from is refused too: %v", err)
	}
}

func TestAnAudienceCountsBeforeTheClient(t *testing.T) {
	issuer := newIssuer(t, issuerURL)
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{
		"iss": issuerURL, "aud": []string{"other", Audience}, "client_id": "other",
		"exp": time.Now().Add(time.Hour).Unix(),
	})
	token.Header["kid"] = issuer.keyID
	signed, err := token.SignedString(issuer.key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewVerifier(issuer, time.Now).Verify(signed); err != nil {
		t.Error(err)
	}
}

func TestTheKeyOutlivesARestartAndIsPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "issuer.pem")
	first, err := LoadIssuer(path, issuerURL)
	if err != nil {
		t.Fatal(err)
	}
	second, err := LoadIssuer(path, issuerURL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewVerifier(second, time.Now).Verify(mint(t, first, grant(time.Now()))); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestAnIssuerElsewhereIsFoundThroughItsConfiguration(t *testing.T) {
	issuer := newIssuer(t, "")
	server := httptest.NewServer(issuer)
	defer server.Close()
	issuer.URL = server.URL
	verifier, err := NewRemoteVerifier(t.Context(), server.URL, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verifier.Verify(mint(t, issuer, grant(time.Now()))); err != nil {
		t.Error(err)
	}
	if _, err := verifier.Verify(mint(t, newIssuer(t, server.URL), grant(time.Now()))); !errors.Is(err,
		ErrUnauthorized) {
		t.Errorf("a key that the issuer does not publish: %v", err)
	}
}

func TestClaimsAreFlattenedAsTheGatewayDoes(t *testing.T) {
	for source, want := range map[string]string{
		`"a b"`:           "a b",
		`["a","b c"]`:     "[a b c]",
		`[]`:              "[]",
		`[1,true]`:        "[1 true]",
		`1795221658`:      "1795221658",
		`1.795221658e9`:   "1795221658",
		`1.5`:             "1.5",
		`true`:            "true",
		`{"b":"x","a":1}`: "map[a:1 b:x]",
		`null`:            "",
	} {
		decoder := json.NewDecoder(strings.NewReader(`{"claim":` + source + `}`))
		decoder.UseNumber()
		var claims map[string]any
		if err := decoder.Decode(&claims); err != nil {
			t.Fatal(err)
		}
		if got := Flatten(claims)["claim"]; got != want {
			t.Errorf("%s became %q, want %q", source, got, want)
		}
	}
}

// A token holds the groups that the function answers, which is asked in the form of Cognito's first version.
func TestAFunctionSaysWhichGroupsATokenHolds(t *testing.T) {
	issuer, now := newIssuer(t, issuerURL), time.Now()
	verifier := NewVerifier(issuer, time.Now)
	var asked map[string]any
	for details, want := range map[string]string{
		`{"groupOverrideDetails":{"groupsToOverride":["operator","tenant:b"]}}`: "[operator tenant:b]",
		`null`: "[tenant:demo platform]",
	} {
		answer := `{"response":{"claimsOverrideDetails":` + details + `}}`
		issuer.PreToken = func(event []byte) ([]byte, error) { return []byte(answer), json.Unmarshal(event, &asked) }
		claims, err := verifier.Verify(mint(t, issuer, grant(now)))
		if got := Flatten(claims)["cognito:groups"]; err != nil || got != want {
			t.Errorf("%s: %s, %v", answer, got, err)
		}
	}
	request, _ := asked["request"].(map[string]any)
	want := map[string]any{
		"userAttributes": map[string]any{"sub": "s", "cognito:user_status": "CONFIRMED"}, "clientMetadata": nil,
		"groupConfiguration": map[string]any{
			"groupsToOverride": []any{"tenant:demo", "platform"}, "iamRolesToOverride": nil, "preferredRole": nil},
	}
	if diff := cmp.Diff(want, request); diff != "" || asked["version"] != "1" ||
		asked["triggerSource"] != "TokenGeneration_HostedAuth" {
		t.Errorf("%v\n%s", asked, diff)
	}
	issuer.PreToken = func([]byte) ([]byte, error) { return nil, errors.New("down") }
	if _, err := issuer.Mint(grant(now)); err == nil {
		t.Error("a token without an answer")
	}
}
