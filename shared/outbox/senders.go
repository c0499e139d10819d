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

// maxWaiting bounds the number of waiting events that are counted.
const maxWaiting = 1000

// Group is the state of a group of events that are sent from one place, such as a phone number.
type Group struct {
	StoppedUntil time.Time // zero if it is not stopped
	Reason       string    // what stopped it: the provider's code and title
	mayHold      bool      // parked events may exist
	Waiting      int       // events that wait for the stop to end, at most maxWaiting
}

// Code returns the provider's code in the reason of a stop, or "".
func (g Group) Code() string {
	code, _, _ := strings.Cut(g.Reason, " ")
	if code == "" || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}

// drainTime is how long after a stop parked events may still wait to be sent.
const drainTime = time.Hour

// Stops reads in one batch which groups are stopped, until when and why, by group key. It does not count what waits.
func (s *Outbox) Stops(ctx context.Context, groupKeys []string) (map[string]Group, error) {
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
		g.mayHold = sequence.StoppedTo > 0 && until.Add(drainTime).After(s.Now())
		groups[key] = g
	}
	return groups, nil
}

// Groups returns the state of groups by group key, with the number of waiting events. It counts only for groups that
// were stopped recently; for any other group nothing waits.
func (s *Outbox) Groups(ctx context.Context, groupKeys []string) (map[string]Group, error) {
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

// countParked counts the parked events of a group.
func (s *Outbox) countParked(ctx context.Context, id string) (int, error) {
	prefix := parkedPrefix(id)
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Outbox, Index: tables.IndexOutboxByNextRetry,
		Where:  "#status = :status AND begins_with(#key, :prefix)",
		Names:  map[string]string{"#key": tables.SortNextRetryAtEventID},
		Values: dynamo.Item{":status": dynamo.S(model.OutboxFailed), ":prefix": dynamo.S(prefix)}, Limit: maxWaiting,
	})
	if err != nil {
		return 0, fmt.Errorf("count what waits: %w", err)
	}
	return len(page.Items), nil
}

// Resume ends a group's stop. The next sweep sends what waits. A relay may rely on the stop it has read for another
// minute. Its condition is that the group is stopped and not held; otherwise there is nothing to do.
func (s *Outbox) Resume(ctx context.Context, groupKey string) error {
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(keys.OutboxSequenceID(groupKey)),
		Do: "REMOVE stoppedTo, stopReason, stoppedWith", If: "stoppedTo < :held",
		Values: dynamo.Item{":held": dynamo.N(heldTo.UnixMilli())},
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
}

// StopWrites returns the writes that stop groups until a time, for the caller's transaction. The condition is that the
// group's stop is as it was read. A group that is stopped for longer already stays as it is.
func (s *Outbox) StopWrites(ctx context.Context, groupKeys []string, until time.Time,
	reason string) ([]dynamo.Write, error) {
	return s.changeStops(ctx, groupKeys, func(now model.OutboxSequence) (string, dynamo.Item) {
		if now.StoppedTo >= until.UnixMilli() {
			return "", nil
		}
		return "SET stoppedTo = :to, stopReason = :why, entityKey = :key REMOVE stoppedWith", dynamo.Item{
			":to": dynamo.N(until.UnixMilli()), ":why": dynamo.S(reason),
		}
	})
}

// resume ends a group's stop.
const resume = "SET entityKey = :key REMOVE stoppedTo, stopReason, stoppedWith"

// ResumeWrites returns the writes that end groups' stops, for the caller's transaction. The condition is that the stop
// is as it was read. A held group stays as it is.
func (s *Outbox) ResumeWrites(ctx context.Context, groupKeys []string) ([]dynamo.Write, error) {
	return s.changeStops(ctx, groupKeys, func(now model.OutboxSequence) (string, dynamo.Item) {
		if now.StoppedTo == 0 || held(now) {
			return "", nil
		}
		return resume, dynamo.Item{}
	})
}

// changeStops returns the updates of groups that change returns an update expression for.
func (s *Outbox) changeStops(
	ctx context.Context, groupKeys []string, change func(now model.OutboxSequence) (do string, values dynamo.Item),
) ([]dynamo.Write, error) {
	refs := make([]dynamo.Ref, len(groupKeys))
	for i, key := range groupKeys {
		refs[i] = dynamo.Ref{Table: tables.OutboxSequences, Key: keys.OutboxSequence(keys.OutboxSequenceID(key))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read groups: %w", err)
	}
	var writes []dynamo.Write
	for i, ref := range refs {
		var now model.OutboxSequence
		if err := dynamo.Unmarshal(ref.Found(found), &now); err != nil {
			return nil, err
		}
		do, values := change(now)
		if do == "" {
			continue
		}
		values[":key"] = dynamo.S(groupKeys[i])
		writes = append(writes, dynamo.Update{
			Table: tables.OutboxSequences, Key: ref.Key, Do: do,
			If: dynamo.SameNumber("stoppedTo", now.StoppedTo, values), Values: values,
		})
	}
	return writes, nil
}
