package secrets

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// sealedPrefix begins a value that a key of KMS has encrypted: kms:{ciphertext in base64}. Such a value is no secret.
const sealedPrefix = "kms:"

// IsSealed reports whether a reference is a sealed value.
func IsSealed(ref string) bool { return strings.HasPrefix(ref, sealedPrefix) }

var (
	kmsDecrypt = operation{"kms", "TrentService.Decrypt", "AWS_ENDPOINT_URL_KMS"}
	kmsEncrypt = operation{"kms", "TrentService.Encrypt", "AWS_ENDPOINT_URL_KMS"}
)

// Place is whose a sealed value is: KMS opens it for nobody else, and writes both into its log.
type Place struct{ Tenant, Number string }

func (p Place) context() map[string]string {
	return map[string]string{"tenant": p.Tenant, "number": p.Number}
}

// Seal has a key of KMS encrypt a value for a place. key is its id, ARN or alias. The environment has the credentials
// and the region.
func Seal(ctx context.Context, getenv func(string) string, key, value string, of Place) (ref string, err error) {
	if ref, err = (manager{getenv}).seal(ctx, key, value, of.context()); err != nil {
		return "", fmt.Errorf("seal the token of %s: %w", of.Number, err)
	}
	return ref, nil
}

// seal has a key of KMS encrypt a value under an encryption context.
func (m manager) seal(ctx context.Context, key, value string, of map[string]string) (ref string, err error) {
	out, err := m.call(ctx, kmsEncrypt, map[string]any{
		"KeyId": key, "Plaintext": []byte(value), "EncryptionContext": of})
	if err == nil && len(out.CiphertextBlob) == 0 {
		err = errEmpty
	}
	if err != nil {
		return "", err
	}
	return sealedPrefix + base64.StdEncoding.EncodeToString(out.CiphertextBlob), nil
}

// errUnreadable means that a sealed value is none.
var errUnreadable = errors.New("not as it was sealed")

// open returns what fetches the value of a sealed reference.
func (m manager) open(ref string, of map[string]string) func(ctx context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		sealed, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(ref, sealedPrefix))
		if err != nil {
			return "", errUnreadable
		}
		out, err := m.call(ctx, kmsDecrypt,
			map[string]any{"CiphertextBlob": sealed, "EncryptionContext": of})
		return string(out.Plaintext), err
	}
}

// newSealed returns the secret that a sealed reference holds. What it holds never changes: a new token is a new
// reference. So it is opened once in a process, and again if somebody lets it expire.
func newSealed(ref string, of Place, getenv func(string) string) *Secret {
	s := New("", getenv)
	open := manager{getenv}.open(ref, of.context())
	s.text, s.lasting = prefix+"sealed, of the number "+of.Number, true
	s.fetch = func(ctx context.Context, _ string) (string, error) { return open(ctx) }
	return s
}
