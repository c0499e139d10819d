package access

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/mailaddress"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// SignUp is what somebody signs up with.
type SignUp struct {
	Tenant                   model.TenantID
	Username, Name, Password string
	Email, Phone             string // one of them
	IP                       string // where the request comes from

	to users.Address // the one of them, in its one form
}

// check brings what somebody signs up with into its one form.
func (in *SignUp) check() (err error) {
	if in.Username, err = users.ParseUsername(in.Username); err != nil {
		return err
	}
	if err := users.CheckName(in.Name); err != nil {
		return err
	}
	if in.to, err = address(in.Email, in.Phone); err != nil {
		return err
	}
	return checkPassword("body.password", in.Password, in.Username, in.to.Text())
}

// address returns the address of email or the phone number that somebody gives, in its one form.
func address(email, phone string) (to users.Address, err error) {
	if (email == "") == (phone == "") {
		return to, problem.Wrong(ErrField, "body.email", "either an address of email or a phone number")
	}
	if phone != "" {
		to.Phone, err = users.ParsePhone(phone)
		return to, err
	}
	if to.Email, err = mailaddress.Parse(email); err != nil {
		return to, problem.Wrong(ErrField, "body.email", "not an address of email")
	}
	return to, nil
}

// SignUp keeps what somebody signs up with until they prove their address or their phone number by the code that is
// sent there. Who has an account with it is told so there: the answer is the same. It returns ErrUsername, ErrClosed,
// ErrNoPhones, ErrTooOften, ErrField and dynamo.ErrNotFound.
func (a *Access) SignUp(ctx context.Context, in SignUp) error {
	if err := in.check(); err != nil {
		return err
	}
	if err := a.network(ctx, in.IP); err != nil {
		return err
	}
	hash := a.hash(in.Password)
	username, claim := users.UsernameRef(in.Tenant, in.Username), in.to.Ref(in.Tenant)
	return a.send(ctx, letter{
		tenant: in.Tenant, purpose: users.ToSignUp, to: in.to, more: []dynamo.Ref{username, claim},
		about: func(of communitymodel.Settings, found dynamo.Found) (is communitymodel.Code, says text, err error) {
			owner := users.ClaimIn(found, claim)
			switch {
			case !of.Open:
				return is, says, ErrClosed
			case users.ClaimIn(found, username) != "":
				return is, says, ErrUsername
			case owner != "":
				return communitymodel.Code{UserID: owner}, signUpKnown, nil
			}
			is = communitymodel.Code{Username: in.Username, Name: in.Name, PasswordHash: hash}
			return is, signUpCode, nil
		},
	})
}

// Confirmation proves an address of email or a phone number by the code that was sent there.
type Confirmation struct {
	Tenant         model.TenantID
	Email, Phone   string // one of them
	Code, Password string
	IP             string
}

// ConfirmSignUp makes somebody who has signed up a person of the tenant's communities, and signs them in. It asks for
// the password that they have signed up with: else a code would confirm what somebody else has signed up with in the
// meantime. It returns ErrCode, ErrUsername, ErrTooOften and ErrField.
func (a *Access) ConfirmSignUp(ctx context.Context, in Confirmation) (signed Signed, err error) {
	to, err := address(in.Email, in.Phone)
	if err != nil {
		return signed, err
	}
	if err := a.network(ctx, in.IP); err != nil {
		return signed, err
	}
	code, err := a.try(ctx, users.ToSignUp, in.Tenant, to.Text(), in.Code)
	if err != nil {
		return signed, err
	}
	if right, _ := a.Cost.matches(in.Password, code.PasswordHash); !right {
		return signed, ErrCode
	}
	user := communitymodel.User{
		ID: model.Name(a.NewID()), Username: code.Username, Name: code.Name, PasswordHash: code.PasswordHash,
		Email: to.Email, PhoneE164: to.Phone, CreatedAt: model.At(a.Now()), Role: communitymodel.RoleUser,
		TenantID: in.Tenant, Version: 1,
	}
	if to.Phone != "" {
		user.PhoneSince = user.CreatedAt
	}
	user.SetKey()
	session, refresh := a.newSession(user)
	writes, err := joining(user, to, session, code)
	if err != nil {
		return signed, err
	}
	if signed, err = a.signed(ctx, user, session, refresh); err != nil {
		return signed, err
	}
	return signed, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		return refusal(a.DB.Transact(ctx, writes))
	})
}

// joining returns the writes by which somebody becomes a person: the username, the address or the number, the person,
// their first session and the code, in this order. The conditions are that the username and the address are nobody's,
// and that the code was not used.
func joining(user communitymodel.User, to users.Address, session communitymodel.Session,
	code communitymodel.Code) ([]dynamo.Write, error) {
	name, claim := users.UsernameRef(user.TenantID, user.Username), to.Ref(user.TenantID)
	var writes []dynamo.Write
	for _, entity := range []any{
		communitymodel.Claim{PK: name.Key.Partition, UserID: user.ID},
		communitymodel.Claim{PK: claim.Key.Partition, UserID: user.ID}, user, session,
	} {
		put, err := newItem(entity)
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
	}
	return append(writes, used(code)), nil
}

// refusal returns the error of the transaction of joining.
func refusal(err error) error {
	var cancelled *dynamo.TransactionCancelled
	if !errors.As(err, &cancelled) {
		return dynamo.Conflict(err)
	}
	switch {
	case cancelled.Of(4).Failed(), cancelled.Of(1).Failed(): // the code was used, here or by another request
		return ErrCode
	case cancelled.Of(0).Failed():
		return ErrUsername
	}
	return dynamo.Conflict(err)
}
