package commerce

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/model"
)

// CreditStore is a store as a credit ledger has to know it.
type CreditStore struct {
	commercemodel.Store
	Credit     commercemodel.Credit // complete
	Zone       *time.Location
	ReminderAt int // minutes after midnight
}

// CreditStore returns a store, or dynamo.ErrNotFound.
func (d *Domain) CreditStore(ctx context.Context, id model.Name) (CreditStore, error) {
	store, err := d.Stores.Get(ctx, id)
	if err != nil {
		return CreditStore{}, err
	}
	settings := store.Settings
	if settings.Credit == nil {
		settings.Credit = &commercemodel.Credit{}
	}
	stores.Complete(&settings)
	return CreditStore{Store: store, Credit: *settings.Credit, Zone: stores.Zone(store), ReminderAt: stores.Minutes(settings.Credit.ReminderTime)}, nil
}

// Opens returns an instant at which the store is open, else when it opens next; the zero time for a store that never opens.
func (s CreditStore) Opens(at time.Time) time.Time {
	if stores.Open(s.Store, at) {
		return at
	}
	return stores.OpensAt(s.Store, at)
}
