package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// TenantGroup begins the groups that say for which tenants somebody works.
const TenantGroup = "tenant:"

// A token is a header of each request, and API Gateway takes 10 KB of headers. So it holds the groups of this many
// tenants, fewer if their names are long: those that were chosen or given last.
const (
	maxTenants    = 200
	maxGroupBytes = 5000
	ofGroup       = len(`"",`) // beside a group's name
)

// Groups returns the groups of a person's token: those of the user pool, as they are, and those that follow from the
// person's items. What the pool says of tenants it says of the roles, too: an item's roles count only where all tenants
// come from items.
func (m *Members) Groups(ctx context.Context, subject model.Name, pool []string) ([]string, error) {
	page, err := m.DB.Query(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :person", Backwards: true, Limit: maxTenants,
		Values: dynamo.Item{":person": dynamo.S(keys.TenantsOf(subject))},
	})
	if err != nil {
		return nil, fmt.Errorf("read a person's tenants: %w", err)
	}
	groups, left := slices.Clone(pool), maxGroupBytes
	for _, group := range pool {
		left -= len(group) + ofGroup
	}
	for _, row := range page.Items {
		_, tenant, _ := keys.MemberIDs(dynamo.Text(row, keys.PK))
		group := TenantGroup + string(tenant)
		if left -= len(group) + ofGroup; tenant == "" || left < 0 {
			break
		}
		if !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	if len(page.Items) == 0 || slices.ContainsFunc(pool, ofTenant) {
		return groups, nil
	}
	var person model.Person
	err = m.DB.Get(ctx, tables.Messages, keys.Person(subject), &person)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, fmt.Errorf("read a person's roles: %w", err)
	}
	for _, role := range person.Roles {
		if !slices.Contains(groups, role) {
			groups = append(groups, role)
		}
	}
	return groups, nil
}

func ofTenant(group string) bool { return strings.HasPrefix(group, TenantGroup) }
