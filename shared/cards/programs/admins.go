package programs

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Contacts knows the people behind numbers. contacts.Contacts implements it.
type Contacts interface {
	Authorities(
		ctx context.Context, phones []model.PhoneNumberID, sender model.CustomerID, given ...contacts.Authority,
	) (holders []model.CustomerID, held int, err error)
}

// AdminOf returns the admin who has written a message. An admin's number that has passed to somebody else since it was
// set or confirmed makes nobody an admin, and neither does one that was set or confirmed after the message.
func (s *Programs) AdminOf(ctx context.Context, p cardsmodel.Program,
	m inbound.Message) (cardsmodel.Admin, bool, error) {
	if len(p.Admins) == 0 {
		return cardsmodel.Admin{}, false, nil
	}
	holders, held, err := s.Contacts.Authorities(ctx, model.NumbersFrom(m.Phone, p.PhoneNumberID), m.Customer,
		Authorities(p.Admins)...)
	if err != nil || held < 0 {
		return cardsmodel.Admin{}, false, err
	}
	index := held % len(p.Admins) // the user id has no authority of its own
	return p.Admins[index], holders[index] != "" && m.At >= p.Admins[index].ConfirmedAt, nil
}

// Authorities returns the authority of each admin's number, and then that of each admin's user id.
func Authorities(admins []cardsmodel.Admin) []contacts.Authority {
	var all []contacts.Authority
	for _, admin := range admins {
		all = append(all, contacts.Authority{Address: cardsmodel.Address(admin.Phone), Since: admin.ConfirmedAt})
	}
	for _, admin := range admins {
		if admin.WAUserID == "" {
			all = append(all, contacts.Authority{Address: cardsmodel.Address(admin.Phone), Since: admin.ConfirmedAt})
			continue
		}
		all = append(all, contacts.Authority{Address: admin.WAUserID, Since: admin.ConfirmedAt})
	}
	return all
}

// IsAdmin reports whether a number or user id is that of an admin of a program.
func IsAdmin(p cardsmodel.Program, identifier string) bool {
	return slices.ContainsFunc(p.Admins, func(admin cardsmodel.Admin) bool {
		return cardsmodel.Canonical(identifier) == cardsmodel.Canonical(admin.Phone) ||
			identifier == string(admin.WAUserID)
	})
}

// Suspended returns the admins whose number has passed to somebody else since it was set or confirmed. They neither are
// asked nor may answer, until somebody confirms them.
func (s *Programs) Suspended(ctx context.Context, p cardsmodel.Program) (map[model.Name]bool, error) {
	suspended := map[model.Name]bool{}
	if len(p.Admins) == 0 {
		return suspended, nil
	}
	holders, _, err := s.Contacts.Authorities(ctx, []model.PhoneNumberID{p.PhoneNumberID}, "", Authorities(p.Admins)...)
	if err != nil {
		return nil, err
	}
	for i, admin := range p.Admins {
		suspended[admin.ID] = holders[i] == ""
	}
	return suspended, nil
}

// Suspends reports whether a number that has passed on is that of an admin who is suspended by it.
func (s *Programs) Suspends(ctx context.Context, of contacts.PassedOn) (bool, error) {
	p, err := s.Get(ctx, of.Tenant)
	if errors.Is(err, ErrNone) || err == nil && p.PhoneNumberID != of.Phone {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	suspended, err := s.Suspended(ctx, p)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(p.Admins, func(admin cardsmodel.Admin) bool {
		return suspended[admin.ID] && whatsapp.SameNumber(admin.Phone, string(of.Number))
	}), nil
}

// Confirm gives a suspended admin's number its authority again: the person who has it now is the admin. An admin who is
// not suspended stays as they are, so that a repeated request has the result of the first. The condition is the
// program's version. It returns ErrNone, and dynamo.ErrNotFound for an unknown admin.
func (s *Programs) Confirm(ctx context.Context, tenant model.TenantID, id model.Name,
	by changes.By) (p cardsmodel.Program, err error) {
	return p, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if p, err = s.Get(ctx, tenant); err != nil {
			return err
		}
		i := slices.IndexFunc(p.Admins, func(admin cardsmodel.Admin) bool { return admin.ID == id })
		if i < 0 {
			return dynamo.ErrNotFound
		}
		suspended, err := s.Suspended(ctx, p)
		if err != nil || !suspended[id] {
			return err
		}
		was := p.Version
		p.Admins[i].ConfirmedAt, p.UpdatedAt, p.Version = s.now(), s.now(), was+1
		item, err := dynamo.Marshal(p)
		if err != nil {
			return err
		}
		write := dynamo.Put{
			Table: tables.CardUsers, Item: item, If: "version = :was", Values: dynamo.Item{":was": dynamo.N(was)}}
		record, err := by.Record(s.Audit,
			audit.Draft{
				Action: "card-admin.confirm", Target: changes.Target(changes.TargetProgram, model.Name(tenant)),
				Tenant: tenant},
			changes.Values{"admin": id, "suspended": true}, changes.Values{"admin": id, "suspended": false})
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(record, write)))
	})
}
