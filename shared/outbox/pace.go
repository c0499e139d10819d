package outbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// A bucket is one number: until when it is spoken for. Taking one of Burst tokens, refilled one per Every, moves it
// Every ahead of itself or of now; it may run ahead of now by what the burst allows. Held in an item under a condition,
// it holds across relays.

// Bucket is a limit. The zero bucket limits nothing.
type Bucket struct {
	Burst int
	Every time.Duration
}

// ahead is how far the bucket may be spoken for before one more token can be taken.
func (b Bucket) ahead() time.Duration { return time.Duration(b.Burst-1) * b.Every }

// groupTokens is how many tokens of a group are taken at once, so that a busy group costs a tenth of a write per event.
const groupTokens = 10

// tokens are the group tokens this process holds. They go stale, so that a stopped group stops.
type tokens struct {
	mu   sync.Mutex
	held map[string]heldTokens
}

type heldTokens struct {
	left  int
	until time.Time
}

const tokensGoodFor = 2 * time.Second

func (t *tokens) take(group string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	held := t.held[group]
	if held.left == 0 || now.After(held.until) {
		return false
	}
	held.left--
	t.held[group] = held
	return true
}

func (t *tokens) put(group string, left int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held == nil {
		t.held = map[string]heldTokens{}
	}
	t.held[group] = heldTokens{left, now.Add(tokensGoodFor)}
}

// takeTurn checks that it is the event's turn among its entity's, and takes a token of the entity's bucket and one of
// the group's. A wait above zero says when there will be one.
func (r *Relay) takeTurn(ctx context.Context, event model.OutboxEvent, pace Pace) (time.Duration, error) {
	sequenceID := sequenceOf(event)
	if pace.Entity.Burst == 0 {
		return 0, r.checkTurn(ctx, event, sequenceID)
	}
	turn := "delivered = :before"
	values := dynamo.Item{":before": dynamo.N(event.SequenceNumber - 1)}
	if event.Unordered {
		turn, values = "attribute_exists(sequenceId)", dynamo.Item{}
	}
	if wait, err := r.takeToken(ctx, sequenceID, pace.Entity, 1, turn, values); err != nil || wait > 0 {
		return wait, err
	}
	if pace.GroupKey == "" || r.tokens.take(pace.GroupKey, r.Now()) {
		return 0, nil
	}
	wait, err := r.takeToken(ctx, keys.OutboxSequenceID(pace.GroupKey), pace.Group, groupTokens, "", dynamo.Item{})
	if err == nil && wait == 0 {
		r.tokens.put(pace.GroupKey, groupTokens-1, r.Now())
	}
	return wait, err
}

// checkTurn is the turn of an event that no bucket limits: a read, no write.
func (r *Relay) checkTurn(ctx context.Context, event model.OutboxEvent, sequenceID string) error {
	if event.Unordered {
		return nil
	}
	var sequence model.OutboxSequence
	if err := r.DB.Get(ctx, tables.OutboxSequences, keys.OutboxSequence(sequenceID), &sequence); err != nil {
		return fmt.Errorf("turn: %w", err)
	}
	if sequence.Delivered != event.SequenceNumber-1 {
		return errNotNow
	}
	return nil
}

// takeToken takes tokens of the bucket on a sequence item. The first try supposes an idle bucket and costs no read; when
// it fails, the item comes back with the failure and says what to do.
func (r *Relay) takeToken(ctx context.Context, sequenceID string, bucket Bucket, count int, turn string, values dynamo.Item) (time.Duration, error) {
	now := r.Now().UnixMilli()
	step := int64(count) * bucket.Every.Milliseconds()
	idle := "(attribute_not_exists(pacedTo) OR pacedTo <= :now) AND (attribute_not_exists(stoppedTo) OR stoppedTo <= :now)"
	failed, err := r.pace(ctx, sequenceID, now+step, and(turn, idle), with(values, ":now", now))
	for range settleAttempts {
		if failed == nil || err != nil {
			return 0, err
		}
		var s model.OutboxSequence
		if err := dynamo.Unmarshal(failed.Item, &s); err != nil {
			return 0, err
		}
		if before, ordered := values[":before"]; ordered && dynamo.Int(dynamo.Item{"n": before}, "n") != s.Delivered {
			return 0, errNotNow
		}
		if s.StoppedTo > now {
			return time.Duration(s.StoppedTo-now) * time.Millisecond, nil
		}
		if over := s.PacedTo - now - bucket.ahead().Milliseconds(); over > 0 {
			return time.Duration(over) * time.Millisecond, nil
		}
		next := max(s.PacedTo, now) + step
		failed, err = r.pace(ctx, sequenceID, next, and(turn, "pacedTo = :read"), with(values, ":read", s.PacedTo))
	}
	return time.Second, nil // fought over: come back
}

func (r *Relay) pace(ctx context.Context, sequenceID string, to int64, condition string, values dynamo.Item) (*dynamo.ConditionFailed, error) {
	values[":to"] = dynamo.N(to)
	_, err := r.DB.Update(ctx, dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(sequenceID), Do: "SET pacedTo = :to", If: condition, Values: values,
	})
	var failed *dynamo.ConditionFailed
	if errors.As(err, &failed) {
		return failed, nil
	}
	if err != nil {
		return nil, fmt.Errorf("take a token: %w", err)
	}
	return nil, nil
}

// stop keeps everything of a group from going out for a while.
func (r *Relay) stop(ctx context.Context, groupKey string, d time.Duration) error {
	_, err := r.DB.Update(ctx, dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(keys.OutboxSequenceID(groupKey)),
		Do:     "SET stoppedTo = :to, entityKey = :key",
		If:     "attribute_not_exists(stoppedTo) OR stoppedTo < :to",
		Values: dynamo.Item{":to": dynamo.N(r.Now().Add(d).UnixMilli()), ":key": dynamo.S(groupKey)},
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("stop sender: %w", err)
	}
	r.tokens.put(groupKey, 0, r.Now())
	telemetry.Count(ctx, telemetry.SendersStopped, 1)
	r.Log.ErrorContext(ctx, "sender stopped", "group", groupKey, "for", d.String())
	return nil
}

func and(first, second string) string {
	if first == "" {
		return second
	}
	return first + " AND " + second
}

func with(values dynamo.Item, name string, number int64) dynamo.Item {
	all := dynamo.Item{name: dynamo.N(number)}
	for key, value := range values {
		all[key] = value
	}
	return all
}
