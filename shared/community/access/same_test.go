package access

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/community/users"
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
		run  func(ctx context.Context, h *house, to users.Address) error
		want error
	}{
		"sign up": {func(ctx context.Context, h *house, to users.Address) error {
			in := asha()
			in.Username, in.Email, in.Phone = "another", to.Email, to.Phone
			return h.SignUp(ctx, in)
		}, nil},
		"reset": {func(ctx context.Context, h *house, to users.Address) error {
			return h.Reset(ctx, tenant, to, "192.0.2.1")
		}, nil},
		"sign in": {func(ctx context.Context, h *house, to users.Address) error {
			_, err := h.SignIn(ctx, SignIn{Tenant: tenant, Account: to.Text(), Password: "wrong password"})
			return err
		}, ErrPassword},
		"a username": {func(ctx context.Context, h *house, to users.Address) error {
			name := "nobody"
			if to.Text() == email || to.Text() == phone {
				name = "asha.rao"
			}
			_, err := h.SignIn(ctx, SignIn{Tenant: tenant, Account: name, Password: "wrong password"})
			return err
		}, ErrPassword},
		"to have": {func(ctx context.Context, h *house, to users.Address) error {
			user, err := h.Users.ByUsername(ctx, tenant, "asha.rao")
			if err != nil {
				return err
			}
			return h.ask(ctx, user, to, password)
		}, nil},
		"a code": {func(ctx context.Context, h *house, to users.Address) error {
			if err := h.Reset(ctx, tenant, to, "192.0.2.1"); err != nil {
				return err
			}
			return h.ConfirmReset(ctx, Confirmation{
				Tenant: tenant, Email: to.Email, Phone: to.Phone, Code: "000000", Password: "a new password"})
		}, ErrCode},
	} {
		for channel, addresses := range map[string]map[string]users.Address{
			"email":    {"somebody": {Email: email}, "nobody": {Email: "nobody@example.com"}},
			"WhatsApp": {"somebody": {Phone: phone}, "nobody": {Phone: "+919999999999"}},
		} {
			t.Run(name+" by "+channel, func(t *testing.T) {
				made := map[string][]string{}
				for who, to := range addresses {
					h := writing(t)
					h.phoned()
					h.now = noon.Add(time.Minute)
					noted := &calls{}
					one := on(t, h.db, h.db.Through(noted))
					one.now = h.now
					if err := of.run(t.Context(), one, to); !errors.Is(err, of.want) {
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
}
