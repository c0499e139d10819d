package httpapi

import (
	"slices"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// Role is a user group and what its members may do. A token's scopes are what its bearer asked for; the bearer's roles
// decide which of them are granted. The groups tenant:{id} decide for which tenants.
type Role struct {
	Group       string // name of the group in the user pool
	Description string
	Scopes      []string
}

// Platform is the group of the platform operators. They may read everything. They may change a tenant's data only if
// they are also in the tenant's group.
const Platform = "platform"

// The groups of the roles.
const (
	operator      = "operator"
	supervisor    = "supervisor"
	administrator = "administrator"
	auditor       = "auditor"
	cashier       = "cashier"
	owner         = "owner"
	cardholder    = "cardholder"
)

// roles are all roles, without their scopes. A person in none of their groups may do nothing.
var roles = []Role{
	{Group: operator, Description: "answers customers"},
	{Group: supervisor, Description: "answers customers, and sends again what failed"},
	{Group: administrator, Description: "may do everything for their tenants, erasure included"},
	{Group: auditor, Description: "reads everything of their tenants and changes nothing"},
	{Group: cashier, Description: "writes credit sales and payments down"},
	{Group: owner, Description: "runs a shop: its orders, what it sells, and its books"},
	{Group: cardholder, Description: "sees and uses their own cards"},
	{Group: Platform,
		Description: "the platform's own operators: read everything of everybody, change what is of their tenants, " +
			"and create and disable tenants"},
}

// Roles returns all roles with their scopes.
func Roles() []Role {
	all := slices.Clone(roles)
	for i, role := range all {
		for _, scope := range Scopes() {
			if scope.givenTo(role.Group) {
				all[i].Scopes = append(all[i].Scopes, scope.Name)
			}
		}
	}
	return all
}

// granting holds the groups that grant a scope, by the scope's name. Every request asks for them.
var granting = lazy.Of[map[string][]string]{Make: func() map[string][]string {
	groups := map[string][]string{}
	for _, role := range Roles() {
		for _, scope := range role.Scopes {
			groups[scope] = append(groups[scope], role.Group)
		}
	}
	return groups
}}

// givenTo reports whether the members of a group get the scope.
func (s Scope) givenTo(group string) bool {
	has := func(groups ...string) bool {
		return slices.ContainsFunc(groups, func(group string) bool { return slices.Contains(s.Roles, group) })
	}
	switch group {
	case supervisor:
		return has(operator, supervisor)
	case administrator:
		return has(operator, supervisor, administrator)
	case Platform:
		return has(operator, supervisor, administrator, Platform)
	}
	return has(group)
}

// given returns those of a token's scopes that the bearer's groups grant.
func given(scopes, groups []string) []string {
	var kept []string
	for _, scope := range scopes {
		if slices.ContainsFunc(granting.Get()[scope],
			func(group string) bool { return slices.Contains(groups, group) }) {
			kept = append(kept, scope)
		}
	}
	return kept
}

// RolesFor returns the caller's roles that grant a scope.
func (c Caller) RolesFor(scope string) []string {
	var all []string
	for _, group := range granting.Get()[scope] {
		if slices.Contains(c.Roles, group) {
			all = append(all, group)
		}
	}
	return all
}

// Owns reports whether the caller may change a tenant's data.
func (c Caller) Owns(tenant model.TenantID) bool {
	return tenant != "" && slices.Contains(c.Tenants, tenant)
}

// Sees reports whether the caller may read a tenant's data.
func (c Caller) Sees(tenant model.TenantID) bool { return c.Owns(tenant) || c.Platform && tenant != "" }
