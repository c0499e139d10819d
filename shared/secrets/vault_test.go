package secrets

import (
	"maps"
	"strings"
	"testing"
)

const aFunctionsSecret = "a secret that only the two of us know"

var hers = map[string]string{"tenant": "acme", "company": "ci-1", "project": "pi-1"}

// keyed is an environment with keys of the API.
func keyed(keys string, getenv func(string) string) func(string) string {
	return func(name string) string {
		if name == "CURSOR_KEYS" {
			return keys
		}
		return getenv(name)
	}
}

func none(string) string { return "" }

// A sealed secret opens for its owner alone, by a key of KMS and by the keys of the API.
func TestAVaultOpensForTheOwnerAlone(t *testing.T) {
	k, getenv := newKeyService(t)
	for key, prefix := range map[string]string{"": "keys:", tokensKey: "kms:"} {
		env := keyed("key", getenv)
		sealed, err := OpenVault(key, env).Seal(t.Context(), aFunctionsSecret, "", hers)
		if err != nil || !strings.HasPrefix(sealed, prefix) || strings.Contains(sealed, "secret") {
			t.Fatalf("%q, %v", sealed, err)
		}
		opens := OpenVault("", env) // what only opens needs no key of KMS
		for range 3 {
			if got, err := opens.Open(t.Context(), sealed, hers); got != aFunctionsSecret || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		}
		for name := range hers {
			other := maps.Clone(hers)
			other[name] = "other"
			if got, err := opens.Open(t.Context(), sealed, other); got != "" || err == nil ||
				strings.Contains(err.Error(), sealed) || strings.Contains(err.Error(), "arn:") {
				t.Errorf("another %s: %q, %v", name, got, err)
			}
		}
	}
	if k.asked["Decrypt"] != 1+len(hers) {
		t.Errorf("KMS was asked %d times", k.asked["Decrypt"])
	}
}

func TestAVaultKeepsWhatIsTheSame(t *testing.T) {
	_, getenv := newKeyService(t)
	env := keyed("key", getenv)
	derived, kms := OpenVault("", env), OpenVault(tokensKey, env)
	seal := func(v *Vault, secret, was string) string {
		t.Helper()
		sealed, err := v.Seal(t.Context(), secret, was, hers)
		if err != nil {
			t.Fatal(err)
		}
		return sealed
	}
	for _, v := range []*Vault{derived, kms} {
		sealed := seal(v, aFunctionsSecret, "")
		if seal(v, aFunctionsSecret, sealed) != sealed || seal(v, "", sealed) != sealed {
			t.Error("the same secret is sealed again")
		}
		if seal(v, "another", sealed) == sealed {
			t.Error("another secret is not sealed")
		}
	}
	// what lies in clear, and what the other key has sealed, is sealed by the key of now
	for _, was := range []string{aFunctionsSecret, seal(derived, aFunctionsSecret, "")} {
		sealed := seal(kms, "", was)
		if got, err := kms.Open(t.Context(), sealed, hers); !IsSealed(sealed) || got != aFunctionsSecret || err != nil {
			t.Errorf("%q, %q, %v", sealed, got, err)
		}
	}
}

func TestAVaultOpensByAnOlderKeyAsLongAsItIsThere(t *testing.T) {
	sealed, err := OpenVault("", keyed("old", none)).Seal(t.Context(), aFunctionsSecret, "", hers)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := OpenVault("", keyed("new, old", none)).Open(t.Context(), sealed, hers); got != aFunctionsSecret {
		t.Errorf("%q, %v", got, err)
	}
	gone := OpenVault("", keyed("new", none))
	if got, err := gone.Open(t.Context(), sealed, hers); got != "" || err == nil {
		t.Errorf("%q, %v", got, err)
	}
	if kept, err := gone.Seal(t.Context(), "", sealed, hers); kept != sealed || err != nil {
		t.Errorf("what cannot be opened does not stay: %q, %v", kept, err)
	}
	if next, err := gone.Seal(t.Context(), "a new secret", sealed, hers); next == sealed || err != nil {
		t.Errorf("%q, %v", next, err)
	}
}

func TestAVaultWithoutKeysSaysSo(t *testing.T) {
	v := OpenVault("", none)
	if got, err := v.Seal(t.Context(), aFunctionsSecret, "", hers); got != "" || err == nil ||
		!strings.Contains(err.Error(), "tokens=kms") || strings.Contains(err.Error(), aFunctionsSecret) {
		t.Errorf("%q, %v", got, err)
	}
	for _, stored := range []string{"keys:", "keys:%", "keys:AAAA"} {
		if got, err := OpenVault("", keyed("key", none)).Open(t.Context(), stored, hers); got != "" || err == nil {
			t.Errorf("%s: %q", stored, got)
		}
	}
}
