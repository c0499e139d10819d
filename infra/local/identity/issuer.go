// Package identity has the local token issuer, the checks of API Gateway's JWT authorizer, and the form in which it
// passes claims on. It knows nothing of routes or of what scopes permit.
package identity

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Audience is the required audience of every token.
const Audience = "haatline"

// Issuer signs tokens like Cognito and publishes its key. URL is the issuer in its tokens.
type Issuer struct {
	URL string
	// PreToken is asked before each token is made; nil if nobody is.
	PreToken Trigger

	key   *rsa.PrivateKey
	keyID string
}

// LoadIssuer reads the key at path. It creates the key at first use, so that tokens survive a restart.
func LoadIssuer(path, url string) (*Issuer, error) {
	key, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = createKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("load issuer key: %w", err)
	}
	fingerprint := sha256.Sum256(key.N.Bytes())
	return &Issuer{URL: url, key: key, keyID: base64.RawURLEncoding.EncodeToString(fingerprint[:12])}, nil
}

func readKey(path string) (*rsa.PrivateKey, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(content)
	if block == nil {
		return nil, fmt.Errorf("%s holds no PEM block", path)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s holds no RSA key", path)
	}
	return private, nil
}

func createKey(path string) (*rsa.PrivateKey, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return key, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
}

// Grant describes the bearer of a token.
type Grant struct {
	Subject   string
	Username  string
	Groups    []string
	Scopes    []string
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// Mint signs an access token like Cognito's, which names the client and no audience.
func (i *Issuer) Mint(g Grant) (string, error) {
	if i.PreToken != nil {
		var err error
		if g.Groups, err = i.PreToken.Groups(g); err != nil {
			return "", err
		}
	}
	claims := jwt.MapClaims{
		"iss":       i.URL,
		"sub":       g.Subject,
		"token_use": "access",
		"client_id": Audience,
		"username":  g.Username,
		"scope":     strings.Join(g.Scopes, " "),
		"auth_time": g.IssuedAt.Unix(),
		"iat":       g.IssuedAt.Unix(),
		"exp":       g.ExpiresAt.Unix(),
		"jti":       rand.Text(),
	}
	if len(g.Groups) > 0 {
		claims["cognito:groups"] = g.Groups
	}
	return i.sign(claims)
}

// MintID signs an ID token like Cognito's, which says to the client who has signed in, and in answer to which request.
func (i *Issuer) MintID(g Grant, nonce string) (string, error) {
	claims := jwt.MapClaims{
		"iss":              i.URL,
		"sub":              g.Subject,
		"aud":              Audience,
		"token_use":        "id",
		"cognito:username": g.Username,
		"auth_time":        g.IssuedAt.Unix(),
		"iat":              g.IssuedAt.Unix(),
		"exp":              g.ExpiresAt.Unix(),
		"jti":              rand.Text(),
	}
	if nonce != "" {
		claims["nonce"] = nonce
	}
	return i.sign(claims)
}

func (i *Issuer) sign(claims jwt.MapClaims) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	token.Header["kid"] = i.keyID
	return token.SignedString(i.key)
}

// Key returns the key for a token, like a remote key set.
func (i *Issuer) Key(token *jwt.Token) (any, error) {
	if token.Header["kid"] != i.keyID {
		return nil, fmt.Errorf("unknown key %v", token.Header["kid"])
	}
	return &i.key.PublicKey, nil
}

// ServeHTTP publishes the issuer's configuration and its key set under /.well-known/.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var document any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		document = map[string]any{
			"issuer":                                i.URL,
			"jwks_uri":                              i.URL + "/.well-known/jwks.json",
			"authorization_endpoint":                i.URL + "/oauth2/authorize",
			"token_endpoint":                        i.URL + "/oauth2/token",
			"revocation_endpoint":                   i.URL + "/oauth2/revoke",
			"end_session_endpoint":                  i.URL + "/logout",
			"token_endpoint_auth_methods_supported": []string{"none"},
			"code_challenge_methods_supported":      []string{"S256"},
			"grant_types_supported":                 []string{"authorization_code", "refresh_token"},
			"id_token_signing_alg_values_supported": []string{"RS256"},
			"response_types_supported":              []string{"code"},
			"subject_types_supported":               []string{"public"},
		}
	case "/.well-known/jwks.json":
		encode := base64.RawURLEncoding.EncodeToString
		document = map[string]any{"keys": []map[string]string{{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": i.keyID,
			"n": encode(i.key.N.Bytes()),
			"e": encode(big.NewInt(int64(i.key.E)).Bytes()),
		}}}
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(document)
}
