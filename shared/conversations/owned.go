package conversations

import (
	"context"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tenancy"
)

// maxOwned bounds the companies that are counted.
const maxOwned = 100

// owned returns how many companies a tenant has.
func (d *Domain) owned(ctx context.Context, tenant model.TenantID) ([]tenancy.Belonging, error) {
	all, err := d.Companies.ListOf(ctx, tenant, maxOwned, "")
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return []tenancy.Belonging{{Kind: "companies", Count: len(all), More: len(all) == maxOwned}}, nil
}
