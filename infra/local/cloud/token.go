package cloud

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/shared/httpapi"
)

// tokenLifetime is how long the operator's token is valid: a working day.
const tokenLifetime = 12 * time.Hour

// The subjects of the operator's token, and of a colleague's.
const (
	operatorSubject  = "00000000-0000-4000-8000-000000000001"
	colleagueSubject = "00000000-0000-4000-8000-000000000002"
)

// operatorGroups are the groups of the operator, who may do everything.
var operatorGroups = []string{"tenant:" + defaultTenant, "administrator", httpapi.Platform}

// Issuer returns the cloud's own token issuer for the front at the given address.
func Issuer(dir, front string) (*identity.Issuer, error) {
	return identity.LoadIssuer(Config{Dir: dir}.path("issuer.pem"), front)
}

// FrontAddress returns the address of the folder's cloud: what a running cloud has written, or what the environment
// says.
func FrontAddress(dir string, getenv func(string) string) (string, error) {
	addresses, err := ReadAddresses(dir)
	if err == nil {
		return addresses.HTTP, nil
	}
	port := getenv("HTTP_PORT")
	if port == "" {
		port = "3000"
	}
	if number, err := strconv.Atoi(port); err != nil || number <= 0 {
		return "", fmt.Errorf("no local cloud runs in %s, and HTTP_PORT is no fixed port", dir)
	}
	return "http://" + net.JoinHostPort("127.0.0.1", port), nil
}

// TokenFile returns the file with the operator's token.
func TokenFile(dir string) string { return Config{Dir: dir}.path("token") }

// operatorToken mints the operator's token and stores it for command lines.
func operatorToken(c Config, issuer *identity.Issuer) (string, error) {
	now := time.Now()
	token, err := issuer.Mint(identity.Grant{
		Subject:   operatorSubject,
		Username:  "operator",
		Groups:    operatorGroups,
		Scopes:    httpapi.ScopeNames(),
		IssuedAt:  now,
		ExpiresAt: now.Add(tokenLifetime),
	})
	if err != nil {
		return "", fmt.Errorf("mint the operator's token: %w", err)
	}
	if err := os.WriteFile(TokenFile(c.Dir), []byte(token), 0o600); err != nil {
		return "", fmt.Errorf("keep the operator's token: %w", err)
	}
	return token, nil
}
