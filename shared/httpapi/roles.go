package httpapi

import (
	"slices"

	"github.com/haatline/haatline/shared/model"
)

// Role is a group of people with what its members may do. A token's scopes say what its bearer asked for; the bearer's roles
// say what they are given. For whom they may do it, the groups tenant:{id} say.
type Role struct {
	Group       string // as the user pool names it
	Description string
	Scopes      []string
}

// Platform is the group of the platform's own operators. They read everything, and change what belongs to a tenant only
// where they are in the tenant's group as well.
const Platform = "platform"

// Roles are all roles. A person in none of their groups may do nothing.
func Roles() []Role {
	operator := []string{InboxRead, InboxWrite, MessagesSend}
	supervisor := slices.Concat(operator, []string{OutboxRead, OutboxReplay, EventsRead})
	all := slices.Concat(supervisor, []string{EventsReplay, CustomersErase, AuditRead})
	return []Role{
		{"operator", "answers customers", operator},
		{"supervisor", "answers customers, and sends again what failed", supervisor},
		{"administrator", "may do everything for their tenants, erasure included", all},
		{"auditor", "reads everything of their tenants and changes nothing", []string{InboxRead, OutboxRead, EventsRead, AuditRead}},
		{Platform, "the platform's own operators: read everything of everybody, and change what is of their tenants", all},
	}
}

// given are those of a token's scopes that the bearer's groups give.
func given(scopes, groups []string) []string {
	var kept []string
	for _, scope := range scopes {
		if slices.ContainsFunc(Roles(), func(r Role) bool { return slices.Contains(groups, r.Group) && slices.Contains(r.Scopes, scope) }) {
			kept = append(kept, scope)
		}
	}
	return kept
}

// Owns reports whether what belongs to a tenant is the caller's to change.
func (c Caller) Owns(tenant model.TenantID) bool {
	return tenant != "" && slices.Contains(c.Tenants, tenant)
}

// Sees reports whether what belongs to a tenant is the caller's to read.
func (c Caller) Sees(tenant model.TenantID) bool { return c.Owns(tenant) || c.Platform && tenant != "" }
