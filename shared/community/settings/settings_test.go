package settings_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/settings"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// mailboxes are the addresses of companies, with their tenants.
type mailboxes map[string]model.TenantID

func (m mailboxes) Owns(_ context.Context, tenant model.TenantID, address string) (bool, error) {
	return m[address] == tenant, nil
}

// numbers are WhatsApp numbers, with their tenants.
type numbers map[model.PhoneNumberID]model.TenantID

func (n numbers) TenantOf(_ context.Context, id model.PhoneNumberID) (model.TenantID, error) {
	return n[id], nil
}

func on(client *dynamo.Client) *settings.Settings {
	return &settings.Settings{
		DB: client, Now: func() time.Time { return noon },
		Mailboxes: mailboxes{"hello@shop.example": "demo", "other@shop.example": "another"},
		Numbers:   numbers{"106540352242922": "demo", "106540352242923": "another"}}
}

func hour(of int64) *int64 { return &of }

func asked() communitymodel.Settings {
	return communitymodel.Settings{
		TenantID: "demo", Open: true, From: "Hello@Shop.example", FromName: " The shop ", Language: "hi",
		WhatsAppNumber: "106540352242922", Words: []string{"Rude", " rude", "bad word"},
		TimeZone: "Asia/Kolkata", DigestAt: hour(0)}
}

func TestSettingsAreSetByTheirVersion(t *testing.T) {
	db := dynamotest.Start(t, tables.CommunityUsers)
	s := on(db.Client)
	if _, err := s.Get(t.Context(), "demo"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a tenant without settings: %v", err)
	}
	first, err := s.Set(t.Context(), asked(), 0)
	if err != nil || first.Version != 1 || first.From != "hello@shop.example" || first.FromName != "The shop" ||
		first.DigestHour() != 0 || first.Zone().String() != "Asia/Kolkata" ||
		!slices.Equal(first.Words, []string{"bad word", "rude"}) || first.UpdatedAt != model.At(noon) {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := s.Set(t.Context(), asked(), 0); err != nil || again.Version != 1 {
		t.Errorf("a repeated request: %+v, %v", again, err)
	}
	next := asked()
	next.Open = false
	if _, err := s.Set(t.Context(), next, 0); !errors.Is(err, settings.ErrStale) {
		t.Errorf("of a version that was replaced: %v", err)
	}
	if second, err := s.Set(t.Context(), next, 1); err != nil || second.Version != 2 || second.Open {
		t.Errorf("%+v, %v", second, err)
	}
	found, err := db.BatchGet(t.Context(), []dynamo.Ref{settings.Ref("demo"), settings.Ref("another")})
	if err != nil {
		t.Fatal(err)
	}
	if is, err := settings.In(found, "demo"); err != nil || is.Version != 2 {
		t.Errorf("%+v, %v", is, err)
	}
	if _, err := settings.In(found, "another"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error(err)
	}
}

func TestASettingThatIsWrongIsNamed(t *testing.T) {
	s := on(dynamotest.Start(t, tables.CommunityUsers).Client)
	many := make([]string, settings.MaxWords+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for name, change := range map[string]func(*communitymodel.Settings){
		"no address":        func(of *communitymodel.Settings) { of.From = "shop" },
		"another's address": func(of *communitymodel.Settings) { of.From = "other@shop.example" },
		"nobody's address":  func(of *communitymodel.Settings) { of.From = "nobody@shop.example" },
		"another's number":  func(of *communitymodel.Settings) { of.WhatsAppNumber = "106540352242923" },
		"nobody's number":   func(of *communitymodel.Settings) { of.WhatsAppNumber = "106540352242924" },
		"no id of a number": func(of *communitymodel.Settings) { of.WhatsAppNumber = "+91#" },
		"two lines":         func(of *communitymodel.Settings) { of.FromName = "a\nb" },
		"a long name":       func(of *communitymodel.Settings) { of.FromName = strings.Repeat("a", 101) },
		"a language":        func(of *communitymodel.Settings) { of.Language = "xx" },
		"many words":        func(of *communitymodel.Settings) { of.Words = many },
		"an empty word":     func(of *communitymodel.Settings) { of.Words = []string{"a", " "} },
		"a long word":       func(of *communitymodel.Settings) { of.Words = []string{strings.Repeat("a", 41)} },
		"no zone":           func(of *communitymodel.Settings) { of.TimeZone = "Asia/Nowhere" },
		"a file":            func(of *communitymodel.Settings) { of.TimeZone = "../../etc/passwd" },
		"this machine's":    func(of *communitymodel.Settings) { of.TimeZone = "Local" },
		"no hour":           func(of *communitymodel.Settings) { of.DigestAt = hour(24) },
		"an hour before":    func(of *communitymodel.Settings) { of.DigestAt = hour(-1) },
		"two lines of word": func(of *communitymodel.Settings) { of.Words = []string{"a\nb"} },
	} {
		of := asked()
		change(&of)
		if _, err := s.Set(t.Context(), of, 0); !errors.Is(err, settings.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSettingsSurviveEveryCrashPoint(t *testing.T) {
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.CommunityUsers},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			_, err := on(client).Set(ctx, asked(), 0)
			return err
		},
	})
}
