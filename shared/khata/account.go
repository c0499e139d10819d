package khata

import (
	"cmp"
	"context"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
)

// Account returns the customer whose account in a store a text names: by a number in any of its forms, by a user id of
// Meta's, or by the key of a conversation. It is the person who has the number now. It returns contacts.ErrNobody.
func (d *Domain) Account(ctx context.Context, s Shop, text string) (model.Name, error) {
	key, err := d.Contacts.Named(ctx, s.Phones, s.Country, text)
	return model.PhoneOf(key), err
}

// Shown returns what names the customers of accounts to others: the number in E.164 or the user id that leads to them
// now. The account of somebody who has moved to another number keeps its name, so that name may be somebody else's
// number by now.
func (d *Domain) Shown(ctx context.Context, s Shop, accounts ...model.Name) (func(account model.Name) string, error) {
	shown := map[model.CustomerID]string{}
	if len(s.Phones) > 0 && len(accounts) > 0 {
		var err error
		if shown, err = d.Contacts.Shown(ctx, s.Phones[0], khatamodel.CustomersOf(accounts)...); err != nil {
			return nil, err
		}
	}
	return func(account model.Name) string {
		return cmp.Or(shown[khatamodel.CustomerOf(account)], string(account))
	}, nil
}
