package answers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// maxAddresses bounds the addresses that are kept of a customer by hand.
const maxAddresses = 50

// ErrTooMany means that a customer has as many addresses as are kept.
var ErrTooMany = problem.New("too many addresses", problem.Error{
	Class: problem.Conflict, Code: "too-many-addresses", Title: "Too many addresses",
	Detail: "50 addresses of a customer are kept. Remove one first."})

// Place is what an address says.
type Place struct {
	Name, PhoneNumber                         string // who is there, and the number to call
	Address, City, State, PostalCode, Country string
}

func (p Place) into(a *model.Address) {
	a.Name, a.PhoneNumber, a.Address, a.City = p.Name, p.PhoneNumber, p.Address, p.City
	a.State, a.PostalCode, a.Country = p.State, p.PostalCode, p.Country
}

// PlaceOf returns what an address says.
func PlaceOf(a model.Address) Place {
	return Place{a.Name, a.PhoneNumber, a.Address, a.City, a.State, a.PostalCode, a.Country}
}

// defaultOf returns which of a customer's addresses is the default: the one that was made so last; -1 for none.
func defaultOf(all []model.Address) int {
	at := -1
	for i, a := range all {
		if a.IsDefault && (at < 0 || cmp.Or(cmp.Compare(a.DefaultSince, all[at].DefaultSince),
			cmp.Compare(a.AddressID, all[at].AddressID)) > 0) {
			at = i
		}
	}
	return at
}

// Default returns a customer's default address. It returns dynamo.ErrNotFound if there is none.
func (s *Answers) Default(ctx context.Context, of contacts.Customer) (model.Address, error) {
	all, err := s.Addresses(ctx, of)
	if err != nil {
		return model.Address{}, err
	}
	if at := defaultOf(all); at >= 0 {
		return all[at], nil
	}
	return model.Address{}, dynamo.ErrNotFound
}

// PutAddress has an address of a customer say something. If there is none with the id, it adds one; the condition is
// that there is none still. It returns ErrTooMany.
func (s *Answers) PutAddress(ctx context.Context, of contacts.Customer, id model.Name, place Place) (model.Address,
	error) {
	changed, err := s.change(ctx, of, id, func(a *model.Address) bool {
		was := PlaceOf(*a)
		place.into(a)
		return place != was
	})
	if !errors.Is(err, dynamo.ErrNotFound) {
		return changed, err
	}
	all, err := s.Addresses(ctx, of)
	if err != nil {
		return model.Address{}, err
	}
	if len(all) >= maxAddresses {
		return model.Address{}, ErrTooMany
	}
	customer := keyOf(of)
	a := model.Address{
		PK: keys.Address(customer, id).Partition, ItemType: model.ItemAddress, CustomerPhone: string(customer),
		AddressID: string(id), CreatedAt: model.At(s.Now()), PhoneNumberID: of.Phone(), Version: 1}
	place.into(&a)
	item, err := dynamo.Marshal(a)
	if err != nil {
		return a, err
	}
	return a, dynamo.Conflict(s.DB.Put(ctx, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent}))
}

// keyOf returns the identifier under which something of a customer is kept: their number, or what they have in its
// place.
func keyOf(of contacts.Customer) model.CustomerID {
	ids := of.Identifiers()
	if i := slices.IndexFunc(ids, identity.IsNumber); i >= 0 {
		return ids[i]
	}
	return identity.IdentifierIn(of.Key())
}

// Address returns an address of a customer. It returns dynamo.ErrNotFound.
func (s *Answers) Address(ctx context.Context, of contacts.Customer, id model.Name) (a model.Address, err error) {
	var refs []dynamo.Ref
	for _, identifier := range Identifiers(of) {
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Address(identifier, id)})
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return a, fmt.Errorf("read address: %w", err)
	}
	for _, ref := range refs {
		if item := ref.Found(found); Is(of, item) {
			return a, dynamo.Unmarshal(item, &a)
		}
	}
	return a, dynamo.ErrNotFound
}

// MakeDefault makes an address of a customer the default, and then the former default an ordinary address. Until that
// is stored, the latest default counts.
func (s *Answers) MakeDefault(ctx context.Context, of contacts.Customer, id model.Name) (model.Address, error) {
	now := model.At(s.Now())
	chosen, err := s.change(ctx, of, id, func(a *model.Address) bool {
		was := a.IsDefault && a.DefaultSince >= now
		a.IsDefault, a.DefaultSince = true, max(now, a.DefaultSince)
		return !was
	})
	if err != nil {
		return chosen, err
	}
	all, err := list[model.Address](ctx, s, of, model.ItemAddress)
	for _, other := range all {
		if other.PK == chosen.PK || !other.IsDefault {
			continue
		}
		_, oneErr := s.changeAt(ctx, keys.ByPK(other.PK), func(a *model.Address) bool {
			was := a.IsDefault && a.DefaultSince <= chosen.DefaultSince
			if was {
				a.IsDefault = false
			}
			return was
		})
		if !errors.Is(oneErr, dynamo.ErrNotFound) {
			err = errors.Join(err, oneErr)
		}
	}
	return chosen, err
}

func (s *Answers) change(ctx context.Context, of contacts.Customer, id model.Name,
	decide func(a *model.Address) bool) (changed model.Address, err error) {
	known, err := s.Address(ctx, of, id)
	if err != nil {
		return known, err
	}
	return s.changeAt(ctx, keys.ByPK(known.PK), decide)
}

func (s *Answers) changeAt(ctx context.Context, key keys.Key, decide func(a *model.Address) bool) (
	changed model.Address, err error) {
	return changed, dynamo.Change(ctx, s.DB, tables.Messages, key,
		func(a *model.Address) ([]dynamo.Write, bool, error) {
			if a.PK == "" {
				return nil, false, dynamo.ErrNotFound
			}
			decided := decide(a)
			changed = *a
			return nil, decided, nil
		})
}

// RemoveAddress removes an address of a customer, if it is there. It has no condition: what is gone may go again.
func (s *Answers) RemoveAddress(ctx context.Context, of contacts.Customer, id model.Name) error {
	a, err := s.Address(ctx, of, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, []dynamo.Write{dynamo.Delete{Table: tables.Messages, Key: keys.ByPK(a.PK)}})
}
