package commerce

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// NumberSuspended reports whether the shop's own number has passed to somebody else since it was set or confirmed.
// Whoever has it then is told nothing, and may write no entries.
func (d *Domain) NumberSuspended(ctx context.Context, store commercemodel.Store) (bool, error) {
	address := model.CustomerID(whatsapp.Digits(store.ContactInfo.WhatsApp))
	if address == "" || len(store.PhoneNumberIDs) == 0 {
		return false, nil
	}
	own := contacts.Authority{Address: address, Since: store.OwnerSince()}
	holders, _, err := d.Contacts.Authorities(ctx, store.PhoneNumberIDs, "", own)
	return err == nil && holders[0] == "", err
}

// suspends reports whether a number that has passed on is that of the shop whose customers write to the same number of
// the business.
func (d *Domain) suspends(ctx context.Context, of contacts.PassedOn) (bool, error) {
	id, tenant, err := d.Numbers.StoreOf(ctx, of.Phone)
	if err != nil || id == "" || tenant != of.Tenant {
		return false, err
	}
	store, err := d.Stores.Get(ctx, id)
	if errors.Is(err, dynamo.ErrNotFound) ||
		err == nil && !whatsapp.SameNumber(store.ContactInfo.WhatsApp, string(of.Number)) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return d.NumberSuspended(ctx, store)
}

// ConfirmNumber gives a suspended number of a shop its authority again: the person who has it now is the shop's. A
// number that is not suspended stays as it is, so that a repeated request has the result of the first. The condition is
// the store's version.
func (d *Domain) ConfirmNumber(ctx context.Context, id model.Name) (store commercemodel.Store, err error) {
	return store, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if store, err = d.Stores.Get(ctx, id); err != nil {
			return err
		}
		suspended, err := d.NumberSuspended(ctx, store)
		if err != nil || !suspended {
			return err
		}
		store, err = d.Stores.Update(ctx, id, store.Version,
			func(s *commercemodel.Store) { s.OwnerConfirmedAt = model.At(d.Now()) })
		return err
	})
}
