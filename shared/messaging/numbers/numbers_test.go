package numbers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/sealing"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var profile = numbers.Profile{
	About: "Open from 9 to 21", Address: "12 Market Road", Email: "shop@example.com", Vertical: "GROCERY",
	Websites: []string{"https://haat.example"}}

func TestAProfileGoesToMetaAndDriftIsShown(t *testing.T) {
	s := opened(t)
	settings, ctx := s.rooms.NumberSettings, t.Context()
	put, err := settings.Put(ctx, s.of, numbers.KindProfile, profile)
	s.must(put, err)
	s.is(put, model.SettingPending, "", "")
	s.is(s.after(numbers.KindProfile), model.SettingSynced, `"about":"Open from 9 to 21"`, "")
	asked := len(s.meta.asked.All())
	s.must(settings.Put(ctx, s.of, numbers.KindProfile, profile)) // Meta has it already
	if s.after(numbers.KindProfile); len(s.meta.asked.All()) != asked {
		t.Errorf("asked again: %v", s.meta.asked.All()[asked:])
	}
	var stored model.Profile
	if err := s.db.Get(ctx, tables.Messages, keys.Profile(wt.Phone), &stored); err != nil {
		t.Fatal(err)
	}
	if stored.ItemType != "BUSINESS_PROFILE" || stored.WABAMetaID != wt.WABA || stored.BusinessName != "Haat Demo" ||
		stored.About != profile.About || stored.Websites[0] != profile.Websites[0] ||
		stored.UpdatedAt != model.At(noon) {
		t.Errorf("%+v", stored)
	}

	s.elsewhere("whatsapp_business_profile", map[string]any{"messaging_product": "whatsapp", "about": "Closed"})
	s.is(s.after(numbers.KindProfile), model.SettingSynced, "Open", "") // nobody has looked
	drifted := s.sync(numbers.KindProfile)
	s.is(drifted, model.SettingLocal, `"about":"Closed"`, "")
	want := []numbers.Difference{{Path: "about", Wanted: []byte(`"Open from 9 to 21"`), Meta: []byte(`"Closed"`)}}
	if diff := cmp.Diff(want, numbers.Differences(drifted.Wanted, drifted.Meta)); diff != "" {
		t.Error(diff)
	}
	s.is(s.sync(numbers.KindProfile), model.SettingLocal, "Closed", "") // and it is not overwritten
	s.must(settings.Put(ctx, s.of, numbers.KindProfile, profile))
	s.is(s.after(numbers.KindProfile), model.SettingSynced, "Open", "")
}

func TestWhatMetaHasOfANumberIsShownBeforeAnythingIsWanted(t *testing.T) {
	s := opened(t)
	got := s.sync(numbers.KindCommerce)
	s.is(got, model.SettingSynced, `"isCartEnabled":true`, "")
	if len(got.Wanted) > 0 || got.ReadAt == "" {
		t.Errorf("%+v", got)
	}
}

func TestThePhotoOfAProfileIsUploadedOnce(t *testing.T) {
	s := opened(t)
	settings, ctx := s.rooms.NumberSettings, t.Context()
	file := model.Media{
		PK: keys.Media("7").Partition, ItemType: model.ItemMedia, MediaID: "7", S3Key: "files/demo/7",
		ContentType: "image/png", UploadedBy: "user-1"}
	s.db.Seed(t, tables.Messages, file)
	with := profile
	for _, id := range []string{"8", "a#b"} {
		with.Photo = id
		if _, err := settings.Put(ctx, s.of, numbers.KindProfile, with); !errors.Is(err, numbers.ErrNoPhoto) {
			t.Errorf("%s: %v", id, err)
		}
	}
	with.Photo = "7"
	s.must(settings.Put(ctx, s.of, numbers.KindProfile, with))
	s.is(s.after(numbers.KindProfile), model.SettingSynced, `"photo":"7","profilePictureUrl":"https://`, "")
	with.About = "Open all day"
	file.ErasedAt = model.At(noon) // Meta has it, and it is not needed any more
	s.db.Seed(t, tables.Messages, file)
	if _, err := settings.Put(ctx, s.of, numbers.KindProfile, with); !errors.Is(err, numbers.ErrNoPhoto) {
		t.Errorf("an erased photo: %v", err)
	}
	s.is(s.sync(numbers.KindProfile), model.SettingSynced, `"photo":"7"`, "")
	with.Photo = ""
	s.must(settings.Put(ctx, s.of, numbers.KindProfile, with))
	s.is(s.after(numbers.KindProfile), model.SettingSynced, `"about":"Open all day"`, "")
}

// A list that is left out is an empty one: Meta keeps what it is not given, and takes no null.
func TestAListThatIsLeftOutIsEmptied(t *testing.T) {
	s := opened(t)
	for _, value := range []numbers.Components{{Prompts: []string{"Order"}}, {Welcome: true}} {
		s.must(s.rooms.NumberSettings.Put(t.Context(), s.of, numbers.KindComponents, value))
		s.is(s.after(numbers.KindComponents), model.SettingSynced, "", "")
	}
	s.is(s.after(numbers.KindComponents), model.SettingSynced, `"prompts":[]`, "")
	s.must(s.rooms.NumberSettings.Put(t.Context(), s.of, numbers.KindCalling, numbers.Calling{Status: "DISABLED",
		Hours: &numbers.CallHours{Status: "DISABLED", TimeZone: "UTC"}}))
	s.is(s.after(numbers.KindCalling), model.SettingSynced, `"holidaySchedule":[]`, "")
}

func TestAPhotoThatGoesBeforeMetaHasItIsNamed(t *testing.T) {
	s := opened(t)
	file := model.Media{
		PK: keys.Media("7").Partition, ItemType: model.ItemMedia, MediaID: "7", S3Key: "files/demo/7",
		ContentType: "image/jpeg", UploadedBy: "user-1"}
	s.db.Seed(t, tables.Messages, file)
	with := profile
	with.Photo = "7"
	s.must(s.rooms.NumberSettings.Put(t.Context(), s.of, numbers.KindProfile, with))
	file.ErasedAt = model.At(noon)
	s.db.Seed(t, tables.Messages, file)
	s.is(s.after(numbers.KindProfile), model.SettingLocal, "", "not kept any more")
}

func TestEverySettingGoesToMetaAndComesBack(t *testing.T) {
	s := opened(t)
	s.Control("PUT", "/account", `{"limit":"TIER_10K"}`)
	for kind, value := range map[model.Name]any{
		numbers.KindComponents: numbers.Components{Welcome: true, Prompts: []string{"Order"},
			Commands: []numbers.Command{{Name: "catalogue", Description: "See what we sell"}}},
		numbers.KindCalling: numbers.Calling{Status: "ENABLED", IconVisibility: "DEFAULT", Hours: &numbers.CallHours{
			Status: "ENABLED", TimeZone: "Asia/Kolkata",
			Weekly:   []numbers.OpenHours{{Day: "MONDAY", Open: "0900", Close: "2100"}},
			Holidays: []numbers.Holiday{{Date: "2026-12-25", Start: "1000", End: "1200"}}},
			SIP: &numbers.SIP{Status: "ENABLED", Servers: []numbers.SIPServer{{Host: "sip.shop.example", Port: 5061,
				UserParams: map[string]string{"tgrp": "trunk_1", "trunkContext": "shop.example"}}}}},
		numbers.KindCommerce: numbers.Commerce{CatalogVisible: true},
	} {
		s.must(s.rooms.NumberSettings.Put(t.Context(), s.of, kind, value))
		got := s.after(kind)
		if s.is(got, model.SettingSynced, "", ""); len(numbers.Differences(got.Wanted, got.Meta)) > 0 {
			t.Errorf("%s: %s, and Meta has %s", kind, got.Wanted, got.Meta)
		}
	}
	s.Control("PUT", "/account", `{"limit":"TIER_250"}`)
	s.must(s.rooms.NumberSettings.Put(t.Context(), s.of, numbers.KindCalling, numbers.Calling{
		Status: "ENABLED", IconVisibility: "DISABLE_ALL"}))
	s.is(s.after(numbers.KindCalling), model.SettingLocal, `"callIconVisibility":"DEFAULT"`, "messaging limit")
}

// wrong are settings with faults, and the fields that are at fault.
var wrong = map[string]struct {
	kind  model.Name
	value any
	paths string
}{
	"a profile": {numbers.KindProfile, numbers.Profile{
		Address: strings.Repeat("a", 257), Description: strings.Repeat("é", 513), Email: "shop", Vertical: "SHOP",
		Websites: []string{"haat.example", "https://a.example", "ftp://b.example"}},
		"body.about body.address body.description body.email body.websites body.websites[0] body.websites[2] " +
			"body.vertical"},
	"components": {numbers.KindComponents, numbers.Components{
		Prompts: []string{"a", "b", "c", strings.Repeat("d", 81), "Hi 👋"},
		Commands: []numbers.Command{{Name: "/order", Description: "x"}, {Name: "a", Description: ""},
			{Name: "a", Description: "☎"}}},
		"body.prompts body.prompts[3] body.prompts[4] body.commands[0].commandName " +
			"body.commands[1].commandDescription body.commands[2].commandName body.commands[2].commandDescription"},
	"calling": {numbers.KindCalling, numbers.Calling{
		Icons: &numbers.CallIcons{Countries: []string{"IN", "india"}},
		Hours: &numbers.CallHours{TimeZone: "Mars/Base",
			Weekly: []numbers.OpenHours{{Day: "MONDAY", Open: "0900", Close: "1200"},
				{Day: "MONDAY", Open: "1100", Close: "1300"}, {Day: "MONDAY", Open: "1400", Close: "1300"},
				{Day: "TUESDAY", Open: "9am", Close: "9pm"}},
			Holidays: append(make([]numbers.Holiday, 20), numbers.Holiday{Date: "2026-12-25", Start: "1", End: "2"})}},
		""},
	"a telephone system": {numbers.KindCalling, numbers.Calling{Status: "ENABLED", SIP: &numbers.SIP{
		Status:  "ON",
		Servers: []numbers.SIPServer{{Host: "10.0.0.1", Port: 0}, {Host: "https://a.example", Port: 65536}}}},
		"body.sip.status body.sip.servers[0].hostname body.sip.servers[0].port body.sip.servers[1].hostname " +
			"body.sip.servers[1].port"},
	"the parameters of a telephone system": {numbers.KindCalling, numbers.Calling{Status: "ENABLED", SIP: &numbers.SIP{
		Status: "ENABLED", Servers: []numbers.SIPServer{
			{Host: "a.example", Port: 1, UserParams: map[string]string{"a;b": "c"}},
			{Host: "a.example", Port: 1, UserParams: map[string]string{"a": "b=c"}},
			{Host: "a.example", Port: 1, UserParams: map[string]string{"": ""}},
			{Host: "a.example", Port: 1, UserParams: map[string]string{"1": "a", "2": "a", "3": "a", "4": "a", "5": "a",
				"6": "a", "7": "a", "8": "a", "9": "a", "10": "a", "11": "a"}}}}},
		"body.sip.servers[0].requestUriUserParams body.sip.servers[1].requestUriUserParams " +
			"body.sip.servers[2].requestUriUserParams body.sip.servers[2].requestUriUserParams " +
			"body.sip.servers[3].requestUriUserParams"},
	"a telephone system without a server": {numbers.KindCalling, numbers.Calling{
		Status: "ENABLED", SIP: &numbers.SIP{Status: "ENABLED"}}, "body.sip.servers"},
	"a code": {numbers.KindQRCodes, numbers.QRCode{Message: strings.Repeat("x", 141)}, "body.prefilledMessage"},
}

func TestOneAnswerNamesEveryFault(t *testing.T) {
	s := opened(t)
	for name, c := range wrong {
		_, err := s.rooms.NumberSettings.Put(t.Context(), s.of, c.kind, c.value)
		var told *problem.Error
		if !errors.As(err, &told) || told.Class != problem.Invalid {
			t.Fatalf("%s: %v", name, err)
		}
		var paths []string
		for _, f := range told.Fields {
			paths = append(paths, f.Path)
		}
		if got := strings.Join(paths, " "); c.paths != "" && got != c.paths {
			t.Errorf("%s: %s, want %s", name, got, c.paths)
		}
		if c.paths == "" && len(paths) < 7 {
			t.Errorf("%s: %v", name, told.Fields)
		}
	}
}

func TestANumberIsVerifiedRegisteredAndDeregistered(t *testing.T) {
	s := opened(t)
	s.Control("PUT", "/account", `{"verification":"NOT_VERIFIED","status":"PENDING"}`)
	settings, ctx := s.rooms.NumberSettings, t.Context()
	type value = map[string]string
	for i, c := range []struct {
		wish, secret  string
		value         any
		meta, problem string
	}{
		{numbers.Register, "123456", nil, `"status":"PENDING"`, "Verify the phone number"},
		{numbers.RequestCode, "", value{"codeMethod": "SMS", "language": "en_US"}, `"NOT_VERIFIED"`, ""},
		{numbers.VerifyCode, "111111", nil, `"NOT_VERIFIED"`, "not correct"},
		{numbers.VerifyCode, "424242", nil, `"VERIFIED"`, ""},
		{numbers.Register, "123456", nil, `"isPinEnabled":true`, ""},
		{numbers.SetPIN, "654321", nil, `"status":"CONNECTED"`, ""},
		{numbers.Register, "123456", nil, "", "PIN is not correct"},
		{numbers.RequestName, "", value{"newDisplayName": "Haat"}, `"newNameStatus":"PENDING_REVIEW"`, ""},
		{numbers.Deregister, "", nil, `"status":"DISCONNECTED"`, ""},
	} {
		for range 2 { // the second one finds the first under way
			s.must(settings.Act(ctx, s.of, c.wish, c.secret, c.value))
		}
		if _, err := settings.Act(ctx, s.of, numbers.SetPIN, "111222", nil); !errors.Is(err, numbers.ErrWaits) {
			t.Errorf("%d, while it waits: %v", i, err)
		}
		got := s.after(numbers.KindState)
		if i == 0 { // nobody has looked, because it was refused
			c.meta = ""
		}
		s.is(got, model.SettingSynced, c.meta, c.problem)
		if got.Asked.Secret != "" || got.Asked.PostedAt == "" {
			t.Errorf("%d: %+v", i, got.Asked)
		}
	}
	for _, table := range used {
		for _, item := range s.db.Items(t, table) {
			for _, secret := range []string{"123456", "654321", "424242"} {
				if strings.Contains(fmt.Sprint(item), secret) {
					t.Errorf("%s holds a secret: %v", table.ID, item)
				}
			}
		}
	}
}

func TestTheSecretOfANumberIsSealedWhileItWaits(t *testing.T) {
	s := opened(t)
	asked, err := s.rooms.NumberSettings.Act(t.Context(), s.of, numbers.SetPIN, "654321", nil)
	if err != nil || !strings.HasPrefix(asked.Asked.Secret, "keys:") {
		t.Errorf("%+v, %v", asked.Asked, err)
	}
	for _, item := range s.db.Items(t, tables.Outbox) {
		if text := fmt.Sprint(item); strings.Contains(text, "654321") || strings.Contains(text, "keys:") {
			t.Errorf("the event holds the secret: %v", item)
		}
	}
	s.rooms.NumberSettings.Vault = nil
	if _, err := s.rooms.NumberSettings.Act(t.Context(), s.of, numbers.SetPIN, "1", nil); err == nil {
		t.Error("taken without a vault")
	}
}

// A request that Meta counts is made once, whatever becomes of its answer.
func TestWhatMetaIsAskedOnceIsNotRepeated(t *testing.T) {
	s := opened(t)
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	s.must(s.rooms.NumberSettings.Act(t.Context(), s.of, numbers.SetPIN, "654321", nil))
	got := s.after(numbers.KindState)
	if s.is(got, model.SettingSynced, "", "no answer"); got.Asked.AnsweredAt == "" {
		t.Errorf("%+v", got.Asked)
	}
	posts := 0
	for _, asked := range s.meta.asked.All() {
		if asked == "POST" {
			posts++
		}
	}
	if posts != 1 {
		t.Errorf("asked %v", s.meta.asked.All())
	}
}

func TestANumberThatHasMovedIsNotSetForItsFormerTenant(t *testing.T) {
	s := opened(t)
	s.must(s.rooms.NumberSettings.Put(t.Context(), s.of, numbers.KindCommerce, numbers.Commerce{}))
	moved := theNumber
	moved.TenantID = "other"
	s.db.Seed(t, tables.Messages, moved)
	s.is(s.after(numbers.KindCommerce), model.SettingLocal, "", "not the tenant's any more")
	if len(s.meta.asked.All()) > 0 {
		t.Errorf("asked %v", s.meta.asked.All())
	}
}

// shut is a vault that does not open at first.
type shut struct {
	sealing.Vault
	times int
}

func (v *shut) Open(ctx context.Context, stored string, of map[string]string) (string, error) {
	if v.times--; v.times >= 0 {
		return "", errors.New("no key now")
	}
	return v.Vault.Open(ctx, stored, of)
}

// Only what Meta was asked for is not repeated: a PIN that could not be opened is set later.
func TestAPINThatCannotBeOpenedNowIsSetLater(t *testing.T) {
	s := opened(t)
	s.rooms.NumberSettings.Vault = &shut{s.rooms.NumberSettings.Vault, 1}
	s.must(s.rooms.NumberSettings.Act(t.Context(), s.of, numbers.SetPIN, "654321", nil))
	s.is(s.after(numbers.KindState), model.SettingSynced, `"isPinEnabled":true`, "")
}

// What Meta says when it is asked is kept with what its events say.
func TestTheQualityThatMetaSaysIsKept(t *testing.T) {
	s := opened(t)
	for _, rating := range []string{"GREEN", "GREEN", "YELLOW"} {
		s.Control("PUT", "/account", `{"quality":"`+rating+`","throughput":"HIGH"}`)
		s.sync(numbers.KindState)
	}
	var q model.Quality
	if err := s.db.Get(t.Context(), tables.Messages, keys.Quality(wt.Phone), &q); err != nil {
		t.Fatal(err)
	}
	phone, err := s.rooms.Number(t.Context(), wt.Phone)
	if err != nil || phone.QualityRating != "YELLOW" || phone.Throughput != "HIGH" {
		t.Errorf("%+v, %v", phone, err)
	}
	if q.QualityRating != "YELLOW" || q.ThroughputStatus != "HIGH" || len(q.QualityHistory) != 2 ||
		q.QualityHistory[1].Event != "CHECKED" || q.LastCheckedAt <= model.At(noon) {
		t.Errorf("%+v", q)
	}
}

func TestARequestThatMetaCannotTakeNowIsMadeAgain(t *testing.T) {
	s := opened(t)
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"fail":{"code":2,"http":503}}`)
	s.must(s.rooms.NumberSettings.Put(t.Context(), s.of, numbers.KindCommerce, numbers.Commerce{}))
	s.is(s.after(numbers.KindCommerce), model.SettingSynced, `"isCartEnabled":false`, "")
}
