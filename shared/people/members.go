package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// ErrShared means that somebody may not set the roles of a person who works for others, too.
var ErrShared = errors.New("the person works for other tenants")

// Members keeps which person works for which tenants. It stands beside the user pool's groups, of which a pool and a
// person can have only so many.
type Members struct {
	DB  *dynamo.Client
	Now func() time.Time
}

// Given is a tenant that somebody gives to a person.
type Given struct {
	Subject model.Name
	Tenant  model.TenantID
	By      model.Name
	// Roles replace what the person may do; nil leaves it as it is. They hold for all of the person's tenants.
	Roles []string
	// Platform says that By may set the roles of a person who works for other tenants.
	Platform bool
}

// Give makes a person work for a tenant. Repeating changes nothing. It returns dynamo.ErrNotFound for somebody whom the
// directory does not know, and ErrShared. Its condition is that the person's tenants are as they were read.
func (m *Members) Give(ctx context.Context, g Given) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		person, member, err := m.read(ctx, g.Subject, g.Tenant)
		if err != nil {
			return err
		}
		next := person
		if member == nil {
			next.Tenants++
		}
		if g.Roles != nil && !slices.Equal(g.Roles, person.Roles) {
			if next.Tenants > 1 && !g.Platform {
				return problem.Breaks(ErrShared, "shared-person", "Works for others, too",
					"The person works for other tenants, and their roles hold for all of them. Leave the roles out, "+
						"or ask a platform operator.")
			}
			next.Roles = g.Roles
		}
		var writes []dynamo.Write
		if member == nil {
			put, err := m.member(g)
			if err != nil {
				return err
			}
			writes = append(writes, put)
		}
		return m.write(ctx, person, next, writes)
	})
}

// Take ends a person's work for a tenant. With the last tenant the roles go, too. Repeating changes nothing. Its
// condition is that the person's tenants are as they were read.
func (m *Members) Take(ctx context.Context, subject model.Name, tenant model.TenantID) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		person, member, err := m.read(ctx, subject, tenant)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && member == nil {
			return nil
		}
		if err != nil {
			return err
		}
		next := person
		if next.Tenants--; next.Tenants == 0 {
			next.Roles = nil
		}
		return m.write(ctx, person, next, []dynamo.Write{
			dynamo.Delete{Table: tables.Messages, Key: keys.Member(subject, tenant), If: dynamo.IfPresent}})
	})
}

// read reads a person of the directory, and the item of their tenant; nil if there is none.
func (m *Members) read(ctx context.Context, subject model.Name,
	tenant model.TenantID) (person model.Person, member dynamo.Item, err error) {
	refs := []dynamo.Ref{
		{Table: tables.Messages, Key: keys.Person(subject)},
		{Table: tables.Messages, Key: keys.Member(subject, tenant)}}
	found, err := m.DB.BatchGet(ctx, refs)
	if err != nil {
		return person, nil, fmt.Errorf("read a person: %w", err)
	}
	item := refs[0].Found(found)
	if item == nil {
		return person, nil, dynamo.ErrNotFound
	}
	return person, refs[1].Found(found), dynamo.Unmarshal(item, &person)
}

func (m *Members) member(g Given) (dynamo.Write, error) {
	now := model.At(m.Now())
	item, err := dynamo.Marshal(model.Member{
		PK: keys.Member(g.Subject, g.Tenant).Partition, ItemType: model.ItemMember, Subject: g.Subject,
		TenantID: g.Tenant, FromPK: keys.TenantsOf(g.Subject), ReceivedAt: now, GivenAt: now, GivenBy: g.By,
	})
	return dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent}, err
}

// write stores what has changed of a person, with the writes of their tenants.
func (m *Members) write(ctx context.Context, was, is model.Person, writes []dynamo.Write) error {
	if len(writes) == 0 && slices.Equal(was.Roles, is.Roles) {
		return nil
	}
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.ByPK(was.PK),
		Values: dynamo.Item{":tenants": dynamo.N(is.Tenants)},
	}
	u.If = dynamo.And(dynamo.IfPresent, dynamo.SameNumber("tenants", was.Tenants, u.Values))
	do := dynamo.Do{Set: []string{"tenants = :tenants"}, Remove: []string{"#roles"}}
	if is.Tenants == 0 {
		do = dynamo.Do{Remove: []string{"tenants", "#roles"}}
		delete(u.Values, ":tenants")
	}
	if len(is.Roles) > 0 {
		roles, err := dynamo.Value(is.Roles)
		if err != nil {
			return err
		}
		do.Set, do.Remove = append(do.Set, "#roles = :roles"), nil
		u.Values[":roles"] = roles
	}
	u.Do = do.String()
	return dynamo.Conflict(m.DB.Transact(ctx, append(writes, u)))
}

// Get returns a person who works for a tenant by an item, or dynamo.ErrNotFound.
func (m *Members) Get(ctx context.Context, subject model.Name, tenant model.TenantID) (model.Person, error) {
	person, member, err := m.read(ctx, subject, tenant)
	if err == nil && member == nil {
		err = dynamo.ErrNotFound
	}
	return person, err
}

// Choose puts a tenant first among those of a person, so that their next token holds it. It returns dynamo.ErrNotFound
// if the person does not work for the tenant.
func (m *Members) Choose(ctx context.Context, subject model.Name, tenant model.TenantID) error {
	err := m.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Member(subject, tenant), Do: "SET receivedAt = :now", If: dynamo.IfPresent,
		Values: dynamo.Item{":now": dynamo.S(model.At(m.Now()))},
	})
	if dynamo.IsConditionFailed(err) {
		return dynamo.ErrNotFound
	}
	return err
}

// Of returns a page of the people who work for a tenant by items, by subject, and where the next page goes on; "" if
// none follows. The index may be behind by a moment.
func (m *Members) Of(ctx context.Context, tenant model.TenantID, limit int,
	after model.Name) (all []model.Person, next model.Name, err error) {
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTenant, Where: "tenantId = :tenant AND itemType = :member",
		Limit:  int32(limit + 1), // one more shows whether a page follows
		Values: dynamo.Item{":tenant": dynamo.S(tenant), ":member": dynamo.S(model.ItemMember)},
	}
	if after != "" {
		query.After = dynamo.Item{
			"pk": dynamo.S(keys.Member(after, tenant).Partition), "tenantId": dynamo.S(tenant),
			"itemType": dynamo.S(model.ItemMember)}
	}
	page, err := m.DB.Query(ctx, query)
	if err != nil {
		return nil, "", fmt.Errorf("list people: %w", err)
	}
	var refs []dynamo.Ref
	for i, row := range page.Items {
		subject, _, _ := keys.MemberIDs(dynamo.Text(row, keys.PK))
		if i == limit {
			break
		}
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Person(subject)})
		if i == limit-1 && len(page.Items) > limit {
			next = subject
		}
	}
	found, err := m.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, "", fmt.Errorf("list people: %w", err)
	}
	for _, ref := range refs {
		var person model.Person
		if err := dynamo.Unmarshal(ref.Found(found), &person); err != nil {
			return nil, "", err
		}
		if person.Subject != "" {
			all = append(all, person)
		}
	}
	return all, next, nil
}
