package sealing_test

import (
	"errors"
	"testing"

	"github.com/haatline/haatline/shared/sealing"
)

func derived(t *testing.T, secrets, purpose string) sealing.Keys {
	t.Helper()
	keys, err := sealing.Derive(secrets, purpose)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestOnlyTheSameKeyPurposeAndOwnerOpen(t *testing.T) {
	before := derived(t, "old", "cursors").Seal("a text", []byte("asha"))
	keys := derived(t, "new, old", "cursors")
	sealed := keys.Seal("a text", []byte("asha"))
	changed := append([]byte{}, sealed...)
	changed[len(changed)-1] ^= 1
	for name, c := range map[string]struct {
		keys          sealing.Keys
		sealed, bound []byte
		opens         bool
	}{
		"what the keys sealed":       {keys, sealed, []byte("asha"), true},
		"what the former key sealed": {keys, before, []byte("asha"), true},
		"of another owner":           {keys, sealed, []byte("ravi"), false},
		"of another purpose":         {derived(t, "new, old", "secrets"), sealed, []byte("asha"), false},
		"of a key that is not known": {derived(t, "old", "cursors"), sealed, []byte("asha"), false},
		"changed":                    {keys, changed, []byte("asha"), false},
		"shorter than what seals it": {keys, sealed[:5], []byte("asha"), false},
		"nothing":                    {keys, nil, []byte("asha"), false},
	} {
		text, opened := c.keys.Open(c.sealed, c.bound)
		if opened != c.opens || opened != (text == "a text") {
			t.Errorf("%s: %q, %v", name, text, opened)
		}
	}
}

func TestTheSameTextIsSealedDifferentlyEachTime(t *testing.T) {
	keys := derived(t, "one", "cursors")
	first, second := keys.Seal("a", nil), keys.Seal("a", nil)
	if string(first) == string(second) {
		t.Error("twice the same")
	}
}

func TestThereIsNoKeyWithoutASecret(t *testing.T) {
	if _, err := sealing.Derive(" , ", "cursors"); !errors.Is(err, sealing.ErrNoKey) {
		t.Error(err)
	}
}
