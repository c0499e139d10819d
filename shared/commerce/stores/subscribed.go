package stores

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// markPage is how many stores are read at once.
const markPage = 100

// MarkSubscribed has the stores of a tenant say whether somebody outside is told events of the tenant. It may run again
// after any failure. The condition of each write is that the store is there and does not say so already. It makes a new
// version, so that nobody who has read the store before writes over it.
func (s *Stores) MarkSubscribed(ctx context.Context, tenant model.TenantID, heard bool) error {
	for after := ""; ; {
		all, next, err := s.List(ctx, Filter{Tenant: tenant}, markPage, after)
		if err != nil {
			return err
		}
		for _, store := range all {
			if store.Subscribed == heard {
				continue
			}
			if err := s.mark(ctx, store, heard); err != nil {
				return fmt.Errorf("mark %s: %w", store.ID, err)
			}
		}
		if next == "" {
			return nil
		}
		after = next
	}
}

func (s *Stores) mark(ctx context.Context, store commercemodel.Store, heard bool) error {
	u := dynamo.Update{
		Table: tables.Stores, Key: keys.Store(store.ID), Do: "SET subscribed = :true, version = version + :one",
		If:     "attribute_exists(pk) AND attribute_not_exists(subscribed)",
		Values: dynamo.Item{":true": dynamo.Bool(true), ":one": dynamo.N(1)},
	}
	if !heard {
		u.Do, u.If = "SET version = version + :one REMOVE subscribed", "attribute_exists(subscribed)"
		delete(u.Values, ":true")
	}
	err := s.DB.Update(ctx, u)
	return dynamo.IgnoreConditionFailed(err)
}
