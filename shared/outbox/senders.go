package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// maxWaiting bounds how many waiting events are counted.
const maxWaiting = 1000

// Group is how a group of events that are sent from one place stands.
type Group struct {
	StoppedUntil time.Time // zero where it is not stopped
	Reason       string    // what stopped it: the platform's code and words
	Waiting      int       // events that wait for the stop to end, counted up to 1000
}

// GroupOf reads how a group stands.
func (s *Store) GroupOf(ctx context.Context, groupKey string) (Group, error) {
	id := keys.OutboxSequenceID(groupKey)
	ref := dynamo.Ref{Table: tables.OutboxSequences, Key: keys.OutboxSequence(id)}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	if err != nil {
		return Group{}, fmt.Errorf("read group: %w", err)
	}
	var sequence model.OutboxSequence
	if item := ref.Found(found); item != nil {
		if err := dynamo.Unmarshal(item, &sequence); err != nil {
			return Group{}, err
		}
	}
	var g Group
	if until := time.UnixMilli(sequence.StoppedTo); until.After(s.Now()) {
		g.StoppedUntil, g.Reason = until, sequence.StopReason
	}
	prefix := parkedPrefix(id)
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Outbox, Index: "OutboxByStatusNextRetryAt", Where: "#status = :status AND begins_with(#key, :prefix)",
		Names:  map[string]string{"#key": "nextRetryAt#eventId"},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxFailed), ":prefix": dynamo.S(prefix)}, Limit: maxWaiting,
	})
	if err != nil {
		return Group{}, fmt.Errorf("count what waits: %w", err)
	}
	g.Waiting = len(page.Items)
	return g, nil
}

// Resume ends a group's stop. What waits goes out with the next sweep; a relay that has met the stop believes in it for a minute
// at most. Its condition is that the group is stopped: where it is not there is nothing to do.
func (s *Store) Resume(ctx context.Context, groupKey string) error {
	_, err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(keys.OutboxSequenceID(groupKey)),
		Do: "REMOVE stoppedTo, stopReason", If: "attribute_exists(stoppedTo)",
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
}
