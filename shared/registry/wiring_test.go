package registry

import (
	"testing"

	"github.com/haatline/haatline/shared/messaging"
)

// A domain may make ids in every function, whatever the function itself needs: an admin's answer comes in with inbound.
func TestEveryFunctionMakesIDsThatSortByTime(t *testing.T) {
	rooms := Open(messaging.Config{})
	store := Cards(rooms)
	last := ""
	for range 3 {
		for _, newID := range []func() string{rooms.NewID, rooms.Sender.NewID, store.NewID} {
			id := newID()
			if len(id) != 36 || id <= last {
				t.Errorf("%q after %q", id, last)
			}
			last = id
		}
	}
}
