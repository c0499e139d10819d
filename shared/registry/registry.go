// Package registry is where the domains join the house: one line each. The functions open the house, and so have every domain.
package registry

import (
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/messaging"
)

// domains makes every domain, in the order in which they see a message. A domain gets what it declares to need from the rooms:
// the tables, the clock, and the sender that prepares its messages.
var domains = []func(rooms *messaging.Domain) domain.Domain{
	func(rooms *messaging.Domain) domain.Domain { return Cards(rooms).Domain() },
}

// Cards returns the domain of cards in the rooms.
func Cards(rooms *messaging.Domain) *cards.Store {
	return cards.New(cards.Config{DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID, Sender: rooms.Sender, Numbers: rooms.Numbers})
}

// Open wires the rooms and has every domain join.
func Open(c messaging.Config) *messaging.Domain {
	rooms := messaging.New(c)
	for _, make := range domains {
		rooms.Join(make(rooms))
	}
	return rooms
}
