package outbox

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// A held group is stopped until it is released: neither time, nor a new credential, nor a person who resumes its sender
// ends that. What is sent from it waits.

// heldTo is when the stop of a held group ends: never.
var heldTo = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)

// Held reports whether the group stays stopped until it is released.
func (g Group) Held() bool { return g.StoppedUntil.Equal(heldTo) }

func held(s model.OutboxSequence) bool { return s.StoppedTo == heldTo.UnixMilli() }

// HoldWrites returns the writes that hold groups, for the caller's transaction. The condition is that a group's stop is
// as it was read. A group that is held already needs none.
func (s *Outbox) HoldWrites(ctx context.Context, groupKeys []string, reason string) ([]dynamo.Write, error) {
	return s.StopWrites(ctx, groupKeys, heldTo, reason)
}

// ReleaseWrites returns the writes that release groups, for the caller's transaction. The condition is that a group's
// stop is as it was read. A group that is not held needs none.
func (s *Outbox) ReleaseWrites(ctx context.Context, groupKeys []string) ([]dynamo.Write, error) {
	return s.changeStops(ctx, groupKeys, func(now model.OutboxSequence) (string, dynamo.Item) {
		if !held(now) {
			return "", nil
		}
		return resume, dynamo.Item{}
	})
}
