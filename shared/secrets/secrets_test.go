package secrets

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// store imitates Secrets Manager. It counts its calls and can be down.
type store struct {
	mu     sync.Mutex
	values map[string]string
	asked  []string
	down   error
	clock  time.Time
}

func (s *store) secret(text string) *Secret {
	s.clock = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	secret := New(text, func(variable string) string {
		return map[string]string{"TOKEN": "from-the-variable", "REFERENCE": "secretsmanager:haatline/token"}[variable]
	})
	secret.now = func() time.Time { return s.clock }
	secret.fetch = func(_ context.Context, id string) (string, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, id)
		return s.values[id], s.down
	}
	return secret
}

func get(t *testing.T, secret *Secret, want string) {
	t.Helper()
	got, err := secret.Get(t.Context())
	if err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

var errDown = errors.New("no connection")

func TestASecretThatCannotBeReadIsAnErrorThatNamesTheReference(t *testing.T) {
	s := &store{down: errDown, values: map[string]string{"haatline/token": "half-a-value"}}
	secret := s.secret("secretsmanager:haatline/token")
	value, err := secret.Get(t.Context())
	if value != "" || !errors.Is(err, errDown) || !strings.Contains(err.Error(), "haatline/token") ||
		strings.Contains(err.Error(), "half-a-value") {
		t.Errorf("%q, %v", value, err)
	}
	s.down = nil
	get(t, secret, "half-a-value") // the next call fetches again at once
}

func TestAnEmptySecretIsAnError(t *testing.T) {
	s := &store{}
	secret := s.secret("secretsmanager:haatline/token")
	if value, err := secret.Get(t.Context()); value != "" || err == nil {
		t.Errorf("%q, %v", value, err)
	}
	s.values = map[string]string{"haatline/token": "one"}
	get(t, secret, "one")
	s.values, s.clock = nil, s.clock.Add(time.Hour)
	get(t, secret, "one")
}

func TestAPlainValueNeedsNoCall(t *testing.T) {
	s := &store{down: errDown}
	for text, want := range map[string]string{
		"": "", "local-app-secret": "local-app-secret", "secretsmanager": "secretsmanager",
		"a secretsmanager:a": "a secretsmanager:a",
		"env:TOKEN":          "from-the-variable", "env:UNSET": "",
	} {
		get(t, s.secret(text), want)
	}
	if len(s.asked) != 0 {
		t.Errorf("asked for %q", s.asked)
	}
}

func TestAReferenceIsFetchedAtFirstUseAndCachedForFiveMinutes(t *testing.T) {
	const arn = "arn:aws:secretsmanager:ap-south-1:111122223333:secret:haatline/token-AbCdEf"
	s := &store{values: map[string]string{arn: "one", "haatline/token": "named"}}
	secret := s.secret("secretsmanager:" + arn)
	if len(s.asked) != 0 {
		t.Error("fetched before its use")
	}
	get(t, secret, "one")
	s.values[arn] = "two"
	s.clock = s.clock.Add(5*time.Minute - time.Second)
	get(t, secret, "one")
	if len(s.asked) != 1 || s.asked[0] != arn {
		t.Errorf("asked for %q", s.asked)
	}
	s.clock = s.clock.Add(time.Second)
	get(t, secret, "two")
	if len(s.asked) != 2 {
		t.Errorf("asked %d times, want 2", len(s.asked))
	}
	get(t, s.secret("env:REFERENCE"), "named")
}

func TestAnOlderValueIsUsedWhileTheStoreIsDownWithoutRepeatedCalls(t *testing.T) {
	s := &store{values: map[string]string{"haatline/token": "one"}}
	secret := s.secret("secretsmanager:haatline/token")
	get(t, secret, "one")
	s.down, s.clock = errDown, s.clock.Add(time.Hour)
	for range 3 {
		get(t, secret, "one")
	}
	if len(s.asked) != 2 {
		t.Errorf("asked %d times within ten seconds, want once more", len(s.asked))
	}
	s.clock = s.clock.Add(10 * time.Second)
	get(t, secret, "one")
	if len(s.asked) != 3 {
		t.Errorf("asked %d times, want again after ten seconds", len(s.asked))
	}
	s.down, s.values["haatline/token"], s.clock = nil, "two", s.clock.Add(10*time.Second)
	get(t, secret, "two")
}

func TestConcurrentCallersFetchASecretOnce(t *testing.T) {
	s := &store{values: map[string]string{"haatline/token": "one"}}
	secret := s.secret("secretsmanager:haatline/token")
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { get(t, secret, "one") })
	}
	group.Wait()
	if len(s.asked) != 1 {
		t.Errorf("asked %d times", len(s.asked))
	}
}
