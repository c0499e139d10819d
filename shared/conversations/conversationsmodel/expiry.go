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

// ExpiresAt returns when a conversation expires if nothing happens to it. A message of the person that nobody has
// answered gives it as much time again: the answer may be late.
func (c Conversation) ExpiresAt() model.Time {
	silence := time.Duration(cmp.Or(c.ExpiresAfterHours, DefaultExpiry)) * time.Hour
	if c.Pending != "" {
		silence *= 2
	}
	return model.At(c.UpdatedAt.Go().Add(silence))
}
