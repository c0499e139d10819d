// Package admission decides who may listen to a live channel. AWS AppSync asks it before a person in a session connects
// and before they subscribe.
package admission

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/sessiontoken"
)

// TokenPrefix begins what a person in a session sends as authorization. AppSync asks nobody about a token that looks as
// if the user pool had signed it, so the token of a session must not look so.
const TokenPrefix = "session."

// The operations that AppSync asks about.
const (
	Connect   = "EVENT_CONNECT"
	Subscribe = "EVENT_SUBSCRIBE"
	Publish   = "EVENT_PUBLISH"
)

// Rule says whether a person may listen to a channel of their tenant.
type Rule interface {
	May(ctx context.Context, token sessiontoken.Token, channel live.Channel) (bool, error)
}

// Own is the rule that everybody listens to their own channel, and to no other.
type Own struct{}

// May reports whether the channel is the person's own.
func (Own) May(_ context.Context, token sessiontoken.Token, channel live.Channel) (bool, error) {
	return channel == live.OfPerson(token.Tenant, token.Subject), nil
}

// Gate decides.
type Gate struct {
	Keys sessiontoken.Keys
	Now  func() time.Time
	Rule Rule
}

// Question is what AppSync asks.
type Question struct {
	Authorization string // as the person has sent it
	Operation     string
	Channel       string // "" for Connect
}

// Admit returns whose token it is, and whether they may do what is asked. It returns an error only if nobody can tell.
// Nobody in a session may publish.
func (g Gate) Admit(ctx context.Context, q Question) (token sessiontoken.Token, may bool, err error) {
	text, ofSession := strings.CutPrefix(q.Authorization, TokenPrefix)
	if !ofSession {
		return token, false, nil
	}
	token, err = g.Keys.Verify(ctx, text, g.Now())
	switch {
	case errors.Is(err, sessiontoken.ErrInvalid), errors.Is(err, sessiontoken.ErrExpired):
		return token, false, nil
	case err != nil:
		return token, false, err
	}
	switch q.Operation {
	case Connect:
		return token, true, nil
	case Subscribe:
		channel, is := live.Parse(q.Channel)
		if !is || !channel.Of(token.Tenant) {
			return token, false, nil
		}
		may, err = g.Rule.May(ctx, token, channel)
		return token, may && err == nil, err
	}
	return token, false, nil
}
