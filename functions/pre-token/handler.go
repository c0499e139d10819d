package main

import (
	"context"
	"fmt"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/people"
)

// Handler answers Cognito's question about a token, in its first version.
type Handler struct{ Members *people.Members }

// Handle adds to the groups of a token what the person's items say. If they cannot be read there is no token: one
// without a person's tenants would be good for an hour.
func (h Handler) Handle(ctx context.Context,
	event events.CognitoEventUserPoolsPreTokenGen) (events.CognitoEventUserPoolsPreTokenGen, error) {
	subject, err := model.Parse[model.Name](event.Request.UserAttributes["sub"])
	if err != nil {
		return event, fmt.Errorf("the subject of a token: %w", err)
	}
	pool := event.Request.GroupConfiguration
	groups, err := h.Members.Groups(ctx, subject, pool.GroupsToOverride)
	if err != nil {
		return event, err
	}
	pool.GroupsToOverride = groups
	event.Response.ClaimsOverrideDetails.GroupOverrideDetails = pool
	return event, nil
}
