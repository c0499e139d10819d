// Package communityapi is the part of the API for communities. It has three kinds of callers: everybody, who signs up
// and signs in; people in sessions; and operators, who set communities up.
package communityapi

import (
	"context"
	"crypto/rand"
	_ "embed" // embeds the examples
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/access"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/people"
	"github.com/haatline/haatline/shared/ratelimit"
)

// service answers the operations. Its own registry is that of operators.
type service struct {
	*operations.Registry
	*community.Domain
	Access  *access.Access
	session *operations.Registry // of people in sessions
}

const (
	accessTag   = "Access to communities"
	meTag       = "Community people"
	settingsTag = "Community settings"
)

//go:embed examples.json
var examples []byte

// API is what the domain adds to the API.
var API = httpapi.Part{
	Examples: examples,
	Name:     community.Name,
	Tags: []*huma.Tag{
		{Name: accessTag,
			Description: "How people of communities sign up, sign in and stay signed in. Needs no token."},
		{Name: meTag, Description: "People of communities: oneself, and others."},
		{Name: communitiesTag, Description: "Communities, their members, and invitations."},
		{Name: chatsTag, Description: "Group chats of a community, and private chats of two."},
		{Name: messagesTag, Description: "What is written in chats."},
		{Name: requestsTag, Description: "Requests to join private group chats."},
		{Name: notificationsTag, Description: "What one is told."},
		{Name: moderationTag, Description: "What members report, and what moderators do about it."},
		{Name: bridgesTag, Description: "Group chats that are mirrored to WhatsApp groups, and who writes from there."},
		{Name: settingsTag, Description: "How operators set communities up, and find and disable their people."},
	},
	Describe: func(api huma.API) {
		d := community.New(community.Config{})
		Register(api, d, Access(d, nil), slog.New(slog.DiscardHandler))
	},
}

// Access returns what lets people in: the room that weighs much, so that only the function of the API links it. tokens
// signs access tokens: sessiontoken.Keys.
func Access(d *community.Domain, tokens access.Tokens) *access.Access {
	return &access.Access{
		DB: d.DB, Now: d.Now, NewID: d.NewID, Fill: func(b []byte) { _, _ = rand.Read(b) }, // it never fails
		Domain: community.Name, Cost: access.Standard, Tokens: tokens, Mailing: d.Mailing, Users: d.Users,
		Sender: d.Sender, Numbers: d.Numbers, Limiter: d.Limiter, Guesses: access.Guesses, Network: access.Network,
	}
}

// New puts the operations on a mux, and nothing else.
func New(mux *http.ServeMux, d *community.Domain, a *access.Access, logger *slog.Logger) huma.API {
	api := httpapi.New(mux, API)
	Register(api, d, a, logger)
	return api
}

// Register adds the operations to an API.
func Register(api huma.API, d *community.Domain, a *access.Access, logger *slog.Logger) {
	o := &service{
		Registry: &operations.Registry{
			API: api, Log: logger, Audit: d.Audit, People: &people.Directory{DB: d.DB, Now: d.Now}},
		Domain: d, Access: a,
	}
	inSession := *o.Registry
	inSession.API = operations.LimitedBy(o.identified(api), d.Limiter, o.writes, logger)
	o.session = &inSession
	o.access()
	o.me()
	o.others()
	o.communities()
	o.chats()
	o.messages()
	o.files()
	o.pictures()
	o.requests()
	o.notifications()
	o.digest()
	o.moderation()
	o.bridges()
	o.settings()
	o.people()
}

// personKey is the key of who calls, in the context of a request of somebody in a session.
type personKey struct{}

// identity is who calls, or why nobody does.
type identity struct {
	person communitymodel.User
	err    error
}

// identified returns an API that finds out who calls, once for a request. An operation learns it by person.
func (o *service) identified(api huma.API) huma.API {
	group := huma.NewGroup(api)
	group.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		var is identity
		caller := httpapi.CallerOf(ctx.Context())
		is.person, is.err = o.Access.Identify(ctx.Context(), caller.Session, model.Name(caller.Subject))
		if is.err == nil && is.person.TenantID != caller.SessionTenant {
			is = identity{err: access.ErrEnded}
		}
		next(huma.WithValue(ctx, personKey{}, is))
	})
	return group
}

// person returns who calls an operation for people in sessions. It returns access.ErrEnded and access.ErrDisabled.
func (o *service) person(ctx context.Context) (communitymodel.User, error) {
	is, known := ctx.Value(personKey{}).(identity)
	if !known {
		return communitymodel.User{}, access.ErrEnded
	}
	return is.person, is.err
}

// writes returns the limit of what somebody changes: a stricter one on their first day. There is none for what they
// read, and for their presence, which is stored nowhere and has a limit of its own that writes nothing.
func (o *service) writes(ctx huma.Context) ratelimit.Limit {
	if ctx.Method() == http.MethodGet || ctx.Operation().OperationID == setPresence {
		return ratelimit.Limit{}
	}
	person, err := o.person(ctx.Context())
	if err == nil && o.Now().Sub(person.CreatedAt.Go()) < 24*time.Hour {
		return o.FirstDay
	}
	switch ctx.Operation().OperationID {
	case uploadFile, "upload-my-picture", "upload-community-picture":
		return o.Uploads
	}
	return o.Writes
}

// read registers an operation that reads for a person in a session.
func read[I, O any](o *service, op huma.Operation,
	handle func(context.Context, *I, communitymodel.User) (*O, error)) {
	op.Security = httpapi.NeedsSession()
	operations.Read(o.session, op, func(ctx context.Context, in *I) (*O, error) {
		person, err := o.person(ctx)
		if err != nil {
			return nil, err
		}
		return handle(ctx, in, person)
	})
}

// change registers an operation by which a person in a session changes something. It leaves no audit record: what is
// changed says who did it.
func change[I, O any](o *service, op huma.Operation,
	handle func(context.Context, *I, communitymodel.User) (*O, error)) {
	op.Security = httpapi.NeedsSession()
	operations.Change(o.session, op,
		func(ctx context.Context, _ *I) (communitymodel.User, operations.Subject, error) {
			person, err := o.person(ctx)
			return person, operations.Subject{}, err
		}, handle)
}

// done is the answer of an operation that has nothing to show.
type done struct{}
