package commerce

import (
	"context"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tenancy"
)

// maxOwned bounds the stores that are counted.
const maxOwned = 100

// owned returns how many stores a tenant has.
func (d *Domain) owned(ctx context.Context, tenant model.TenantID) ([]tenancy.Belonging, error) {
	n, more, err := d.Stores.Count(ctx, tenant, maxOwned)
	if err != nil || n == 0 {
		return nil, err
	}
	return []tenancy.Belonging{{Kind: "stores", Count: n, More: more}}, nil
}
