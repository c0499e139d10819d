// Package registry lists the domains, one line each, and wires them. Every function opens the registry, so that each
// has all domains. The lists that derive from it are written by `make lists`.
package registry

import (
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/messaging"
)

// domains lists the domains, in the order in which they see a message. Each gets what it declares to need from the
// rooms: the tables, the clock, and the sender that prepares its messages. After a change, `make lists` writes what
// follows from the list: the descriptions of the API, the functions, the export, the costs and the calls for the test
// of the grants.
var domains = []struct {
	name string
	make func(rooms *messaging.Domain) domain.Part
}{
	{cards.Name, func(rooms *messaging.Domain) domain.Part { return Cards(rooms).Part() }},
	{khata.Name, func(rooms *messaging.Domain) domain.Part { return Khata(rooms).Part() }},
	{commerce.Name, func(rooms *messaging.Domain) domain.Part { return Commerce(rooms).Part() }},
}

// Names returns the names of all domains: messaging, and those that join it, in order.
func Names() []string {
	names := []string{messaging.Name}
	for _, domain := range domains {
		names = append(names, domain.name)
	}
	return names
}

// Cards returns the domain of cards in the rooms.
func Cards(rooms *messaging.Domain) *cards.Domain {
	return cards.New(cards.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID,
		Sender: rooms.Sender, Numbers: rooms.Numbers, Inbox: rooms.Inbox, Contacts: rooms.Contacts,
	})
}

// Commerce returns the domain of stores in the rooms, with the credit book.
func Commerce(rooms *messaging.Domain) *commerce.Domain {
	return commerce.New(commerce.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID,
		Sender: rooms.Sender, Numbers: rooms.Numbers, Inbox: rooms.Inbox, Contacts: rooms.Contacts,
		Credit: credit{Khata(rooms)},
	})
}

// Open wires the rooms of messaging and registers every domain with them.
func Open(c messaging.Config) *messaging.Domain {
	rooms := messaging.New(c)
	for _, domain := range domains {
		rooms.Join(domain.make(rooms))
	}
	return rooms
}
