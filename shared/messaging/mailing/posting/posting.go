// Package posting sends the emails that package mailing has taken. It weighs much, so that only the function of the
// slow lane holds it.
package posting

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail"
	"github.com/haatline/haatline/shared/mail/ses"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Client sends emails: ses.Client.
type Client interface {
	// Send returns the Message-ID that the email has at its recipient.
	Send(ctx context.Context, email ses.Email) (id string, err error)
}

// Handlers returns the handler of the outbox events that send emails. It is one of the slow lane.
func Handlers(m *mailing.Mailing, client Client) map[string]outbox.Handler {
	return map[string]outbox.Handler{mailing.EventType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) { return send(ctx, client, event) },
		Pace: pace, Still: m.Still, Inform: m.Inform,
	}}
}

// bucket is how fast emails go out from one address. SES takes 14 a second from a new account, and says so itself if an
// account may send less.
var bucket = outbox.Bucket{Burst: 10, Every: 100 * time.Millisecond}

// SenderGroup returns the group of the outbox that holds all emails from an address. A stop of it holds up nothing that
// goes by another channel or from another address.
func SenderGroup(from string) string { return "email:" + from }

func pace(event model.OutboxEvent) outbox.Pace {
	email, _ := mailing.Of(event) // send says what cannot be read
	return outbox.Pace{Group: bucket, GroupKey: SenderGroup(email.From)}
}

// Tag returns how an event is named in SES's notices about its email. A tag has no dots.
func Tag(event string) string { return strings.TrimPrefix(event, keys.LaneSlow+".") }

// send sends one email. SES gives every one a Message-ID of its own, so that a server cannot tell that it has the same
// email already. It is not sent again if the result of an attempt is unknown.
func send(ctx context.Context, client Client, event model.OutboxEvent) (string, error) {
	email, err := mailing.Of(event)
	if err != nil {
		return "", &outbox.Failure{Reason: "the stored email cannot be read", Attempts: 1}
	}
	if event.PossibleDuplicate {
		return "", sending.Unknown("email")
	}
	raw, err := mail.Bytes(written(email, event))
	if err != nil {
		return "", outbox.Unreadable(err)
	}
	id, err := client.Send(ctx, ses.Email{From: email.From, To: email.To, Raw: raw, Event: Tag(event.EventID)})
	var refused *ses.Refused
	switch {
	case err == nil:
		return id, nil
	case !errors.As(err, &refused):
		return "", sending.Unknown("email")
	}
	return "", refusals[refused.Meaning()].Failure(refused.Error(), event)
}

// refusals are what follows from SES's refusals.
var refusals = map[ses.Meaning]sending.Refusal{
	ses.Never: sending.Never, ses.Later: sending.Later, ses.TooFast: sending.TooFast, ses.Stopped: sending.Stopped,
}

// written returns the message of an email. Its Message-ID and its date follow from the event: an event that is sent
// again sends the same message.
func written(email mailing.Email, event model.OutboxEvent) mail.Message {
	_, host, _ := strings.Cut(email.From, "@")
	return mail.Message{
		From: mail.Person{Name: email.FromName, Address: email.From}, To: email.To, Subject: email.Subject,
		Text: email.Text, Date: event.CreatedAt.Go(), ID: event.EventID + "@" + host,
		ReplyOf: email.ReplyOf, Thread: email.Thread, Automatic: email.Automatic,
		Leave: mail.Leave{Address: email.From},
	}
}
