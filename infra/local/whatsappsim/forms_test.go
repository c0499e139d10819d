package whatsappsim_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// formKey returns the private key of all numbers.
func formKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	der, err := base64.StdEncoding.DecodeString(whatsappsim.FormKey)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		t.Fatal(err)
	}
	return key.(*rsa.PrivateKey)
}

func TestACustomerOpensTheLatestFormAtTheEndpoint(t *testing.T) {
	status, private := http.StatusOK, formKey(t)
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var e whatsappsim.FormRequest
		if err == nil {
			err = json.Unmarshal(body, &e)
		}
		key, keyErr := rsa.DecryptOAEP(sha256.New(), nil, private, e.Key, nil)
		if err != nil || keyErr != nil || len(key) != 16 ||
			!strings.HasPrefix(r.Header.Get("X-Hub-Signature-256"), "sha256=") {
			t.Errorf("posts %s, %v, %v", body, err, keyErr)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "no answer in base64")
	}))
	t.Cleanup(endpoint.Close)
	sim := start(t, whatsappsim.Options{FlowURL: endpoint.URL})
	fill := func() (int, string) {
		t.Helper()
		code, answer := sim.callWith("", http.MethodPost, "/simulator/fill", `{"from":"919876543210"}`)
		text, _ := json.Marshal(answer)
		return code, string(text)
	}
	if code, text := fill(); code != http.StatusBadRequest ||
		!strings.Contains(text, "no message to 919876543210 has a form") {
		t.Errorf("without a form: %d %s", code, text)
	}
	sim.control(http.MethodPost, "/say", `{"from":"919876543210","text":"hi"}`)
	sim.mustSend(`{"messaging_product":"whatsapp","to":"919876543210","type":"interactive","interactive":{"type":"flow",
		"body":{"text":"Where?"},"action":{"name":"flow","parameters":{"flow_message_version":"3","flow_id":"4711",
		"flow_cta":"Fill in","flow_token":"token","flow_action":"data_exchange"}}}}`)
	if code, text := fill(); code != http.StatusBadGateway {
		t.Errorf("an answer that does not open: %d %s", code, text)
	}
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&other.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	private = other // from now on the number has a key of its own
	given, _ := json.Marshal(map[string]string{"business_public_key": string(
		pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))})
	code, answer := sim.call(http.MethodPost, "/v25.0/"+phone+"/whatsapp_business_encryption", string(given))
	if code != http.StatusOK {
		t.Fatal(code, answer)
	}
	status = 427
	if code, text := fill(); code != http.StatusOK || !strings.Contains(text, `"status":427`) {
		t.Errorf("a token that the endpoint does not know: %d %s", code, text)
	}
}
