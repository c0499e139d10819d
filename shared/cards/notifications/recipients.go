package notifications

import (
	"context"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// recipients returns the keys of the people to whom the notifications among messages go: of those who had the number
// when it was given, wherever they are now. The key is "" for a reply, and for an admin whose number has passed to
// somebody else since.
func (s *Notifications) recipients(ctx context.Context, messages []message,
	from model.PhoneNumberID) ([]model.CustomerID, error) {
	to := make([]model.CustomerID, len(messages))
	var asked []int
	var given []contacts.Authority
	for i, m := range messages {
		switch n := m.notification; {
		case n == nil:
		case n.NotificationType == cardsmodel.NotifyApprovalRequest:
			asked, given = append(asked, i),
				append(given,
					contacts.Authority{Address: cardsmodel.Address(n.RecipientPhone), Since: n.RecipientSince})
		default:
			var err error
			if to[i], err = s.Contacts.WhoHad(ctx, from, cardsmodel.Address(n.RecipientPhone),
				n.RecipientSince); err != nil {
				return nil, err
			}
		}
	}
	if len(asked) == 0 {
		return to, nil
	}
	holders, _, err := s.Contacts.Authorities(ctx, []model.PhoneNumberID{from}, "", given...)
	if err != nil {
		return nil, err
	}
	for n, i := range asked {
		to[i] = holders[n]
	}
	return to, nil
}
