// Package registry lists the domains, one line each, and wires them. Every function opens the registry, so that each
// has all domains. The lists that derive from it are written by `make lists`.
package registry

import (
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/messaging"
)

// domains lists the domains, in the order in which they see a message. Each is wired in a file of its own, which gives
// it what it declares to need from the rooms: the tables, the clock, and the sender that prepares its messages. After a
// change, `make lists` writes what follows from the list: the descriptions of the API, the functions, the export, the
// costs and the calls for the test of the grants.
var domains = []func(rooms *messaging.Domain) domain.Part{
	func(rooms *messaging.Domain) domain.Part { return Cards(rooms).Part() },
	func(rooms *messaging.Domain) domain.Part { return Khata(rooms).Part() },
	func(rooms *messaging.Domain) domain.Part { return Conversations(rooms).Part() },
	func(rooms *messaging.Domain) domain.Part { return Commerce(rooms).Part() },
	func(rooms *messaging.Domain) domain.Part { return Community(rooms).Part() },
}

// Open wires the rooms of messaging and registers every domain with them.
func Open(c messaging.Config) *messaging.Domain {
	rooms := messaging.New(c)
	for _, part := range domains {
		rooms.Join(part(rooms))
	}
	return rooms
}

// Working wires the rooms as Open does, in a function that neither erases nor exports: it links nothing of that.
func Working(c messaging.Config) *messaging.Domain {
	rooms := messaging.New(c)
	for _, part := range working {
		rooms.Join(part(rooms))
	}
	return rooms
}

// Reacting has the domains react to messages as well, in the order of the registry. A function that hands no messages
// over leaves it out, and so links nothing that reads them.
func Reacting(rooms *messaging.Domain) *messaging.Domain {
	for _, of := range reactions {
		rooms.React(of(rooms)...)
	}
	return rooms
}

// Names returns the names of all domains: messaging, and those that join it, in order.
func Names() []string {
	names := []string{messaging.Name}
	for _, part := range domains {
		names = append(names, part(messaging.New(messaging.Config{})).Name)
	}
	return names
}
