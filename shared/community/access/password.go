package access

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"github.com/haatline/haatline/shared/problem"
)

// Cost is what one hash of a password costs.
type Cost struct {
	KiB    uint32 // of memory
	Passes uint32
}

// Standard is more than OWASP's least for argon2id: a hash takes about 80 ms of a processor of 2026.
var Standard = Cost{KiB: 46 << 10, Passes: 2}

// The lengths of a salt and a hash, in bytes. A hash is computed in one thread: a function has less than one processor.
const (
	saltLength = 16
	hashLength = 32
	threads    = 1
)

// The bounds of a password, in characters.
const (
	MinPassword = 10
	MaxPassword = 128
)

// encoding is that of the PHC form: base64 without padding.
var encoding = base64.RawStdEncoding

// hash returns the hash of a password in the PHC form, which holds its parameters and its salt.
func (c Cost) hash(password string, salt []byte) string {
	key := c.key(password, salt)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.KiB, c.Passes, threads,
		encoding.EncodeToString(salt), encoding.EncodeToString(key))
}

// key returns what a password becomes. Keyboards write some letters in several ways, which all become the same.
func (c Cost) key(password string, salt []byte) []byte {
	return argon2.IDKey(norm.NFKC.Bytes([]byte(password)), salt, c.Passes, c.KiB, threads, hashLength)
}

// matches reports whether a password has a hash, and whether the hash has other parameters than new ones get. It takes
// as long for a text that is no hash, such as "" for nobody's, as for one of new parameters.
func (c Cost) matches(password, phc string) (right, older bool) {
	is, salt, key, ok := read(phc)
	if !ok {
		is, salt, key = c, make([]byte, saltLength), make([]byte, hashLength)
	}
	right = subtle.ConstantTimeCompare(is.key(password, salt), key) == 1 && ok
	return right, right && is != c
}

// read takes a hash apart. It accepts what hash writes, with any cost that can be computed.
func read(phc string) (c Cost, salt, key []byte, ok bool) {
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, false
	}
	var p int
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.KiB, &c.Passes, &p); err != nil || n != 3 || p != threads ||
		c.Passes == 0 || c.KiB == 0 {
		return c, nil, nil, false
	}
	salt, err := encoding.DecodeString(parts[4])
	if err != nil {
		return c, nil, nil, false
	}
	key, err = encoding.DecodeString(parts[5])
	return c, salt, key, err == nil && len(key) == hashLength
}

// checkPassword returns ErrField for a password that is easy to guess by its length or by whose it is.
func checkPassword(field, password string, owners ...string) error {
	length := utf8.RuneCountInString(password)
	if length < MinPassword || length > MaxPassword || !utf8.ValidString(password) {
		return problem.Wrong(ErrField, field, "a password has %d to %d characters", MinPassword, MaxPassword)
	}
	small := strings.ToLower(password)
	if strings.Trim(small, string([]rune(small)[:1])) == "" {
		return problem.Wrong(ErrField, field, "a password has more than one character")
	}
	for _, owner := range owners {
		if small == owner {
			return problem.Wrong(ErrField, field, "a password is not the username and not the address")
		}
	}
	return nil
}
