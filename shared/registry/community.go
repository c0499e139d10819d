package registry

import (
	"context"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
)

// Community returns the domain of communities in the rooms. Only the function of its API signs access tokens.
func Community(rooms *messaging.Domain) *community.Domain {
	return community.New(community.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID, Mailing: rooms.Mailing,
		Outbox: rooms.Outbox(), Live: rooms.Live, Sender: rooms.Sender, Numbers: rooms.Numbers, Inbox: rooms.Inbox,
		Groups: rooms.Groups, Told: rooms.Sender,
		Mailboxes: mailboxes{Conversations(rooms)},
	})
}

// mailboxes shows the email addresses of companies to communities.
type mailboxes struct{ *conversations.Domain }

// Owns reports whether an address belongs to a company of a tenant.
func (m mailboxes) Owns(ctx context.Context, tenant model.TenantID, address string) (bool, error) {
	owner, err := m.Companies.MailboxOf(ctx, address)
	return err == nil && tenant != "" && owner == tenant, err
}
