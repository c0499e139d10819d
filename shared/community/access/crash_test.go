package access

import (
	"context"
	"errors"
	"flag"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
)

// Whatever call fails, each use case ends as if none had. A repeated confirmation is told that its code was used, and
// signs in.
func TestAccessSurvivesEveryCrashPoint(t *testing.T) {
	var signed Signed
	var answer Confirmation
	signsUp := func(h *house) { h.must(h.SignUp(h.t.Context(), asha())); answer = h.confirms() }
	isMember := func(h *house) { signed = h.member() }
	resets := func(h *house) {
		h.member()
		h.must(h.Reset(h.t.Context(), tenant, users.Address{Email: email}, "192.0.2.1"))
		answer = h.confirms()
		answer.Password = "a new password"
	}
	for name, of := range map[string]struct {
		seed func(*house)
		run  func(context.Context, *house) error
		done error // what a request is told that was made already
	}{
		"sign up": {func(*house) {}, func(ctx context.Context, h *house) error { return h.SignUp(ctx, asha()) }, nil},
		"confirm": {signsUp, func(ctx context.Context, h *house) error {
			_, err := h.ConfirmSignUp(ctx, answer)
			return err
		}, ErrCode},
		"sign in": {isMember, func(ctx context.Context, h *house) error {
			h.NewID = func() string { return "second" }
			_, err := h.SignIn(ctx, SignIn{Tenant: tenant, Account: email, Password: password})
			return err
		}, nil},
		"refresh": {isMember, func(ctx context.Context, h *house) error {
			_, err := h.Refresh(ctx, signed.Refresh)
			return err
		}, nil},
		"reset": {isMember, func(ctx context.Context, h *house) error {
			return h.Reset(ctx, tenant, users.Address{Email: email}, "192.0.2.1")
		}, nil},
		"confirm a reset": {resets, func(ctx context.Context, h *house) error {
			return h.ConfirmReset(ctx, answer)
		}, ErrCode},
		"change": {isMember, func(ctx context.Context, h *house) error {
			h.NewID = func() string { return "second" }
			user, err := h.Users.Of(ctx, tenant, signed.User.ID)
			if err != nil {
				return err
			}
			_, err = h.ChangePassword(ctx, user, signed.Session, password, "a new password")
			return err
		}, ErrField},
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: allTables, Ignore: []string{"count"},
				Seed: func(t testing.TB, db *dynamotest.DB) {
					opens(t, db)
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

// schedules is how many orders of calls a race tries.
var schedules = flag.Int("schedules", 40, "orders of calls that each race tries")

// race runs a race on an engine on which the seed has been, under many orders of calls.
func race(t *testing.T, seed func(*house), run func(h *house, s *dynamotest.Schedule)) {
	t.Helper()
	h := newHouse(t)
	seed(h)
	again := h.db.Again(t)
	dynamotest.Schedules(t, *schedules, func(s *dynamotest.Schedule) {
		again()
		run(h, s)
	})
}

// as returns an operation of a process of its own, whose ids and secrets are its own.
func (h *house) as(who string, do func(ctx context.Context, h *house) error) dynamotest.Operation {
	return func(ctx context.Context, client *dynamo.Client) error {
		one := on(h.t, h.db, client)
		one.now, one.NewID = h.now, dynamotest.IDs(who+"-%d")
		fill := one.Fill
		one.Fill = func(b []byte) { fill(b); b[0] = who[0] }
		return do(ctx, one)
	}
}

// outcomes counts the operations that succeed, and fails the test for an error that none of them may return.
func outcomes(t *testing.T, errs []error, may ...error) (succeeded int) {
	t.Helper()
next:
	for _, err := range errs {
		if err == nil {
			succeeded++
			continue
		}
		for _, known := range may {
			if errors.Is(err, known) {
				continue next
			}
		}
		t.Error(err)
	}
	return succeeded
}

func TestOfTwoConfirmationsOneMakesThePerson(t *testing.T) {
	var answer Confirmation
	race(t, func(h *house) {
		h.must(h.SignUp(t.Context(), asha()))
		answer = h.confirms()
	}, func(h *house, s *dynamotest.Schedule) {
		confirm := func(ctx context.Context, h *house) error {
			_, err := h.ConfirmSignUp(ctx, answer)
			return err
		}
		n := outcomes(t, s.Run(t, h.db, h.as("a", confirm), h.as("b", confirm)), ErrCode)
		if n != 1 || h.stored("USER#") != 1 || h.stored("SESSION#") != 1 || h.stored("CODE#") != 0 {
			t.Errorf("%d confirmed", n)
		}
	})
}

func TestOneOfTwoPeopleGetsAUsername(t *testing.T) {
	answers := map[string]Confirmation{}
	race(t, func(h *house) {
		for _, name := range []string{"m0hi", "mohi"} {
			in := asha()
			in.Username, in.Email = name, name+"@example.com"
			h.must(h.SignUp(t.Context(), in))
			answers[name] = Confirmation{
				Tenant: tenant, Email: in.Email, Code: code(t, h.db, in.Email), Password: password}
		}
	}, func(h *house, s *dynamotest.Schedule) {
		confirm := func(name string) func(ctx context.Context, h *house) error {
			return func(ctx context.Context, h *house) error {
				_, err := h.ConfirmSignUp(ctx, answers[name])
				return err
			}
		}
		n := outcomes(t, s.Run(t, h.db, h.as("a", confirm("m0hi")), h.as("b", confirm("mohi"))), ErrUsername)
		if n != 1 || h.stored("USER#") != 1 || h.stored("USERNAME#") != 1 || h.stored("EMAIL#") != 1 {
			t.Errorf("%d confirmed", n)
		}
	})
}

func TestGuessesSideBySideCount(t *testing.T) {
	var answer Confirmation
	race(t, func(h *house) {
		h.must(h.SignUp(t.Context(), asha()))
		answer = h.confirms()
		wrong := answer
		wrong.Code = other(answer.Code)
		for range maxTries - 1 {
			if _, err := h.ConfirmSignUp(t.Context(), wrong); !errors.Is(err, ErrCode) {
				t.Fatal(err)
			}
		}
	}, func(h *house, s *dynamotest.Schedule) {
		guess := func(code string) func(ctx context.Context, h *house) error {
			return func(ctx context.Context, h *house) error {
				in := answer
				in.Code = code
				_, err := h.ConfirmSignUp(ctx, in)
				return err
			}
		}
		wrong := other(answer.Code)
		errs := s.Run(t, h.db, h.as("a", guess(wrong)), h.as("b", guess(other(wrong))), h.as("c", guess(answer.Code)))
		right := outcomes(t, errs, ErrCode)
		for _, item := range h.db.Items(t, allTables[0]) {
			if tries := dynamo.Int(item, "Tries"); tries > maxTries || right == 0 && tries != 0 && tries != maxTries {
				t.Errorf("%d tries", tries)
			}
		}
	})
}

// Whoever asks at once with one refresh token gets one answer.
func TestATokenThatIsRefreshedTwiceAtOnceLeadsToOne(t *testing.T) {
	var signed Signed
	race(t, func(h *house) { signed = h.member() }, func(h *house, s *dynamotest.Schedule) {
		var one, two Signed
		refresh := func(who string, got *Signed) dynamotest.Operation {
			return h.as(who, func(ctx context.Context, h *house) (err error) {
				*got, err = h.Refresh(ctx, signed.Refresh)
				return err
			})
		}
		outcomes(t, s.Run(t, h.db, refresh("a", &one), refresh("b", &two)))
		if one.Refresh != two.Refresh || one.Refresh == signed.Refresh || one.Refresh == "" {
			t.Errorf("%s and %s", one.Refresh, two.Refresh)
		}
		if _, err := h.Refresh(t.Context(), one.Refresh); err != nil {
			t.Error(err)
		}
	})
}

// A sign-up that is repeated at once sends one code, and the code of the email is the one that is stored.
func TestTwoSignUpsOfAnAddressAtOnceSendOneCode(t *testing.T) {
	race(t, func(*house) {}, func(h *house, s *dynamotest.Schedule) {
		h.now = noon.Add(time.Duration(s.Number) * time.Second)
		up := func(ctx context.Context, h *house) error { return h.SignUp(ctx, asha()) }
		outcomes(t, s.Run(t, h.db, h.as("a", up), h.as("b", up)))
		if n := len(mails(t, h.db)); n != 1 {
			t.Errorf("%d emails", n)
		}
		if _, err := h.ConfirmSignUp(t.Context(), h.confirms()); err != nil {
			t.Error(err)
		}
	})
}

// A password that is changed while it is used to sign in leaves no session of before.
func TestNobodyStaysSignedInWithAPasswordThatWasChanged(t *testing.T) {
	var signed Signed
	race(t, func(h *house) { signed = h.member() }, func(h *house, s *dynamotest.Schedule) {
		var in, changed Signed
		outcomes(t, s.Run(t, h.db,
			h.as("a", func(ctx context.Context, h *house) (err error) {
				in, err = h.SignIn(ctx, SignIn{Tenant: tenant, Account: email, Password: password})
				return err
			}),
			h.as("b", func(ctx context.Context, h *house) (err error) {
				changed, err = h.ChangePassword(ctx, signed.User, signed.Session, password, "a new password")
				return err
			})), ErrPassword)
		for name, one := range map[string]Signed{"signed in": in, "before": signed} {
			if _, err := h.Identify(t.Context(), one.Session, signed.User.ID); !errors.Is(err, ErrEnded) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := h.Identify(t.Context(), changed.Session, signed.User.ID); err != nil {
			t.Errorf("after the change: %v", err)
		}
	})
}

// Of two new passwords at once, one counts: by a code, and by the old password.
func TestOneOfTwoNewPasswordsCounts(t *testing.T) {
	var signed Signed
	var answer Confirmation
	for name, of := range map[string]struct {
		set     func(ctx context.Context, h *house, next string) error
		refused error
	}{
		"by a code": {func(ctx context.Context, h *house, next string) error {
			in := answer
			in.Password = next
			return h.ConfirmReset(ctx, in)
		}, ErrCode},
		"by the old one": {func(ctx context.Context, h *house, next string) error {
			_, err := h.ChangePassword(ctx, signed.User, signed.Session, password, next)
			return err
		}, ErrEnded},
	} {
		t.Run(name, func(t *testing.T) {
			race(t, func(h *house) {
				signed = h.member()
				h.must(h.Reset(t.Context(), tenant, users.Address{Email: email}, "192.0.2.1"))
				answer = h.confirms()
			}, func(h *house, s *dynamotest.Schedule) {
				set := func(ctx context.Context, h *house) error { return of.set(ctx, h, h.NewID()+" is new") }
				n := outcomes(t, s.Run(t, h.db, h.as("a", set), h.as("b", set)), of.refused)
				user, err := h.Users.Of(t.Context(), tenant, signed.User.ID)
				if n != 1 || err != nil || user.Epoch != 1 {
					t.Errorf("%d set a password: %+v, %v", n, user, err)
				}
			})
		})
	}
}

// A code that is replaced while it is confirmed is right or wrong, and at no time both.
func TestACodeIsReplacedWhileItIsConfirmed(t *testing.T) {
	var answer Confirmation
	race(t, func(h *house) {
		h.must(h.SignUp(t.Context(), asha()))
		answer = h.confirms()
	}, func(h *house, s *dynamotest.Schedule) {
		h.now = noon.Add(time.Minute)
		errs := s.Run(t, h.db,
			h.as("a", func(ctx context.Context, h *house) error {
				_, err := h.ConfirmSignUp(ctx, answer)
				return err
			}),
			h.as("b", func(ctx context.Context, h *house) error { return h.SignUp(ctx, asha()) }))
		outcomes(t, errs[:1], ErrCode)
		outcomes(t, errs[1:], ErrUsername)
		if (errs[0] == nil) != (h.stored("USER#") == 1) || errs[0] != nil && h.stored("CODE#") != 1 {
			t.Errorf("%v: %d persons, %d codes", errs, h.stored("USER#"), h.stored("CODE#"))
		}
	})
}
