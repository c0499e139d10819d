// Package groups owns the WhatsApp groups of business numbers: names, participants, who asks to join, and whether they
// work. Meta has them, and is asked for each change. What is known of a group is what Meta tells of it.
package groups

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/tombstone"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Groups keeps groups.
type Groups struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Log     *webhooklog.Log
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
}

// Reader returns the reader of Meta's events about groups.
func (s *Groups) Reader() webhooklog.Reader {
	fields := webhooklog.Fields("group_lifecycle_update", "group_participants_update", "group_settings_update",
		"group_status_update")
	return s.Log.ReaderOf(fields, func(ctx context.Context, event webhooklog.Event) error {
		phone, err := model.ParsePhoneNumberID(string(event.Entry.PhoneNumberID))
		if err != nil {
			return nil // of no number: it stays in the log
		}
		for i, told := range event.Value.List("groups").Objects() {
			change := changeOf(told, event.Place(told.Text("timestamp"), i))
			// A group that could not be created has no id.
			id, err := model.Parse[model.Name](told.Text("group_id"))
			if err == nil {
				if change, err = s.withoutErased(ctx, phone, change); err != nil {
					return err
				}
				if err := s.apply(ctx, phone, event.Entry.WABAMetaID, id, change); err != nil {
					return err
				}
			}
			if err := s.told(ctx, phone, told, change, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// withoutErased leaves out participants who were erased after the event.
func (s *Groups) withoutErased(ctx context.Context, phone model.PhoneNumberID, c change) (change, error) {
	for _, list := range []*[]model.CustomerID{&c.added, &c.removed} {
		var left []model.CustomerID
		for _, who := range *list {
			until, err := tombstone.ErasedUntil(ctx, s.DB, phone, []model.CustomerID{who})
			if err != nil {
				return c, err
			}
			if c.at.At() > until {
				left = append(left, who)
			}
		}
		*list = left
	}
	var asks []model.JoinRequest
	for _, j := range c.requested {
		until, err := tombstone.ErasedUntil(ctx, s.DB, phone, []model.CustomerID{j.CustomerID})
		if err != nil {
			return c, err
		}
		if c.at.At() > until {
			asks = append(asks, j)
		}
	}
	c.requested = asks
	return c, nil
}

func (s *Groups) apply(ctx context.Context, phone model.PhoneNumberID, waba model.WABAID, id model.Name,
	c change) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Group(id),
		func(g *model.Group) ([]dynamo.Write, bool, error) {
			if g.Version > 0 && g.PhoneNumberID != phone {
				return nil, false, nil // another number's: nobody else may change it
			}
			isNew := g.Version == 0
			g.PK, g.ItemType, g.GroupID, g.PhoneNumberID, g.WABAMetaID = keys.Group(id).Partition, model.ItemGroup,
				string(id), phone, waba
			return nil, apply(g, c) || isNew, nil
		})
}

// Get reads a group. It returns dynamo.ErrNotFound if nothing is known of it.
func (s *Groups) Get(ctx context.Context, id model.Name) (model.Group, error) {
	var g model.Group
	return g, s.DB.Get(ctx, tables.Messages, keys.Group(id), &g)
}

// Of lists the groups of a number, in no particular order, with those that Meta is asked for.
func (s *Groups) Of(ctx context.Context, phone model.PhoneNumberID) ([]model.Group, error) {
	all, err := s.all(ctx, phone)
	return slices.DeleteFunc(all, func(g model.Group) bool { return g.BecameID != "" }), err
}

// all lists the groups of a number, with all requests for one.
func (s *Groups) all(ctx context.Context, phone model.PhoneNumberID) ([]model.Group, error) {
	var number model.Phone
	err := s.DB.Get(ctx, tables.Messages, keys.Phone(phone), &number)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && number.WABAMetaID == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list groups: %w", err)
	}
	q := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWABAItemType, Where: "wabaMetaId = :w AND itemType = :type",
		Values: dynamo.Item{":w": dynamo.S(number.WABAMetaID), ":type": dynamo.S(model.ItemGroup)},
	}
	rows, err := s.DB.Rows(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("list groups: %w", err)
	}
	all, err := dynamo.Whole[model.Group](ctx, s.DB, tables.Messages, rows)
	if err != nil {
		return nil, fmt.Errorf("list groups: %w", err)
	}
	return slices.DeleteFunc(all, func(g model.Group) bool { return g.PhoneNumberID != phone }), nil
}
