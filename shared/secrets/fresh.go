package secrets

import (
	"context"
	"time"
)

// Expire makes the next Get fetch the value again. Call it when the cached value turned out not to work.
func (s *Secret) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Time{}
}

// Fresh fetches the value again. If that fails, it returns the cached value.
func (s *Secret) Fresh(ctx context.Context) (string, error) {
	s.Expire()
	return s.Get(ctx)
}
