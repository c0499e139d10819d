package access

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Reset has a code sent to the owner of an address or of a phone number by which they set a new password. One that
// nobody has gets a message as well, so that answer and work are the same. It returns ErrNoPhones, ErrTooOften,
// ErrField and dynamo.ErrNotFound.
func (a *Access) Reset(ctx context.Context, tenant model.TenantID, of users.Address, ip string) error {
	to, err := address(of.Email, of.Phone)
	if err != nil {
		return err
	}
	if err := a.network(ctx, ip); err != nil {
		return err
	}
	user, err := a.account(ctx, tenant, to.Ref(tenant))
	if err != nil {
		return err
	}
	return a.send(ctx, letter{
		tenant: tenant, purpose: users.ToReset, to: to,
		about: func(communitymodel.Settings, dynamo.Found) (communitymodel.Code, text, error) {
			if !user.Active() {
				return communitymodel.Code{}, resetUnknown, nil
			}
			return communitymodel.Code{UserID: user.ID}, resetCode, nil
		},
	})
}

// ConfirmReset sets a person's new password by the code that was sent to their address or their number, and ends all
// their sessions. It returns ErrCode, ErrTooOften and ErrField.
func (a *Access) ConfirmReset(ctx context.Context, in Confirmation) error {
	to, err := address(in.Email, in.Phone)
	if err != nil {
		return err
	}
	if err := checkPassword("body.password", in.Password, to.Text()); err != nil {
		return err
	}
	if err := a.network(ctx, in.IP); err != nil {
		return err
	}
	code, err := a.try(ctx, users.ToReset, in.Tenant, to.Text(), in.Code)
	if err != nil {
		return err
	}
	hash := a.hash(in.Password)
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		user, err := a.Users.Of(ctx, in.Tenant, code.UserID)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && (!user.Active() || !has(user, to)) {
			return ErrCode // they may have another address since it was sent
		}
		if err != nil {
			return err
		}
		put, err := renewed(&user, hash)
		if err != nil {
			return err
		}
		err = a.DB.Transact(ctx, []dynamo.Write{put, used(code)})
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && cancelled.Of(1).Failed() {
			return ErrCode
		}
		return dynamo.Conflict(err)
	})
}

// renewed returns the write of a person's new password, which ends all their sessions. Its condition is that the person
// is as they were read.
func renewed(user *communitymodel.User, hash string) (dynamo.Put, error) {
	user.PasswordHash = hash
	user.Epoch++
	return dynamo.PutVersion(tables.CommunityUsers, user)
}
