package httpapi

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/model"
)

// Caller is who a request comes from, as the authorizer has verified it.
type Caller struct {
	Subject   string
	Username  string // "" where the token has none
	RequestID string // of the request, as the gateway calls it
	IP        string // where the request comes from
	UserAgent string
	Tenants   []model.TenantID // whose people the caller is one of
	Roles     []string         // the groups that give scopes
	Scopes    []string         // those of the token that the caller's roles give
	Platform  bool             // the platform's own operator, who may read what mixes tenants
}

// callerOf reads the claims as the HTTP API hands them on: arrays are flattened to [a b].
//
// A token that says it is for something else than access is none. Cognito's ID tokens name the client as their audience, so the
// gateway lets them pass; a program hands them to others as a proof of who somebody is, and not so that they may act.
func callerOf(claims map[string]string) Caller {
	if use := claims["token_use"]; use != "" && use != "access" {
		return Caller{}
	}
	groups := list(claims["cognito:groups"])
	caller := Caller{
		Subject: claims["sub"], Username: claims["username"], Scopes: given(strings.Fields(claims["scope"]), groups),
		Platform: slices.Contains(groups, Platform),
	}
	for _, role := range Roles() {
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

// programName is the beginning of a User-Agent header, without what is not printable: it stands in every audit record, and a
// header may be forty times as long.
func programName(agent string) string {
	const most = 256
	shown := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, agent)
	end := min(len(shown), most)
	for end < len(shown) && !utf8.RuneStart(shown[end]) {
		end--
	}
	return shown[:end]
}

// list takes a flattened array apart. A group's name holds no blank, but it may hold a comma or a bracket, so nothing else
// separates.
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

// CallerOf is who the request comes from; operations behind the security middleware always have one.
func CallerOf(ctx context.Context) Caller {
	caller, _ := ctx.Value(callerKey{}).(Caller)
	return caller
}
