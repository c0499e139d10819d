// Package users owns the people of communities: what they say of themselves, how they are found, and what becomes of
// them.
package users

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a change of a person may break.
var (
	ErrStale = errors.New("the person has changed since they were read")
	ErrField = errors.New("a field of a person is wrong")
)

// What people may say of themselves.
const (
	MaxName     = 80 // characters
	MaxBio      = 500
	MaxLocation = 100
	MaxURL      = 2000 // bytes
)

// Target is what audit records of people are about.
const Target = "communityUser"

// Users reads and writes people.
type Users struct {
	DB    *dynamo.Client
	Now   func() time.Time
	Audit *audit.Log
}

// Ref refers to a person.
func Ref(id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.CommunityUsers, Key: keys.CommunityUser(id)}
}

// UsernameRef refers to the item by which a username, and each that looks like it, is one person's of a tenant.
func UsernameRef(tenant model.TenantID, username string) dynamo.Ref {
	return dynamo.Ref{Table: tables.CommunityUsers, Key: keys.Username(tenant, Skeleton(username))}
}

// EmailRef refers to the item by which an address is one person's of a tenant.
func EmailRef(tenant model.TenantID, address string) dynamo.Ref {
	return Address{Email: address}.Ref(tenant)
}

// In returns the person that a batch has read, or dynamo.ErrNotFound.
func In(found dynamo.Found, id model.Name) (user communitymodel.User, err error) {
	item := Ref(id).Found(found)
	if item == nil {
		return user, dynamo.ErrNotFound
	}
	return user, dynamo.Unmarshal(item, &user)
}

// ClaimIn returns whose a username, an address or a number is, by the item that a batch has read; "" for nobody's.
func ClaimIn(found dynamo.Found, ref dynamo.Ref) model.Name {
	return model.Name(dynamo.Text(ref.Found(found), "UserId"))
}

// Of returns a person of a tenant, who may be disabled. It returns dynamo.ErrNotFound for anybody else, and for who was
// erased.
func (s *Users) Of(ctx context.Context, tenant model.TenantID, id model.Name) (user communitymodel.User, err error) {
	if err := s.DB.Get(ctx, tables.CommunityUsers, keys.CommunityUser(id), &user); err != nil {
		return user, err
	}
	if user.TenantID != tenant || user.ErasedAt != "" {
		return communitymodel.User{}, dynamo.ErrNotFound
	}
	return user, nil
}

// Many returns people by their ids, in one batch. It leaves out those who are not there. Who was erased has no name.
func (s *Users) Many(ctx context.Context, ids []model.Name) (map[model.Name]communitymodel.User, error) {
	refs := make([]dynamo.Ref, len(ids))
	for i, id := range ids {
		refs[i] = Ref(id)
	}
	all := make(map[model.Name]communitymodel.User, len(ids))
	if len(ids) == 0 {
		return all, nil
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("people of communities: %w", err)
	}
	for _, id := range ids {
		user, err := In(found, id)
		if errors.Is(err, dynamo.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all[id] = user
	}
	return all, nil
}

// ByUsername returns the person of a tenant with a username, in any spelling of capital letters. It returns
// dynamo.ErrNotFound for a name that only looks like somebody's.
func (s *Users) ByUsername(ctx context.Context, tenant model.TenantID,
	username string) (communitymodel.User, error) {
	name, err := ParseUsername(username)
	if err != nil {
		return communitymodel.User{}, dynamo.ErrNotFound
	}
	user, err := s.claiming(ctx, tenant, UsernameRef(tenant, name))
	if err == nil && user.Username != name {
		return communitymodel.User{}, dynamo.ErrNotFound
	}
	return user, err
}

// ByAddress returns the person of a tenant with an address of email or a phone number, or dynamo.ErrNotFound.
func (s *Users) ByAddress(ctx context.Context, tenant model.TenantID, of Address) (communitymodel.User, error) {
	return s.claiming(ctx, tenant, of.Ref(tenant))
}

func (s *Users) claiming(ctx context.Context, tenant model.TenantID,
	ref dynamo.Ref) (user communitymodel.User, err error) {
	var claim communitymodel.Claim
	if err := s.DB.Get(ctx, ref.Table, ref.Key, &claim); err != nil {
		return user, err
	}
	return s.Of(ctx, tenant, claim.UserID)
}

// Profile is what people say of themselves.
type Profile struct {
	Name, Bio, Location, AvatarURL, CoverPhotoURL string
	// ShowsPresence says whether others are told that they are there; nil leaves it as it is.
	ShowsPresence *bool
}

// SetProfile replaces what a person says of themself. Its condition is the version that the caller has read. A repeated
// request changes nothing. It returns ErrStale and ErrField.
func (s *Users) SetProfile(ctx context.Context, tenant model.TenantID, id model.Name, p Profile,
	version int64) (next communitymodel.User, err error) {
	if err := p.check(); err != nil {
		return next, err
	}
	return next, s.change(ctx, tenant, id, func(user *communitymodel.User) ([]dynamo.Write, error) {
		was := *user
		user.Name, user.Bio, user.Location = p.Name, p.Bio, p.Location
		user.AvatarURL, user.CoverPhotoURL = p.AvatarURL, p.CoverPhotoURL
		if p.ShowsPresence != nil {
			user.HidesPresence = !*p.ShowsPresence
		}
		next = *user
		switch {
		case dynamo.StoredAlike(was, *user):
			return nil, errSame
		case was.Version != version:
			return nil, problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
				"The version is %d by now. Read it again.", was.Version)
		}
		next.Version++
		return nil, nil
	})
}

// errSame means that a change changes nothing.
var errSame = errors.New("nothing changes")

// change reads a person, has decide change them, and stores them with the writes that it returns. The condition is that
// the person is as they were read.
func (s *Users) change(ctx context.Context, tenant model.TenantID, id model.Name,
	decide func(user *communitymodel.User) ([]dynamo.Write, error)) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		user, err := s.Of(ctx, tenant, id)
		if err != nil {
			return err
		}
		writes, err := decide(&user)
		if errors.Is(err, errSame) {
			return nil
		}
		if err != nil {
			return err
		}
		put, err := dynamo.PutVersion(tables.CommunityUsers, &user)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Write(ctx, append(writes, put)))
	})
}

// SetDisabled disables or enables a person of a tenant, with the audit record. Who is disabled can do nothing, and all
// their sessions end. Nothing changes if the person is so already.
func (s *Users) SetDisabled(ctx context.Context, tenant model.TenantID, id model.Name, disabled bool, reason string,
	by audit.Actor) (next communitymodel.User, err error) {
	return next, s.change(ctx, tenant, id, func(user *communitymodel.User) ([]dynamo.Write, error) {
		next = *user
		was := user.DisabledAt != ""
		if was == disabled {
			return nil, errSame
		}
		user.DisabledAt = ""
		action := "community-user.enable"
		if disabled {
			action = "community-user.disable"
			user.DisabledAt = model.At(s.Now())
			user.Epoch++
		}
		next = *user
		next.Version++
		_, record, err := s.Audit.CompletedRecord(audit.Draft{
			Action: action, Target: audit.Target{Type: Target, ID: string(id)}, Tenant: tenant, By: by, Reason: reason,
		}, map[string]bool{"disabled": was}, map[string]bool{"disabled": disabled})
		return []dynamo.Write{record}, err
	})
}

// SetRole makes a person a moderator of all communities of the tenant that they are a member of, or a plain user, with
// the audit record. Nothing changes if the person is so already.
func (s *Users) SetRole(ctx context.Context, tenant model.TenantID, id model.Name, role communitymodel.UserRole,
	reason string, by audit.Actor) (next communitymodel.User, err error) {
	return next, s.change(ctx, tenant, id, func(user *communitymodel.User) ([]dynamo.Write, error) {
		next = *user
		was := user.Role
		if was == role {
			return nil, errSame
		}
		user.Role = role
		next = *user
		next.Version++
		_, record, err := s.Audit.CompletedRecord(audit.Draft{
			Action: "community-user.role", Target: audit.Target{Type: Target, ID: string(id)}, Tenant: tenant, By: by,
			Reason: reason,
		}, map[string]any{"role": was}, map[string]any{"role": role})
		return []dynamo.Write{record}, err
	})
}

// check returns ErrField for a profile that cannot be shown as it is.
func (p Profile) check() error {
	if err := CheckName(p.Name); err != nil {
		return err
	}
	switch {
	case utf8.RuneCountInString(p.Bio) > MaxBio || p.Bio != model.Shown(p.Bio):
		return wrong("body.bio", "at most %d characters, none of which controls how the text is shown", MaxBio)
	case utf8.RuneCountInString(p.Location) > MaxLocation || p.Location != model.ShownLine(p.Location):
		return wrong("body.location", "at most %d characters on one line", MaxLocation)
	}
	for field, address := range map[string]string{"avatarUrl": p.AvatarURL, "coverPhotoUrl": p.CoverPhotoURL} {
		if address != "" && !isPicture(address) {
			return wrong("body."+field, "not an https address")
		}
	}
	return nil
}

// CheckName returns ErrField for a name that cannot be shown as it is.
func CheckName(name string) error {
	if strings.TrimSpace(name) != name || name == "" || utf8.RuneCountInString(name) > MaxName ||
		name != model.ShownLine(name) {
		return wrong("body.name", "1 to %d characters on one line, with no blank first or last", MaxName)
	}
	return nil
}

// isPicture reports whether a text is an https address of a host.
func isPicture(text string) bool {
	address, err := url.Parse(text)
	return err == nil && len(text) <= MaxURL && address.Scheme == "https" && address.Hostname() != "" &&
		address.User == nil && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

func wrong(field, detail string, values ...any) error {
	return problem.Wrong(ErrField, field, detail, values...)
}
