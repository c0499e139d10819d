package whatsapp

import (
	"context"
	"net/url"
	"strings"
	"time"
)

// TokenEnds returns when the access token ends; the zero time for never. Every error is a *SendError, and holds no
// token.
func (g *Graph) TokenEnds(ctx context.Context) (time.Time, error) {
	token, err := g.Token(ctx)
	if err != nil {
		return time.Time{}, &SendError{
			Class: Retry, Cause: err, Meta: Error{Message: "the access token could not be read"}}
	}
	query := url.Values{"input_token": {strings.TrimSpace(token)}}
	status, answer, err := g.get(ctx, "debug_token?"+query.Encode())
	if err != nil {
		return time.Time{}, err
	}
	data := asObject(answer).Object("data")
	if status >= 300 || data["is_valid"] == nil {
		return time.Time{}, &SendError{
			Class: Retry, HTTP: status, Meta: Error{Message: "the answer does not describe the token"}}
	}
	if at := data.Int("expires_at"); at > 0 {
		return time.Unix(at, 0), nil
	}
	return time.Time{}, nil
}
