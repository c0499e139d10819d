package owner

import (
	"cmp"
	"context"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Team returns those who run a store in the chat. Whoever has the store's own number comes first.
func Team(s commercemodel.Store) []commercemodel.Member {
	var all []commercemodel.Member
	if own := s.ContactInfo.WhatsApp; own != "" {
		all = append(all,
			commercemodel.Member{
				Name: s.OwnerName, WhatsApp: own, Role: commercemodel.RoleOwner, Since: s.OwnerSince()})
	}
	return append(all, s.Settings.Team...)
}

// ToldOfOrders returns those of a store's team who are told of its orders: all whose role lets them work on orders, but
// for those who want to hear of none.
func ToldOfOrders(s commercemodel.Store) []commercemodel.Member {
	var all []commercemodel.Member
	for _, m := range Team(s) {
		if mayRun(m.Role, move) && !m.Quiet {
			all = append(all, m)
		}
	}
	return all
}

// Authorities returns what members of a team were given.
func Authorities(team ...commercemodel.Member) []contacts.Authority {
	given := make([]contacts.Authority, len(team))
	for i, m := range team {
		given[i] = contacts.Authority{Address: model.CustomerID(whatsapp.Digits(m.WhatsApp)), Since: m.Since}
	}
	return given
}

// person is somebody who runs the store, in the key of their conversation.
type person struct {
	customer model.CustomerID
	member   commercemodel.Member
}

// findRole finds who has written, among those who run the store. It reports false for anybody else, for a number that
// has passed on, and for a message from before the authority was given.
func (t *talk) findRole(ctx context.Context) (bool, error) {
	team := Team(t.store)
	if len(team) == 0 {
		return false, nil
	}
	holders, held, err := t.Contacts.Authorities(ctx, model.NumbersFrom(t.m.Phone, t.store.PhoneNumberIDs...),
		t.m.Customer, Authorities(team...)...)
	if err != nil || held < 0 || t.m.At < team[held].Since {
		return false, err
	}
	t.self = team[held]
	for i, holder := range holders {
		if holder != "" && i != held {
			t.team = append(t.team, person{holder, team[i]})
		}
	}
	return true, nil
}

// mayRun reports whether somebody with a role may do what a command asks for.
func mayRun(role commercemodel.Role, w what) bool {
	switch w {
	case move, change, list, soldOut, back, tellOrders, tellNoOrders:
		return true
	}
	return role != commercemodel.RoleHelper
}

// hearOfOrders sets whether the member who has written is told of orders. The person with the store's own number is
// always told, so that somebody hears of every order.
func (t talk) hearOfOrders(ctx context.Context, hears bool) error {
	key := map[bool]string{true: "owner.hears", false: "owner.hears_not"}[hears]
	for i, m := range t.store.Settings.Team {
		switch {
		case m.WhatsApp != t.self.WhatsApp:
		case m.Quiet == !hears:
			return t.text(ctx, key, nil)
		default:
			return t.text(ctx, key, nil, stores.SetQuiet(t.store, i, !hears, t.Now()))
		}
	}
	return t.text(ctx, "owner.hears_always", nil)
}

// answeredBy returns who else has brought an order into its state, in words. It reports false if it was the one who has
// written, or nobody.
func (t talk) answeredBy(o commercemodel.Order) (string, bool) {
	by := ""
	for _, change := range o.History {
		if change.Status == o.Status {
			by = change.By
		}
	}
	switch by {
	case "", orders.ByAutomatic, string(model.PhoneOf(t.m.Customer)):
		return "", false
	case "customer":
		return t.word("owner.by_customer", nil), true
	}
	for _, other := range t.team {
		if string(model.PhoneOf(other.customer)) == by {
			return cmp.Or(model.ShownLine(other.member.Name), by), true
		}
	}
	return t.word("owner.by_shop", nil), true
}
