package sessiontoken

import (
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var (
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	asha = Token{Subject: "user-1", Session: "session-1", Tenant: "demo", Expires: noon.Add(15 * time.Minute)}
)

func keysOf(text string) Keys {
	return func(context.Context) (string, error) { return text, nil }
}

func signed(t testing.TB, k Keys, token Token) string {
	t.Helper()
	text, err := k.Sign(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestATokenIsReadAsItWasSignedUntilItEnds(t *testing.T) {
	text := signed(t, keysOf("one"), asha)
	for now, want := range map[time.Time]error{
		noon: nil, asha.Expires.Add(-time.Second): nil, asha.Expires: ErrExpired, noon.AddDate(1, 0, 0): ErrExpired,
	} {
		got, err := keysOf("one").Verify(t.Context(), text, now)
		if !errors.Is(err, want) || err == nil && got != asha {
			t.Errorf("at %s: %+v, %v", now, got, err)
		}
	}
}

func TestTheFirstKeySignsAndEachVerifies(t *testing.T) {
	text := signed(t, keysOf(" new , old"), asha)
	for keys, want := range map[string]error{
		"new": nil, "old": ErrInvalid, "newer,new": nil, "newer, new ,": nil, "newer,old": ErrInvalid, "ne": ErrInvalid,
	} {
		if _, err := keysOf(keys).Verify(t.Context(), text, noon); !errors.Is(err, want) {
			t.Errorf("with %q: %v", keys, err)
		}
	}
}

func TestWithoutKeysNothingIsSignedAndNothingIsGood(t *testing.T) {
	lost := errors.New("secret haatline/prod/sessions: no answer")
	for name, keys := range map[string]Keys{
		"empty": keysOf(" , "), "lost": func(context.Context) (string, error) { return "", lost },
	} {
		if text, err := keys.Sign(t.Context(), asha); err == nil || text != "" {
			t.Errorf("%s: signed %q", name, text)
		}
		_, err := keys.Verify(t.Context(), signed(t, keysOf("one"), asha), noon)
		if err == nil || errors.Is(err, ErrInvalid) || errors.Is(err, ErrExpired) {
			t.Errorf("%s: %v says that the token is bad", name, err)
		}
	}
}

func TestATokenThatLacksAPartIsNotSigned(t *testing.T) {
	for name, change := range map[string]func(*Token){
		"subject": func(t *Token) { t.Subject = "" }, "session": func(t *Token) { t.Session = "" },
		"tenant": func(t *Token) { t.Tenant = "" }, "end": func(t *Token) { t.Expires = time.Time{} },
	} {
		token := asha
		change(&token)
		if _, err := keysOf("one").Sign(t.Context(), token); err == nil {
			t.Errorf("signed without its %s", name)
		}
	}
}

// ours is the key that a secret stands for.
func ours(t testing.TB, secret string) []byte {
	t.Helper()
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "haatline sessions", 32)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// forged signs asha's claims, some of them changed, with a method and a key.
func forged(t testing.TB, by jwt.SigningMethod, key any, change func(jwt.MapClaims)) string {
	t.Helper()
	all := jwt.MapClaims{
		"sub": "user-1", "sid": "session-1", "tenant": "demo", "aud": "haatline-community", "exp": asha.Expires.Unix()}
	change(all)
	text, err := jwt.NewWithClaims(by, all).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func without(name string) func(jwt.MapClaims) { return func(c jwt.MapClaims) { delete(c, name) } }

func with(name string, value any) func(jwt.MapClaims) {
	return func(c jwt.MapClaims) { c[name] = value }
}

func TestWhatIsNoTokenOfOurs(t *testing.T) {
	unchanged := func(jwt.MapClaims) {}
	key := ours(t, "one")
	hs256 := jwt.SigningMethodHS256
	good := forged(t, hs256, key, unchanged)
	if got, err := keysOf("one").Verify(t.Context(), good, noon); err != nil || got != asha {
		t.Fatalf("the unchanged claims: %+v, %v", got, err)
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	asPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	parts := strings.Split(good, ".")
	encode := base64.RawURLEncoding.EncodeToString
	none := encode([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + parts[1] + "."
	for name, text := range map[string]string{
		"nothing": "", "junk": "junk", "a blank": " " + good, "Bearer": "Bearer " + good,
		"too long": good + strings.Repeat("A", maxToken), "cut": good[:len(good)-1],
		"without a signature": parts[0] + "." + parts[1] + ".", "two parts": parts[0] + "." + parts[1],
		"alg none": none, "alg None": strings.Replace(none, "none", "None", 1),
		"alg none, signed":         none + parts[2],
		"none by the library":      forged(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, unchanged),
		"RS256":                    forged(t, jwt.SigningMethodRS256, private, unchanged),
		"HS256 with a public key":  forged(t, hs256, asPEM, unchanged),
		"HS384":                    forged(t, jwt.SigningMethodHS384, key, unchanged),
		"the secret itself as key": forged(t, hs256, []byte("one"), unchanged),
		"another key":              forged(t, hs256, ours(t, "two"), unchanged),
		"an empty key":             forged(t, hs256, []byte{}, unchanged),
		"another's audience":       forged(t, hs256, key, with("aud", "haatline")),
		"no audience":              forged(t, hs256, key, without("aud")),
		"no end":                   forged(t, hs256, key, without("exp")),
		"an end that is none":      forged(t, hs256, key, with("exp", "soon")),
		"an end without limit":     forged(t, hs256, key, with("exp", "1e400")),
		"not yet good":             forged(t, hs256, key, with("nbf", noon.Add(time.Hour).Unix())),
		"no subject":               forged(t, hs256, key, without("sub")),
		"a subject of two parts":   forged(t, hs256, key, with("sub", "user-1#x")),
		"no session":               forged(t, hs256, key, without("sid")),
		"no tenant":                forged(t, hs256, key, without("tenant")),
		"a tenant that is a list":  forged(t, hs256, key, with("tenant", []string{"demo"})),
		"other claims": parts[0] + "." + encode([]byte(`{"sub":"user-2","sid":"session-1","tenant":"demo",`+
			`"aud":"haatline-community","exp":1795263300}`)) + "." + parts[2],
	} {
		got, err := keysOf("one").Verify(t.Context(), text, noon)
		if !errors.Is(err, ErrInvalid) || got != (Token{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if err != nil && err.Error() != ErrInvalid.Error() {
			t.Errorf("%s: %v says more than it may", name, err)
		}
	}
	old := forged(t, hs256, ours(t, "two"), with("exp", 1))
	if _, err := keysOf("one").Verify(t.Context(), old, noon); errors.Is(err, ErrExpired) {
		t.Error("a token of another key is said to have been ours")
	}
}

// Whatever a text is, it is the token that was signed, or none.
func FuzzVerify(f *testing.F) {
	k := keysOf("one")
	good := signed(f, k, asha)
	f.Add(good)
	f.Add(good[:len(good)-4])
	f.Add("e30.e30.")
	f.Add(strings.Repeat(".", 40))
	f.Fuzz(func(t *testing.T, text string) {
		got, err := k.Verify(t.Context(), text, noon)
		switch {
		case text == good && (err != nil || got != asha):
			t.Errorf("%+v, %v", got, err)
		case text != good && !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrExpired):
			t.Errorf("%q is taken for %+v, %v", text, got, err)
		}
	})
}
