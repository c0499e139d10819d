package cards

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// adminOf returns the admin who has written a message. An admin's number that has passed to somebody else since it was set or confirmed
// makes nobody an admin, and neither does one that was set or confirmed after the message.
func (s *Store) adminOf(ctx context.Context, p cardsmodel.Program, m inbound.Message) (cardsmodel.Admin, bool, error) {
	phone := m.Phone
	phones := []model.PhoneNumberID{phone}
	if p.PhoneNumberID != phone {
		phones = append(phones, p.PhoneNumberID)
	}
	if len(p.Admins) == 0 {
		return cardsmodel.Admin{}, false, nil
	}
	holders, held, err := s.Contacts.Authorities(ctx, phones, m.Customer, Authorities(p.Admins)...)
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
		all = append(all, contacts.Authority{Address: address(admin.Phone), Since: admin.ConfirmedAt})
	}
	for _, admin := range admins {
		if admin.WAUserID == "" {
			all = append(all, contacts.Authority{Address: address(admin.Phone), Since: admin.ConfirmedAt})
			continue
		}
		all = append(all, contacts.Authority{Address: admin.WAUserID, Since: admin.ConfirmedAt})
	}
	return all
}

// isAdmin reports whether a number or user id is that of an admin of a program.
func isAdmin(p cardsmodel.Program, identifier string) bool {
	return slices.ContainsFunc(p.Admins, func(admin cardsmodel.Admin) bool {
		return canonical(identifier) == canonical(admin.Phone) || identifier == string(admin.WAUserID)
	})
}

// Suspended returns the admins whose number has passed to somebody else since it was set or confirmed. They neither are asked nor may
// answer, until somebody confirms them.
func (s *Store) Suspended(ctx context.Context, p cardsmodel.Program) (map[model.Name]bool, error) {
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

// suspends reports whether a number that has passed on is that of an admin who is suspended by it.
func (s *Store) suspends(ctx context.Context, of contacts.PassedOn) (bool, error) {
	p, err := s.Program(ctx, of.Tenant)
	if errors.Is(err, ErrNoProgram) || err == nil && p.PhoneNumberID != of.Phone {
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

// ConfirmAdmin gives a suspended admin's number its authority again: the person who has it now is the admin. An admin who is not suspended
// stays as they are, so that a repeated request has the result of the first. The condition is the program's version. It returns
// ErrNoProgram, and dynamo.ErrNotFound for an unknown admin.
func (s *Store) ConfirmAdmin(ctx context.Context, tenant model.TenantID, id model.Name, by By) (p cardsmodel.Program, err error) {
	return p, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if p, err = s.Program(ctx, tenant); err != nil {
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
		write := dynamo.Put{Table: tables.CardUsers, Item: item, If: "version = :was", Values: dynamo.Item{":was": dynamo.N(was)}}
		record, err := s.record(by, audit.Draft{Action: "card-admin.confirm", Target: target(TargetProgram, model.Name(tenant)), Tenant: tenant},
			values{"admin": id, "suspended": true}, values{"admin": id, "suspended": false})
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(record, write)))
	})
}

// recipients returns the keys of the people to whom the notifications among messages go: of those who had the number when it was given,
// wherever they are now. The key is "" for a reply, and for an admin whose number has passed to somebody else since.
func (s *Store) recipients(ctx context.Context, messages []message, from model.PhoneNumberID) ([]model.CustomerID, error) {
	to := make([]model.CustomerID, len(messages))
	var asked []int
	var given []contacts.Authority
	for i, m := range messages {
		switch n := m.notification; {
		case n == nil:
		case n.NotificationType == cardsmodel.NotifyApprovalRequest:
			asked, given = append(asked, i), append(given, contacts.Authority{Address: address(n.RecipientPhone), Since: n.RecipientSince})
		default:
			var err error
			if to[i], err = s.Contacts.WhoHad(ctx, from, address(n.RecipientPhone), n.RecipientSince); err != nil {
				return nil, err
			}
		}
	}
	if len(asked) == 0 {
		return to, nil
	}
	holders, _, err := s.Contacts.Authorities(ctx, []model.PhoneNumberID{from}, "", given...)
	if err != nil {
		return nil, err
	}
	for n, i := range asked {
		to[i] = holders[n]
	}
	return to, nil
}
