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

// ErrUnauthorized means that a token is not accepted. The error that wraps it gives the reason.
var ErrUnauthorized = errors.New("unauthorized")

// ErrNoToken means that a request has no token at all.
var ErrNoToken = fmt.Errorf("%w: no token", ErrUnauthorized)

// Missing says what a request needs that Verify refuses. API Gateway says this in the header WWW-Authenticate alone.
func Missing(err error) string {
	switch {
	case errors.Is(err, ErrNoToken):
		return "the request has no access token; send the header Authorization: Bearer TOKEN"
	case errors.Is(err, jwt.ErrTokenExpired):
		return "the token has expired"
	case errors.Is(err, jwt.ErrTokenMalformed):
		return "the token is no JSON web token"
	}
	return "the token is not valid here"
}

// Verifier makes the checks of API Gateway's JWT authorizer: a valid RS256 signature by the issuer, the audience, and
// the time.
type Verifier struct {
	issuer string
	keys   jwt.Keyfunc
	now    func() time.Time
}

// NewVerifier returns a verifier for the local issuer's tokens.
func NewVerifier(issuer *Issuer, now func() time.Time) *Verifier {
	return &Verifier{issuer: issuer.URL, keys: issuer.Key, now: now}
}

// NewRemoteVerifier returns a verifier for another issuer's tokens. It finds the key set through the issuer's
// configuration and refreshes it until the context ends.
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

// discover returns the key set's address from the issuer's OpenID configuration.
func discover(ctx context.Context, issuer string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet,
		strings.TrimSuffix(issuer, "/")+"/.well-known/openid-configuration", nil)
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

// Verify returns the claims of the token in an Authorization header, with or without "Bearer", or ErrUnauthorized.
func (v *Verifier) Verify(authorization string) (map[string]any, error) {
	token := strings.TrimSpace(authorization)
	if scheme, rest, found := strings.Cut(token, " "); found && strings.EqualFold(scheme, "Bearer") {
		token = strings.TrimSpace(rest)
	}
	if token == "" {
		return nil, ErrNoToken
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

// checkAudience checks client_id only if a token has no audience, like API Gateway.
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
