package outbox

import (
	"context"
	"fmt"
	"strings"
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
	mayHold      bool      // something may wait
	Waiting      int       // events that wait for the stop to end, counted up to 1000
}

// Code returns the platform's code in the reason of a stop, "" where it gave none.
func (g Group) Code() string {
	code, _, _ := strings.Cut(g.Reason, " ")
	if code == "" || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}

// drains is how long after a stop what has waited may still be going out.
const drains = time.Hour

// Stops reads in one batch which groups are stopped, until when and why, by their keys. What waits is not counted.
func (s *Store) Stops(ctx context.Context, groupKeys []string) (map[string]Group, error) {
	refs := map[string]dynamo.Ref{}
	var wanted []dynamo.Ref
	for _, key := range groupKeys {
		if _, asked := refs[key]; !asked {
			refs[key] = dynamo.Ref{Table: tables.OutboxSequences, Key: keys.OutboxSequence(keys.OutboxSequenceID(key))}
			wanted = append(wanted, refs[key])
		}
	}
	found, err := s.DB.BatchGet(ctx, wanted)
	if err != nil {
		return nil, fmt.Errorf("read groups: %w", err)
	}
	groups := map[string]Group{}
	for key, ref := range refs {
		var sequence model.OutboxSequence
		if err := dynamo.Unmarshal(ref.Found(found), &sequence); err != nil {
			return nil, err
		}
		var g Group
		until := time.UnixMilli(sequence.StoppedTo)
		if until.After(s.Now()) {
			g.StoppedUntil, g.Reason = until, sequence.StopReason
		}
		g.mayHold = sequence.StoppedTo > 0 && until.Add(drains).After(s.Now())
		groups[key] = g
	}
	return groups, nil
}

// Groups reads how groups stand, by their keys. Of a group that has not been stopped lately nothing waits, and nothing is
// counted.
func (s *Store) Groups(ctx context.Context, groupKeys []string) (map[string]Group, error) {
	groups, err := s.Stops(ctx, groupKeys)
	if err != nil {
		return nil, err
	}
	for key, g := range groups {
		if !g.mayHold {
			continue
		}
		if g.Waiting, err = s.countParked(ctx, keys.OutboxSequenceID(key)); err != nil {
			return nil, err
		}
		groups[key] = g
	}
	return groups, nil
}

// countParked counts what waits for a group.
func (s *Store) countParked(ctx context.Context, id string) (int, error) {
	prefix := parkedPrefix(id)
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Outbox, Index: "OutboxByStatusNextRetryAt", Where: "#status = :status AND begins_with(#key, :prefix)",
		Names:  map[string]string{"#key": "nextRetryAt#eventId"},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxFailed), ":prefix": dynamo.S(prefix)}, Limit: maxWaiting,
	})
	if err != nil {
		return 0, fmt.Errorf("count what waits: %w", err)
	}
	return len(page.Items), nil
}

// Resume ends a group's stop. What waits goes out with the next sweep; a relay that has met the stop believes in it for a minute
// at most. Its condition is that the group is stopped: where it is not there is nothing to do.
func (s *Store) Resume(ctx context.Context, groupKey string) error {
	_, err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(keys.OutboxSequenceID(groupKey)),
		Do: "REMOVE stoppedTo, stopReason, stoppedWith", If: "attribute_exists(stoppedTo)",
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
}
