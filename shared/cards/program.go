package cards

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// MaxAdmins bounds how many admins are asked about a request: one transaction holds the messages to all of them.
const MaxAdmins = 10

// Program returns a tenant's card program, or ErrNoProgram.
func (s *Store) Program(ctx context.Context, tenant model.TenantID) (cardsmodel.Program, error) {
	var p cardsmodel.Program
	err := s.DB.Get(ctx, tables.CardUsers, keys.CardProgram(tenant), &p)
	if errors.Is(err, dynamo.ErrNotFound) {
		return p, noProgram()
	}
	if err != nil {
		return p, fmt.Errorf("card program: %w", err)
	}
	return p, nil
}

// programIn returns the program that a batch has read, or ErrNoProgram.
func programIn(found dynamo.Found, tenant model.TenantID) (cardsmodel.Program, error) {
	item := programRef(tenant).Found(found)
	if item == nil {
		return cardsmodel.Program{}, noProgram()
	}
	var p cardsmodel.Program
	err := dynamo.Unmarshal(item, &p)
	return p, err
}

func programRef(tenant model.TenantID) dynamo.Ref {
	return dynamo.Ref{Table: tables.CardUsers, Key: keys.CardProgram(tenant)}
}

// SetProgram replaces a tenant's program. Its condition is the version that the caller has read; 0 if there is none yet. It
// returns ErrStale, and ErrSettings for what is wrong.
func (s *Store) SetProgram(ctx context.Context, next cardsmodel.Program, by By) (cardsmodel.Program, error) {
	if err := s.checkProgram(ctx, next); err != nil {
		return next, err
	}
	before, err := s.Program(ctx, next.TenantID)
	if err != nil && !errors.Is(err, ErrNoProgram) {
		return next, err
	}
	for i, admin := range next.Admins {
		next.Admins[i].ConfirmedAt = s.confirmedAt(before, admin)
	}
	if same(before, next) {
		return before, nil // a repeated request
	}
	if before.Version != next.Version {
		return next, problem.Breaks(ErrStale, "stale-version", "Changed meanwhile", "The program has the version %d. Read it again.", before.Version)
	}
	next.EcosystemID, next.UpdatedAt = keys.CardProgram(next.TenantID).Partition, s.now()
	next.Version++
	item, err := dynamo.Marshal(next)
	if err != nil {
		return next, err
	}
	write := dynamo.Put{Table: tables.CardUsers, Item: item, If: "attribute_not_exists(ecosystemId)"}
	if before.Version > 0 {
		write.If, write.Values = "version = :was", dynamo.Item{":was": dynamo.N(before.Version)}
	}
	record, err := s.record(by, audit.Draft{
		Action: "card-program.set", Target: target(TargetProgram, model.Name(next.TenantID)), Tenant: next.TenantID,
	}, shownProgram(before), shownProgram(next))
	if err != nil {
		return next, err
	}
	err = dynamo.Conflict(s.DB.Transact(ctx, append(record, write)))
	return next, err
}

// confirmedAt returns when the number of an admin was set or confirmed: now, unless the program has the admin with that number already.
func (s *Store) confirmedAt(before cardsmodel.Program, admin cardsmodel.Admin) model.Time {
	for _, was := range before.Admins {
		if was.ID == admin.ID && whatsapp.CanonicalNumber(was.Phone) == whatsapp.CanonicalNumber(admin.Phone) {
			return was.ConfirmedAt
		}
	}
	return s.now()
}

// same reports whether a program says what the stored one says already.
func same(stored, next cardsmodel.Program) bool {
	next.EcosystemID, next.Version, next.UpdatedAt = stored.EcosystemID, stored.Version, stored.UpdatedAt
	a, errA := dynamo.Marshal(stored)
	b, errB := dynamo.Marshal(next)
	return errA == nil && errB == nil && stored.Version > 0 && reflect.DeepEqual(a, b)
}

// shownProgram is what an audit record says of a program: no numbers of people.
func shownProgram(p cardsmodel.Program) values {
	admins := make([]string, len(p.Admins))
	for i, admin := range p.Admins {
		admins[i] = string(admin.ID)
	}
	return values{
		"version": p.Version, "phoneNumberId": p.PhoneNumberID, "admins": admins,
		"mediumFrom": p.Policy.MediumFrom, "highFrom": p.Policy.HighFrom, "approvalSeconds": p.Policy.ApprovalSeconds,
	}
}

// checkProgram checks what the API's schema cannot.
func (s *Store) checkProgram(ctx context.Context, p cardsmodel.Program) error {
	tenant, err := s.Numbers.TenantOf(ctx, p.PhoneNumberID)
	if err != nil {
		return err
	}
	if tenant != p.TenantID {
		return problem.Wrong(ErrSettings, "body.phoneNumberId", "not a number of the tenant")
	}
	if field, wrong := policy.Check(p.Policy); wrong != "" {
		return problem.Wrong(ErrSettings, "body.policy."+field, "%s", wrong)
	}
	if len(p.Admins) > MaxAdmins {
		return problem.Wrong(ErrSettings, "body.admins", "%d admins at most", MaxAdmins)
	}
	var taken []string
	for i, admin := range p.Admins {
		field := fmt.Sprintf("body.admins[%d]", i)
		if !whatsapp.Reachable(whatsapp.Digits(admin.Phone)) {
			return problem.Wrong(ErrSettings, field+".phone", "not a phone number with its country code")
		}
		for _, one := range []string{"id " + string(admin.ID), whatsapp.CanonicalNumber(admin.Phone), string(admin.WAUserID)} {
			if one != "" && slices.Contains(taken, one) {
				return problem.Wrong(ErrSettings, field, "another admin has the same id, number or user id")
			}
			taken = append(taken, one)
		}
	}
	words, defaults := command.DefaultWords().With(p.Policy.ApproveWords, p.Policy.RejectWords), command.DefaultWords()
	if err := checkWords("body.policy.approveWords", p.Policy.ApproveWords, defaults.Reject); err != nil {
		return err
	}
	return checkWords("body.policy.rejectWords", p.Policy.RejectWords, words.Approve)
}

// checkWords checks a tenant's own words for one answer. opposite are words that mean the other one already, folded.
func checkWords(field string, own, opposite []string) error {
	for _, word := range own {
		if !command.IsWord(word) {
			return problem.Wrong(ErrSettings, field, "a word has up to %d bytes, without blanks and punctuation", command.MaxWordBytes)
		}
		if slices.Contains(opposite, command.Fold(word)) {
			return problem.Wrong(ErrSettings, field, "a word cannot both approve and reject")
		}
	}
	return nil
}

// isNumber reports whether an identifier is a phone number and no user id.
func isNumber(id model.CustomerID) bool { return whatsapp.Digits(string(id)) == string(id) }
