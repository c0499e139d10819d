package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/shared/httpapi"
)

// keyed sends under an idempotency key, twice.
func (r *running) keyed(t *testing.T, path, body string) {
	t.Helper()
	for range 2 {
		request := r.request(t, r.Addresses.Token, http.MethodPost, path, body)
		request.Header.Set("Idempotency-Key", "order-7")
		if status, answer := do(t, request); status != http.StatusAccepted {
			t.Fatalf("%s: %d %s", path, status, answer)
		}
	}
}

func (r *running) want(t *testing.T, status int, method, path, body string) {
	t.Helper()
	if got, answer := r.call(t, method, path, body); got != status {
		t.Fatalf("%s %s: %d %s", method, path, got, answer)
	}
}

// mint makes a token of the local issuer with every scope.
func (r *running) mint(t *testing.T, groups ...string) string {
	t.Helper()
	return r.mintFor(t, "owner", groups...)
}

// mintFor makes such a token for somebody.
func (r *running) mintFor(t *testing.T, subject string, groups ...string) string {
	t.Helper()
	issuer, err := cloud.Issuer(r.dir, r.Addresses.HTTP)
	if err != nil {
		t.Fatal(err)
	}
	token, err := issuer.Mint(identity.Grant{
		Subject: subject, Username: subject, Groups: append([]string{"administrator"}, groups...),
		Scopes: httpapi.ScopeNames(), IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}
