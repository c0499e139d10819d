// Package access lets people of communities in: they sign up, prove their address or their phone number by a code, sign
// in, stay signed in, and set a new password. Its answers never tell whether somebody has an account.
package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/settings"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/sessiontoken"
	"github.com/haatline/haatline/shared/tables"
)

// ErrField is the rule that a field of a request may break.
var ErrField = errors.New("a field of a request for access is wrong")

// What is told to people who are not let in.
var (
	ErrClosed = problem.New("nobody may sign up", problem.Error{
		Class: problem.Forbidden, Code: "sign-up-closed", Title: "Sign-up closed",
		Detail: "Nobody may sign up by themselves.",
	})
	ErrNoPhones = problem.New("codes go by email alone", problem.Error{
		Class: problem.Invalid, Field: "body.phone", Detail: "codes are sent by email here: give an address of email",
	})
	ErrUsername = problem.New("the username is taken", problem.Error{
		Class: problem.Conflict, Code: "username-taken", Title: "Username taken",
		Detail: "Somebody has this username, or one that looks like it. Choose another one.",
	})
	ErrCode = problem.New("the code is wrong", problem.Error{
		Class: problem.Unauthorized, Code: "wrong-code", Title: "Wrong code",
		Detail: "The code or the password is wrong, or the code is over ten minutes old, was used, or was tried too " +
			"often. Ask for a new one.",
	})
	ErrPassword = problem.New("the account or the password is wrong", problem.Error{
		Class: problem.Unauthorized, Code: "wrong-password", Title: "Wrong account or password",
		Detail: "There is no account with this name and this password.",
	})
	ErrDisabled = problem.New("the account is disabled", problem.Error{
		Class: problem.Forbidden, Code: "account-disabled", Title: "Account disabled",
		Detail: "The account is disabled. Ask whoever runs the communities.",
	})
	ErrEnded = problem.New("the session has ended", problem.Error{
		Class: problem.Unauthorized, Code: "session-ended", Title: "Session ended",
		Detail: "The session has ended. Sign in again.",
	})
	ErrTooOften = problem.New("tried too often", problem.Error{
		Class: problem.TooMany, Code: "tried-too-often", Title: "Tried too often",
		Detail: "It was tried too often. Try again later.",
	})
)

// The usual limits of what people do who are not signed in: of signing in to one account, of all that one address of
// the network tries, and of the codes that are sent to one address of email or one phone number.
var (
	Guesses = ratelimit.Limit{Kind: "community_sign_in", PerMinute: 5, PerHour: 20, PerDay: 50}
	Network = ratelimit.Limit{Kind: "community_network", PerMinute: 30, PerHour: 300}
	Mails   = ratelimit.Limit{Kind: "community_codes", PerMinute: 1, PerHour: 5, PerDay: 20}
)

// Tokens signs access tokens: sessiontoken.Keys.
type Tokens interface {
	Sign(ctx context.Context, of sessiontoken.Token) (string, error)
}

// Mailing prepares emails: mailing.Mailing.
type Mailing interface {
	Prepare(ctx context.Context, email mailing.Email, found dynamo.Found) (event string, writes []dynamo.Write,
		err error)
}

// Access lets people in.
type Access struct {
	DB      *dynamo.Client
	Now     func() time.Time
	NewID   func() string
	Fill    func([]byte) // with what nobody can guess: from crypto/rand
	Domain  string       // in the purpose of emails
	Cost    Cost         // of the hash of a password
	Tokens  Tokens
	Mailing Mailing
	Sender  sending.Preparer // prepares WhatsApp messages: sending.Sender
	Numbers settings.Numbers
	Users   *users.Users
	Limiter *ratelimit.Limiter
	// Guesses and Network are the limits; the zero Limit for none.
	Guesses, Network ratelimit.Limit
}

// random returns bytes that nobody can guess.
func (a *Access) random(n int) []byte {
	b := make([]byte, n)
	a.Fill(b)
	return b
}

// hash returns the hash of a new password.
func (a *Access) hash(password string) string { return a.Cost.hash(password, a.random(saltLength)) }

// within counts one more of what is limited, and returns ErrTooOften if it is too much.
func (a *Access) within(ctx context.Context, limit ratelimit.Limit, identifier string) error {
	if limit.Kind == "" {
		return nil
	}
	decision, err := a.Limiter.Take(ctx, limit, model.Name(identifier))
	if err == nil && !decision.Allowed {
		return ErrTooOften
	}
	return err
}

// network counts one more try of an address of the network. Every try computes the hash of a password.
func (a *Access) network(ctx context.Context, ip string) error {
	return a.within(ctx, a.Network, idempotency.Hash(networkOf(ip)))
}

// networkOf returns the address that limits count: of IPv6 the network of one customer, who has all its addresses.
func networkOf(ip string) string {
	address, err := netip.ParseAddr(ip)
	if err != nil || address.Unmap().Is4() {
		return cmp.Or(ip, "unknown")
	}
	network, err := address.WithZone("").Prefix(64)
	if err != nil {
		return ip
	}
	return network.String()
}

// tenant returns the settings of a tenant and whose a name is; dynamo.ErrNotFound for a tenant without communities.
func (a *Access) tenant(ctx context.Context, tenant model.TenantID,
	claim dynamo.Ref) (is communitymodel.Settings, owner model.Name, err error) {
	found, err := a.DB.BatchGet(ctx, []dynamo.Ref{settings.Ref(tenant), claim})
	if err != nil {
		return is, "", fmt.Errorf("settings of communities: %w", err)
	}
	is, err = settings.In(found, tenant)
	return is, users.ClaimIn(found, claim), err
}

// newItem returns the write of a new item.
func newItem(entity any) (dynamo.Put, error) {
	item, err := dynamo.Marshal(entity)
	return dynamo.Put{Table: tables.CommunityUsers, Item: item, If: dynamo.IfAbsent}, err
}
