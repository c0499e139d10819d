package access

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// ErrLast is for the only address that a person has: without one, nobody could tell them anything, and they could not
// set a new password.
var ErrLast = problem.New("the only address", problem.Error{
	Class: problem.Conflict, Code: "only-address", Title: "Your only address",
	Detail: "You have no address of email. Add one before you remove your number."})

// AskPhone has a code sent to a number that a person wants to have as theirs. See ask.
func (a *Access) AskPhone(ctx context.Context, user communitymodel.User, number, password string) error {
	to, err := address("", number)
	if err != nil {
		return err
	}
	return a.ask(ctx, user, to, password)
}

// AskEmail has a code sent to an address of email that a person wants to have as theirs. See ask.
func (a *Access) AskEmail(ctx context.Context, user communitymodel.User, email, password string) error {
	to, err := address(email, "")
	if err != nil {
		return err
	}
	return a.ask(ctx, user, to, password)
}

// purposeOf returns the purpose of the code by which somebody has an address.
func purposeOf(to users.Address) model.Name {
	if to.Phone != "" {
		return users.ToPhone
	}
	return users.ToEmail
}

// ask has a code sent to an address or a number that a person wants to have as theirs. It asks for the password,
// so that a stolen session does not become a stolen account. If somebody else has the address, the message there says
// so, and the answer is the same. It returns ErrNoPhones, ErrTooOften and ErrField.
func (a *Access) ask(ctx context.Context, user communitymodel.User, to users.Address, password string) error {
	if err := a.knows(ctx, user, password); err != nil {
		return err
	}
	claim := to.Ref(user.TenantID)
	return a.send(ctx, letter{
		tenant: user.TenantID, purpose: purposeOf(to), to: to, more: []dynamo.Ref{claim},
		about: func(_ communitymodel.Settings, found dynamo.Found) (communitymodel.Code, text, error) {
			is := communitymodel.Code{UserID: user.ID}
			if users.ClaimIn(found, claim) != "" {
				return is, addressKnown, nil
			}
			return is, addressCode, nil
		},
	})
}

// knows returns ErrField if a password is not a person's. Guesses count.
func (a *Access) knows(ctx context.Context, user communitymodel.User, password string) error {
	if err := a.within(ctx, a.Guesses, string(user.ID)); err != nil {
		return err
	}
	if right, _ := a.Cost.matches(password, user.PasswordHash); !right {
		return problem.Wrong(ErrField, "body.password", "it is not your password")
	}
	return nil
}

// ConfirmPhone makes a number a person's by the code that was sent there, in place of the one that they have had. See
// confirm.
func (a *Access) ConfirmPhone(ctx context.Context, user communitymodel.User, number,
	digits string) (communitymodel.User, error) {
	to, err := address("", number)
	if err != nil {
		return user, err
	}
	return a.confirm(ctx, user, to, digits)
}

// ConfirmEmail makes an address a person's by the code that was sent there, in place of the one that they have had. See
// confirm.
func (a *Access) ConfirmEmail(ctx context.Context, user communitymodel.User, email,
	digits string) (communitymodel.User, error) {
	to, err := address(email, "")
	if err != nil {
		return user, err
	}
	return a.confirm(ctx, user, to, digits)
}

// confirm makes an address or a number a person's by the code that was sent there. A repeated request changes nothing.
// It returns ErrCode.
func (a *Access) confirm(ctx context.Context, user communitymodel.User, to users.Address,
	digits string) (next communitymodel.User, err error) {
	if has(user, to) {
		return user, nil
	}
	code, err := a.try(ctx, purposeOf(to), user.TenantID, to.Text(), digits)
	if err == nil && code.UserID != user.ID {
		err = ErrCode // somebody else has asked for it
	}
	if err != nil {
		return next, err
	}
	return next, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		now, err := a.still(ctx, user)
		if err != nil {
			return err
		}
		writes, err := takes(&now, to, code, model.At(a.Now()))
		if err != nil {
			return err
		}
		next = now
		err = a.DB.Transact(ctx, writes)
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && (cancelled.Of(0).Failed() || cancelled.Of(1).Failed()) {
			return ErrCode // the code was used, or the address is somebody's meanwhile
		}
		return dynamo.Conflict(err)
	})
}

// has reports whether an address or a number is a person's.
func has(user communitymodel.User, to users.Address) bool {
	return to.Phone != "" && user.PhoneE164 == to.Phone || to.Email != "" && user.Email == to.Email
}

// still returns a person anew. It returns ErrEnded if their sessions have ended since they were read.
func (a *Access) still(ctx context.Context, user communitymodel.User) (communitymodel.User, error) {
	now, err := a.Users.Of(ctx, user.TenantID, user.ID)
	if err == nil && (!now.Active() || now.Epoch != user.Epoch) {
		err = ErrEnded
	}
	return now, err
}

// takes returns the writes by which an address or a number becomes a person's: the code, the claim, the person, and
// what ends the one before, in this order. The conditions are that the code was not used, that the address is nobody's,
// and that the person is as they were read.
func takes(user *communitymodel.User, to users.Address, code communitymodel.Code, now model.Time) ([]dynamo.Write,
	error) {
	claim, err := newItem(communitymodel.Claim{PK: to.Ref(user.TenantID).Key.Partition, UserID: user.ID})
	if err != nil {
		return nil, err
	}
	var before users.Address
	if to.Phone != "" {
		before.Phone, user.PhoneE164, user.PhoneSince = user.PhoneE164, to.Phone, now
	} else {
		before.Email, user.Email = user.Email, to.Email
	}
	put, err := dynamo.PutVersion(tables.CommunityUsers, user)
	return append([]dynamo.Write{used(code), claim, put}, released(*user, before)...), err
}

// released returns the writes by which an address is a person's no more: the claim, whose condition is that it is
// theirs, and a code for a new password that was sent there; none for no address.
func released(user communitymodel.User, before users.Address) []dynamo.Write {
	if before == (users.Address{}) {
		return nil
	}
	return []dynamo.Write{
		dynamo.Delete{
			Table: tables.CommunityUsers, Key: before.Ref(user.TenantID).Key, If: "UserId = :user",
			Values: dynamo.Item{":user": dynamo.S(user.ID)}},
		dynamo.Delete{ // a code may be there or not
			Table: tables.CommunityUsers, If: dynamo.Unconditional,
			Key: keys.AccessCode(users.ToReset, user.TenantID, before.Text())},
	}
}

// RemovePhone takes a person's number from them: nobody has it then. It asks for the password, as ask does. The
// conditions are that the person is as they were read, and that they have an address of email. A repeated request
// changes nothing. It returns ErrLast, ErrTooOften and ErrField.
func (a *Access) RemovePhone(ctx context.Context, user communitymodel.User,
	password string) (next communitymodel.User, err error) {
	if err := a.knows(ctx, user, password); err != nil {
		return next, err
	}
	return next, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		now, err := a.still(ctx, user)
		if next = now; err != nil || now.PhoneE164 == "" {
			return err
		}
		if now.Email == "" {
			return ErrLast
		}
		before := users.Address{Phone: now.PhoneE164}
		now.PhoneE164, now.PhoneSince = "", ""
		put, err := dynamo.PutVersion(tables.CommunityUsers, &now)
		if err != nil {
			return err
		}
		next = now
		return dynamo.Conflict(a.DB.Transact(ctx, append(released(now, before), put)))
	})
}
