// Package users owns the people who may have cards, and their scores.
package users

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The rules that a change of a user may break. An error of a rule wraps it, and a problem that names the rule and the
// state.
var (
	ErrExists       = errors.New("there is such a user")
	ErrDisabled     = errors.New("the user is disabled")
	ErrPhone        = errors.New("the user's phone number is wrong")
	ErrMayNotDecide = errors.New("who may not decide may not lift a user over decisions")
)

// Users reads and writes users.
type Users struct {
	DB       *dynamo.Client
	Now      func() time.Time
	NewID    func() string
	Audit    *audit.Log
	Programs *programs.Programs
	Contacts Contacts
}

// Contacts knows the people behind numbers. contacts.Contacts implements it.
type Contacts interface {
	Named(ctx context.Context, phones []model.PhoneNumberID, country, text string) (model.CustomerID, error)
}

// now returns the time, as it is stored.
func (s *Users) now() model.Time { return model.At(s.Now()) }

// Disabled returns the error for a change that needs an active user.
func Disabled() error {
	return problem.Breaks(ErrDisabled, "user-disabled", "User disabled", "The user is disabled. Enable the user first.")
}

// mayLift returns ErrMayNotDecide for a change into the tier of those who get cards without a decision, by who may not
// decide.
func mayLift(by changes.By, from, to cardsmodel.Tier) error {
	if to != cardsmodel.TierHigh || from == to || by.Decides {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrMayNotDecide, problem.New("needs cards.decide", problem.Error{
		Class: problem.Forbidden, Code: "needs-cards-decide", Title: "Needs cards.decide",
		Detail: "With this score the user would get cards without a decision. Setting it needs the scope cards.decide.",
	}))
}

// Change begins a change of a user. Its condition is that the user is there.
func Change(id model.Name, now model.Time) *changes.Change {
	return changes.Of(tables.CardUsers, keys.CardUser(id)).Set("updatedAt", dynamo.S(now))
}

// New is a user to create.
type New struct {
	Tenant      model.TenantID
	FirebaseUID model.Name // "" for a person who does not sign in
	Email, Name string
	Phone       string           // E.164; "" for none
	WAUserID    model.CustomerID // "" for none
	Language    string
	Role        cardsmodel.UserRole
	Score       int
}

// created is what the record of the request says: not who the user is, because an erasure does not reach the record.
type created struct {
	User model.Name `json:"user"`
}

// identifiers returns the keys under which the user is known: of the person who had the number, and the user id of
// Meta's.
func identifiers(user cardsmodel.User) []model.CustomerID {
	var all []model.CustomerID
	for _, id := range []string{cmp.Or(string(user.PersonKey), user.PhoneE164), string(user.WAUserID)} {
		if id != "" {
			all = append(all, model.CustomerID(cardsmodel.Canonical(id)))
		}
	}
	return slices.Compact(all)
}

// Create creates a user of a tenant. A firebaseUid, a number and a user id of Meta's belong to one user of a tenant: it
// returns ErrExists for those of another. A repeated request gets the first one's answer.
func (s *Users) Create(ctx context.Context, n New, request idempotency.Request,
	by changes.By) (cardsmodel.User, error) {
	if n.Phone != "" && !whatsapp.Reachable(whatsapp.Digits(n.Phone)) {
		return cardsmodel.User{}, problem.Wrong(ErrPhone, "body.phone", "not a phone number with its country code")
	}
	var user cardsmodel.User
	id, err := model.Parse[model.Name](s.NewID())
	if err != nil {
		return user, err
	}
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, append(request.Refs(), programs.Ref(n.Tenant)))
		if err != nil {
			return err
		}
		var earlier created
		if done, err := request.Earlier(found, s.Now(), &earlier); err != nil {
			return err
		} else if done {
			user, err = s.Get(ctx, earlier.User)
			return err
		}
		program, err := programs.In(found, n.Tenant)
		if err != nil {
			return err
		}
		user, err = s.create(ctx, id, n, program, request, by)
		return err
	})
	return user, err
}

func (s *Users) create(
	ctx context.Context, id model.Name, n New, program cardsmodel.Program, request idempotency.Request, by changes.By,
) (cardsmodel.User, error) {
	user := cardsmodel.User{
		EcosystemID: id, TenantID: n.Tenant, FirebaseUID: n.FirebaseUID, Email: n.Email, Name: n.Name,
		WAUserID: n.WAUserID,
		Role:     n.Role, Status: cardsmodel.UserActive, CurrentScore: policy.Score(n.Score), Language: n.Language,
		CreatedAt: s.now(), UpdatedAt: s.now(),
	}
	user.Tier = policy.TierOf(program.Policy, user.CurrentScore)
	if err := mayLift(by, "", user.Tier); err != nil {
		return user, err
	}
	if n.Phone != "" {
		user.PhoneE164 = "+" + whatsapp.Digits(n.Phone)
		var err error
		if user.PersonKey, err = s.Contacts.Named(ctx, []model.PhoneNumberID{program.PhoneNumberID}, "",
			user.PhoneE164); err != nil {
			return user, err
		}
	}
	remember, err := request.Answered(s.Now(), http.StatusCreated, created{id})
	if err != nil {
		return user, err
	}
	record, err := by.Record(s.Audit,
		audit.Draft{Action: "card-user.create", Target: changes.Target(changes.TargetUser, id), Tenant: n.Tenant},
		changes.Values{}, changes.Values{"score": user.CurrentScore, "tier": user.Tier, "role": user.Role})
	if err != nil {
		return user, err
	}
	item, err := changes.Put(tables.CardUsers, user)
	if err != nil {
		return user, err
	}
	claims := s.claims(user)
	err = s.DB.Transact(ctx, append(append(append(claims, item), record...), remember...))
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) {
		for i := range claims {
			if cancelled.Reasons[i].Failed() {
				return user, s.existing(ctx, request)
			}
		}
	}
	return user, dynamo.Conflict(err)
}

// existing returns the error for a user that there is already: a conflict if the same request has created it meanwhile.
func (s *Users) existing(ctx context.Context, request idempotency.Request) error {
	found, err := s.DB.BatchGet(ctx, request.Refs())
	if err != nil {
		return err
	}
	var earlier created
	if done, err := request.Earlier(found, s.Now(), &earlier); done || err != nil {
		return fmt.Errorf("%w: %w", dynamo.ErrConflict, err)
	}
	return problem.Breaks(ErrExists, "user-exists", "User exists",
		"Another user of the tenant has the same firebaseUid, phone or waUserId.")
}

// claims returns the writes by which a firebaseUid, a number and a user id of Meta's are one user's of a tenant.
func (s *Users) claims(user cardsmodel.User) []dynamo.Write {
	var writes []dynamo.Write
	for _, key := range claimKeys(user) {
		writes = append(writes, dynamo.Put{
			Table: tables.CardUsers, If: "attribute_not_exists(ecosystemId)",
			Item: dynamo.Item{"ecosystemId": dynamo.S(key.Partition), "leadsTo": dynamo.S(user.EcosystemID)},
		})
	}
	return writes
}

func claimKeys(user cardsmodel.User) []keys.Key {
	var all []keys.Key
	if user.FirebaseUID != "" {
		all = append(all, keys.CardFirebase(user.TenantID, user.FirebaseUID))
	}
	for _, id := range identifiers(user) {
		all = append(all, keys.CardPhone(user.TenantID, id))
	}
	return all
}

// Get returns a user, or dynamo.ErrNotFound.
func (s *Users) Get(ctx context.Context, id model.Name) (cardsmodel.User, error) {
	var user cardsmodel.User
	err := s.DB.Get(ctx, tables.CardUsers, keys.CardUser(id), &user)
	return user, err
}

// Ref refers to a user.
func Ref(id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.CardUsers, Key: keys.CardUser(id)}
}

// In returns the user that a batch has read, or dynamo.ErrNotFound.
func In(found dynamo.Found, id model.Name) (user cardsmodel.User, err error) {
	item := Ref(id).Found(found)
	if item == nil {
		return user, dynamo.ErrNotFound
	}
	return user, dynamo.Unmarshal(item, &user)
}

// ByFirebaseUID returns the users with a firebaseUid: at most one of each tenant. The index may be behind by a moment.
func (s *Users) ByFirebaseUID(ctx context.Context, uid model.Name) ([]cardsmodel.User, error) {
	all, _, err := dynamo.PageOf[cardsmodel.User](ctx, s.DB, dynamo.Query{
		Table: tables.CardUsers, Index: tables.IndexUserByFirebaseUID, Where: "firebaseUid = :uid",
		Values: dynamo.Item{":uid": dynamo.S(uid)}, Limit: 100,
	})
	if err != nil {
		return nil, fmt.Errorf("users by firebaseUid: %w", err)
	}
	return all, nil
}

// SetStatus disables or enables a user. A user who has the status already stays unchanged. Its condition is the status
// that was read.
func (s *Users) SetStatus(ctx context.Context, id model.Name, status cardsmodel.UserStatus, reason string,
	by changes.By) (user cardsmodel.User, err error) {
	return user, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if user, err = s.Get(ctx, id); err != nil || user.Status == status {
			return err
		}
		if user.ErasedAt != "" {
			return dynamo.ErrNotFound
		}
		record, err := by.Record(s.Audit, audit.Draft{
			Action: "card-user." + string(status), Target: changes.Target(changes.TargetUser, id),
			Tenant: user.TenantID, Reason: reason,
		}, changes.Values{"status": user.Status}, changes.Values{"status": status})
		if err != nil {
			return err
		}
		write := Change(id, s.now()).Set("status", dynamo.S(status)).Where("status",
			dynamo.S(user.Status)).Absent("erasedAt")
		err = dynamo.Conflict(s.DB.Transact(ctx, append(record, write.Write())))
		user.Status, user.UpdatedAt = status, s.now()
		return err
	})
}
