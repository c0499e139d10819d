// Package sealing encrypts short texts with keys that derive from the secrets of a stage: AES-256-GCM, so that what was
// changed or belongs to somebody else does not open.
package sealing

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"strings"
)

// ErrNoKey means that there is no secret, and so nothing to seal with.
var ErrNoKey = errors.New("no key to seal with")

// Keys are the keys of one purpose: the first one seals, and each of them opens. There is at least one.
type Keys []cipher.AEAD

// Derive returns the keys of a purpose that derive from secrets, which are separated by commas. What was sealed for one
// purpose does not open for another. It returns ErrNoKey if there is no secret.
func Derive(secrets, purpose string) (Keys, error) {
	var keys Keys
	for secret := range strings.SplitSeq(secrets, ",") {
		if secret = strings.TrimSpace(secret); secret == "" {
			continue
		}
		key, err := derive(secret, purpose)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, ErrNoKey
	}
	return keys, nil
}

func derive(secret, purpose string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, purpose, sha256.Size)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Seal returns a text encrypted. Only Open with the same bound opens it.
func (k Keys) Seal(text string, bound []byte) []byte {
	nonce := make([]byte, k[0].NonceSize())
	_, _ = rand.Read(nonce) // it never fails
	return k[0].Seal(nonce, nonce, []byte(text), bound)
}

// Open returns the text that was sealed with one of the keys and the same bound, and reports whether it was.
func (k Keys) Open(sealed, bound []byte) (string, bool) {
	for _, key := range k {
		if n := key.NonceSize(); len(sealed) > n {
			if text, err := key.Open(nil, sealed[:n], sealed[n:], bound); err == nil {
				return string(text), true
			}
		}
	}
	return "", false
}
