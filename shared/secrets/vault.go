package secrets

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/haatline/haatline/shared/sealing"
)

// derivedPrefix begins a value that a key derived from the keys of the API has encrypted: keys:{ciphertext in base64}.
const derivedPrefix = "keys:"

// mostOpened bounds the values that a process keeps opened.
const mostOpened = 1000

// errNoKey means that there is nothing to seal or open with.
var errNoKey = errors.New("no key: set CURSOR_KEYS, or deploy with -c tokens=kms")

// Vault seals the secrets of others, so that a table holds none in clear. Each is sealed under the names of its owner,
// and opens for nobody else. A key of KMS seals if there is one. Else a key seals that derives from the keys of the
// API. It is safe for concurrent use.
type Vault struct {
	key    string // of KMS; "" for none
	keys   *Secret
	getenv func(string) string

	mu     sync.Mutex
	opened map[[2]string]string // by the sealed value and its owner
}

// OpenVault returns the vault that the environment describes. key is the id, ARN or alias of the key of KMS that seals,
// and "" in a deployment without one, and in functions that only open.
func OpenVault(key string, getenv func(string) string) *Vault {
	return &Vault{
		key: key, keys: New(getenv("CURSOR_KEYS"), getenv), getenv: getenv, opened: map[[2]string]string{}}
}

// Seal returns a secret as it is to be stored. An empty secret stands for the one that was stored before. If the secret
// is the one from before, and it is sealed as it would be now, it stays as it was stored. One that cannot be opened
// stays as well: it may be opened later.
func (v *Vault) Seal(ctx context.Context, secret, was string, of map[string]string) (sealed string, err error) {
	before := ""
	if was != "" {
		if before, err = v.Open(ctx, was, of); err != nil && secret == "" {
			return was, nil
		}
	}
	same := secret == "" || secret == before
	if was != "" && same && strings.HasPrefix(was, v.prefix()) {
		return was, nil
	}
	secret = cmp.Or(secret, before)
	if v.key == "" {
		sealed, err = v.derive(ctx, secret, of)
	} else {
		sealed, err = manager{v.getenv}.seal(ctx, v.key, secret, of)
	}
	if err != nil {
		return "", fmt.Errorf("seal a secret: %w", err)
	}
	return sealed, nil
}

// prefix begins what is sealed now.
func (v *Vault) prefix() string {
	if v.key == "" {
		return derivedPrefix
	}
	return sealedPrefix
}

// Open returns the secret that a stored value holds. A value from before there was a vault is the secret itself.
func (v *Vault) Open(ctx context.Context, stored string, of map[string]string) (secret string, err error) {
	derived := strings.HasPrefix(stored, derivedPrefix)
	if !derived && !IsSealed(stored) {
		return stored, nil
	}
	place := [2]string{stored, string(named(of))}
	v.mu.Lock()
	secret, is := v.opened[place]
	v.mu.Unlock()
	if is {
		return secret, nil
	}
	if derived {
		secret, err = v.opens(ctx, stored, of)
	} else {
		secret, err = manager{v.getenv}.open(stored, of)(ctx)
	}
	if err == nil && secret == "" {
		err = errEmpty
	}
	if err != nil {
		return "", fmt.Errorf("open a secret: %w", err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.opened) >= mostOpened {
		clear(v.opened)
	}
	v.opened[place] = secret
	return secret, nil
}

// derive seals a secret with the first of the keys.
func (v *Vault) derive(ctx context.Context, secret string, of map[string]string) (string, error) {
	keys, err := v.derived(ctx)
	if err != nil {
		return "", err
	}
	return derivedPrefix + base64.StdEncoding.EncodeToString(keys.Seal(secret, named(of))), nil
}

// opens opens a value with that of the keys which has sealed it.
func (v *Vault) opens(ctx context.Context, stored string, of map[string]string) (string, error) {
	keys, err := v.derived(ctx)
	if err != nil {
		return "", err
	}
	sealed, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(stored, derivedPrefix))
	if err != nil {
		return "", errUnreadable
	}
	secret, opened := keys.Open(sealed, named(of))
	if !opened {
		return "", errUnreadable
	}
	return secret, nil
}

// derived returns the keys that derive from those of the API.
func (v *Vault) derived(ctx context.Context) (sealing.Keys, error) {
	text, err := v.keys.Get(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := sealing.Derive(text, "haatline secrets")
	if errors.Is(err, sealing.ErrNoKey) {
		return nil, errNoKey
	}
	return keys, err
}

// named returns the names of an owner as one text, in an order that is always the same.
func named(of map[string]string) []byte {
	text, _ := json.Marshal(of) // texts can always be encoded
	return text
}
