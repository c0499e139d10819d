package messaging

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Beside returns what all domains show the shop's people of the person of a conversation.
func (d *Domain) Beside() []beside.Section {
	all := []beside.Section{{Name: "conversations", Scope: "inbox.read", Of: d.conversationsOf}}
	for _, joined := range d.joined {
		all = append(all, joined.Beside...)
	}
	return all
}

// Marks returns what all domains know of customers that rows of the inbox show.
func (d *Domain) Marks() (all []beside.Mark) {
	for _, joined := range d.joined {
		all = append(all, joined.Marks...)
	}
	return all
}

// ConversationsWith returns the conversations of a number with customers, in their order, without archived ones and
// those that were merged into others.
func (d *Domain) ConversationsWith(ctx context.Context, phone model.PhoneNumberID,
	customers []model.CustomerID) (all []model.Conversation, err error) {
	if len(customers) == 0 {
		return nil, nil
	}
	refs := make([]dynamo.Ref, len(customers))
	for i, customer := range customers {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.Conversation(phone, customer)}
	}
	found, err := d.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("conversations with customers: %w", err)
	}
	for _, ref := range refs {
		item := ref.Found(found)
		if item == nil {
			continue
		}
		var c model.Conversation
		if err := dynamo.Unmarshal(item, &c); err != nil {
			return nil, err
		}
		if c.MergedInto == "" && !c.Archived {
			all = append(all, c)
		}
	}
	return all, nil
}

// maxMerges bounds how often a conversation is followed to the one that goes on.
const maxMerges = 4

// Living returns the conversations with customers of a number, each as it goes on after it was merged, in their order.
// There is none of a customer who was erased.
func (d *Domain) Living(ctx context.Context, phone model.PhoneNumberID, customers []model.CustomerID) (
	all []model.Conversation, err error) {
	found := map[string]model.Conversation{}
	var first []string
	for _, customer := range customers {
		first = append(first, keys.Conversation(phone, customer).Partition)
	}
	for next := first; len(next) > 0 && len(found) < len(first)*maxMerges; {
		refs := make([]dynamo.Ref, len(next))
		for i, pk := range next {
			refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(pk)}
		}
		items, err := d.DB.BatchGet(ctx, refs)
		if err != nil {
			return nil, fmt.Errorf("conversations that go on: %w", err)
		}
		next = nil
		for _, ref := range refs {
			var c model.Conversation
			item := ref.Found(items)
			if item == nil {
				continue
			}
			if err := dynamo.Unmarshal(item, &c); err != nil {
				return nil, err
			}
			found[c.PK] = c
			if _, known := found[c.MergedInto]; c.MergedInto != "" && !known {
				next = append(next, c.MergedInto)
			}
		}
	}
	shown := map[string]bool{}
	for _, pk := range first {
		c, is := found[pk]
		for range maxMerges {
			if !is || c.MergedInto == "" {
				break
			}
			c, is = found[c.MergedInto]
		}
		if is && c.MergedInto == "" && !shown[c.PK] {
			shown[c.PK] = true
			all = append(all, c)
		}
	}
	return all, nil
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
