// Package registry lists the domains, one line each, and wires them. Every function opens the registry, so that each has all
// domains.
package registry

import (
	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/messaging"
)

// domains holds the constructor of each domain, in the order in which the domains see a message. A constructor takes what its
// domain needs from the rooms: the tables, the clock, and the sender that prepares its messages.
var domains = []func(rooms *messaging.Domain) domain.Domain{}

// Open wires the rooms of messaging and registers every domain with them.
func Open(c messaging.Config) *messaging.Domain {
	rooms := messaging.New(c)
	for _, make := range domains {
		rooms.Join(make(rooms))
	}
	return rooms
}
