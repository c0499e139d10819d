package main

import (
	"context"

	"github.com/haatline/haatline/shared/messaging/metaclient"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/whatsapp"
)

// sender sends the messages of all numbers.
type sender struct{ *metaclient.Numbers }

// Send sends a message from a number.
func (s sender) Send(ctx context.Context, r whatsapp.Request) (taken whatsapp.Taken, err error) {
	err = s.Call(r.PhoneNumberID, func(graph *whatsapp.Graph) (err error) {
		taken, err = graph.Send(ctx, r)
		return err
	})
	return taken, err
}

// credential returns the fingerprint of the token that the number of a group of events now sends with. It is called
// only for stopped numbers.
func (s sender) credential(ctx context.Context, group string) (string, error) {
	phone, ok := sending.SenderOf(group)
	if !ok {
		return "", nil
	}
	return s.Credential(ctx, phone)
}
