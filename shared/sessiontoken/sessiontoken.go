// Package sessiontoken signs and verifies the access tokens of sessions: those of people who sign in to a domain's own
// sessions. Operators' tokens come from Cognito and never from here.
package sessiontoken

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/haatline/haatline/shared/model"
)

// Token says who is signed in, and until when the token is good.
type Token struct {
	Subject model.Name // the user's id
	Session model.Name // the session's id
	Tenant  model.TenantID
	Expires time.Time // in whole seconds
}

// Keys returns the keys, separated by commas: the first one signs, and each of them verifies.
type Keys func(context.Context) (string, error)

// ErrInvalid means that a text is no token that was signed here. ErrExpired means that a token was, and is no longer
// good. Neither error repeats a part of the token.
var (
	ErrInvalid = errors.New("no token of a session")
	ErrExpired = errors.New("the token of the session has expired")
)

// errNoKeys means that there is nothing to sign or verify with.
var errNoKeys = errors.New("no key of sessions")

const (
	audience = "haatline-community"
	// maxToken is more bytes than a token has.
	maxToken = 8192
)

// method is the only algorithm. A token that names another one, or none, is no token.
var method = jwt.SigningMethodHS256

// claims are those of a token as it is written.
type claims struct {
	jwt.RegisteredClaims
	Session string `json:"sid"`
	Tenant  string `json:"tenant"`
}

// Sign returns the text of a token.
func (k Keys) Sign(ctx context.Context, t Token) (string, error) {
	if t.Subject == "" || t.Session == "" || t.Tenant == "" || t.Expires.IsZero() {
		return "", errors.New("sign a token: it lacks its subject, its session, its tenant or its end")
	}
	keys, err := k.all(ctx)
	if err != nil {
		return "", err
	}
	return jwt.NewWithClaims(method, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Subject: string(t.Subject), Audience: jwt.ClaimStrings{audience}, ExpiresAt: jwt.NewNumericDate(t.Expires),
		},
		Session: string(t.Session), Tenant: string(t.Tenant),
	}).SignedString(keys.Keys[0])
}

// Verify returns the token that a text stands for. It returns ErrInvalid or ErrExpired for any text that is not good
// now, and another error only if the keys are not there.
func (k Keys) Verify(ctx context.Context, text string, now time.Time) (Token, error) {
	if text == "" || len(text) > maxToken {
		return Token{}, ErrInvalid
	}
	keys, err := k.all(ctx)
	if err != nil {
		return Token{}, err
	}
	var got claims
	_, err = jwt.NewParser(
		jwt.WithValidMethods([]string{method.Alg()}),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
		jwt.WithStrictDecoding(),
		jwt.WithTimeFunc(func() time.Time { return now }),
	).ParseWithClaims(text, &got, func(*jwt.Token) (any, error) { return keys, nil })
	subject, subjectErr := model.Parse[model.Name](got.Subject)
	session, sessionErr := model.Parse[model.Name](got.Session)
	tenant, tenantErr := model.Parse[model.TenantID](got.Tenant)
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return Token{}, ErrExpired
	case errors.Join(err, subjectErr, sessionErr, tenantErr) != nil: // each may repeat a part of the token
		return Token{}, ErrInvalid
	}
	return Token{subject, session, tenant, got.ExpiresAt.UTC()}, nil
}

// all returns the keys, of which there is at least one.
func (k Keys) all(ctx context.Context) (jwt.VerificationKeySet, error) {
	var all jwt.VerificationKeySet
	text, err := k(ctx)
	if err != nil {
		return all, fmt.Errorf("keys of sessions: %w", err)
	}
	for secret := range strings.SplitSeq(text, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			key, err := hkdf.Key(sha256.New, []byte(secret), nil, "haatline sessions", sha256.Size)
			if err != nil {
				return all, fmt.Errorf("keys of sessions: %w", err)
			}
			all.Keys = append(all.Keys, key)
		}
	}
	if len(all.Keys) == 0 {
		return all, errNoKeys
	}
	return all, nil
}
