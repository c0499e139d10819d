package sealing

import "context"

// Vault seals secrets for those who store them, each under the names of its owner: secrets.Vault. A function that
// deals with no secrets of others has no vault.
type Vault interface {
	// Seal returns a secret as it is stored, and what was stored before if the secret is the same or empty.
	Seal(ctx context.Context, secret, was string, of map[string]string) (sealed string, err error)
	// Open returns what was sealed under the same names.
	Open(ctx context.Context, stored string, of map[string]string) (secret string, err error)
}
