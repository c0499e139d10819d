package httpapi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/model"
)

// Caller is the sender of a request, as verified by the authorizer.
type Caller struct {
	Subject   string
	Username  string // "" if the token has none
	RequestID string // API Gateway's id of the request
	IP        string // source address of the request
	UserAgent string
	Tenants   []model.TenantID // the tenants that the caller belongs to
	Roles     []string         // the caller's groups that grant scopes
	Scopes    []string         // the token's scopes, without those that no role of the caller grants
	Platform  bool             // a platform operator, who may read across tenants

	// Session is the session of a person who has signed in to a domain's own sessions, and SessionTenant the tenant to
	// which it belongs. Such a caller has no role and no tenants: Owns and Sees are false. An operator has no session.
	Session       model.Name
	SessionTenant model.TenantID
}

// inSession reads what the function that authorizes sessions has said. It returns nobody unless all of it is there.
func inSession(said map[string]any) Caller {
	text := func(name string) string {
		value, _ := said[name].(string)
		return value
	}
	subject, subjectErr := model.Parse[model.Name](text("sub"))
	session, sessionErr := model.Parse[model.Name](text("session"))
	tenant, tenantErr := model.Parse[model.TenantID](text("tenant"))
	if errors.Join(subjectErr, sessionErr, tenantErr) != nil {
		return Caller{}
	}
	return Caller{
		Subject: string(subject), Session: session, SessionTenant: tenant, Scopes: []string{CommunityUse}}
}

// callerOf reads the claims as API Gateway passes them on, with arrays flattened to [a b].
//
// It accepts only access tokens. Cognito's ID tokens name the client as their audience, so API Gateway accepts them;
// but a program passes an ID token on to prove who somebody is, and not so that others may act for them.
func callerOf(claims map[string]string) Caller {
	if use := claims["token_use"]; use != "" && use != "access" {
		return Caller{}
	}
	groups := list(claims["cognito:groups"])
	caller := Caller{
		Subject: claims["sub"], Username: claims["username"], Scopes: given(strings.Fields(claims["scope"]), groups),
		Platform: slices.Contains(groups, Platform),
	}
	for _, role := range roles {
		if slices.Contains(groups, role.Group) {
			caller.Roles = append(caller.Roles, role.Group)
		}
	}
	for _, group := range groups {
		if name, ok := strings.CutPrefix(group, "tenant:"); ok {
			if id, err := model.Parse[model.TenantID](name); err == nil {
				caller.Tenants = append(caller.Tenants, id)
			}
		}
	}
	return caller
}

// programName returns the beginning of a User-Agent header, without unprintable characters. Every audit record contains
// it, and a header may be forty times as long.
func programName(agent string) string {
	const most = 256
	shown := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, agent)
	return model.Truncate(shown, most)
}

// list splits a flattened array at blanks only. A group's name contains no blank, but it may contain a comma or a
// bracket.
func list(flattened string) []string {
	if inner, ok := strings.CutPrefix(flattened, "["); ok {
		flattened = strings.TrimSuffix(inner, "]")
	}
	return strings.Fields(flattened)
}

type callerKey struct{}

func withCaller(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerOf returns the caller of a request. Operations behind the security middleware always have one with a subject,
// except those that need nothing.
func CallerOf(ctx context.Context) Caller {
	caller, _ := ctx.Value(callerKey{}).(Caller)
	return caller
}
