package secrets

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// keyService imitates KMS with one key: it encrypts and decrypts under the encryption context, as AWS does, and refuses
// with AWS's errors. It counts its calls.
type keyService struct {
	aead  cipher.AEAD
	asked map[string]int
}

const tokensKey = "alias/haatline-prod-tokens"

func newKeyService(t *testing.T) (k *keyService, getenv func(string) string) {
	t.Helper()
	block, err := aes.NewCipher([]byte("0123456789abcdef0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	k = &keyService{asked: map[string]int{}}
	if k.aead, err = cipher.NewGCM(block); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(k)
	t.Cleanup(server.Close)
	env := map[string]string{
		"AWS_ENDPOINT_URL_KMS": server.URL, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "id",
		"AWS_SECRET_ACCESS_KEY": "key", "AWS_SESSION_TOKEN": "session"}
	return k, func(name string) string { return env[name] }
}

func (k *keyService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		KeyID                     string `json:"KeyId"`
		Plaintext, CiphertextBlob []byte
		EncryptionContext         map[string]string
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "TrentService.")
	k.asked[operation]++
	refuse := func(kind string) {
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"__type": kind, "message": "arn:aws:kms:ap-south-1:1:key/x"})
	}
	if !strings.Contains(r.Header.Get("Authorization"), "/ap-south-1/kms/aws4_request") ||
		r.Header.Get("Content-Type") != "application/x-amz-json-1.1" {
		refuse("MissingAuthenticationTokenException")
		return
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	of, _ := json.Marshal(in.EncryptionContext)
	switch operation {
	case "Encrypt":
		if in.KeyID != tokensKey {
			refuse("NotFoundException")
			return
		}
		nonce := make([]byte, k.aead.NonceSize())
		_, _ = rand.Read(nonce)
		_ = json.NewEncoder(w).Encode(map[string]any{
			"KeyId": in.KeyID, "EncryptionAlgorithm": "SYMMETRIC_DEFAULT",
			"CiphertextBlob": k.aead.Seal(nonce, nonce, in.Plaintext, of)})
	case "Decrypt":
		n := k.aead.NonceSize()
		if len(in.CiphertextBlob) < n {
			refuse("InvalidCiphertextException")
			return
		}
		plain, err := k.aead.Open(nil, in.CiphertextBlob[:n], in.CiphertextBlob[n:], of)
		if err != nil {
			refuse("InvalidCiphertextException")
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"KeyId": tokensKey, "Plaintext": plain})
	default:
		refuse("UnknownOperationException")
	}
}

var shop = Place{Tenant: "acme", Number: "1055"}

// A sealed token opens for its number and tenant, once in a process, and for nobody else.
func TestASealedTokenOpensForItsNumberAndTenantAlone(t *testing.T) {
	k, getenv := newKeyService(t)
	ref, err := Seal(t.Context(), getenv, tokensKey, "EAAG-token", shop)
	if err != nil || !IsSealed(ref) || strings.Contains(ref, "EAAG") {
		t.Fatalf("%q, %v", ref, err)
	}
	of := shop
	tokens := NewTokens("common", func(context.Context, string) (string, Place, error) { return ref, of, nil }, getenv)
	for range 3 {
		if got, err := tokens.Get(t.Context(), "1055"); got != "EAAG-token" || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if k.asked["Decrypt"] != 1 {
		t.Errorf("opened %d times", k.asked["Decrypt"])
	}
	if got, err := tokens.Fresh(t.Context(), "1055"); got != "EAAG-token" || err != nil || k.asked["Decrypt"] != 2 {
		t.Errorf("afresh: %q, %v, %d times", got, err, k.asked["Decrypt"])
	}
	for _, of = range []Place{{"other", "1055"}, {"acme", "1056"}, {}} {
		tokens.Expire("1055")
		got, err := tokens.Get(t.Context(), "1055")
		if err == nil || got != "" || !strings.Contains(err.Error(), "InvalidCiphertextException") ||
			strings.Contains(err.Error(), "arn:") || strings.Contains(err.Error(), ref) {
			t.Errorf("%+v: %q, %v", of, got, err)
		}
	}
}

func TestANewTokenReplacesASealedOne(t *testing.T) {
	_, getenv := newKeyService(t)
	seal := func(token string) string {
		ref, err := Seal(t.Context(), getenv, tokensKey, token, shop)
		if err != nil {
			t.Fatal(err)
		}
		return ref
	}
	ref := seal("first")
	refOf := func(context.Context, string) (string, Place, error) { return ref, shop, nil }
	tokens := NewTokens("common", refOf, getenv)
	for _, change := range []struct{ ref, want string }{
		{ref, "first"}, {seal("second"), "second"}, {"", "common"}, {seal("third"), "third"}} {
		ref = change.ref
		if got, err := tokens.Fresh(t.Context(), "1055"); got != change.want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, change.want)
		}
	}
}

func TestWhatCannotBeSealedOrOpenedSaysWhy(t *testing.T) {
	_, getenv := newKeyService(t)
	_, err := Seal(t.Context(), getenv, "alias/another", "EAAG-token", shop)
	if err == nil || !strings.Contains(err.Error(), "NotFoundException") || strings.Contains(err.Error(), "EAAG") {
		t.Error(err)
	}
	for _, ref := range []string{"kms:", "kms:%", "kms:AAAA"} {
		if got, err := newSealed(ref, shop, getenv).Get(t.Context()); err == nil || got != "" {
			t.Errorf("%s: %q", ref, got)
		}
	}
}
