package outbox

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// A bucket is stored as one time, pacedTo: until then its tokens are spent. Taking one of Burst tokens, of which one is
// refilled per Every, moves pacedTo by Every from its value or from now, whichever is later. pacedTo may be ahead of
// now by what the burst allows. Because it is an item that changes under a condition, the limit holds across relays.

// Bucket is a rate limit: Burst events at once, and one more each Every. The zero Bucket limits nothing.
type Bucket struct {
	Burst int
	Every time.Duration
}

// ahead returns how far pacedTo may be ahead of now while one more token can still be taken.
func (b Bucket) ahead() time.Duration { return time.Duration(b.Burst-1) * b.Every }

// maxTokens bounds the tokens of a group that are taken with one write, so that a busy group costs a tenth of a write
// per event. Tokens expire after tokenLifetime, so that a stopped group really stops. Tokens that a process does not
// use are lost.
const (
	maxTokens     = 10
	tokenLifetime = 2 * time.Second
	// stopCacheTime is how long a process relies on a stop it has read before it reads again.
	stopCacheTime = time.Minute
	// refusalTime is how long after a refusal a group counts as one that may refuse again.
	refusalTime = time.Minute
)

// groups is what this process knows about groups, including the tokens it holds.
type groups struct {
	mu   sync.Mutex
	held map[string]*group
}

// group is one of them. Its lock is held while tokens are taken, so that one goroutine takes them for all.
type group struct {
	mu          sync.Mutex
	left        int // tokens not used yet of those taken last
	taken       int
	takenAt     time.Time
	freeAt      time.Time // when tokens can be taken again
	stoppedTo   time.Time
	cachedUntil time.Time // until when stoppedTo is used without reading it again
	refusedAt   time.Time // when it was last found to have no token
}

func (g *groups) of(key string) *group {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held == nil {
		g.held = map[string]*group{}
	}
	if g.held[key] == nil {
		g.held[key] = &group{}
	}
	return g.held[key]
}

// tokensToTake returns how many tokens to take: what this process needs per second, judged by its use of the last ones,
// and at most twice as many as those.
func (g *group) tokensToTake(now time.Time) int {
	used, since := g.taken-g.left, max(now.Sub(g.takenAt), time.Millisecond)
	perSecond := int((time.Duration(used)*time.Second + since - 1) / since)
	return max(1, min(maxTokens, perSecond, 2*g.taken))
}

func (g *group) stopped(now time.Time, d time.Duration) {
	g.left, g.stoppedTo, g.cachedUntil, g.refusedAt = 0, now.Add(d), now.Add(stopCacheTime), now
}

// holds reports whether this process holds a token that it may use.
func (g *group) holds(now time.Time) bool { return g.left > 0 && now.Sub(g.takenAt) <= tokenLifetime }

func (g *group) resumed() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stoppedTo, g.cachedUntil = time.Time{}, time.Time{}
}

// takeTurn takes a token of the event's group, checks that the event is next in its entity's order, and takes a token
// of the entity's bucket. The group comes first, so that an event that waits for its group costs no write of its own.
// With together, both are asked for at the same time if the group has to be asked and will likely have a token. The
// hold says what to wait for.
func (r *Relay) takeTurn(ctx context.Context, event model.OutboxEvent, pace Pace, together bool) (held hold,
	err error) {
	var entity hold
	var failed error
	if together && r.likely(pace) {
		var asked sync.WaitGroup
		asked.Go(func() { entity, failed = r.takeEntity(ctx, event, pace) })
		held, err = r.takeGroup(ctx, pace)
		asked.Wait()
	} else if held, err = r.takeGroup(ctx, pace); err == nil && held.by == nobody {
		entity, failed = r.takeEntity(ctx, event, pace)
	}
	if err != nil || held.by != nobody {
		return held, err
	}
	if failed != nil || entity.by != nobody {
		r.giveBack(pace)
	}
	return entity, failed
}

// likely reports whether this process has to ask for a token of the event's group and will likely get one: it holds
// none, and the group has refused it none lately. If the group refuses all the same, the entity has lost a token for
// nothing. That happens to the events of one moment, once a minute at most for each group and process.
func (r *Relay) likely(pace Pace) bool {
	if pace.GroupKey == "" || pace.Group.Burst == 0 {
		return false
	}
	g, now := r.groups.of(pace.GroupKey), r.Now()
	if !g.mu.TryLock() {
		return false // another event asks at this moment
	}
	defer g.mu.Unlock()
	return !g.holds(now) && now.Sub(g.refusedAt) > refusalTime
}

func (r *Relay) takeGroup(ctx context.Context, pace Pace) (hold, error) {
	if pace.GroupKey == "" {
		return hold{}, nil
	}
	g, now := r.groups.of(pace.GroupKey), r.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if wait := g.stoppedTo.Sub(now); wait > 0 && now.Before(g.cachedUntil) {
		return hold{by: byStop, wait: wait}, nil
	}
	if pace.Group.Burst == 0 {
		return hold{}, nil // no limit: only a stop holds it
	}
	if g.holds(now) {
		g.left--
		return hold{}, nil
	}
	if wait := g.freeAt.Sub(now); wait > 0 {
		return hold{by: byGroup, wait: wait}, nil
	}
	count := g.tokensToTake(now)
	held, _, err := r.takeToken(ctx, keys.OutboxSequenceID(pace.GroupKey), pace.Group, count, "", dynamo.Item{})
	if err != nil {
		return hold{}, err
	}
	switch held.by {
	case nobody:
		g.taken, g.left, g.takenAt = count, count-1, now
	case byStop:
		g.stopped(now, held.wait)
	default:
		held.by, g.freeAt, g.refusedAt = byGroup, now.Add(held.wait), now
	}
	return held, nil
}

// giveBack returns a group's token that an event did not use.
func (r *Relay) giveBack(pace Pace) {
	if pace.GroupKey == "" || pace.Group.Burst == 0 {
		return
	}
	g := r.groups.of(pace.GroupKey)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left = min(g.left+1, g.taken)
}

func (r *Relay) takeEntity(ctx context.Context, event model.OutboxEvent, pace Pace) (hold, error) {
	sequenceID := sequenceOf(event)
	if pace.Entity.Burst == 0 {
		return r.checkTurn(ctx, event, sequenceID)
	}
	turn := "delivered = :before"
	values := dynamo.Item{":before": dynamo.N(event.SequenceNumber - 1)}
	if event.Unordered {
		turn, values = "attribute_exists(sequenceId)", dynamo.Item{}
	}
	held, before, err := r.takeToken(ctx, sequenceID, pace.Entity, 1, turn, values)
	held.alone = !event.Unordered && dynamo.Int(before, "current") == event.SequenceNumber
	return held, err
}

// checkTurn checks the turn of an event that has no entity bucket. It needs a read but no write.
func (r *Relay) checkTurn(ctx context.Context, event model.OutboxEvent, sequenceID string) (hold, error) {
	if event.Unordered {
		return hold{}, nil
	}
	var sequence model.OutboxSequence
	if err := r.DB.Get(ctx, tables.OutboxSequences, keys.OutboxSequence(sequenceID), &sequence); err != nil {
		return hold{}, fmt.Errorf("turn: %w", err)
	}
	if sequence.Delivered != event.SequenceNumber-1 {
		return hold{}, errNotNow
	}
	return hold{alone: sequence.Current == event.SequenceNumber}, nil
}

// takeToken takes count tokens of the bucket on a sequence item. The first try assumes an idle bucket and needs no
// read. If it fails, the failed condition returns the item, which says what to do. A bucket that is not idle is moved
// on from wherever it is then, so relays that take its tokens at the same time do not fail each other. takeToken
// returns the item as it was before the tokens were taken.
func (r *Relay) takeToken(ctx context.Context, sequenceID string, bucket Bucket, count int, turn string,
	values dynamo.Item) (hold, dynamo.Item, error) {
	now := r.Now().UnixMilli()
	// rounded up, so never faster than the limit
	step := (time.Duration(count)*bucket.Every + time.Millisecond - 1).Milliseconds()
	last := now + bucket.ahead().Milliseconds()
	free := dynamo.And(turn, "(attribute_not_exists(stoppedTo) OR stoppedTo <= :now)")
	idle := dynamo.Update{
		Do: "SET pacedTo = :to", If: dynamo.And(free, "(attribute_not_exists(pacedTo) OR pacedTo <= :now)"),
		Values: with(values, map[string]int64{":now": now, ":to": now + step})}
	before, failed, err := r.pace(ctx, sequenceID, idle)
	for range settleAttempts {
		if failed == nil || err != nil {
			return hold{}, before, err
		}
		var s model.OutboxSequence
		if err := dynamo.Unmarshal(failed.Item, &s); err != nil {
			return hold{}, nil, err
		}
		if last, ordered := values[":before"]; ordered && dynamo.Int(dynamo.Item{"n": last}, "n") != s.Delivered {
			return hold{}, nil, errNotNow
		}
		if s.StoppedTo > now {
			return hold{by: byStop, wait: time.Duration(s.StoppedTo-now) * time.Millisecond}, nil, nil
		}
		if over := s.PacedTo - last; over > 0 {
			return hold{by: byEntity, wait: time.Duration(over) * time.Millisecond}, nil, nil
		}
		take := idle
		if s.PacedTo > now {
			take = dynamo.Update{
				Do: "SET pacedTo = pacedTo + :step", If: dynamo.And(free, "pacedTo > :now AND pacedTo <= :last"),
				Values: with(values, map[string]int64{":now": now, ":last": last, ":step": step})}
		}
		before, failed, err = r.pace(ctx, sequenceID, take)
	}
	return hold{by: byEntity, wait: time.Second}, nil, nil // too many relays compete: try again later
}

// pace moves a bucket on. It returns the item as it was before, or the condition that failed.
func (r *Relay) pace(ctx context.Context, sequenceID string, move dynamo.Update) (before dynamo.Item,
	failed *dynamo.ConditionFailed, err error) {
	move.Table, move.Key = tables.OutboxSequences, keys.OutboxSequence(sequenceID)
	before, err = r.DB.UpdateReturning(ctx, move)
	if errors.As(err, &failed) {
		return nil, failed, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("take a token: %w", err)
	}
	return before, nil, nil
}

// SlowGroup empties the bucket of an event's group for a while: the provider says that the group sends too much. A
// bucket that is empty for longer already stays so.
func (r *Relay) SlowGroup(ctx context.Context, pace Pace, d time.Duration) error {
	if pace.GroupKey == "" || pace.Group.Burst == 0 {
		return nil
	}
	now := r.Now()
	err := r.DB.Update(ctx, dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(keys.OutboxSequenceID(pace.GroupKey)),
		Do:     "SET pacedTo = :to",
		If:     "attribute_not_exists(pacedTo) OR pacedTo < :to",
		Values: dynamo.Item{":to": dynamo.N(now.Add(pace.Group.ahead() + d).UnixMilli())},
	})
	if err := dynamo.IgnoreConditionFailed(err); err != nil {
		return fmt.Errorf("slow sender: %w", err)
	}
	g := r.groups.of(pace.GroupKey)
	g.mu.Lock()
	g.left, g.freeAt, g.refusedAt = 0, now.Add(d), now
	g.mu.Unlock()
	return nil
}

// StopGroup keeps all events of a group from being sent for a while.
func (r *Relay) StopGroup(ctx context.Context, groupKey string, failure *Failure) error {
	d := failure.Stop
	err := r.DB.Update(ctx, dynamo.Update{
		Table: tables.OutboxSequences, Key: keys.OutboxSequence(keys.OutboxSequenceID(groupKey)),
		Do: "SET stoppedTo = :to, entityKey = :key, stopReason = :why, stoppedWith = :with",
		If: "attribute_not_exists(stoppedTo) OR stoppedTo < :to",
		Values: dynamo.Item{
			":to": dynamo.N(r.Now().Add(d).UnixMilli()), ":key": dynamo.S(groupKey),
			":why": dynamo.S(failure.stopReason()), ":with": dynamo.S(failure.StoppedBy),
		},
	})
	if err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("stop sender: %w", err)
	}
	g := r.groups.of(groupKey)
	g.mu.Lock()
	g.stopped(r.Now(), d)
	g.mu.Unlock()
	if failure.Quiet {
		r.Log.InfoContext(ctx, "left alone", "group", groupKey, "for", d.String())
		return nil
	}
	telemetry.Count(ctx, telemetry.SendersStopped, 1)
	r.Log.ErrorContext(ctx, "sender stopped", "group", groupKey, "for", d.String())
	return nil
}

// stopReason returns why a group is stopped: the provider's code and title. It leaves out the details, which may
// contain personal data.
func (f *Failure) stopReason() string {
	if f.Code == 0 {
		return f.Title
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", f.Code, f.Title))
}

// with returns values and some numbers beside them, by their names.
func with(values dynamo.Item, numbers map[string]int64) dynamo.Item {
	all := maps.Clone(values)
	for name, number := range numbers {
		all[name] = dynamo.N(number)
	}
	return all
}
