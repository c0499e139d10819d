package owner

import (
	"context"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// person is somebody who runs the store, in the key of their conversation.
type person struct {
	customer model.CustomerID
	role     commercemodel.Role
}

// findRole finds who has written, among those who run the store. It reports false for anybody else, for a number that
// has passed on, and for a message from before the authority was given.
func (t *talk) findRole(ctx context.Context) (bool, error) {
	var given []contacts.Authority
	var roles []commercemodel.Role
	add := func(number string, since model.Time, role commercemodel.Role) {
		given = append(given,
			contacts.Authority{Address: model.CustomerID(whatsapp.Digits(number)), Since: since})
		roles = append(roles, role)
	}
	if own := t.store.ContactInfo.WhatsApp; own != "" {
		add(own, t.store.OwnerSince(), commercemodel.RoleOwner)
	}
	for _, m := range t.store.Settings.Team {
		add(m.WhatsApp, m.Since, m.Role)
	}
	if len(given) == 0 {
		return false, nil
	}
	holders, held, err := t.Contacts.Authorities(ctx, model.NumbersFrom(t.m.Phone, t.store.PhoneNumberIDs...),
		t.m.Customer, given...)
	if err != nil || held < 0 || t.m.At < given[held].Since {
		return false, err
	}
	t.role = roles[held]
	for i, holder := range holders {
		if holder != "" && i != held {
			t.team = append(t.team, person{holder, roles[i]})
		}
	}
	return true, nil
}

// mayRun reports whether somebody with a role may do what a command asks for.
func mayRun(role commercemodel.Role, w what) bool {
	return role != commercemodel.RoleHelper || w == move || w == list || w == soldOut || w == back
}
