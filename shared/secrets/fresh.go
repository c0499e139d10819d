package secrets

import (
	"context"
	"time"
)

// Expire has the next Get fetch the value again, for who has seen that the one which is kept does not work.
func (s *Secret) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Time{}
}

// Fresh fetches the value again. Where it cannot be fetched it returns the kept one.
func (s *Secret) Fresh(ctx context.Context) (string, error) {
	s.Expire()
	return s.Get(ctx)
}
