// Package registry lists the domains, one line each, and wires them. Every function opens the registry, so that each has all
// domains.
package registry

import (
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/messaging"
)

// domains makes every domain, in the order in which they see a message. A domain gets what it declares to need from the rooms:
// the tables, the clock, and the sender that prepares its messages.
var domains = []func(rooms *messaging.Domain) domain.Domain{
	func(rooms *messaging.Domain) domain.Domain { return Cards(rooms).Domain() },
	func(rooms *messaging.Domain) domain.Domain { return Khata(rooms).Domain() },
	func(rooms *messaging.Domain) domain.Domain { return Commerce(rooms).Domain() },
}

// Cards returns the domain of cards in the rooms.
func Cards(rooms *messaging.Domain) *cards.Store {
	return cards.New(cards.Config{DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID, Sender: rooms.Sender, Numbers: rooms.Numbers, Inbox: rooms.Inbox})
}

// Commerce returns the domain of stores in the rooms, with the credit book.
func Commerce(rooms *messaging.Domain) *commerce.Domain {
	return commerceWith(rooms, credit{Khata(rooms)})
}

func commerceWith(rooms *messaging.Domain, book commerce.Credit) *commerce.Domain {
	return commerce.New(commerce.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID, Sender: rooms.Sender, Numbers: rooms.Numbers, Inbox: rooms.Inbox, Credit: book,
	})
}

// Open wires the rooms of messaging and registers every domain with them.
func Open(c messaging.Config) *messaging.Domain {
	rooms := messaging.New(c)
	for _, make := range domains {
		rooms.Join(make(rooms))
	}
	return rooms
}
