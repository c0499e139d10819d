package access

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestWhoSignsUpProvesTheirAddressAndIsIn(t *testing.T) {
	h := newHouse(t)
	h.must(h.SignUp(t.Context(), asha()))
	if n := h.stored("USER"); n != 0 {
		t.Errorf("%d persons before the address is proved", n)
	}
	mail := mails(t, h.db)
	if len(mail) != 1 || mail[0].To != email || mail[0].From != "hello@shop.example" || !mail[0].Automatic ||
		strings.Contains(mail[0].Text+mail[0].Subject, "Asha") {
		t.Errorf("%+v", mail)
	}
	in := h.confirms()
	signed, err := h.ConfirmSignUp(t.Context(), in)
	h.must(err)
	if u := signed.User; u.Username != "asha.rao" || u.Name != "Asha Rao" || u.Email != email || u.TenantID != tenant ||
		!u.Active() || u.Role != communitymodel.RoleUser {
		t.Errorf("%+v", u)
	}
	token, err := h.key.Verify(t.Context(), signed.Access, h.now)
	if err != nil || token.Subject != signed.User.ID || token.Session != signed.Session || token.Tenant != tenant ||
		!token.Expires.Equal(noon.Add(10*time.Minute)) {
		t.Errorf("%+v, %v", token, err)
	}
	if user, err := h.Identify(t.Context(), signed.Session, signed.User.ID); err != nil || user.Username != "asha.rao" {
		t.Errorf("%+v, %v", user, err)
	}
	if _, err := h.ConfirmSignUp(t.Context(), in); !errors.Is(err, ErrCode) {
		t.Errorf("a code that was used: %v", err)
	}
	for _, account := range []string{"asha.rao", "ASHA.Rao", "ASHA@example.com"} {
		if again, err := h.signIn(account, password); err != nil || again.User.ID != signed.User.ID {
			t.Errorf("%s: %+v, %v", account, again, err)
		}
	}
	for _, account := range []string{"asharao", "asha_rao", "nobody", "n", "आशा", ""} {
		if _, err := h.signIn(account, password); !errors.Is(err, ErrPassword) {
			t.Errorf("%q: %v", account, err)
		}
	}
}

func TestAnAddressThatSomebodyHasGetsTheSameAnswerAndAnotherEmail(t *testing.T) {
	h := newHouse(t)
	h.member()
	before := h.stored("CODE")
	in := asha()
	in.Username = "somebody.else"
	h.must(h.SignUp(t.Context(), in))
	mail := mails(t, h.db)
	if last := mail[len(mail)-1]; len(mail) != 2 || !strings.Contains(last.Text, "account already") ||
		sixDigits.MatchString(last.Text) || h.stored("CODE") != before+1 {
		t.Errorf("%d emails, %d codes: %s", len(mail), h.stored("CODE"), last.Text)
	}
	for _, guess := range []string{"", "000000"} {
		_, err := h.ConfirmSignUp(t.Context(), Confirmation{
			Tenant: tenant, Email: email, Code: guess, Password: password})
		if !errors.Is(err, ErrCode) {
			t.Errorf("%q: %v", guess, err)
		}
	}
}

func TestUsernamesThatLookAlikeAreOne(t *testing.T) {
	h := newHouse(t)
	h.member()
	for i, name := range []string{"asha.rao", "ASHA.RAO", "asha_ra0", "a.s.h.a.rao"} {
		in := asha()
		in.Username, in.Email = name, fmt.Sprintf("other%d@example.com", i)
		if err := h.SignUp(t.Context(), in); !errors.Is(err, ErrUsername) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"аsha", "ａsha", "ash\u212a", "as", ".asha", "asha!", strings.Repeat("a", 31), ""} {
		in := asha()
		in.Username = name
		if err := h.SignUp(t.Context(), in); !errors.Is(err, users.ErrField) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for one, two := range map[string]string{"rnodern": "modern", "wave": "vvave", "l33t": "133t", "bo_b": "b0b"} {
		if users.Skeleton(one) != users.Skeleton(two) {
			t.Errorf("%s and %s", one, two)
		}
	}
}

func TestASignUpThatCannotBeIsRefusedByItsField(t *testing.T) {
	h := newHouse(t)
	for name, change := range map[string]func(*SignUp){
		"short":    func(in *SignUp) { in.Password = "123456789" },
		"long":     func(in *SignUp) { in.Password = strings.Repeat("ab", 65) },
		"same":     func(in *SignUp) { in.Password = strings.Repeat("é", 12) },
		"username": func(in *SignUp) { in.Username, in.Password = "asha.rao.of.pune", "Asha.Rao.of.Pune" },
		"address":  func(in *SignUp) { in.Password = email },
		"email":    func(in *SignUp) { in.Email = "asha" },
		"name":     func(in *SignUp) { in.Name = " " },
		"turned":   func(in *SignUp) { in.Name = "Asha\u202e" },
	} {
		in := asha()
		change(&in)
		if err := h.SignUp(t.Context(), in); !errors.Is(err, ErrField) && !errors.Is(err, users.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
	in := asha()
	in.Tenant = "another"
	if err := h.SignUp(t.Context(), in); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a tenant without communities: %v", err)
	}
	_, err := h.SignIn(t.Context(), SignIn{Tenant: "another", Account: "asha"})
	if !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a tenant without communities: %v", err)
	}
	h.db.Seed(t, tables.CommunityUsers, communitymodel.Settings{
		PK: keys.CommunitySettings(tenant).Partition, TenantID: tenant, From: "hello@shop.example", Version: 2})
	if err := h.SignUp(t.Context(), asha()); !errors.Is(err, ErrClosed) || len(mails(t, h.db)) != 0 {
		t.Errorf("closed: %v", err)
	}
}

func TestACodeHasFiveTriesAndTenMinutes(t *testing.T) {
	h := newHouse(t)
	h.must(h.SignUp(t.Context(), asha()))
	in := h.confirms()
	right := in.Code
	h.now = noon.Add(communitymodel.CodeLife)
	if _, err := h.ConfirmSignUp(t.Context(), in); !errors.Is(err, ErrCode) {
		t.Errorf("after ten minutes: %v", err)
	}
	h.now = noon
	in.Code = other(right)
	for range maxTries - 1 {
		if _, err := h.ConfirmSignUp(t.Context(), in); !errors.Is(err, ErrCode) {
			t.Fatal(err)
		}
	}
	in.Code, in.Password = right, "another password"
	if _, err := h.ConfirmSignUp(t.Context(), in); !errors.Is(err, ErrCode) {
		t.Errorf("with another password: %v", err)
	}
	in.Password = password
	if _, err := h.ConfirmSignUp(t.Context(), in); !errors.Is(err, ErrCode) || h.stored("USER") != 0 {
		t.Errorf("after five tries: %v", err)
	}
	h.now = noon.Add(time.Minute)
	h.must(h.SignUp(t.Context(), asha()))
	renewed := h.confirms()
	if renewed.Code == right {
		t.Fatal("the same code again")
	}
	if _, err := h.ConfirmSignUp(t.Context(), in); !errors.Is(err, ErrCode) {
		t.Errorf("the code before: %v", err)
	}
	if _, err := h.ConfirmSignUp(t.Context(), renewed); err != nil {
		t.Error(err)
	}
}

func TestAnAddressGetsOneCodeAMinuteAndFiveAnHour(t *testing.T) {
	h := newHouse(t)
	for minute := range 8 {
		h.now = noon.Add(time.Duration(minute) * time.Minute)
		for range 2 {
			h.must(h.SignUp(t.Context(), asha()))
			h.must(h.Reset(t.Context(), tenant, users.Address{Email: email}, "192.0.2.2"))
		}
		if want := min(minute+1, 5); len(mails(t, h.db)) != want {
			t.Errorf("minute %d: %d emails", minute, len(mails(t, h.db)))
		}
	}
}

func TestGuessingAPasswordIsSlow(t *testing.T) {
	h := newHouse(t)
	h.member()
	for range 5 {
		if _, err := h.signIn("asha.rao", "wrong"); !errors.Is(err, ErrPassword) {
			t.Fatal(err)
		}
	}
	if _, err := h.signIn("Asha.Rao", password); !errors.Is(err, ErrTooOften) {
		t.Errorf("the sixth of an account: %v", err)
	}
	if _, err := h.signIn(email, password); err != nil {
		t.Errorf("the limit of a username tells whose the address is: %v", err)
	}
	h.now = noon.Add(time.Minute)
	if _, err := h.signIn(email, password); err != nil {
		t.Errorf("a minute later: %v", err)
	}
	for i := range 29 { // the 30 of the minute
		if _, err := h.signIn(fmt.Sprint("nobody", i), password); !errors.Is(err, ErrPassword) {
			t.Fatal(err)
		}
	}
	in := asha()
	in.Username, in.Email = "ravi", "ravi@example.com"
	if err := h.SignUp(t.Context(), in); !errors.Is(err, ErrTooOften) {
		t.Errorf("the 31st of an address of the network: %v", err)
	}
	for ip, want := range map[string]string{
		"2001:db8:1:2:3::4": "2001:db8:1:2::/64", "192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "::ffff:192.0.2.1",
		"": "unknown", "fe80::1%eth0": "fe80::/64",
	} {
		if have := networkOf(ip); have != want {
			t.Errorf("%s: %s", ip, have)
		}
	}
}

func TestADisabledPersonCannotSignIn(t *testing.T) {
	h := newHouse(t)
	signed := h.member()
	_, err := h.Users.SetDisabled(t.Context(), tenant, signed.User.ID, true, "spam", audit.Actor{Subject: "boss"})
	h.must(err)
	if _, err := h.signIn(email, password); !errors.Is(err, ErrDisabled) {
		t.Error(err)
	}
	if _, err := h.signIn(email, "wrong password"); !errors.Is(err, ErrPassword) {
		t.Error(err)
	}
	if _, err := h.Refresh(t.Context(), signed.Refresh); !errors.Is(err, ErrDisabled) {
		t.Error(err)
	}
	if _, err := h.Identify(t.Context(), signed.Session, signed.User.ID); !errors.Is(err, ErrDisabled) {
		t.Error(err)
	}
	h.must(h.Reset(t.Context(), tenant, users.Address{Email: email}, "192.0.2.1"))
	if mail := mails(t, h.db); !strings.Contains(mail[len(mail)-1].Text, "No account") {
		t.Errorf("%+v", mail)
	}
	_, err = h.Users.SetDisabled(t.Context(), tenant, signed.User.ID, false, "a mistake", audit.Actor{Subject: "boss"})
	h.must(err)
	if _, err := h.Identify(t.Context(), signed.Session, signed.User.ID); !errors.Is(err, ErrEnded) {
		t.Errorf("a session of before: %v", err)
	}
	if _, err := h.signIn(email, password); err != nil {
		t.Error(err)
	}
}

func TestARefreshTokenIsReplacedAndASecondUseEndsTheSession(t *testing.T) {
	h := newHouse(t)
	signed := h.member()
	first, err := h.Refresh(t.Context(), signed.Refresh)
	h.must(err)
	if first.Refresh == signed.Refresh || first.Session != signed.Session ||
		first.RefreshExpires != model.At(noon.Add(sessionLife)) {
		t.Errorf("%+v", first)
	}
	h.now = noon.Add(grace)
	repeated, err := h.Refresh(t.Context(), signed.Refresh)
	if err != nil || repeated.Refresh != first.Refresh {
		t.Errorf("a lost answer: %+v, %v", repeated, err)
	}
	second, err := h.Refresh(t.Context(), first.Refresh)
	h.must(err)
	for _, none := range []string{
		"", "x", signed.Refresh, string(signed.Session) + ".", "#." + strings.Repeat("A", 43),
		string(signed.Session) + "." + strings.Repeat("A", 43)} {
		if _, err := h.Refresh(t.Context(), none); !errors.Is(err, ErrEnded) {
			t.Errorf("%q: %v", none, err)
		}
	}
	if _, err := h.Identify(t.Context(), second.Session, second.User.ID); err != nil {
		t.Errorf("a guess ends the session: %v", err)
	}
	h.now = h.now.Add(grace + time.Millisecond)
	if _, err := h.Refresh(t.Context(), first.Refresh); !errors.Is(err, ErrEnded) {
		t.Errorf("a token that was used: %v", err)
	}
	if _, err := h.Refresh(t.Context(), second.Refresh); !errors.Is(err, ErrEnded) || h.stored("SESSION") != 0 {
		t.Errorf("after a theft: %v", err)
	}
	again, err := h.signIn(email, password)
	h.must(err)
	h.now = h.now.Add(sessionLife)
	if _, err := h.Refresh(t.Context(), again.Refresh); !errors.Is(err, ErrEnded) {
		t.Errorf("after thirty days: %v", err)
	}
}

func TestSessionsEndBySigningOut(t *testing.T) {
	h := newHouse(t)
	one := h.member()
	two, err := h.signIn(email, password)
	h.must(err)
	user, err := h.Identify(t.Context(), one.Session, one.User.ID)
	h.must(err)
	if _, err := h.Identify(t.Context(), one.Session, "another"); !errors.Is(err, ErrEnded) {
		t.Errorf("another's session: %v", err)
	}
	h.must(h.SignOut(t.Context(), one.Session))
	h.must(h.SignOut(t.Context(), one.Session))
	if _, err := h.Identify(t.Context(), one.Session, one.User.ID); !errors.Is(err, ErrEnded) {
		t.Error(err)
	}
	if _, err := h.Identify(t.Context(), two.Session, two.User.ID); err != nil {
		t.Error(err)
	}
	h.must(h.SignOutEverywhere(t.Context(), user))
	h.must(h.SignOutEverywhere(t.Context(), user))
	if _, err := h.Refresh(t.Context(), two.Refresh); !errors.Is(err, ErrEnded) {
		t.Error(err)
	}
	if after, err := h.Users.Of(t.Context(), tenant, user.ID); err != nil || after.Epoch != user.Epoch+1 {
		t.Errorf("%+v, %v", after, err)
	}
}

func TestANewPasswordEndsAllSessionsButItsOwn(t *testing.T) {
	h := newHouse(t)
	old := h.member()
	user, err := h.Identify(t.Context(), old.Session, old.User.ID)
	h.must(err)
	for _, wrong := range [][2]string{
		{"wrong horse", "a new password"}, {password, password}, {password, "short"}, {password, email}} {
		if _, err := h.ChangePassword(t.Context(), user, old.Session, wrong[0], wrong[1]); !errors.Is(err, ErrField) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	signed, err := h.ChangePassword(t.Context(), user, old.Session, password, "a new password")
	h.must(err)
	if _, err := h.Identify(t.Context(), signed.Session, user.ID); err != nil {
		t.Error(err)
	}
	if _, err := h.Refresh(t.Context(), old.Refresh); !errors.Is(err, ErrEnded) {
		t.Error(err)
	}
	if _, err := h.signIn(email, password); !errors.Is(err, ErrPassword) {
		t.Error(err)
	}
	if _, err := h.signIn(email, "a new password"); err != nil {
		t.Error(err)
	}
}

func TestAPasswordIsResetByACode(t *testing.T) {
	h := newHouse(t)
	signed := h.member()
	h.must(h.Reset(t.Context(), tenant, users.Address{Email: "ASHA@example.com"}, "192.0.2.1"))
	in := h.confirms()
	in.Password = "a new password"
	wrong := in
	wrong.Code = other(in.Code)
	if err := h.ConfirmReset(t.Context(), wrong); !errors.Is(err, ErrCode) {
		t.Error(err)
	}
	h.must(h.ConfirmReset(t.Context(), in))
	if err := h.ConfirmReset(t.Context(), in); !errors.Is(err, ErrCode) {
		t.Errorf("a code that was used: %v", err)
	}
	if _, err := h.Refresh(t.Context(), signed.Refresh); !errors.Is(err, ErrEnded) {
		t.Error(err)
	}
	if _, err := h.signIn(email, "a new password"); err != nil {
		t.Error(err)
	}
	h.must(h.Reset(t.Context(), tenant, users.Address{Email: "nobody@example.com"}, "192.0.2.1"))
	told := false
	for _, mail := range mails(t, h.db) {
		told = told || mail.To == "nobody@example.com" && strings.Contains(mail.Text, "No account")
	}
	if !told {
		t.Errorf("%+v", mails(t, h.db))
	}
	in.Email, in.Code = "nobody@example.com", "000000"
	if err := h.ConfirmReset(t.Context(), in); !errors.Is(err, ErrCode) {
		t.Error(err)
	}
}

func TestWhoIsThereIsWrittenDownOnceAMinute(t *testing.T) {
	h := newHouse(t)
	signed := h.member()
	seen := func() model.Time {
		user, err := h.Identify(t.Context(), signed.Session, signed.User.ID)
		h.must(err)
		return user.LastSeenAt
	}
	for _, step := range []struct {
		now  time.Time
		want time.Time
	}{
		{noon, noon}, {noon.Add(59 * time.Second), noon}, {noon.Add(time.Minute), noon.Add(time.Minute)},
	} {
		h.now = step.now
		if have := seen(); have != model.At(step.want) {
			t.Errorf("at %s: %s", step.now, have)
		}
	}
	client, tried := h.db.Conflicting(1)
	other := on(t, h.db, client)
	other.now = noon.Add(time.Hour)
	if _, err := other.Identify(t.Context(), signed.Session, signed.User.ID); err != nil || tried() == 0 {
		t.Errorf("%d writes, %v", tried(), err)
	}
}
