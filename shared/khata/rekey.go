package khata

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// rekey joins the accounts of a person who was known under two keys: they have one debt, one limit and one reminder a
// period. What they have said that they have paid is one list.
func (d *Domain) rekey(ctx context.Context, of contacts.Rekeyed) error {
	id, tenant, err := d.Numbers.StoreOf(ctx, of.Phone)
	if err != nil || id == "" {
		return err
	}
	s, err := d.Shops.Shop(ctx, id)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && s.Tenant != tenant {
		return nil
	}
	if err != nil {
		return err
	}
	if err := d.Ledger.Join(ctx, s, model.PhoneOf(of.From), model.PhoneOf(of.To)); err != nil {
		return err
	}
	return d.Claims.Move(ctx, s, model.PhoneOf(of.From), model.PhoneOf(of.To))
}
