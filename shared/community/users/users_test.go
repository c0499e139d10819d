package users_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var (
	noon      = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	allTables = []tables.Table{tables.CommunityUsers, tables.AuditLogs}
	boss      = audit.Actor{Subject: "boss", Name: "boss@example.com"}
)

func on(client *dynamo.Client) *users.Users {
	now := func() time.Time { return noon }
	return &users.Users{
		DB: client, Now: now, Audit: &audit.Log{DB: client, Now: now, NewID: dynamotest.IDs("record-%d")}}
}

// person puts a person with their claims and a code into the tables.
func person(t testing.TB, db *dynamotest.DB, id model.Name, username, email string) communitymodel.User {
	user := communitymodel.User{
		ID: id, Username: username, Name: "Asha", Email: email, TenantID: "demo", PasswordHash: "secret", Version: 1,
		Bio: "I sell rice", AvatarURL: "https://pictures.example/a.png", CreatedAt: model.At(noon),
		Role: communitymodel.RoleModerator,
	}
	user.SetKey()
	db.Seed(t, tables.CommunityUsers, user,
		communitymodel.Claim{PK: users.UsernameRef("demo", username).Key.Partition, UserID: id},
		communitymodel.Claim{PK: users.EmailRef("demo", email).Key.Partition, UserID: id},
		communitymodel.Code{PK: keys.AccessCode(users.ToReset, "demo", email).Partition, Address: email})
	return user
}

func TestPeopleAreFoundWithinTheirTenant(t *testing.T) {
	db := dynamotest.Start(t, allTables...)
	s := on(db.Client)
	asha := person(t, db, "1", "asha.rao", "asha@example.com")
	person(t, db, "2", "ravi", "ravi@example.com")
	for name, want := range map[string]bool{
		"asha.rao": true, "Asha.Rao": true, "asharao": false, "meena": false, "": false} {
		if user, err := s.ByUsername(t.Context(), "demo", name); (err == nil) != want ||
			want && user.ID != asha.ID || !want && !errors.Is(err, dynamo.ErrNotFound) {
			t.Errorf("%q: %+v, %v", name, user, err)
		}
	}
	of := users.Address{Email: asha.Email}
	if user, err := s.ByAddress(t.Context(), "demo", of); err != nil || user.ID != asha.ID {
		t.Errorf("%+v, %v", user, err)
	}
	for _, err := range []error{
		second(s.ByUsername(t.Context(), "another", "asha.rao")), second(s.ByAddress(t.Context(), "another", of)),
		second(s.Of(t.Context(), "another", asha.ID)), second(s.Of(t.Context(), "demo", "3")),
	} {
		if !errors.Is(err, dynamo.ErrNotFound) {
			t.Error(err)
		}
	}
	all, err := s.Many(t.Context(), []model.Name{"1", "2", "3", "1"})
	if err != nil || len(all) != 2 || all["2"].Username != "ravi" {
		t.Errorf("%v, %v", all, err)
	}
	if none, err := s.Many(t.Context(), nil); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

func second(_ communitymodel.User, err error) error { return err }

func TestAProfileIsSetByItsVersion(t *testing.T) {
	db := dynamotest.Start(t, allTables...)
	s := on(db.Client)
	person(t, db, "1", "asha", "asha@example.com")
	profile := users.Profile{
		Name: "Asha Rao", Bio: "Rice\nand dal", Location: "Pune", AvatarURL: "https://pictures.example/b.png"}
	next, err := s.SetProfile(t.Context(), "demo", "1", profile, 1)
	if err != nil || next.Version != 2 || next.Bio != profile.Bio || next.PasswordHash != "secret" {
		t.Errorf("%+v, %v", next, err)
	}
	if again, err := s.SetProfile(t.Context(), "demo", "1", profile, 1); err != nil || again.Version != 2 {
		t.Errorf("a repeated request: %+v, %v", again, err)
	}
	profile.Name = "Asha R"
	if _, err := s.SetProfile(t.Context(), "demo", "1", profile, 1); !errors.Is(err, users.ErrStale) {
		t.Error(err)
	}
	if _, err := s.SetProfile(t.Context(), "another", "1", profile, 2); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error(err)
	}
	for name, change := range map[string]func(*users.Profile){
		"no name":    func(p *users.Profile) { p.Name = "" },
		"two lines":  func(p *users.Profile) { p.Name = "a\nb" },
		"long bio":   func(p *users.Profile) { p.Bio = strings.Repeat("a", 501) },
		"turned bio": func(p *users.Profile) { p.Bio = "\u202eabc" },
		"location":   func(p *users.Profile) { p.Location = "a\nb" },
		"http":       func(p *users.Profile) { p.AvatarURL = "http://pictures.example/a" },
		"no host":    func(p *users.Profile) { p.CoverPhotoURL = "https:///a" },
		"a password": func(p *users.Profile) { p.AvatarURL = "https://a:b@pictures.example/a" },
		"a script":   func(p *users.Profile) { p.AvatarURL = "javascript:alert(1)" },
		"a blank":    func(p *users.Profile) { p.AvatarURL = "https://pictures.example/a b" },
		"long":       func(p *users.Profile) { p.AvatarURL = "https://pictures.example/" + strings.Repeat("a", 2000) },
	} {
		wrong := profile
		change(&wrong)
		if _, err := s.SetProfile(t.Context(), "demo", "1", wrong, 2); !errors.Is(err, users.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAPersonIsDisabledAndEnabledWithARecord(t *testing.T) {
	db := dynamotest.Start(t, allTables...)
	s := on(db.Client)
	person(t, db, "1", "asha", "asha@example.com")
	for i, disabled := range []bool{false, true, true, false} {
		user, err := s.SetDisabled(t.Context(), "demo", "1", disabled, "spam", boss)
		if err != nil || (user.DisabledAt != "") != disabled || user.Active() == disabled {
			t.Errorf("%d: %+v, %v", i, user, err)
		}
	}
	user, err := s.Of(t.Context(), "demo", "1")
	records := db.Items(t, tables.AuditLogs)
	if err != nil || user.Epoch != 1 || user.Version != 3 || len(records) != 2 {
		t.Errorf("%+v, %v, %d records", user, err, len(records))
	}
	for _, record := range records {
		if dynamo.Text(record, "reason") != "spam" || dynamo.Text(record, "targetEcosystemId") != "demo" {
			t.Errorf("%v", record)
		}
	}
}

func TestAPersonIsAppointedAndDismissedWithARecord(t *testing.T) {
	db := dynamotest.Start(t, allTables...)
	s := on(db.Client)
	person(t, db, "1", "asha", "asha@example.com")
	const moderator, user = communitymodel.RoleModerator, communitymodel.RoleUser
	for i, role := range []communitymodel.UserRole{moderator, user, user, moderator} {
		got, err := s.SetRole(t.Context(), "demo", "1", role, "helps", boss)
		if err != nil || got.Role != role {
			t.Errorf("%d: %+v, %v", i, got, err)
		}
	}
	if _, err := s.SetRole(t.Context(), "other", "1", user, "helps", boss); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("of another tenant: %v", err)
	}
	asha, err := s.Of(t.Context(), "demo", "1")
	records := db.Items(t, tables.AuditLogs)
	if err != nil || asha.Role != moderator || asha.Version != 3 || asha.Epoch != 0 || len(records) != 2 {
		t.Errorf("%+v, %v, %d records", asha, err, len(records))
	}
}

func TestNothingOfAPersonStaysWhoIsErased(t *testing.T) {
	db := dynamotest.Start(t, allTables...)
	s := on(db.Client)
	asha := person(t, db, "1", "asha", "asha@example.com")
	writes, err := s.Nobody(asha)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Transact(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	items := db.Items(t, tables.CommunityUsers)
	if len(items) != 1 {
		t.Errorf("%v", items)
	}
	for _, secret := range []string{"Asha", "asha", "secret", "rice", "pictures"} {
		for name := range items[0] {
			if strings.Contains(dynamo.Text(items[0], name), secret) {
				t.Errorf("%s holds %s", name, secret)
			}
		}
	}
	if _, err := s.Of(t.Context(), "demo", "1"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error(err)
	}
	all, err := s.Many(t.Context(), []model.Name{"1"})
	if err != nil || all["1"].ErasedAt != model.At(noon) || all["1"].Epoch != 1 || all["1"].Active() {
		t.Errorf("%+v, %v", all, err)
	}
	if err := db.Transact(t.Context(), writes); !errors.Is(dynamo.Conflict(err), dynamo.ErrConflict) {
		t.Errorf("twice: %v", err)
	}
}

func TestChangesOfPeopleSurviveEveryCrashPoint(t *testing.T) {
	for name, run := range map[string]func(ctx context.Context, s *users.Users) error{
		"profile": func(ctx context.Context, s *users.Users) error {
			return second(s.SetProfile(ctx, "demo", "1", users.Profile{Name: "Asha R"}, 1))
		},
		"disable": func(ctx context.Context, s *users.Users) error {
			return second(s.SetDisabled(ctx, "demo", "1", true, "spam", boss))
		},
		"role": func(ctx context.Context, s *users.Users) error {
			return second(s.SetRole(ctx, "demo", "1", communitymodel.RoleUser, "is away", boss))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: allTables,
				Seed:   func(t testing.TB, db *dynamotest.DB) { person(t, db, "1", "asha", "asha@example.com") },
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					s := on(client)
					s.Audit.NewID = func() string { return "record" } // whichever attempt commits
					return run(ctx, s)
				},
			})
		})
	}
}
