package flowcrypt_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/whatsapp/flowcrypt"
)

func generate(t testing.TB, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func inPEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func pkcs8(t testing.TB, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func TestAPrivateKeyIsReadInEachOfItsForms(t *testing.T) {
	first, second := generate(t, 2048), generate(t, 2048)
	der := base64.StdEncoding.EncodeToString(pkcs8(t, first))
	for name, c := range map[string]struct {
		text string
		keys int
	}{
		"PKCS #8":     {inPEM("PRIVATE KEY", pkcs8(t, first)), 1},
		"PKCS #1":     {inPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(first)), 1},
		"two":         {inPEM("PRIVATE KEY", pkcs8(t, first)) + inPEM("PRIVATE KEY", pkcs8(t, second)), 2},
		"on one line": {der, 1},
		"two on a line": {
			der + " , " + base64.StdEncoding.EncodeToString(x509.MarshalPKCS1PrivateKey(second)), 2},
		"nothing":                 {"", 0},
		"no key":                  {"secret", 0},
		"half of one":             {der[:len(der)/2], 0},
		"a short one":             {inPEM("PRIVATE KEY", pkcs8(t, generate(t, 1024))), 0},
		"one beside what is none": {der + ",secret", 0},
	} {
		keys, err := flowcrypt.Parse(c.text)
		if len(keys) != c.keys || (c.keys == 0) != errors.Is(err, flowcrypt.ErrNoKey) {
			t.Errorf("%s: %d keys, %v", name, len(keys), err)
		}
	}
}

func TestARequestOpensWithItsKeyAndTheAnswerWithTheRequest(t *testing.T) {
	former, current, other := generate(t, 2048), generate(t, 2048), generate(t, 2048)
	keys := flowcrypt.Keys{current, former}
	type request = whatsappsim.FormRequest
	for name, c := range map[string]struct {
		to     *rsa.PublicKey
		change func(e *request)
		want   error
	}{
		"the current key": {to: &current.PublicKey},
		"the former key":  {to: &former.PublicKey},
		"another key":     {&other.PublicKey, nil, flowcrypt.ErrKey},
		"changed":         {&current.PublicKey, func(e *request) { e.Data[3] ^= 1 }, flowcrypt.ErrKey},
		"another vector":  {&current.PublicKey, func(e *request) { e.Vector[0] ^= 1 }, flowcrypt.ErrKey},
		"no vector":       {&current.PublicKey, func(e *request) { e.Vector = nil }, flowcrypt.ErrMalformed},
		"a long vector": {&current.PublicKey, func(e *request) { e.Vector = make([]byte, 65) },
			flowcrypt.ErrMalformed},
		"half of the key":  {&current.PublicKey, func(e *request) { e.Key = e.Key[:128] }, flowcrypt.ErrKey},
		"data of one byte": {&current.PublicKey, func(e *request) { e.Data = e.Data[:1] }, flowcrypt.ErrKey},
	} {
		envelope, opens, err := whatsappsim.AskScreen(c.to, map[string]string{"action": "ping"})
		if err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			c.change(&envelope)
		}
		said, session, err := keys.Open(envelope.Body())
		if !errors.Is(err, c.want) || c.want == nil && string(said) != `{"action":"ping"}` {
			t.Errorf("%s: %s, %v", name, said, err)
		}
		if c.want != nil {
			continue
		}
		answer := session.Seal([]byte("pong"))
		if got, err := opens(answer); err != nil || string(got) != "pong" {
			t.Errorf("%s: the answer is %s, %v", name, got, err)
		}
		if _, err := opens("A" + answer[1:]); err == nil && answer[0] != 'A' {
			t.Errorf("%s: a changed answer opens", name)
		}
	}
}

func FuzzWhatIsNoRequestIsRefused(f *testing.F) {
	keys := flowcrypt.Keys{generate(f, 2048)}
	envelope, _, err := whatsappsim.AskScreen(&generate(f, 2048).PublicKey, "")
	if err != nil {
		f.Fatal(err)
	}
	for _, body := range []string{"", "{}", "[]", `{"encrypted_flow_data":1}`, string(envelope.Body()), strings.Repeat("[", 100)} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _, err := keys.Open(body)
		if !errors.Is(err, flowcrypt.ErrKey) && !errors.Is(err, flowcrypt.ErrMalformed) {
			t.Errorf("%q: %v", body, err)
		}
	})
}
