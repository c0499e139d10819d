// Package lookup has domains tell a person what they keep of them, each by one narrow interface. A domain offers its
// lookups in its domain.Part. Whoever asks names a person by their conversation, and never by an id in a text.
package lookup

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// Person is the person for whom something is looked up.
type Person struct {
	Tenant   model.TenantID
	Language string              // en, hi, hi-Latn
	At       model.PhoneNumberID // the number of the conversation
	// Phones are the numbers of the tenant.
	Phones []model.Phone
	// KeyAt returns the key under which the person is known at a number now. It reports false if that is not certain:
	// then nothing that is kept under a key there may be told.
	KeyAt func(ctx context.Context, phone model.PhoneNumberID) (key model.CustomerID, certain bool, err error)
}

// Lookup tells a person one thing of what a domain keeps of them.
type Lookup struct {
	Name string
	// Of returns the text, in the house's own words; "" if there is nothing.
	Of func(ctx context.Context, p Person) (text string, err error)
}

// InStores calls each for the stores of the tenant, with the key under which the person is known there now. It leaves
// out stores for which that is not certain. A store with several numbers is called for each key once.
func (p Person) InStores(ctx context.Context, each func(store model.Name, key model.CustomerID) error) error {
	type place struct {
		store model.Name
		key   model.CustomerID
	}
	seen := map[place]bool{}
	for _, phone := range p.Phones {
		if phone.StoreID == "" {
			continue
		}
		key, certain, err := p.KeyAt(ctx, phone.PhoneNumberID)
		if err != nil {
			return err
		}
		if at := (place{phone.StoreID, key}); certain && !seen[at] {
			seen[at] = true
			if err := each(phone.StoreID, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// Keys returns the keys under which the person is known at the tenant's numbers now, each once, as far as they are
// certain.
func (p Person) Keys(ctx context.Context) (all []model.CustomerID, err error) {
	for _, phone := range p.Phones {
		key, certain, err := p.KeyAt(ctx, phone.PhoneNumberID)
		if err != nil {
			return nil, err
		}
		if certain && !slices.Contains(all, key) {
			all = append(all, key)
		}
	}
	return all, nil
}

// Numbers knows which numbers a tenant has: tenancy.Numbers.
type Numbers interface {
	Phones(ctx context.Context, tenant model.TenantID) ([]model.Phone, error)
}

// Contacts knows who is who: contacts.Contacts.
type Contacts interface {
	FindCustomer(ctx context.Context, phone model.PhoneNumberID, asked model.CustomerID) (contacts.Customer, error)
	KeyAt(ctx context.Context, of contacts.Customer, phone model.PhoneNumberID) (key model.CustomerID, certain bool,
		err error)
}

// Desk looks things up.
type Desk struct {
	Numbers  Numbers
	Contacts Contacts
	All      []Lookup
}

// Asked is what somebody asks for who has a conversation.
type Asked struct {
	Name     string
	Tenant   model.TenantID
	Phone    model.PhoneNumberID // the number of the conversation
	Customer model.CustomerID    // in its key
	Language string
}

// Look returns what a lookup tells the person of a conversation; "" if there is nothing that is theirs for certain.
func (d *Desk) Look(ctx context.Context, a Asked) (text string, err error) {
	at := slices.IndexFunc(d.All, func(l Lookup) bool { return l.Name == a.Name })
	if at < 0 || a.Phone == "" {
		return "", nil // who writes from elsewhere has not shown that the number is theirs
	}
	p, known, err := d.Person(ctx, a)
	if err == nil && known {
		text, err = d.All[at].Of(ctx, p)
	}
	if err != nil {
		return "", fmt.Errorf("look up %s: %w", a.Name, err)
	}
	return text, nil
}

// Person returns the person of a conversation. It reports false if there is no such conversation.
func (d *Desk) Person(ctx context.Context, a Asked) (p Person, known bool, err error) {
	of, err := d.Contacts.FindCustomer(ctx, a.Phone, a.Customer)
	if err != nil || !of.HasConversation() {
		return Person{}, false, err
	}
	p = Person{Tenant: a.Tenant, Language: a.Language, At: a.Phone}
	p.KeyAt = func(ctx context.Context, phone model.PhoneNumberID) (model.CustomerID, bool, error) {
		return d.Contacts.KeyAt(ctx, of, phone)
	}
	p.Phones, err = d.Numbers.Phones(ctx, a.Tenant)
	return p, err == nil, err
}
