package notifications

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// unanswered marks the conversation of an admin whose message is dealt with and who cannot be told so, for example
// because it was read after the window had closed: the tenant's people see it then. It does nothing for an answer that
// is sent, and for an admin who gets another message about the same.
func (s *Notifications) unanswered(ctx context.Context, out sending.Outgoing, refused error) error {
	if refused == nil || errors.Is(refused, errSamePerson) {
		return nil
	}
	return s.Inbox.NeedsPerson(ctx, out.Phone, out.Customer)
}

// prepared is a message with its writes, or why it cannot be sent.
type prepared struct {
	sending.Prepared
	refused error
}

// prepare returns the writes of messages. A message that cannot be sent keeps nothing else from happening: it has no
// writes, and says why.
func (s *Notifications) prepare(ctx context.Context, outs []sending.Outgoing) ([]prepared, error) {
	if len(outs) == 0 {
		return nil, nil
	}
	owners := map[model.PhoneNumberID]model.TenantID{}
	var refs []dynamo.Ref
	for _, out := range outs {
		if _, known := owners[out.Phone]; !known {
			owner, err := s.Numbers.TenantOf(ctx, out.Phone)
			if err != nil {
				return nil, err
			}
			owners[out.Phone] = owner
		}
		if out.Customer != "" {
			refs = append(refs, s.Sender.Refs(out)...)
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("prepare messages: %w", err)
	}
	all := make([]prepared, len(outs))
	conversations := map[string]bool{}
	for i, out := range outs {
		if out.Customer == "" {
			all[i].refused = errPassedOn
			continue
		}
		one, err := s.Sender.Prepare(ctx, out, found)
		switch {
		case err == nil && owners[out.Phone] != out.Tenant:
			err = errNotOurNumber
		case err == nil && conversations[one.ConversationPK]:
			err = errSamePerson // two messages into one conversation would change the same items
		}
		var refused *problem.Error
		switch {
		case err == nil:
			all[i].Prepared, conversations[one.ConversationPK] = one, true
		case errors.As(err, &refused):
			all[i].refused = refused
		default:
			return nil, err
		}
	}
	return all, nil
}

var (
	errPassedOn = problem.New("the recipient's number has passed to somebody else",
		problem.Error{Class: problem.Conflict})
	errNotOurNumber = problem.New("the number is not the tenant's any more", problem.Error{Class: problem.Conflict})
	errSamePerson   = problem.New("the same person gets another message about this already",
		problem.Error{Class: problem.Conflict})
)
