// Package flowcrypt opens the encrypted requests by which WhatsApp asks for the screens of a flow, and seals the
// answers: the key of a request is encrypted by RSA-OAEP with SHA-256, and what it says by AES-128-GCM.
package flowcrypt

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
)

// ErrKey means that a request was encrypted for another key. WhatsApp then fetches the public key again.
var ErrKey = errors.New("the request is encrypted for another key")

// ErrMalformed means that a text is no encrypted request.
var ErrMalformed = errors.New("no encrypted request")

// ErrNoKey means that a text holds no private key.
var ErrNoKey = errors.New("no private key of RSA with 2048 bits or more, in PEM or as DER in base64")

const (
	// keySize is how many bytes the key of a request has.
	keySize = 16
	// minVector and maxVector bound how many bytes an initial vector has. WhatsApp's has sixteen.
	minVector, maxVector = 12, 64
	// minBits is how many bits a private key has at least.
	minBits = 2048
)

// Keys are private keys. Each of them opens, so that the public key at WhatsApp can be replaced.
type Keys []*rsa.PrivateKey

// Parse returns the private keys that a text holds: PEM blocks one after the other, or DER in base64, separated by
// commas, which fits on one line. They are PKCS #8 or PKCS #1, and not encrypted. It returns ErrNoKey.
func Parse(text string) (Keys, error) {
	var keys Keys
	for _, der := range encoded(text) {
		key, err := parse(der)
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

// encoded returns the keys of a text in DER. What is no base64 is no DER either.
func encoded(text string) (all [][]byte) {
	if !strings.Contains(text, "-----BEGIN") {
		for one := range strings.SplitSeq(text, ",") {
			der, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(one))
			all = append(all, der)
		}
		return all
	}
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return all
		}
		all = append(all, block.Bytes)
	}
}

func parse(der []byte) (*rsa.PrivateKey, error) {
	key, err := x509.ParsePKCS1PrivateKey(der)
	if err != nil {
		parsed, err := x509.ParsePKCS8PrivateKey(der)
		if err != nil {
			return nil, ErrNoKey
		}
		key, _ = parsed.(*rsa.PrivateKey)
	}
	if key == nil || key.N.BitLen() < minBits {
		return nil, ErrNoKey
	}
	return key, nil
}

// envelope is an encrypted request as WhatsApp posts it.
type envelope struct {
	Data   []byte `json:"encrypted_flow_data"`
	Key    []byte `json:"encrypted_aes_key"`
	Vector []byte `json:"initial_vector"`
}

// Session seals the answer to one request.
type Session struct {
	aead   cipher.AEAD
	vector []byte
}

// Open returns what a request says, and what seals its answer. It returns ErrMalformed and ErrKey.
func (k Keys) Open(body []byte) ([]byte, *Session, error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil || len(e.Data) == 0 || len(e.Key) == 0 ||
		len(e.Vector) < minVector || len(e.Vector) > maxVector {
		return nil, nil, ErrMalformed
	}
	for _, private := range k {
		key, err := rsa.DecryptOAEP(sha256.New(), nil, private, e.Key, nil)
		if err != nil || len(key) != keySize {
			continue
		}
		session, err := newSession(key, e.Vector)
		if err != nil {
			return nil, nil, ErrMalformed
		}
		said, err := session.aead.Open(nil, e.Vector, e.Data, nil)
		if err != nil {
			continue
		}
		return said, session, nil
	}
	return nil, nil, ErrKey
}

func newSession(key, vector []byte) (*Session, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithNonceSize(block, len(vector))
	return &Session{aead, vector}, err
}

// Seal returns an answer encrypted, in base64.
func (s *Session) Seal(answer []byte) string {
	return base64.StdEncoding.EncodeToString(s.aead.Seal(nil, s.turned(), answer, nil))
}

// turned returns the vector of the answer: that of the request with every bit turned over.
func (s *Session) turned() []byte {
	turned := make([]byte, len(s.vector))
	for i, b := range s.vector {
		turned[i] = ^b
	}
	return turned
}
