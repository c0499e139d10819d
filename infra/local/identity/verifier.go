package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

// ErrUnauthorized is every reason for which a token is not accepted; the reason is wrapped beside it.
var ErrUnauthorized = errors.New("unauthorized")

// Verifier accepts what API Gateway's JWT authorizer accepts: a token signed with RS256 by a key of the issuer, for the
// audience, at a time when it is valid.
type Verifier struct {
	issuer string
	keys   jwt.Keyfunc
	now    func() time.Time
}

// NewVerifier trusts the local issuer.
func NewVerifier(issuer *Issuer, now func() time.Time) *Verifier {
	return &Verifier{issuer: issuer.URL, keys: issuer.Key, now: now}
}

// NewRemoteVerifier trusts another issuer, whose key set is found through its configuration and refreshed until the
// context ends.
func NewRemoteVerifier(ctx context.Context, issuer string, now func() time.Time) (*Verifier, error) {
	keySet, err := discover(ctx, issuer)
	if err != nil {
		return nil, fmt.Errorf("find the keys of %s: %w", issuer, err)
	}
	keys, err := keyfunc.NewDefaultOverrideCtx(ctx, []string{keySet}, keyfunc.Override{HTTPTimeout: 10 * time.Second})
	if err != nil {
		return nil, fmt.Errorf("fetch the keys of %s: %w", issuer, err)
	}
	return &Verifier{issuer: issuer, keys: keys.Keyfunc, now: now}, nil
}

// discover reads the address of the key set from the issuer's OpenID configuration.
func discover(ctx context.Context, issuer string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(issuer, "/")+"/.well-known/openid-configuration", nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answered %s", request.URL, response.Status)
	}
	var configuration struct {
		KeySet string `json:"jwks_uri"`
	}
	if err := json.NewDecoder(response.Body).Decode(&configuration); err != nil {
		return "", fmt.Errorf("%s: %w", request.URL, err)
	}
	if configuration.KeySet == "" {
		return "", fmt.Errorf("%s names no jwks_uri", request.URL)
	}
	return configuration.KeySet, nil
}

// Verify returns the claims of an Authorization header, with or without the word Bearer, or ErrUnauthorized.
func (v *Verifier) Verify(authorization string) (map[string]any, error) {
	token := strings.TrimSpace(authorization)
	if scheme, rest, found := strings.Cut(token, " "); found && strings.EqualFold(scheme, "Bearer") {
		token = strings.TrimSpace(rest)
	}
	if token == "" {
		return nil, fmt.Errorf("%w: no token", ErrUnauthorized)
	}
	claims := jwt.MapClaims{}
	_, err := jwt.NewParser(
		jwt.WithValidMethods([]string{"RS256"}),
		jwt.WithIssuer(v.issuer),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithTimeFunc(v.now),
		jwt.WithJSONNumber(),
	).ParseWithClaims(token, claims, v.keys)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnauthorized, err)
	}
	if err := checkAudience(claims); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnauthorized, err)
	}
	return claims, nil
}

// checkAudience looks at client_id only where a token has no audience, as API Gateway does.
func checkAudience(claims jwt.MapClaims) error {
	audiences, err := claims.GetAudience()
	if err != nil {
		return err
	}
	if len(audiences) == 0 {
		client, _ := claims["client_id"].(string)
		audiences = []string{client}
	}
	if !slices.Contains(audiences, Audience) {
		return fmt.Errorf("the token is for %s", strings.Join(audiences, ", "))
	}
	return nil
}
