package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/sessiontoken"
	"github.com/haatline/haatline/shared/telemetry"
)

// Handler answers API Gateway's questions (payload 2.0) in their simple form.
type Handler struct {
	Keys sessiontoken.Keys
	Now  func() time.Time
	Log  *slog.Logger
}

// Handle says whose session the request's token is of. It returns an error only if the keys are not there: then nobody
// knows whether the token is good, and the caller should try again.
func (h Handler) Handle(ctx context.Context,
	event events.APIGatewayV2CustomAuthorizerV2Request) (events.APIGatewayV2CustomAuthorizerSimpleResponse, error) {
	ctx = telemetry.WithCorrelation(ctx, event.RequestContext.RequestID)
	var refused events.APIGatewayV2CustomAuthorizerSimpleResponse
	token, err := h.Keys.Verify(ctx, bearer(event), h.Now())
	switch {
	case errors.Is(err, sessiontoken.ErrInvalid), errors.Is(err, sessiontoken.ErrExpired):
		h.Log.InfoContext(ctx, "token refused", "route", event.RouteKey, "reason", err.Error())
		return refused, nil
	case err != nil:
		return refused, err
	}
	return events.APIGatewayV2CustomAuthorizerSimpleResponse{
		IsAuthorized: true,
		Context: map[string]any{
			"sub": string(token.Subject), "session": string(token.Session), "tenant": string(token.Tenant)},
	}, nil
}

// bearer returns the token of the header Authorization, or "" for another scheme.
func bearer(event events.APIGatewayV2CustomAuthorizerV2Request) string {
	if len(event.IdentitySource) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(event.IdentitySource[0]), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
