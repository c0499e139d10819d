package conversationsmodel

import (
	"cmp"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// After how many hours a conversation expires.
const (
	MinExpiry     = 1
	DefaultExpiry = 7 * 24
	MaxExpiry     = 90 * 24
)

// silence returns for how long nothing may happen.
func (c Conversation) silence() time.Duration {
	return time.Duration(cmp.Or(c.ExpiresAfterHours, DefaultExpiry)) * time.Hour
}

// ExpiresAt returns when a conversation expires if nothing happens to it. A message of the person that nobody has
// answered gives it as much time again: the answer may be late.
func (c Conversation) ExpiresAt() model.Time {
	silence := c.silence()
	if c.Pending != "" {
		silence *= 2
	}
	return model.At(c.UpdatedAt.Go().Add(silence))
}

// LookAt returns when to look whether a conversation has expired: not after its end, whatever happens until then. An
// answer may bring the end forward.
func (c Conversation) LookAt(now time.Time) model.Time {
	return min(c.ExpiresAt(), model.At(now.Add(c.silence())))
}
