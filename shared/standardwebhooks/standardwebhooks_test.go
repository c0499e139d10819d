package standardwebhooks_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/standardwebhooks"
)

// The vector that the specification's libraries are tested with.
const (
	vectorSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	vectorID        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	vectorBody      = `{"test": 2432232314}`
	vectorSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

var vectorTime = time.Unix(1614265330, 0)

func secretOf(t testing.TB, text string) standardwebhooks.Secret {
	t.Helper()
	secret, err := standardwebhooks.ParseSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestTheVectorOfTheSpecification(t *testing.T) {
	header := http.Header{}
	standardwebhooks.Sign(header, vectorID, []byte(vectorBody), vectorTime, secretOf(t, vectorSecret))
	if have := header.Get("webhook-signature"); have != vectorSignature {
		t.Errorf("signed %s, want %s", have, vectorSignature)
	}
	if header.Get("webhook-id") != vectorID || header.Get("webhook-timestamp") != "1614265330" {
		t.Errorf("%v", header)
	}
}

func TestOnlyWhatWasSignedIsVerified(t *testing.T) {
	signed := func(change func(h http.Header)) http.Header {
		h := http.Header{}
		h.Set("webhook-id", vectorID)
		h.Set("webhook-timestamp", "1614265330")
		h.Set("webhook-signature", vectorSignature)
		change(h)
		return h
	}
	set := func(name, value string) func(http.Header) { return func(h http.Header) { h.Set(name, value) } }
	none := func(http.Header) {}
	for name, c := range map[string]struct {
		header http.Header
		body   string
		now    time.Time
		ok     bool
	}{
		"as signed":      {signed(none), vectorBody, vectorTime, true},
		"a little later": {signed(none), vectorBody, vectorTime.Add(4 * time.Minute), true},
		"among others": {
			signed(set("webhook-signature", "v1,AAAA v1a,xx "+vectorSignature)), vectorBody, vectorTime, true},
		"much later":      {signed(none), vectorBody, vectorTime.Add(6 * time.Minute), false},
		"from the future": {signed(none), vectorBody, vectorTime.Add(-6 * time.Minute), false},
		"another body":    {signed(none), `{"test":2432232314}`, vectorTime, false},
		"another id":      {signed(set("webhook-id", "msg_other")), vectorBody, vectorTime, false},
		"another time":    {signed(set("webhook-timestamp", "1614265331")), vectorBody, vectorTime, false},
		"no time":         {signed(set("webhook-timestamp", "")), vectorBody, vectorTime, false},
		"no signature":    {signed(set("webhook-signature", "")), vectorBody, vectorTime, false},
		"another version": {
			signed(set("webhook-signature", "v2,"+vectorSignature[3:])), vectorBody, vectorTime, false},
		"without the scheme": {signed(set("webhook-signature", vectorSignature[3:])), vectorBody, vectorTime, false},
	} {
		err := standardwebhooks.Verify(c.header, []byte(c.body), secretOf(t, vectorSecret), c.now)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBothSecretsSignWhileOneIsReplaced(t *testing.T) {
	former, next, other := standardwebhooks.NewSecret(), standardwebhooks.NewSecret(), standardwebhooks.NewSecret()
	header := http.Header{}
	standardwebhooks.Sign(header, "evt_1", []byte("{}"), vectorTime, next, former)
	for secret, ok := range map[string]bool{former.String(): true, next.String(): true, other.String(): false} {
		err := standardwebhooks.Verify(header, []byte("{}"), secretOf(t, secret), vectorTime)
		if (err == nil) != ok {
			t.Errorf("%v", err)
		}
	}
}

func TestSecretsHaveTheFormOfTheSpecification(t *testing.T) {
	long := strings.Repeat("QUJD", 22)
	for text, ok := range map[string]bool{
		vectorSecret: true, vectorSecret[6:]: false, "whsec_": false, "whsec_c2hvcnQ=": false, "": false,
		"whsec_" + long: false, "whsec_not base64": false, "WHSEC_" + vectorSecret[6:]: false,
	} {
		if _, err := standardwebhooks.ParseSecret(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	made := standardwebhooks.NewSecret()
	if again := secretOf(t, made.String()); string(again) != string(made) || len(made) != 32 {
		t.Errorf("%d bytes", len(made))
	}
}

func FuzzVerify(f *testing.F) {
	f.Add(vectorID, "1614265330", vectorSignature, vectorBody)
	f.Add("", "-1", "v1, v1,=", "")
	secret, _ := standardwebhooks.ParseSecret(vectorSecret)
	f.Fuzz(func(t *testing.T, id, timestamp, signature, body string) {
		h := http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {timestamp}, "Webhook-Signature": {signature}}
		err := standardwebhooks.Verify(h, []byte(body), secret, vectorTime)
		if err == nil && (id != vectorID || timestamp != "1614265330" || body != vectorBody) {
			t.Errorf("verified: %q %q %q %q", id, timestamp, signature, body)
		}
	})
}

// A receiver verifies before it reads what was posted.
func ExampleVerify() {
	secret, _ := standardwebhooks.ParseSecret(vectorSecret)
	header := http.Header{}
	standardwebhooks.Sign(header, "evt_1", []byte(`{"type":"order.created"}`), vectorTime, secret)
	fmt.Println(standardwebhooks.Verify(header, []byte(`{"type":"order.created"}`), secret, vectorTime))
	fmt.Println(standardwebhooks.Verify(header, []byte(`{"type":"order.deleted"}`), secret, vectorTime))
	// Output:
	// <nil>
	// the webhook is not verified
}
