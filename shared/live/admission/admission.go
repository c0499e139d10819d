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

// Request is what AppSync asks, as it writes it.
type Request struct {
	AuthorizationToken string `json:"authorizationToken"` // as the person has sent it
	RequestContext     struct {
		APIID     string `json:"apiId"`
		AccountID string `json:"accountId"`
		RequestID string `json:"requestId"`
		Operation string `json:"operation"`
		Namespace string `json:"channelNamespaceName,omitempty"`
		Channel   string `json:"channel,omitempty"` // none for Connect
	} `json:"requestContext"`
	RequestHeaders map[string]string `json:"requestHeaders,omitempty"`
}

// Answer is what AppSync reads. No answer counts for another request.
type Answer struct {
	IsAuthorized bool              `json:"isAuthorized"`
	Context      map[string]string `json:"handlerContext,omitempty"`
	Seconds      int               `json:"ttlOverride"` // for how long the answer counts
}

// Admit answers whether somebody may do what AppSync asks. It returns an error only if nobody can tell. Nobody in a
// session may publish.
func (g Gate) Admit(ctx context.Context, asked Request) (Answer, error) {
	text, ofSession := strings.CutPrefix(asked.AuthorizationToken, TokenPrefix)
	if !ofSession {
		return Answer{}, nil
	}
	token, err := g.Keys.Verify(ctx, text, g.Now())
	switch {
	case errors.Is(err, sessiontoken.ErrInvalid), errors.Is(err, sessiontoken.ErrExpired):
		return Answer{}, nil
	case err != nil:
		return Answer{}, err
	}
	may, err := g.may(ctx, token, asked)
	if !may || err != nil {
		return Answer{}, err
	}
	return Answer{IsAuthorized: true, Context: map[string]string{
		"sub": string(token.Subject), "tenant": string(token.Tenant)}}, nil
}

// may reports whether whoever has a token may do what is asked.
func (g Gate) may(ctx context.Context, token sessiontoken.Token, asked Request) (bool, error) {
	switch asked.RequestContext.Operation {
	case Connect:
		return true, nil
	case Subscribe:
		channel, is := live.Parse(asked.RequestContext.Channel)
		if !is || !channel.Of(token.Tenant) {
			return false, nil
		}
		return g.Rule.May(ctx, token, channel)
	}
	return false, nil
}
