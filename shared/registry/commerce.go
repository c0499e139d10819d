package registry

import (
	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/messaging"
)

// Commerce returns the domain of stores in the rooms, with the credit book.
func Commerce(rooms *messaging.Domain) *commerce.Domain {
	return commerce.New(commerce.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID,
		Sender: rooms.Sender, Numbers: rooms.Numbers, Inbox: rooms.Inbox, Contacts: rooms.Contacts,
		Credit: credit{Khata(rooms), rooms.Papers}, Papers: rooms.Papers, Queue: rooms.Outbox(),
		Catalogs: rooms.Catalogues, Addresses: rooms, Forms: rooms.Forms,
		Publisher: rooms.Publisher, Heard: rooms.Tenants.Subscribed,
	})
}
