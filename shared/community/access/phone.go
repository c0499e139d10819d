package access

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// AskPhone has a code sent to a number that a person wants to have as theirs. It asks for the password: who has got
// hold of an open session gets the account by no number of their own. Whose number it is already is told so there: the
// answer is the same. It returns ErrNoPhones, ErrTooOften and ErrField.
func (a *Access) AskPhone(ctx context.Context, user communitymodel.User, number, password string) error {
	to, err := address("", number)
	if err != nil {
		return err
	}
	if err := a.within(ctx, a.Guesses, string(user.ID)); err != nil {
		return err
	}
	if right, _ := a.Cost.matches(password, user.PasswordHash); !right {
		return problem.Wrong(ErrField, "body.password", "it is not your password")
	}
	claim := to.Ref(user.TenantID)
	return a.send(ctx, letter{
		tenant: user.TenantID, purpose: users.ToPhone, to: to, more: []dynamo.Ref{claim},
		about: func(_ communitymodel.Settings, found dynamo.Found) (communitymodel.Code, text, error) {
			is := communitymodel.Code{UserID: user.ID}
			if users.ClaimIn(found, claim) != "" {
				return is, signUpKnown, nil
			}
			return is, signUpCode, nil
		},
	})
}

// ConfirmPhone makes a number a person's by the code that was sent there, in place of the one that they have had. A
// repeated request changes nothing. It returns ErrCode and ErrField.
func (a *Access) ConfirmPhone(ctx context.Context, user communitymodel.User, number,
	digits string) (next communitymodel.User, err error) {
	to, err := address("", number)
	if err != nil || user.PhoneE164 == to.Phone {
		return user, err
	}
	code, err := a.try(ctx, users.ToPhone, user.TenantID, to.Text(), digits)
	if err == nil && code.UserID != user.ID {
		err = ErrCode // somebody else has asked for it
	}
	if err != nil {
		return next, err
	}
	return next, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		now, err := a.Users.Of(ctx, user.TenantID, user.ID)
		if err != nil {
			return err
		}
		if !now.Active() || now.Epoch != user.Epoch {
			return ErrEnded
		}
		writes, err := takes(&now, to, code)
		if err != nil {
			return err
		}
		next = now
		err = a.DB.Transact(ctx, writes)
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && (cancelled.Of(0).Failed() || cancelled.Of(1).Failed()) {
			return ErrCode // the code was used, or the number is somebody's meanwhile
		}
		return dynamo.Conflict(err)
	})
}

// takes returns the writes by which a number becomes a person's: the code, the claim, the person, and the claim of the
// number before, in this order. The conditions are that the code was not used, that the number is nobody's, and that
// the person is as they were read.
func takes(user *communitymodel.User, to users.Address, code communitymodel.Code) ([]dynamo.Write, error) {
	claim, err := newItem(communitymodel.Claim{PK: to.Ref(user.TenantID).Key.Partition, UserID: user.ID})
	if err != nil {
		return nil, err
	}
	before := users.Address{Phone: user.PhoneE164}
	user.PhoneE164 = to.Phone
	put, err := dynamo.PutVersion(tables.CommunityUsers, user)
	writes := []dynamo.Write{used(code), claim, put}
	if before.Phone != "" {
		writes = append(writes, dynamo.Delete{
			Table: tables.CommunityUsers, Key: before.Ref(user.TenantID).Key, If: "UserId = :user",
			Values: dynamo.Item{":user": dynamo.S(user.ID)}})
	}
	return writes, err
}
