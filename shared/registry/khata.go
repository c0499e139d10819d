package registry

import (
	"context"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Khata returns the domain of credit in the rooms.
func Khata(rooms *messaging.Domain) *khata.Domain {
	return khata.New(khata.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID, Shops: shops{Commerce(rooms)}, Sender: rooms.Sender, Inbox: rooms.Inbox, Numbers: rooms.Numbers,
	})
}

// shops shows the stores of commerce to the ledgers.
type shops struct{ commerce *commerce.Domain }

// Shop returns a store, or dynamo.ErrNotFound.
func (s shops) Shop(ctx context.Context, id model.Name) (khata.Shop, error) {
	store, err := s.commerce.CreditStore(ctx, id)
	if err != nil {
		return khata.Shop{}, err
	}
	credit := store.Credit
	return khata.Shop{
		ID: store.ID, Tenant: store.TenantID, Name: store.Name, Currency: store.Settings.Currency, Zone: store.Zone, Languages: store.Settings.Languages,
		Phones: store.PhoneNumberIDs, Owner: model.CustomerID(whatsapp.Digits(store.ContactInfo.WhatsApp)), Opens: store.Opens,
		Terms: khata.Terms{
			DefaultLimit: credit.DefaultLimit, Overpayment: credit.Overpayment, Commands: credit.Commands, VPA: credit.VPA,
			Reminders: khata.Reminders{
				Enabled: credit.Reminders, Frequency: khata.Frequency(credit.ReminderFrequency), Channel: khata.Channel(credit.ReminderChannel), At: store.ReminderAt,
			},
		},
	}, nil
}
