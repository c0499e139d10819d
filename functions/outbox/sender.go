package main

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/messaging/awsclient"
	"github.com/haatline/haatline/shared/messaging/metaclient"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/whatsapp"
)

// sender sends the messages of all numbers: of those at AWS End User Messaging there, of all others to Meta itself.
type sender struct {
	meta *metaclient.Numbers
	aws  *awsclient.Numbers
}

// Send sends a message from a number.
func (s sender) Send(ctx context.Context, r whatsapp.Request) (taken whatsapp.Taken, err error) {
	id, err := s.aws.ID(ctx, r.PhoneNumberID)
	if err != nil {
		return taken, &whatsapp.SendError{
			Class: whatsapp.Retry, Cause: err, Meta: whatsapp.Error{Message: "the sending number could not be read"}}
	}
	if id != "" {
		return s.aws.Send(ctx, id, r)
	}
	err = s.meta.Call(r.PhoneNumberID, func(graph *whatsapp.Graph) (err error) {
		taken, err = graph.Send(ctx, r)
		return err
	})
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && refused.Class == whatsapp.StopSender {
		s.aws.Expire(r.PhoneNumberID) // it may have moved to AWS
	}
	return taken, err
}

// credential returns the fingerprint of what the number of a group of events now sends with: its token, or its id at
// AWS. It is called only for stopped numbers.
func (s sender) credential(ctx context.Context, group string) (string, error) {
	phone, ok := sending.SenderOf(group)
	if !ok {
		return "", nil
	}
	if atAWS, err := s.aws.Credential(ctx, phone); err != nil || atAWS != "" {
		return atAWS, err
	}
	return s.meta.Credential(ctx, phone)
}
