package access

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mailaddress"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// SignIn is what somebody signs in with.
type SignIn struct {
	Tenant   model.TenantID
	Account  string // a username, an address or a phone number
	Password string
	IP       string
}

// SignIn signs a person in. It returns ErrPassword for an account that is not there and for a wrong password, with the
// same work, and ErrDisabled only to who knows the password. It returns ErrTooOften and dynamo.ErrNotFound.
func (a *Access) SignIn(ctx context.Context, in SignIn) (signed Signed, err error) {
	if err := a.network(ctx, in.IP); err != nil {
		return signed, err
	}
	named := nameOf(in)
	if err := a.within(ctx, a.Guesses, idempotency.Hash(string(in.Tenant), named.name)); err != nil {
		return signed, err
	}
	user, err := a.account(ctx, in.Tenant, named.claim)
	if err != nil {
		return signed, err
	}
	if !named.is(user) {
		user = communitymodel.User{}
	}
	right, older := a.Cost.matches(in.Password, user.PasswordHash)
	switch {
	case !right || user.ErasedAt != "":
		return signed, ErrPassword
	case !user.Active():
		return signed, ErrDisabled
	}
	if older {
		if err := a.rehash(ctx, user, in.Password); err != nil {
			return signed, err
		}
	}
	session, refresh := a.newSession(user)
	item, err := dynamo.Marshal(session)
	if err != nil {
		return signed, err
	}
	if signed, err = a.signed(ctx, user, session, refresh); err != nil {
		return signed, err
	}
	// a session that is there is this one: the SDK repeats a put whose answer was lost
	if err := a.DB.PutOnce(ctx, tables.CommunityUsers, item); err != nil {
		return Signed{}, fmt.Errorf("put a session: %w", err)
	}
	return signed, nil
}

// named is how somebody names their account. Guesses are counted by the name, not by the person: else the limit would
// tell whether a username and an address are one person's.
type named struct {
	name  string                         // in its one form
	claim dynamo.Ref                     // the item that leads to the account
	is    func(communitymodel.User) bool // whether a person has the name: a claim leads from what looks like it as well
}

// nameOf returns what somebody means by the name of an account. A name that cannot be anybody's leads nowhere, with the
// same reads.
func nameOf(in SignIn) named {
	if address, err := mailaddress.Parse(in.Account); err == nil {
		return named{address, users.EmailRef(in.Tenant, address),
			func(u communitymodel.User) bool { return u.Email == address }}
	}
	if users.IsPhone(in.Account) {
		if number, err := users.ParsePhone(in.Account); err == nil {
			return named{number, users.Address{Phone: number}.Ref(in.Tenant),
				func(u communitymodel.User) bool { return u.PhoneE164 == number }}
		}
	}
	if name, err := users.ParseUsername(in.Account); err == nil {
		return named{name, users.UsernameRef(in.Tenant, name),
			func(u communitymodel.User) bool { return u.Username == name }}
	}
	return named{in.Account, users.EmailRef(in.Tenant, in.Account), func(communitymodel.User) bool { return false }}
}

// nobody is the id of whom an account's name leads to if it leads to nobody. No person has it.
const nobody model.Name = "nobody"

// account returns the person to whom a claim leads; the zero User for nobody, with the same reads. It returns
// dynamo.ErrNotFound for a tenant without communities.
func (a *Access) account(ctx context.Context, tenant model.TenantID,
	claim dynamo.Ref) (user communitymodel.User, err error) {
	_, owner, err := a.tenant(ctx, tenant, claim)
	if err != nil {
		return user, err
	}
	if owner == "" {
		owner = nobody
	}
	user, err = a.Users.Of(ctx, tenant, owner)
	if errors.Is(err, dynamo.ErrNotFound) {
		return communitymodel.User{}, nil
	}
	return user, err
}

// rehash replaces a hash that costs other than new ones. Its condition is that the hash is as it was read.
func (a *Access) rehash(ctx context.Context, user communitymodel.User, password string) error {
	err := a.DB.Update(ctx, dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(user.ID),
		Do: "SET PasswordHash = :new, #Version = #Version + :one", If: "PasswordHash = :was",
		Values: dynamo.Item{
			":new": dynamo.S(a.hash(password)), ":was": dynamo.S(user.PasswordHash), ":one": dynamo.N(1)},
	})
	return dynamo.IgnoreConditionFailed(err)
}

// ChangePassword sets a person's new password. All their sessions end, and a new one begins. It returns ErrField
// for a wrong old one too, and ErrTooOften.
func (a *Access) ChangePassword(ctx context.Context, user communitymodel.User, session model.Name, was,
	next string) (signed Signed, err error) {
	if err := checkPassword("body.newPassword", next, user.Username, user.Email, user.PhoneE164); err != nil {
		return signed, err
	}
	if was == next {
		return signed, problem.Wrong(ErrField, "body.newPassword", "it is the old one")
	}
	if err := a.within(ctx, a.Guesses, string(user.ID)); err != nil {
		return signed, err
	}
	if right, _ := a.Cost.matches(was, user.PasswordHash); !right {
		return signed, problem.Wrong(ErrField, "body.password", "it is not your password")
	}
	hash := a.hash(next)
	id, refresh := model.Name(a.NewID()), a.random(secretLength)
	return signed, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		now, err := a.Users.Of(ctx, user.TenantID, user.ID)
		if err != nil {
			return err
		}
		if now.PasswordHash != user.PasswordHash || !now.Active() || now.Epoch != user.Epoch {
			return ErrEnded
		}
		put, err := renewed(&now, hash)
		if err != nil {
			return err
		}
		begun := a.sessionOf(now, id, refresh)
		first, err := newItem(begun)
		if err != nil {
			return err
		}
		if signed, err = a.signed(ctx, now, begun, refresh); err != nil {
			return err
		}
		return dynamo.Conflict(a.DB.Transact(ctx, []dynamo.Write{put, first, ended(session)}))
	})
}
