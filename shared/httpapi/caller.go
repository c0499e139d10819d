package httpapi

import (
	"context"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// Caller is who a request comes from, as the authorizer has verified it.
type Caller struct {
	Subject   string
	Username  string           // "" where the token has none
	RequestID string           // of the request, as the gateway calls it
	Tenants   []model.TenantID // whose people the caller is one of
	Scopes    []string
	Platform  bool // the platform's own operator, who may read what mixes tenants
}

// platformGroup is the group of the platform's own operators.
const platformGroup = "platform"

// Owns says whether what belongs to a tenant is the caller's to see.
func (c Caller) Owns(tenant model.TenantID) bool {
	return tenant != "" && slices.Contains(c.Tenants, tenant)
}

// callerOf reads the claims as the HTTP API hands them on: arrays are flattened to [a b].
func callerOf(claims map[string]string) Caller {
	caller := Caller{Subject: claims["sub"], Username: claims["username"], Scopes: strings.Fields(claims["scope"])}
	for _, group := range list(claims["cognito:groups"]) {
		if group == platformGroup {
			caller.Platform = true
		}
		if name, ok := strings.CutPrefix(group, "tenant:"); ok {
			if id, err := model.Parse[model.TenantID](name); err == nil {
				caller.Tenants = append(caller.Tenants, id)
			}
		}
	}
	return caller
}

func list(flattened string) []string {
	return strings.FieldsFunc(strings.Trim(flattened, "[]"), func(r rune) bool { return r == ' ' || r == ',' })
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
