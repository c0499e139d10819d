package access

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

func TestAHashOfAPasswordCostsWhatItShould(t *testing.T) {
	if Standard.KiB < 46<<10 || Standard.Passes < 1 {
		t.Errorf("%+v is less than OWASP's least", Standard)
	}
	took := processor(t, func() {
		phc := Standard.hash(password, make([]byte, saltLength))
		if !strings.HasPrefix(phc, "$argon2id$v=19$m=47104,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$") {
			t.Error(phc)
		}
	})
	if took < 20*time.Millisecond || took > time.Second {
		t.Errorf("a hash takes %s of a processor", took)
	}
}

// processor returns how much time of a processor work takes, whatever else the machine does: the least of three times,
// because memory may be collected in one.
func processor(t *testing.T, work func()) time.Duration {
	used := func() time.Duration {
		var usage syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
			t.Fatal(err)
		}
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	least := time.Hour
	for range 3 {
		before := used()
		work()
		least = min(least, used()-before)
	}
	return least
}

// Nobody's password takes as long as somebody's.
func TestAnAccountThatIsNotThereCostsTheSame(t *testing.T) {
	dear := Cost{KiB: 16 << 10, Passes: 2}
	phc := dear.hash(password, make([]byte, saltLength))
	somebodys := processor(t, func() { dear.matches("wrong password", phc) })
	nobodys := processor(t, func() { dear.matches("wrong password", "") })
	if ratio := float64(nobodys) / float64(somebodys); ratio < 0.3 || ratio > 3 {
		t.Errorf("%s and %s", nobodys, somebodys)
	}
}

func TestAHashIsReadAsItWasWritten(t *testing.T) {
	phc := cheap.hash(password, []byte("0123456789abcdef"))
	if right, older := cheap.matches(password, phc); !right || older {
		t.Errorf("%s: %v, %v", phc, right, older)
	}
	decomposed, composed := "cafe\u0301 con leche", "caf\u00e9 con leche"
	if right, _ := cheap.matches(decomposed, cheap.hash(composed, make([]byte, saltLength))); !right {
		t.Error("a letter with its accent is another one from another keyboard")
	}
	if right, older := (Cost{KiB: 16, Passes: 1}).matches(password, phc); !right || !older {
		t.Errorf("with other parameters: %v, %v", right, older)
	}
	parts := strings.Split(phc, "$")
	for _, wrong := range []string{
		"", "x", "$argon2i$" + strings.Join(parts[2:], "$"), strings.Replace(phc, "v=19", "v=16", 1),
		strings.Replace(phc, "m=8", "m=0", 1), strings.Replace(phc, "t=1", "t=0", 1),
		strings.Replace(phc, "p=1", "p=2", 1), strings.Join(parts[:5], "$") + "$", phc + "A", phc + "$",
		strings.Join(append(parts[:4:4], "%", parts[5]), "$"),
		cheap.hash("another", []byte("0123456789abcdef")), cheap.hash(password, []byte("0123456789abcdeF"))[:60],
	} {
		if right, _ := cheap.matches(password, wrong); right {
			t.Errorf("%s is right", wrong)
		}
	}
}

func TestAnOlderHashIsReplacedAtTheNextSignIn(t *testing.T) {
	h := newHouse(t)
	signed := h.member()
	h.Cost = Cost{KiB: 16, Passes: 1}
	if _, err := h.signIn(email, "wrong password"); !errors.Is(err, ErrPassword) {
		t.Error(err)
	}
	for range 2 {
		if _, err := h.signIn(email, password); err != nil {
			t.Error(err)
		}
		var user communitymodel.User
		h.must(h.DB.Get(t.Context(), tables.CommunityUsers, keys.CommunityUser(signed.User.ID), &user))
		if !strings.Contains(user.PasswordHash, "m=16,") || user.Version != 2 {
			t.Errorf("%+v", user)
		}
	}
}
