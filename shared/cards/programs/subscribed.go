package programs

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// MarkSubscribed has a tenant's program say whether somebody outside is told events of the tenant. It may run again
// after any failure. The condition is that there is a program, and it does not say so already. It makes a new version,
// so that nobody who has read the program before writes over it.
func (s *Programs) MarkSubscribed(ctx context.Context, tenant model.TenantID, heard bool) error {
	u := dynamo.Update{
		Table: tables.CardUsers, Key: keys.CardProgram(tenant), Do: "SET subscribed = :true, version = version + :one",
		If:     "attribute_exists(ecosystemId) AND attribute_not_exists(subscribed)",
		Values: dynamo.Item{":true": dynamo.Bool(true), ":one": dynamo.N(1)},
	}
	if !heard {
		u.Do, u.If = "SET version = version + :one REMOVE subscribed", "attribute_exists(subscribed)"
		delete(u.Values, ":true")
	}
	err := s.DB.Update(ctx, u)
	if err := dynamo.IgnoreConditionFailed(err); err != nil {
		return fmt.Errorf("mark the card program: %w", err)
	}
	return nil
}
