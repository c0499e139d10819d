package httpapi

import (
	"slices"

	"github.com/haatline/haatline/shared/model"
)

// Role is a user group and what its members may do. A token's scopes are what its bearer asked for; the bearer's roles
// decide which of them are granted. The groups tenant:{id} decide for which tenants.
type Role struct {
	Group       string // name of the group in the user pool
	Description string
	Scopes      []string
}

// Platform is the group of the platform operators. They may read everything. They may change a tenant's data only if they
// are also in the tenant's group.
const Platform = "platform"

// Roles returns all roles. A person in none of their groups may do nothing.
func Roles() []Role {
	operator := []string{InboxRead, InboxWrite, MessagesSend, CardsRead, StoresRead, OrdersWrite, KhataRead, KhataAdd}
	supervisor := slices.Concat(operator, []string{OutboxRead, OutboxReplay, EventsRead, CardsWrite, StoresManage})
	all := slices.Concat(supervisor, []string{EventsReplay, CustomersErase, AuditRead, CardsDecide, KhataManage})
	return []Role{
		{"operator", "answers customers", operator},
		{"supervisor", "answers customers, and sends again what failed", supervisor},
		{"administrator", "may do everything for their tenants, erasure included", all},
		{"auditor", "reads everything of their tenants and changes nothing", []string{InboxRead, OutboxRead, EventsRead, AuditRead, CardsRead, StoresRead, KhataRead}},
		{"cashier", "writes credit sales and payments down", []string{StoresRead, KhataRead, KhataAdd}},
		{"owner", "runs a shop: its orders, what it sells, and its books", []string{InboxRead, InboxWrite, MessagesSend, StoresRead, StoresManage, OrdersWrite, KhataRead, KhataAdd, KhataManage}},
		{"cardholder", "sees and uses their own cards", []string{CardsOwn}},
		{Platform, "the platform's own operators: read everything of everybody, and change what is of their tenants", all},
	}
}

// given returns those of a token's scopes that the bearer's groups grant.
func given(scopes, groups []string) []string {
	var kept []string
	for _, scope := range scopes {
		if slices.ContainsFunc(Roles(), func(r Role) bool { return slices.Contains(groups, r.Group) && slices.Contains(r.Scopes, scope) }) {
			kept = append(kept, scope)
		}
	}
	return kept
}

// Owns reports whether the caller may change a tenant's data.
func (c Caller) Owns(tenant model.TenantID) bool {
	return tenant != "" && slices.Contains(c.Tenants, tenant)
}

// Sees reports whether the caller may read a tenant's data.
func (c Caller) Sees(tenant model.TenantID) bool { return c.Owns(tenant) || c.Platform && tenant != "" }
