// Package settings owns a tenant's settings for its communities. A tenant without settings has no communities.
package settings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mailaddress"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a change of the settings may break.
var (
	ErrStale = errors.New("the settings have changed since they were read")
	ErrField = errors.New("a setting of communities is wrong")
)

// Languages are the languages in which people get their codes.
var Languages = []string{"en", "hi", "es"}

// What settings may hold. They are read with every message, so the words stay few.
const (
	MaxFromName = 100 // characters
	MaxWords    = 200
	MaxWord     = 40 // characters
)

// Mailboxes knows the email addresses of tenants' companies.
type Mailboxes interface {
	// Owns reports whether an address belongs to a company of a tenant.
	Owns(ctx context.Context, tenant model.TenantID, address string) (bool, error)
}

// Numbers knows whose the WhatsApp numbers are: tenancy.Numbers.
type Numbers interface {
	TenantOf(ctx context.Context, id model.PhoneNumberID) (model.TenantID, error)
}

// Settings reads and writes settings.
type Settings struct {
	DB        *dynamo.Client
	Now       func() time.Time
	Mailboxes Mailboxes
	Numbers   Numbers
}

// Ref refers to a tenant's settings.
func Ref(tenant model.TenantID) dynamo.Ref {
	return dynamo.Ref{Table: tables.CommunityUsers, Key: keys.CommunitySettings(tenant)}
}

// In returns the settings that a batch has read, or dynamo.ErrNotFound for a tenant without communities.
func In(found dynamo.Found, tenant model.TenantID) (s communitymodel.Settings, err error) {
	item := Ref(tenant).Found(found)
	if item == nil {
		return s, dynamo.ErrNotFound
	}
	return s, dynamo.Unmarshal(item, &s)
}

// Get returns a tenant's settings, or dynamo.ErrNotFound for a tenant without communities.
func (s *Settings) Get(ctx context.Context, tenant model.TenantID) (is communitymodel.Settings, err error) {
	return is, s.DB.Get(ctx, tables.CommunityUsers, keys.CommunitySettings(tenant), &is)
}

// Set stores a tenant's settings. Its condition is the version that the caller has read, 0 for a tenant without
// settings. A repeated request changes nothing. It returns ErrStale and ErrField.
func (s *Settings) Set(ctx context.Context, asked communitymodel.Settings,
	version int64) (next communitymodel.Settings, err error) {
	if err := s.check(ctx, &asked); err != nil {
		return next, err
	}
	return next, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		was, err := s.Get(ctx, asked.TenantID)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		next = asked
		next.PK = keys.CommunitySettings(asked.TenantID).Partition
		next.Version, next.UpdatedAt, next.Rest = was.Version, was.UpdatedAt, was.Rest
		if was.Version > 0 && dynamo.StoredAlike(was, next) {
			return nil
		}
		if was.Version != version {
			return problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
				"The version is %d by now. Read the settings again.", was.Version)
		}
		next.UpdatedAt = model.At(s.Now())
		put, err := dynamo.PutVersion(tables.CommunityUsers, &next)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Put(ctx, put))
	})
}

// check brings settings into the form in which they are stored. It returns ErrField for those that cannot be.
func (s *Settings) check(ctx context.Context, of *communitymodel.Settings) error {
	from, err := mailaddress.Parse(of.From)
	if err != nil {
		return wrong("from", "not an address of email")
	}
	of.From, of.FromName = from, strings.TrimSpace(of.FromName)
	if of.FromName != model.ShownLine(of.FromName) || utf8.RuneCountInString(of.FromName) > MaxFromName {
		return wrong("fromName", "at most %d characters on one line", MaxFromName)
	}
	if !slices.Contains(Languages, of.Language) {
		return wrong("language", "one of %s", strings.Join(Languages, ", "))
	}
	if _, err := time.LoadLocation(of.TimeZone); err != nil || of.TimeZone == "Local" {
		return wrong("timeZone", "not the IANA name of a time zone, such as Asia/Kolkata")
	}
	if hour := of.DigestHour(); hour < 0 || hour > 23 {
		return wrong("digestAt", "an hour from 0 to 23")
	}
	if len(of.Words) > MaxWords {
		return wrong("words", "at most %d words", MaxWords)
	}
	words := make([]string, len(of.Words))
	for i, word := range of.Words {
		words[i] = strings.ToLower(strings.TrimSpace(word))
		if words[i] == "" || utf8.RuneCountInString(words[i]) > MaxWord || words[i] != model.ShownLine(words[i]) {
			return wrong(fmt.Sprintf("words[%d]", i), "a word has 1 to %d characters on one line", MaxWord)
		}
	}
	slices.Sort(words)
	of.Words = slices.Compact(words)
	owns, err := s.Mailboxes.Owns(ctx, of.TenantID, of.From)
	if err == nil && !owns {
		return wrong("from", "not the company_email of one of your companies")
	}
	if err != nil || of.WhatsAppNumber == "" {
		return err
	}
	return s.checkNumber(ctx, *of)
}

// checkNumber returns ErrField for a WhatsApp number that is not the tenant's.
func (s *Settings) checkNumber(ctx context.Context, of communitymodel.Settings) error {
	owner := model.TenantID("")
	_, err := model.ParsePhoneNumberID(string(of.WhatsAppNumber))
	if err == nil {
		if owner, err = s.Numbers.TenantOf(ctx, of.WhatsAppNumber); err != nil {
			return err
		}
	}
	if owner == "" || owner != of.TenantID {
		return wrong("whatsAppNumber", "not the id of one of your WhatsApp numbers")
	}
	return nil
}

func wrong(field, detail string, values ...any) error {
	return problem.Wrong(ErrField, "body."+field, detail, values...)
}
