package main

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/sessiontoken"
)

// gate admits people to their own channel, and to those of their chats.
func gate(db *dynamo.Client, keys sessiontoken.Keys) admission.Gate {
	return admission.Gate{
		Keys: keys, Now: time.Now, Rule: rule{community.New(community.Config{DB: db, Now: time.Now})}}
}

// rule says who may listen.
type rule struct{ *community.Domain }

func (r rule) May(ctx context.Context, token sessiontoken.Token, channel live.Channel) (bool, error) {
	return r.Listens(ctx, token.Tenant, token.Subject, channel)
}
