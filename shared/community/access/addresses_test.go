package access

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/tables"
)

const another = "asha@another.example"

// A person has one address of email, which is nobody else's, and comes in by it.
func TestAPersonProvesAnotherAddress(t *testing.T) {
	h := newHouse(t)
	user := h.member().User
	if err := h.AskEmail(t.Context(), user, another, "wrong password"); !errors.Is(err, ErrField) {
		t.Errorf("without the password: %v", err)
	}
	h.must(h.AskEmail(t.Context(), user, "Asha@Another.Example", password))
	sent := code(h.t, h.db, another)
	if _, err := h.ConfirmEmail(t.Context(), user, another, other(sent)); !errors.Is(err, ErrCode) {
		t.Error(err)
	}
	stranger := user
	stranger.ID = "another"
	if _, err := h.ConfirmEmail(t.Context(), stranger, another, sent); !errors.Is(err, ErrCode) {
		t.Errorf("somebody else: %v", err)
	}
	moved, err := h.ConfirmEmail(t.Context(), user, another, sent)
	h.must(err)
	again, err := h.ConfirmEmail(t.Context(), moved, another, "000000")
	if moved.Email != another || again.Version != moved.Version || err != nil || h.stored("EMAIL#") != 1 {
		t.Errorf("%+v, %v, %d claims", moved, err, h.stored("EMAIL#"))
	}
	if _, err := h.signIn(email, password); !errors.Is(err, ErrPassword) {
		t.Errorf("the address before: %v", err)
	}
	if in, err := h.signIn(another, password); err != nil || in.User.ID != user.ID {
		t.Error(err)
	}
}

// Whose an address is learns its owner alone.
func TestWhoAsksForAnAddressThatSomebodyHasIsToldThere(t *testing.T) {
	h := newHouse(t)
	user := h.member().User
	h.now = noon.Add(time.Minute)
	h.must(h.AskEmail(t.Context(), user, email, password))
	all := mails(t, h.db)
	last := all[len(all)-1]
	for _, mail := range all {
		if mail.Subject == addressKnown.in["en"].subject {
			last = mail
		}
	}
	if !strings.Contains(last.Text, "an account already") || sixDigits.MatchString(last.Text) || !last.Secret {
		t.Errorf("%+v", last)
	}
}

// A person who has signed up with a number adds an address. Then they may remove the number, and nobody has it.
func TestAPersonRemovesTheirNumber(t *testing.T) {
	h := writing(t)
	h.must(h.SignUp(t.Context(), byPhone()))
	signed, err := h.ConfirmSignUp(t.Context(), h.confirmsPhone())
	h.must(err)
	user := signed.User
	if _, err := h.RemovePhone(t.Context(), user, password); !errors.Is(err, ErrLast) {
		t.Errorf("the only address: %v", err)
	}
	h.must(h.AskEmail(t.Context(), user, email, password))
	user, err = h.ConfirmEmail(t.Context(), user, email, code(h.t, h.db, email))
	h.must(err)
	if user.PhoneE164 != phone || user.Email != email {
		t.Fatalf("%+v", user)
	}
	if _, err := h.RemovePhone(t.Context(), user, "wrong password"); !errors.Is(err, ErrField) {
		t.Errorf("without the password: %v", err)
	}
	h.now = noon.Add(time.Minute)
	h.must(h.Reset(t.Context(), tenant, users.Address{Phone: phone}, "192.0.2.1"))
	late := h.confirmsPhone()
	late.Password = "a new password"
	h.now = noon.Add(2 * time.Minute)
	for range 2 {
		if user, err = h.RemovePhone(t.Context(), user, password); err != nil || user.PhoneE164 != "" ||
			h.stored("PHONE#") != 0 || h.stored("EMAIL#") != 1 {
			t.Errorf("%+v, %v", user, err)
		}
	}
	if err := h.ConfirmReset(t.Context(), late); !errors.Is(err, ErrCode) {
		t.Errorf("a code that went to the number before: %v", err)
	}
	if _, err := h.signIn(phone, password); !errors.Is(err, ErrPassword) {
		t.Errorf("by the number: %v", err)
	}
	if _, err := h.signIn(email, password); err != nil {
		t.Error(err)
	}
	ended := user
	ended.Epoch--
	if _, err := h.RemovePhone(t.Context(), ended, password); !errors.Is(err, ErrEnded) {
		t.Errorf("a session that has ended: %v", err)
	}
}

// A code for a new password goes to an address, and is good for who has it then.
func TestACodeForANewPasswordIsNoGoodForAFormerAddress(t *testing.T) {
	h := newHouse(t)
	user := h.member().User
	h.now = noon.Add(time.Minute)
	h.must(h.AskEmail(t.Context(), user, another, password))
	_, err := h.ConfirmEmail(t.Context(), user, another, code(h.t, h.db, another))
	h.must(err)
	// it was made while the address was still theirs, and stored a moment later
	h.must(h.send(t.Context(), letter{
		tenant: tenant, purpose: users.ToReset, to: users.Address{Email: email},
		about: func(communitymodel.Settings, dynamo.Found) (communitymodel.Code, text, error) {
			return communitymodel.Code{UserID: user.ID}, resetCode, nil
		},
	}))
	in := Confirmation{Tenant: tenant, Email: email, Code: code(h.t, h.db, email), Password: "a new password"}
	if err := h.ConfirmReset(t.Context(), in); !errors.Is(err, ErrCode) {
		t.Error(err)
	}
}

func TestAddressesSurviveEveryCrashPoint(t *testing.T) {
	var user communitymodel.User
	var sent string
	for name, of := range map[string]struct {
		seed func(*house)
		run  func(context.Context, *house) error
		done error // what a request is told that was made already
	}{
		"ask": {func(h *house) { user = h.member().User }, func(ctx context.Context, h *house) error {
			return h.AskEmail(ctx, user, another, password)
		}, nil},
		"have": {func(h *house) {
			user = h.member().User
			h.must(h.AskEmail(h.t.Context(), user, another, password))
			sent = code(h.t, h.db, another)
		}, func(ctx context.Context, h *house) error {
			_, err := h.ConfirmEmail(ctx, user, another, sent)
			return err
		}, ErrCode},
		"remove": {func(h *house) { user = h.phoned() }, func(ctx context.Context, h *house) error {
			_, err := h.RemovePhone(ctx, user, password)
			return err
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dynamotest.EveryCrashPoint(t, dynamotest.Crash{
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
		})
	}
}

// A person removes their number and adds another one at once: one address stays, and each claim is that of its owner.
func TestANumberThatIsRemovedAndReplacedAtOnce(t *testing.T) {
	var user communitymodel.User
	var code string
	const next = "+447700900444"
	race(t, func(h *house) {
		writes(t, h.db, tenant)
		user = h.phoned()
		h.must(h.AskPhone(t.Context(), user, next, password))
		code = h.last(next).code
	}, func(h *house, s *dynamotest.Schedule) {
		outcomes(t, s.Run(t, h.db,
			h.as("a", func(ctx context.Context, h *house) error {
				_, err := h.ConfirmPhone(ctx, user, next, code)
				return err
			}),
			h.as("b", func(ctx context.Context, h *house) error {
				_, err := h.RemovePhone(ctx, user, password)
				return err
			})), dynamo.ErrConflict)
		claims := 0
		for _, item := range h.db.Items(t, tables.CommunityUsers) {
			if dynamo.Text(item, "PhoneE164") != "" {
				claims++
			}
		}
		if claims != h.stored("PHONE#") {
			t.Errorf("%d have a number, %d numbers are claimed", claims, h.stored("PHONE#"))
		}
	})
}
