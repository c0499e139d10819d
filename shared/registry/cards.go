package registry

import (
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/messaging"
)

// Cards returns the domain of cards in the rooms.
func Cards(rooms *messaging.Domain) *cards.Domain {
	return cards.New(cards.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID,
		Sender: rooms.Sender, Numbers: rooms.Numbers, Inbox: rooms.Inbox, Contacts: rooms.Contacts,
		Publisher: rooms.Publisher, Heard: rooms.Tenants.Subscribed,
	})
}
