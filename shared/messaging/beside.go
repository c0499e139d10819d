package messaging

import (
	"cmp"
	"context"
	"errors"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
)

// Beside returns what all domains show the shop's people of the person of a conversation.
func (d *Domain) Beside() []beside.Section {
	all := []beside.Section{{Name: "conversations", Scope: "inbox.read", Of: d.conversationsOf}}
	for _, joined := range d.joined {
		all = append(all, joined.Beside...)
	}
	return all
}

// PersonOf returns the person of a conversation, in a language. It reports false if there is no such conversation.
func (d *Domain) PersonOf(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID,
	customer model.CustomerID, language string) (p lookup.Person, known bool, err error) {
	desk := lookup.Desk{Numbers: d.Numbers, Contacts: d.Contacts}
	return desk.Person(ctx, lookup.Asked{Tenant: tenant, Phone: phone, Customer: customer, Language: language})
}

// conversationsOf shows the person's conversations with the tenant's other numbers.
func (d *Domain) conversationsOf(ctx context.Context, p lookup.Person) (all beside.Shown, err error) {
	for _, phone := range p.Phones {
		if phone.PhoneNumberID == p.At {
			continue
		}
		key, certain, err := p.KeyAt(ctx, phone.PhoneNumberID)
		if err != nil {
			return all, err
		}
		if !certain {
			continue
		}
		c, err := d.Conversation(ctx, phone.PhoneNumberID, key)
		if errors.Is(err, inbox.ErrNoConversation) {
			continue
		}
		if err != nil {
			return all, err
		}
		id := keys.ConversationID(c.PK)
		all.Entries = append(all.Entries, beside.Entry{
			Path: beside.Path("conversations", id), ID: id, In: string(phone.PhoneNumberID),
			Title:  cmp.Or(phone.DisplayPhoneNumber, string(phone.PhoneNumberID)),
			Detail: model.ShownLine(c.LastPreview), Status: cmp.Or(string(c.Work(model.At(d.Now()))), "open"),
			At: c.ReceivedAt,
		})
	}
	all.Entries = beside.Newest(all.Entries, len(all.Entries))
	return all, nil
}
