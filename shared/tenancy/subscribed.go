package tenancy

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// MarkSubscribed has the numbers of a tenant say whether somebody outside is told events of the tenant. It may run
// again after any failure. The condition of each write is that the number is still the tenant's; one that joins it
// later says so from then on.
func (s *Tenants) MarkSubscribed(ctx context.Context, id model.TenantID, heard bool) error {
	phones, err := s.numbers(ctx, id)
	if err != nil {
		return err
	}
	for _, phone := range phones {
		u := dynamo.Update{
			Table: tables.Messages, Key: keys.Phone(phone), Do: "SET subscribed = :true",
			If:     "tenantId = :tenant AND attribute_not_exists(subscribed)",
			Values: dynamo.Item{":tenant": dynamo.S(id), ":true": dynamo.Bool(true)},
		}
		if !heard {
			u.Do, u.If = "REMOVE subscribed", "tenantId = :tenant AND attribute_exists(subscribed)"
			delete(u.Values, ":true")
		}
		err := s.DB.Update(ctx, u)
		if err := dynamo.IgnoreConditionFailed(err); err != nil {
			return fmt.Errorf("mark %s: %w", phone, err)
		}
	}
	return nil
}

// Subscribed reports whether somebody outside is told events of a tenant.
func (s *Tenants) Subscribed(ctx context.Context, id model.TenantID) (bool, error) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Tenant(id)}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	return ref.Found(found)["subscriptionIds"] != nil, err
}

// ListWrite returns the write of the list of those outside who are told events of a tenant. The condition is that the
// list is as it was read.
func (s *Tenants) ListWrite(id model.TenantID, was, next []model.Name) (dynamo.Write, error) {
	values := dynamo.Item{}
	var before dynamo.AttributeValue
	var err error
	if len(was) > 0 {
		if before, err = dynamo.Value(was); err != nil {
			return nil, err
		}
	}
	asRead := dynamo.Same("subscriptionIds", before, values)
	if len(next) == 0 {
		return dynamo.Update{
			Table: tables.Messages, Key: keys.Tenant(id), Do: "REMOVE subscriptionIds",
			If: dynamo.And(dynamo.IfPresent, asRead), Values: values}, nil
	}
	list, err := dynamo.Value(next)
	if err != nil {
		return nil, err
	}
	values[":list"] = list
	u := Founding(id, s.Now(), "subscriptionIds = :list", values)
	u.If = dynamo.And("("+u.If+")", asRead)
	return u, nil
}
