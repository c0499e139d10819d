// Package programs owns the card programs of tenants: their policy, and the admins who decide.
package programs

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The rules that a change of a program may break. An error of a rule wraps it, and a problem that names the rule and
// the state.
var (
	ErrNone     = errors.New("the tenant has no card program")
	ErrStale    = errors.New("changed since it was read")
	ErrSettings = errors.New("the settings are wrong")
)

// Programs reads and writes the programs.
type Programs struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Audit    *audit.Log
	Numbers  Numbers
	Contacts Contacts
	// Heard reports whether somebody outside is told events of a tenant; nil where no program is set.
	Heard func(ctx context.Context, tenant model.TenantID) (bool, error)
}

// Numbers finds the tenant of a business number. tenancy.Numbers implements it.
type Numbers interface {
	TenantOf(ctx context.Context, phone model.PhoneNumberID) (model.TenantID, error)
}

// now returns the time, as it is stored.
func (s *Programs) now() model.Time { return model.At(s.Now()) }

func none() error {
	return problem.Breaks(ErrNone, "no-card-program", "No card program",
		"The tenant has no card program yet. An administrator sets one up with PUT /v1/cards/program.")
}

// MaxAdmins bounds how many admins are asked about a request: one transaction holds the messages to all of them.
const MaxAdmins = 10

// Get returns a tenant's card program, or ErrNone.
func (s *Programs) Get(ctx context.Context, tenant model.TenantID) (cardsmodel.Program, error) {
	var p cardsmodel.Program
	err := s.DB.Get(ctx, tables.CardUsers, keys.CardProgram(tenant), &p)
	if errors.Is(err, dynamo.ErrNotFound) {
		return p, none()
	}
	if err != nil {
		return p, fmt.Errorf("card program: %w", err)
	}
	return p, nil
}

// In returns the program that a batch has read, or ErrNone.
func In(found dynamo.Found, tenant model.TenantID) (cardsmodel.Program, error) {
	item := Ref(tenant).Found(found)
	if item == nil {
		return cardsmodel.Program{}, none()
	}
	var p cardsmodel.Program
	err := dynamo.Unmarshal(item, &p)
	return p, err
}

// Ref refers to a program.
func Ref(tenant model.TenantID) dynamo.Ref {
	return dynamo.Ref{Table: tables.CardUsers, Key: keys.CardProgram(tenant)}
}

// Set replaces a tenant's program. Its condition is the version that the caller has read; 0 if there is none yet. It
// returns ErrStale, and ErrSettings for what is wrong.
func (s *Programs) Set(ctx context.Context, next cardsmodel.Program, by changes.By) (cardsmodel.Program, error) {
	if err := s.check(ctx, next); err != nil {
		return next, err
	}
	before, err := s.Get(ctx, next.TenantID)
	if err != nil && !errors.Is(err, ErrNone) {
		return next, err
	}
	for i, admin := range next.Admins {
		next.Admins[i].ConfirmedAt = s.confirmedAt(before, admin)
	}
	if next.Subscribed = before.Subscribed; before.Version == 0 && s.Heard != nil {
		if next.Subscribed, err = s.Heard(ctx, next.TenantID); err != nil {
			return next, err
		}
	}
	if same(before, next) {
		return before, nil // a repeated request
	}
	if before.Version != next.Version {
		return next,
			problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
				"The program has the version %d. Read it again.", before.Version)
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
	record, err := by.Record(s.Audit, audit.Draft{
		Action: "card-program.set", Target: changes.Target(changes.TargetProgram, model.Name(next.TenantID)),
		Tenant: next.TenantID,
	}, shown(before), shown(next))
	if err != nil {
		return next, err
	}
	err = dynamo.Conflict(s.DB.Transact(ctx, append(record, write)))
	return next, err
}

// confirmedAt returns when the number of an admin was set or confirmed: now, unless the program has the admin with that
// number already.
func (s *Programs) confirmedAt(before cardsmodel.Program, admin cardsmodel.Admin) model.Time {
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

// shown is what an audit record says of a program: no numbers of people.
func shown(p cardsmodel.Program) changes.Values {
	admins := make([]string, len(p.Admins))
	for i, admin := range p.Admins {
		admins[i] = string(admin.ID)
	}
	return changes.Values{
		"version": p.Version, "phoneNumberId": p.PhoneNumberID, "admins": admins,
		"mediumFrom": p.Policy.MediumFrom, "highFrom": p.Policy.HighFrom, "approvalSeconds": p.Policy.ApprovalSeconds,
	}
}

// check checks what the API's schema cannot.
func (s *Programs) check(ctx context.Context, p cardsmodel.Program) error {
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
		for _, one := range []string{
			"id " + string(admin.ID), whatsapp.CanonicalNumber(admin.Phone), string(admin.WAUserID)} {
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
			return problem.Wrong(ErrSettings, field, "a word has up to %d bytes, without blanks and punctuation",
				command.MaxWordBytes)
		}
		if slices.Contains(opposite, command.Fold(word)) {
			return problem.Wrong(ErrSettings, field, "a word cannot both approve and reject")
		}
	}
	return nil
}
