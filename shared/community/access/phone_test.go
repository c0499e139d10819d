package access

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/templates"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const phone = "+919876543210"

// writes gives the tenant a WhatsApp number, with the templates, that codes are sent from.
func writes(t testing.TB, db *dynamotest.DB, owner model.TenantID) {
	t.Helper()
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: owner,
		WABAMetaID: wt.WABA,
	}, model.Account{
		PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount, WABAMetaID: wt.WABA,
		TemplatesSyncedAt: model.At(noon.AddDate(1, 0, 0)), Version: 1,
	})
	for _, own := range templates.All {
		db.Seed(t, tables.Messages, model.Template{
			PK:       keys.TemplateMeta(wt.WABA, model.Name(own.Name), "en").Partition,
			ItemType: model.ItemTemplateMeta, WABAMetaID: wt.WABA, TemplateName: own.Name, Language: "en",
			Status: "APPROVED", Category: map[bool]string{true: "AUTHENTICATION", false: "UTILITY"}[own.Code],
			Version: 1,
		})
	}
	db.Seed(t, tables.CommunityUsers, communitymodel.Settings{
		PK: keys.CommunitySettings(tenant).Partition, TenantID: tenant, Open: true, From: "hello@shop.example",
		Language: "en", WhatsAppNumber: wt.Phone, Version: 2,
	})
}

// writing is access of a tenant that sends codes over WhatsApp.
func writing(t *testing.T) *house {
	h := newHouse(t)
	writes(t, h.db, tenant)
	return h
}

// said is what a number was sent.
type said struct {
	to, template, code string
	number             int64
}

// messages returns what is to be sent over WhatsApp.
func messages(t testing.TB, db *dynamotest.DB) (all []said) {
	t.Helper()
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		var payload struct {
			Secret  bool
			Request struct {
				To       string
				Template struct {
					Name       string
					Components []struct{ Parameters []struct{ Text string } }
				}
			}
		}
		if err := dynamo.Unmarshal(item, &event); err != nil {
			t.Fatal(err)
		}
		if event.EventType != sending.EventMessage {
			continue
		}
		if err := json.Unmarshal(event.Payload, &payload); err != nil || !payload.Secret {
			t.Fatalf("%s: %v", event.Payload, err)
		}
		one := said{to: payload.Request.To, template: payload.Request.Template.Name, number: event.SequenceNumber}
		for _, c := range payload.Request.Template.Components {
			one.code = c.Parameters[0].Text
		}
		all = append(all, one)
	}
	return all
}

// last returns what a number was sent last.
func (h *house) last(to string) (newest said) {
	h.t.Helper()
	for _, one := range messages(h.t, h.db) {
		if one.to == to && one.number > newest.number {
			newest = one
		}
	}
	return newest
}

func byPhone() SignUp {
	in := asha()
	in.Email, in.Phone = "", "+91 98765-43210"
	return in
}

func (h *house) confirmsPhone() Confirmation {
	h.t.Helper()
	return Confirmation{
		Tenant: tenant, Phone: phone, Code: h.last(phone).code, Password: password, IP: "192.0.2.1"}
}

// phoned makes Asha, a person, have a number as well.
func (h *house) phoned() communitymodel.User {
	h.t.Helper()
	user := h.member().User
	h.must(h.AskPhone(h.t.Context(), user, phone, password))
	user, err := h.ConfirmPhone(h.t.Context(), user, phone, h.last(phone).code)
	h.must(err)
	return user
}

func TestWhoSignsUpWithANumberProvesItByACode(t *testing.T) {
	h := writing(t)
	h.must(h.SignUp(t.Context(), byPhone()))
	if one := h.last(phone); one.template != templates.Code || !sixDigits.MatchString(one.code) ||
		len(mails(t, h.db)) != 0 || h.stored("USER#") != 0 {
		t.Fatalf("%+v", one)
	}
	for _, item := range h.db.Items(t, tables.CommunityUsers) {
		if dynamo.Text(item, "Hash") == h.last(phone).code {
			t.Error("a code is stored as it is")
		}
	}
	wrong := h.confirmsPhone()
	wrong.Code = other(wrong.Code)
	if _, err := h.ConfirmSignUp(t.Context(), wrong); !errors.Is(err, ErrCode) {
		t.Error(err)
	}
	signed, err := h.ConfirmSignUp(t.Context(), h.confirmsPhone())
	h.must(err)
	if u := signed.User; u.PhoneE164 != phone || u.Email != "" || h.stored("PHONE#") != 1 || h.stored("EMAIL#") != 0 {
		t.Errorf("%+v", u)
	}
	for _, account := range []string{"asha.rao", phone, "+91 98765 43210"} {
		if again, err := h.signIn(account, password); err != nil || again.User.ID != signed.User.ID {
			t.Errorf("%s: %+v, %v", account, again, err)
		}
	}
	for _, account := range []string{"+919876543211", "9876543210", "+"} {
		if _, err := h.signIn(account, password); !errors.Is(err, ErrPassword) {
			t.Errorf("%s: %v", account, err)
		}
	}
	h.must(h.Reset(t.Context(), tenant, users.Address{Phone: "+91-9876543210"}, "192.0.2.1"))
	if h.last(phone).number != 1 {
		t.Error("a second code within a minute")
	}
	h.now = noon.Add(time.Minute)
	h.must(h.Reset(t.Context(), tenant, users.Address{Phone: phone}, "192.0.2.1"))
	in := h.confirmsPhone()
	in.Password = "a new password"
	h.must(h.ConfirmReset(t.Context(), in))
	if _, err := h.signIn(phone, "a new password"); err != nil {
		t.Error(err)
	}
}

// Only the owner of a number learns whether somebody has it.
func TestWhoseANumberIsItsOwnerAloneLearns(t *testing.T) {
	h := writing(t)
	h.phoned()
	in := byPhone()
	in.Username = "another"
	h.must(h.SignUp(t.Context(), in)) // a minute has not passed at that number
	h.now = noon.Add(time.Minute)
	h.must(h.SignUp(t.Context(), in))
	h.must(h.Reset(t.Context(), tenant, users.Address{Phone: "+919999999999"}, "192.0.2.1"))
	known, unknown := h.last(phone), h.last("+919999999999")
	if known.template != templates.Known || known.code != "" || known.number != 2 ||
		unknown.template != templates.Unknown || unknown.code != "" {
		t.Errorf("%+v, %+v", known, unknown)
	}
	for _, guess := range []string{"", "000000"} {
		_, err := h.ConfirmSignUp(t.Context(), Confirmation{
			Tenant: tenant, Phone: phone, Code: guess, Password: password})
		if !errors.Is(err, ErrCode) {
			t.Error(err)
		}
	}
}

func TestANumberGetsOneCodeAMinuteAndFiveAnHour(t *testing.T) {
	h := writing(t)
	for minute := range 8 {
		h.now = noon.Add(time.Duration(minute) * time.Minute)
		for range 2 {
			h.must(h.SignUp(t.Context(), byPhone()))
		}
		if want := min(minute+1, 5); len(messages(t, h.db)) != want {
			t.Errorf("minute %d: %d messages", minute, len(messages(t, h.db)))
		}
	}
}

func TestACodeGoesOverWhatsAppOnlyFromTheTenantsNumber(t *testing.T) {
	h := newHouse(t)
	for _, err := range []error{
		h.SignUp(t.Context(), byPhone()), h.Reset(t.Context(), tenant, users.Address{Phone: phone}, "")} {
		if !errors.Is(err, ErrNoPhones) {
			t.Errorf("a tenant without a number: %v", err)
		}
	}
	writes(t, h.db, "another")
	h.must(h.SignUp(t.Context(), byPhone()))
	if n := len(messages(t, h.db)); n != 0 || h.stored("CODE#") != 1 {
		t.Errorf("%d messages from a number that another tenant has by now", n)
	}
	for name, to := range map[string]users.Address{
		"none": {}, "both": {Email: email, Phone: phone}, "national": {Phone: "9876543210"}, "short": {Phone: "+12345"},
		"a name": {Phone: "+asha"},
	} {
		in := asha()
		in.Email, in.Phone = to.Email, to.Phone
		if err := h.SignUp(t.Context(), in); !errors.Is(err, ErrField) && !errors.Is(err, users.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A person has one number, which is nobody else's.
func TestAPersonProvesAnotherNumber(t *testing.T) {
	h := writing(t)
	user := h.phoned()
	if user.PhoneE164 != phone || user.Email != email || h.stored("PHONE#") != 1 {
		t.Fatalf("%+v", user)
	}
	const next = "+447700900444"
	if err := h.AskPhone(t.Context(), user, next, "wrong password"); !errors.Is(err, ErrField) {
		t.Errorf("without the password: %v", err)
	}
	h.must(h.AskPhone(t.Context(), user, next, password))
	if _, err := h.ConfirmPhone(t.Context(), user, next, other(h.last(next).code)); !errors.Is(err, ErrCode) {
		t.Error(err)
	}
	stranger := user
	stranger.ID = "another"
	if _, err := h.ConfirmPhone(t.Context(), stranger, next, h.last(next).code); !errors.Is(err, ErrCode) {
		t.Errorf("somebody else: %v", err)
	}
	moved, err := h.ConfirmPhone(t.Context(), user, next, h.last(next).code)
	h.must(err)
	again, err := h.ConfirmPhone(t.Context(), moved, next, "000000")
	if moved.PhoneE164 != next || again.Version != moved.Version || err != nil || h.stored("PHONE#") != 1 {
		t.Errorf("%+v, %v, %d claims", moved, err, h.stored("PHONE#"))
	}
	if _, err := h.signIn(phone, password); !errors.Is(err, ErrPassword) {
		t.Errorf("the number before: %v", err)
	}
	if in, err := h.signIn(next, password); err != nil || in.User.ID != user.ID {
		t.Error(err)
	}
	h.now = noon.Add(time.Minute)
	h.must(h.AskPhone(t.Context(), moved, next, password))
	if h.last(next).template != templates.Known {
		t.Errorf("%+v", h.last(next))
	}
}

func TestPhonesSurviveEveryCrashPoint(t *testing.T) {
	var signed Signed
	var answer Confirmation
	for name, of := range map[string]struct {
		seed func(*house)
		run  func(context.Context, *house) error
		done error // what a request is told that was made already
	}{
		"sign up": {func(*house) {}, func(ctx context.Context, h *house) error {
			return h.SignUp(ctx, byPhone())
		}, nil},
		"confirm": {func(h *house) {
			h.must(h.SignUp(h.t.Context(), byPhone()))
			answer = h.confirmsPhone()
		}, func(ctx context.Context, h *house) error {
			_, err := h.ConfirmSignUp(ctx, answer)
			return err
		}, ErrCode},
		"ask": {func(h *house) { signed = h.member() }, func(ctx context.Context, h *house) error {
			return h.AskPhone(ctx, signed.User, phone, password)
		}, nil},
		"have": {func(h *house) {
			signed.User = h.phoned()
			h.must(h.AskPhone(h.t.Context(), signed.User, "+447700900444", password))
			answer.Code = h.last("+447700900444").code
		}, func(ctx context.Context, h *house) error {
			_, err := h.ConfirmPhone(ctx, signed.User, "+447700900444", answer.Code)
			return err
		}, ErrCode},
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: allTables, Ignore: []string{"count"},
				Seed: func(t testing.TB, db *dynamotest.DB) {
					opens(t, db)
					writes(t, db, tenant)
					of.seed(on(t, db, nil))
				},
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					err := of.run(ctx, on(t, nil, client))
					if run > 0 && of.done != nil && errors.Is(err, of.done) {
						return nil
					}
					return err
				},
			})
			t.Logf("%d points", points)
		})
	}
}

func TestOneOfTwoPeopleGetsANumber(t *testing.T) {
	var people [2]communitymodel.User
	var answer Confirmation
	race(t, func(h *house) {
		writes(t, h.db, tenant)
		people[0] = h.member().User
		h.must(h.AskPhone(t.Context(), people[0], phone, password))
		answer.Code = h.last(phone).code
		in := byPhone()
		in.Username = "ravi"
		h.now = noon.Add(time.Minute)
		h.must(h.SignUp(t.Context(), in))
		answer = Confirmation{Tenant: tenant, Phone: phone, Password: password, Code: answer.Code}
	}, func(h *house, s *dynamotest.Schedule) {
		h.now = noon.Add(time.Minute)
		up := answer
		up.Code = h.last(phone).code
		n := outcomes(t, s.Run(t, h.db,
			h.as("a", func(ctx context.Context, h *house) error {
				_, err := h.ConfirmPhone(ctx, people[0], phone, answer.Code)
				return err
			}),
			h.as("b", func(ctx context.Context, h *house) error {
				_, err := h.ConfirmSignUp(ctx, up)
				return err
			})), ErrCode, dynamo.ErrConflict)
		owners := 0
		for _, item := range h.db.Items(t, tables.CommunityUsers) {
			if dynamo.Text(item, "PhoneE164") == phone {
				owners++
			}
		}
		if n != 1 || owners != 1 || h.stored("PHONE#") != 1 {
			t.Errorf("%d confirmed, %d have the number", n, owners)
		}
	})
}

// Nothing of a code is in the timeline, which operators read.
func TestTheTimelineShowsNoCode(t *testing.T) {
	h := writing(t)
	h.must(h.SignUp(t.Context(), byPhone()))
	code := h.last(phone).code
	for _, item := range h.db.Items(t, tables.Messages) {
		var m model.Message
		h.must(dynamo.Unmarshal(item, &m))
		if strings.Contains(string(m.Content)+m.TextBody+m.Preview, code) {
			t.Errorf("%+v", m)
		}
	}
}
