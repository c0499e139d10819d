package numbers

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// LookUpPermission has Meta asked whether a number may call a person. The same that is under way is not asked for
// again. It returns ErrGroup, and the error of Conversation for somebody who has none. Its condition is that the entry
// is as it was read.
func (s *Settings) LookUpPermission(ctx context.Context, of Of, customer model.CustomerID) (after Setting, err error) {
	at, address, err := s.permission(ctx, of.Phone.PhoneNumberID, customer)
	if err != nil {
		return after, err
	}
	err = s.change(ctx, at, func(it item) ([]dynamo.Write, bool, error) {
		if after = settingOf(it); s.underWay(it.State()) {
			return nil, false, nil
		}
		if entry, is := it.(*model.NumberSetting); is {
			entry.CustomerID = address
		}
		writes, err := s.asks(ctx, it, of, at, model.SettingAsked{Wish: Sync})
		after = settingOf(it)
		return writes, true, err
	})
	return after, err
}

// Permission returns what Meta has said about calling a person. It returns dynamo.ErrNotFound if nobody has asked,
// ErrGroup, and the error of Conversation for somebody who has none.
func (s *Settings) Permission(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (Setting,
	error) {
	at, _, err := s.permission(ctx, phone, customer)
	if err != nil {
		return Setting{}, err
	}
	return s.Entry(ctx, at.phone, at.kind, at.name)
}

// permission returns where the permission of a person is kept, and by which identifier Meta knows them.
func (s *Settings) permission(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (at place,
	address model.CustomerID, err error) {
	c, err := s.Conversation(ctx, phone, customer)
	if err != nil {
		return at, "", err
	}
	if c.GroupID != "" {
		return at, "", ErrGroup
	}
	address = model.CustomerID(c.From)
	return place{phone, KindCallPermission, keys.Blocked(phone, address)}, address, nil
}

// The names of the counts of erased entries of people who were blocked, and of those who may be called.
const (
	CountBlocked     = "blocked"
	CountPermissions = "callPermissions"
)

// ofPeople are the kinds of entries about people, with the names under which they are counted.
var ofPeople = []struct {
	kind  model.Name
	count string
}{{KindBlocked, CountBlocked}, {KindCallPermission, CountPermissions}}

// BlockedKeys returns the keys of the entries of a person whom a number may have blocked.
func BlockedKeys(phone model.PhoneNumberID, who []model.CustomerID) []keys.Key {
	return keysOf(KindBlocked, phone, who)
}

// PermissionKeys returns the keys of the entries of a person whom a number may call.
func PermissionKeys(phone model.PhoneNumberID, who []model.CustomerID) []keys.Key {
	return keysOf(KindCallPermission, phone, who)
}

func keysOf(kind model.Name, phone model.PhoneNumberID, who []model.CustomerID) (all []keys.Key) {
	for _, id := range who {
		all = append(all, keys.NumberEntry(phone, kind, keys.Blocked(phone, id)))
	}
	return all
}

// Erase forgets that a person is blocked, and whether they may be called. Meta does not. count returns the writes by
// which an audit record counts.
func (s *Settings) Erase(ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID,
	count func(name string, n int) []dynamo.Write) error {
	for _, of := range ofPeople {
		for _, key := range keysOf(of.kind, phone, who) {
			if err := s.forget(ctx, key, func() []dynamo.Write { return count(of.count, 1) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// forget deletes an entry, if it is there.
func (s *Settings) forget(ctx context.Context, key keys.Key, count func() []dynamo.Write) error {
	var entry model.NumberSetting
	err := s.DB.Get(ctx, tables.Messages, key, &entry)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = s.DB.Transact(ctx, append(count(),
			dynamo.Delete{Table: tables.Messages, Key: key, If: dynamo.IfPresent}))
	}
	if err != nil {
		return fmt.Errorf("erase what a number keeps of a person: %w", dynamo.Conflict(err))
	}
	return nil
}
