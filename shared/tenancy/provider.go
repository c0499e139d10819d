package tenancy

import (
	"context"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// ErrAWSID means that a text is no id of a number at AWS End User Messaging.
var ErrAWSID = problem.New("no id of a number at AWS", problem.Error{
	Class: problem.Invalid, Field: "body.awsPhoneNumberId",
	Detail: "must be phone-number-id-…, as the console of AWS End User Messaging shows it",
})

var awsIDForm = lazy.Regexp(`^phone-number-id-[0-9A-Za-z]{1,80}$`)

// IsAWSID reports whether a text is an id of a number at AWS End User Messaging.
func IsAWSID(text string) bool { return awsIDForm.Get().MatchString(text) }

// SetProvider has a number of a tenant send by AWS End User Messaging, under AWS's id of it, or by Meta itself, for
// "". It returns the number. It returns ErrAWSID, and dynamo.ErrNotFound unless the number is a tenant's. The condition
// is that the number is as it was read.
func (s *Numbers) SetProvider(ctx context.Context, id model.PhoneNumberID, awsID string) (p model.Phone, err error) {
	if awsID != "" && !IsAWSID(awsID) {
		return p, ErrAWSID
	}
	if p, err = s.setNumber(ctx, id, func(p *model.Phone) { p.AWSPhoneNumberID = awsID }); err != nil {
		return model.Phone{}, fmt.Errorf("set the provider of a number: %w", err)
	}
	return p, nil
}

// SetSendsOnce says whether a number's sends are never repeated if WhatsApp does not say whether it took them. It
// returns the number. It returns dynamo.ErrNotFound unless the number is a tenant's. The condition is that the number
// is as it was read.
func (s *Numbers) SetSendsOnce(ctx context.Context, id model.PhoneNumberID, once bool) (p model.Phone, err error) {
	if p, err = s.setNumber(ctx, id, func(p *model.Phone) { p.SendsOnce = once }); err != nil {
		return model.Phone{}, fmt.Errorf("set whether a number sends once: %w", err)
	}
	return p, nil
}

// SetAssignment says how conversations of a number that nobody takes care of get a colleague, of those with the ids:
// "" for not at all. It returns the number. It returns dynamo.ErrNotFound unless the number is a tenant's. The
// condition is that the number is as it was read.
func (s *Numbers) SetAssignment(ctx context.Context, id model.PhoneNumberID, by model.AssignRule,
	to []string) (p model.Phone, err error) {
	if p, err = s.setNumber(ctx, id, func(p *model.Phone) {
		p.AssignBy, p.AssignTo = by, strings.Join(to, " ")
	}); err != nil {
		return model.Phone{}, fmt.Errorf("set how a number's conversations are assigned: %w", err)
	}
	s.stores.Delete(id)
	return p, nil
}

// AssignedTurn returns the write that counts that a conversation of a number has got a colleague by its rule. The
// condition is that the rule and the count are as they were read.
func (s *Numbers) AssignedTurn(number model.Phone) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(number.PhoneNumberID), Do: "SET assignTurn = :turn",
		Values: dynamo.Item{":turn": dynamo.N(number.AssignTurn + 1)}}
	u.If = dynamo.And(dynamo.SameText("assignBy", number.AssignBy, u.Values),
		dynamo.SameText("assignTo", number.AssignTo, u.Values))
	u.If = dynamo.And(u.If, dynamo.SameNumber("assignTurn", number.AssignTurn, u.Values))
	return u
}

func (s *Numbers) setNumber(ctx context.Context, id model.PhoneNumberID, set func(p *model.Phone)) (p model.Phone,
	err error) {
	return p, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		was, err := s.Number(ctx, id)
		if err != nil {
			return err
		}
		if was.TenantID == "" {
			return dynamo.ErrNotFound
		}
		p = was
		if set(&p); p == was {
			return nil
		}
		return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{s.numberWrite(id, was, p)}))
	})
}
