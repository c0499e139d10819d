package cards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// NewUser is a user to create.
type NewUser struct {
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

// identifiers returns the keys under which the user is known: of the person who had the number, and the user id of Meta's.
func identifiers(user cardsmodel.User) []model.CustomerID {
	var all []model.CustomerID
	for _, id := range []string{cmp.Or(string(user.PersonKey), user.PhoneE164), string(user.WAUserID)} {
		if id != "" {
			all = append(all, model.CustomerID(canonical(id)))
		}
	}
	return slices.Compact(all)
}

// CreateUser creates a user of a tenant. A firebaseUid, a number and a user id of Meta's belong to one user of a tenant: it returns
// ErrUserExists for those of another. A repeated request gets the first one's answer.
func (s *Store) CreateUser(ctx context.Context, n NewUser, request idempotency.Request, by By) (cardsmodel.User, error) {
	if n.Phone != "" && !whatsapp.Reachable(whatsapp.Digits(n.Phone)) {
		return cardsmodel.User{}, problem.Wrong(ErrSettings, "body.phone", "not a phone number with its country code")
	}
	var user cardsmodel.User
	id, err := s.newID()
	if err != nil {
		return user, err
	}
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, append(request.Refs(), programRef(n.Tenant)))
		if err != nil {
			return err
		}
		var earlier created
		if done, err := request.Earlier(found, s.Now(), &earlier); err != nil {
			return err
		} else if done {
			user, err = s.User(ctx, earlier.User)
			return err
		}
		program, err := programIn(found, n.Tenant)
		if err != nil {
			return err
		}
		user, err = s.createUser(ctx, id, n, program, request, by)
		return err
	})
	return user, err
}

func (s *Store) createUser(
	ctx context.Context, id model.Name, n NewUser, program cardsmodel.Program, request idempotency.Request, by By,
) (cardsmodel.User, error) {
	user := cardsmodel.User{
		EcosystemID: id, TenantID: n.Tenant, FirebaseUID: n.FirebaseUID, Email: n.Email, Name: n.Name, WAUserID: n.WAUserID,
		Role: n.Role, Status: cardsmodel.UserActive, CurrentScore: policy.Score(n.Score), Language: n.Language, CreatedAt: s.now(), UpdatedAt: s.now(),
	}
	user.Tier = policy.TierOf(program.Policy, user.CurrentScore)
	if err := by.mayLift("", user.Tier); err != nil {
		return user, err
	}
	if n.Phone != "" {
		user.PhoneE164 = "+" + whatsapp.Digits(n.Phone)
		var err error
		if user.PersonKey, err = s.Contacts.Named(ctx, []model.PhoneNumberID{program.PhoneNumberID}, "", user.PhoneE164); err != nil {
			return user, err
		}
	}
	remember, err := request.Answered(s.Now(), http.StatusCreated, created{id})
	if err != nil {
		return user, err
	}
	record, err := s.record(by, audit.Draft{Action: "card-user.create", Target: target(TargetUser, id), Tenant: n.Tenant},
		values{}, values{"score": user.CurrentScore, "tier": user.Tier, "role": user.Role})
	if err != nil {
		return user, err
	}
	item, err := put(tables.CardUsers, user)
	if err != nil {
		return user, err
	}
	claims := s.claims(user)
	err = s.DB.Transact(ctx, append(append(append(claims, item), record...), remember...))
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) {
		for i := range claims {
			if cancelled.Reasons[i].Failed() {
				return user, s.existingUser(ctx, request)
			}
		}
	}
	return user, dynamo.Conflict(err)
}

// existingUser returns the error for a user that there is already: a conflict if the same request has created it meanwhile.
func (s *Store) existingUser(ctx context.Context, request idempotency.Request) error {
	found, err := s.DB.BatchGet(ctx, request.Refs())
	if err != nil {
		return err
	}
	var earlier created
	if done, err := request.Earlier(found, s.Now(), &earlier); done || err != nil {
		return fmt.Errorf("%w: %w", dynamo.ErrConflict, err)
	}
	return problem.Breaks(ErrUserExists, "user-exists", "User exists", "Another user of the tenant has the same firebaseUid, phone or waUserId.")
}

// claims returns the writes by which a firebaseUid, a number and a user id of Meta's are one user's of a tenant.
func (s *Store) claims(user cardsmodel.User) []dynamo.Write {
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

// User returns a user, or dynamo.ErrNotFound.
func (s *Store) User(ctx context.Context, id model.Name) (cardsmodel.User, error) {
	var user cardsmodel.User
	err := s.DB.Get(ctx, tables.CardUsers, keys.CardUser(id), &user)
	return user, err
}

func userRef(id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.CardUsers, Key: keys.CardUser(id)}
}

// userIn returns the user that a batch has read, or dynamo.ErrNotFound.
func userIn(found dynamo.Found, id model.Name) (user cardsmodel.User, err error) {
	item := userRef(id).Found(found)
	if item == nil {
		return user, dynamo.ErrNotFound
	}
	return user, dynamo.Unmarshal(item, &user)
}

// UsersByFirebaseUID returns the users with a firebaseUid: at most one of each tenant. The index may be behind by a moment.
func (s *Store) UsersByFirebaseUID(ctx context.Context, uid model.Name) ([]cardsmodel.User, error) {
	return list[cardsmodel.User](ctx, s, dynamo.Query{
		Table: tables.CardUsers, Index: tables.IndexUserByFirebaseUID, Where: "firebaseUid = :uid", Values: dynamo.Item{":uid": dynamo.S(uid)}, Limit: 100,
	}, "users by firebaseUid")
}

// SetUserStatus disables or enables a user. A user who has the status already stays unchanged. Its condition is the status that was
// read.
func (s *Store) SetUserStatus(ctx context.Context, id model.Name, status cardsmodel.UserStatus, reason string, by By) (user cardsmodel.User, err error) {
	return user, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if user, err = s.User(ctx, id); err != nil || user.Status == status {
			return err
		}
		if user.ErasedAt != "" {
			return dynamo.ErrNotFound
		}
		record, err := s.record(by, audit.Draft{
			Action: "card-user." + string(status), Target: target(TargetUser, id), Tenant: user.TenantID, Reason: reason,
		}, values{"status": user.Status}, values{"status": status})
		if err != nil {
			return err
		}
		write := s.changeUser(id).set("status", dynamo.S(status)).where("status", dynamo.S(user.Status)).absent("erasedAt")
		err = dynamo.Conflict(s.DB.Transact(ctx, append(record, write.write())))
		user.Status, user.UpdatedAt = status, s.now()
		return err
	})
}
