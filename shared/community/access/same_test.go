package access

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
)

// calls notes the calls of DynamoDB.
type calls struct {
	mu   sync.Mutex
	made []string
}

func (c *calls) RoundTrip(request *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.made = append(c.made, request.Header.Get("X-Amz-Target"))
	c.mu.Unlock()
	return dynamotest.Transport().RoundTrip(request)
}

// What is asked of somebody's account and of nobody's makes the same calls: neither the answer nor the time tells which
// it was.
func TestSomebodysAndNobodysAccountMakeTheSameCalls(t *testing.T) {
	for name, of := range map[string]struct {
		run  func(ctx context.Context, h *house, email string) error
		want error
	}{
		"sign up": {func(ctx context.Context, h *house, email string) error {
			in := asha()
			in.Username, in.Email = "another", email
			return h.SignUp(ctx, in)
		}, nil},
		"reset": {func(ctx context.Context, h *house, email string) error {
			return h.Reset(ctx, tenant, email, "192.0.2.1")
		}, nil},
		"sign in": {func(ctx context.Context, h *house, email string) error {
			_, err := h.SignIn(ctx, SignIn{Tenant: tenant, Account: email, Password: "wrong password"})
			return err
		}, ErrPassword},
		"a username": {func(ctx context.Context, h *house, email string) error {
			name, _, _ := strings.Cut(email, "@")
			_, err := h.SignIn(ctx, SignIn{
				Tenant: tenant, Account: strings.Replace(name, "asha", "asha.rao", 1), Password: "wrong password"})
			return err
		}, ErrPassword},
		"a code": {func(ctx context.Context, h *house, email string) error {
			if err := h.Reset(ctx, tenant, email, "192.0.2.1"); err != nil {
				return err
			}
			return h.ConfirmReset(ctx, Confirmation{
				Tenant: tenant, Email: email, Code: "000000", Password: "a new password"})
		}, ErrCode},
	} {
		t.Run(name, func(t *testing.T) {
			made := map[string][]string{}
			for who, email := range map[string]string{"somebody": email, "nobody": "nobody@example.com"} {
				h := newHouse(t)
				h.member()
				noted := &calls{}
				if err := of.run(t.Context(), on(t, h.db, h.db.Through(noted)), email); !errors.Is(err, of.want) {
					t.Error(err)
				}
				made[who] = noted.made
			}
			if diff := cmp.Diff(made["somebody"], made["nobody"]); diff != "" || len(made["somebody"]) < 3 {
				t.Errorf("%d calls:\n%s", len(made["somebody"]), diff)
			}
		})
	}
}
