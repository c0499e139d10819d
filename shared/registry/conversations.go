package registry

import (
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/messaging"
)

// Conversations returns the domain of companies' conversations in the rooms.
func Conversations(rooms *messaging.Domain) *conversations.Domain {
	return conversations.New(conversations.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID,
		Sender: rooms.Sender, Texting: rooms.Texting, Mailing: rooms.Mailing, Numbers: rooms.Numbers,
		Inbox: rooms.Inbox, Contacts: rooms.Contacts, Outbox: rooms.Outbox(),
	})
}
