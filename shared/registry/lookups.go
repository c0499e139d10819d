package registry

import (
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging"
)

// Lookups returns what looks up what the domains keep of the people of conversations.
func Lookups(rooms *messaging.Domain) *lookup.Desk {
	desk := &lookup.Desk{Numbers: rooms.Numbers, Contacts: rooms.Contacts}
	for _, part := range domains {
		desk.All = append(desk.All, part(rooms).Lookups...)
	}
	return desk
}
