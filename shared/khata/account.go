package khata

import (
	"context"

	"github.com/haatline/haatline/shared/model"
)

// Account returns the customer whose account in a store a text names: by a number in any of its forms, by a user id of Meta's, or by the
// key of a conversation. It is the person who has the number now. It returns inbox.ErrNobody.
func (d *Domain) Account(ctx context.Context, s Shop, text string) (model.Name, error) {
	key, err := d.Inbox.Named(ctx, s.Phones, s.Country, text)
	return model.PhoneOf(key), err
}
