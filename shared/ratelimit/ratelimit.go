// Package ratelimit counts what callers do in fixed windows of a minute, an hour and a day, and refuses what is over
// the limit. The items are those of the commerce contract. A check writes once: the windows of an hour and a day are
// counted when a minute ends. A process that has seen a window full refuses without asking again.
package ratelimit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Limit is how often something may be done. A window with 0 has no limit.
type Limit struct {
	Kind                       string // such as api_calls
	PerMinute, PerHour, PerDay int64
}

// APICalls is how often a caller may call the operations of stores, those of their ledgers included.
var APICalls = Limit{Kind: "api_calls", PerMinute: 300, PerHour: 6000, PerDay: 60_000}

// unlimited is the limit of a minute that has none.
const unlimited = 1 << 31

// Windows, as keys spell them.
const (
	Minute = "minute"
	Hour   = "hour"
	Day    = "day"
)

// Item is how often something was done in a window. The minute's item counts the running minute; the hour's counts the
// minutes of its hour that have ended, and the day's the hours of its day that have ended.
type Item struct {
	PK          string     `dynamodbav:"pk"` // RATE_LIMIT#{identifier}
	SK          string     `dynamodbav:"sk"` // {type}#{window}
	Identifier  model.Name `dynamodbav:"identifier"`
	LimitType   string     `dynamodbav:"limit_type"`
	Window      string     `dynamodbav:"window"`
	Count       int64      `dynamodbav:"count"`
	Limit       int64      `dynamodbav:"limit"`
	WindowStart model.Time `dynamodbav:"window_start"`
	GSI1PK      string     `dynamodbav:"gsi1pk"` // LIMIT_TYPE#{type}
	GSI1SK      string     `dynamodbav:"gsi1sk"` // {window_start}#{identifier}
	TTL         int64      `dynamodbav:"ttl"`
	CreatedAt   model.Time `dynamodbav:"created_at"`

	// Addition: when the limit that a full minute has met begins anew.
	ResetsAt model.Time `dynamodbav:"resets_at,omitempty"`
}

// Decision is the answer to a check.
type Decision struct {
	Allowed   bool
	Limit     int64 // of the running minute: less than the limit of a minute where an hour or a day is nearly full
	Remaining int64
	ResetsAt  time.Time
}

// Limiter checks limits.
type Limiter struct {
	DB  *dynamo.Client
	Now func() time.Time

	full sync.Map // full windows, as this process has seen them
}

// Take counts one more and returns whether it is allowed. Counting is exact while all calls succeed. A call whose
// answer is lost may be counted twice.
func (l *Limiter) Take(ctx context.Context, limit Limit, identifier model.Name) (Decision, error) {
	now := l.Now().UTC()
	key := keys.RateLimit(identifier, limit.Kind, Minute)
	memory := key.Partition + "#" + key.Sort
	if seen, ok := l.full.Load(memory); ok {
		if d := seen.(Decision); now.Before(d.ResetsAt) {
			return d, nil
		}
		l.full.Delete(memory)
	}
	var d Decision
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() (err error) {
		d, err = l.take(ctx, limit, identifier, now)
		return err
	})
	if err != nil {
		return Decision{}, fmt.Errorf("rate limit: %w", err)
	}
	if !d.Allowed {
		l.full.Store(memory, d)
	}
	return d, nil
}

// take makes one attempt. Its condition is that the running minute is the stored one and not full; else the minute
// begins anew.
func (l *Limiter) take(ctx context.Context, limit Limit, identifier model.Name, now time.Time) (Decision, error) {
	start := model.At(now.Truncate(time.Minute))
	was, err := l.DB.UpdateReturning(ctx, dynamo.Update{
		Table: tables.RateLimits, Key: keys.RateLimit(identifier, limit.Kind, Minute), Do: "ADD #count :one",
		If:     "window_start = :start AND #count < #limit",
		Values: dynamo.Item{":one": dynamo.N(1), ":start": dynamo.S(start)},
	})
	var refused *dynamo.ConditionFailed
	switch {
	case errors.As(err, &refused):
		was = refused.Item
	case err != nil:
		return Decision{}, err
	}
	var item Item
	if err := dynamo.Unmarshal(was, &item); err != nil {
		return Decision{}, err
	}
	switch {
	case refused == nil:
		item.Count++
		return decide(item, true), nil
	case item.WindowStart >= start: // full; or begun by a clock that is ahead of this one
		return decide(item, item.WindowStart > start && item.Count < item.Limit), nil
	}
	return l.begin(ctx, limit, identifier, item, now)
}

func decide(item Item, allowed bool) Decision {
	return Decision{
		Allowed: allowed, Limit: item.Limit, Remaining: max(0, item.Limit-item.Count), ResetsAt: item.ResetsAt.Go()}
}

// begin begins a minute, and reads what it needs for that.
func (l *Limiter) begin(ctx context.Context, limit Limit, identifier model.Name, before Item,
	now time.Time) (Decision, error) {
	var found dynamo.Found
	if limit.PerHour > 0 || limit.PerDay > 0 {
		var err error
		if found, err = l.DB.BatchGet(ctx, longer(limit, identifier)); err != nil {
			return Decision{}, err
		}
	}
	d, writes, err := beginning(limit, identifier, before, found, now)
	switch {
	case err != nil:
		return Decision{}, err
	case len(writes) == 1:
		return d, dynamo.Conflict(l.DB.Put(ctx, writes[0].(dynamo.Put)))
	}
	return d, dynamo.Conflict(l.DB.Transact(ctx, writes))
}

// Refs returns the items that Prepare needs, so that the caller reads them together with its own.
func Refs(limit Limit, identifier model.Name) []dynamo.Ref {
	return append([]dynamo.Ref{ref(limit, identifier, Minute)}, longer(limit, identifier)...)
}

// Prepare returns the decision about one more, and the writes that count it, for the caller's transaction: so it is
// counted once, however often the caller repeats its work. found holds the items of Refs. A refused call is not
// counted.
func (l *Limiter) Prepare(limit Limit, identifier model.Name, found dynamo.Found) (Decision, []dynamo.Write, error) {
	now := l.Now().UTC()
	var item Item
	if err := dynamo.Unmarshal(ref(limit, identifier, Minute).Found(found), &item); err != nil {
		return Decision{}, nil, err
	}
	if item.WindowStart < model.At(now.Truncate(time.Minute)) {
		return beginning(limit, identifier, item, found, now)
	}
	if item.Count >= item.Limit {
		return decide(item, false), nil, nil
	}
	write := dynamo.Update{
		Table: tables.RateLimits, Key: keys.RateLimit(identifier, limit.Kind, Minute), Do: "ADD #count :one",
		If:     "window_start = :start AND #count = :count",
		Values: dynamo.Item{":one": dynamo.N(1), ":start": dynamo.S(item.WindowStart), ":count": dynamo.N(item.Count)},
	}
	item.Count++
	return decide(item, true), []dynamo.Write{write}, nil
}

func ref(limit Limit, identifier model.Name, window string) dynamo.Ref {
	return dynamo.Ref{Table: tables.RateLimits, Key: keys.RateLimit(identifier, limit.Kind, window)}
}

// longer refers to the windows of an hour and a day.
func longer(limit Limit, identifier model.Name) []dynamo.Ref {
	return []dynamo.Ref{ref(limit, identifier, Hour), ref(limit, identifier, Day)}
}

// beginning returns the writes that begin a minute. The count of the minute before goes to its hour, and an hour that
// has ended goes to its day. Their condition is that nobody has changed the minute since it was read.
func beginning(limit Limit, identifier model.Name, before Item, found dynamo.Found,
	now time.Time) (Decision, []dynamo.Write, error) {
	minute := newItem(limit, identifier, Minute, now)
	minute.Limit, minute.ResetsAt = cmp.Or(limit.PerMinute, unlimited),
		model.At(now.Truncate(time.Minute).Add(time.Minute))
	var writes []dynamo.Write
	if limit.PerHour > 0 || limit.PerDay > 0 {
		hour, day, changed, err := ended(limit, identifier, before, found, now)
		if err != nil {
			return Decision{}, nil, err
		}
		minute.narrow(limit.PerHour, limit.PerHour-hour.Count, now.Truncate(time.Hour).Add(time.Hour))
		minute.narrow(limit.PerDay, limit.PerDay-day.Count-hour.Count, now.Truncate(24*time.Hour).Add(24*time.Hour))
		for _, item := range changed {
			put, err := put(item)
			if err != nil {
				return Decision{}, nil, err
			}
			writes = append(writes, put) // guarded by the minute's condition: they change together only
		}
	}
	allowed := minute.Limit > 0
	if allowed {
		minute.Count = 1
	}
	first, err := put(minute)
	first.If = dynamo.IfAbsent
	if before.PK != "" {
		first.If, first.Values = "window_start = :start AND #count = :count",
			dynamo.Item{":start": dynamo.S(before.WindowStart), ":count": dynamo.N(before.Count)}
	}
	return decide(minute, allowed), append(writes, first), err
}

// narrow bounds a minute by what is left of a longer window, which begins anew at a time.
func (m *Item) narrow(limit, left int64, resets time.Time) {
	if limit == 0 || left >= m.Limit {
		return
	}
	m.Limit, m.ResetsAt = max(0, left), model.At(resets)
}

// ended returns the items of the running hour and day, with what has ended, and those of them that have to be stored.
// An item that is not there, or of a day before, counts nothing, so that the first minute of a day is stored alone.
func ended(limit Limit, identifier model.Name, before Item, found dynamo.Found,
	now time.Time) (hour, day Item, changed []Item, err error) {
	refs := longer(limit, identifier)
	var wasHour, wasDay Item
	if err := errors.Join(dynamo.Unmarshal(refs[0].Found(found), &wasHour),
		dynamo.Unmarshal(refs[1].Found(found), &wasDay)); err != nil {
		return hour, day, nil, err
	}
	hour, day = newItem(limit, identifier, Hour, now), newItem(limit, identifier, Day, now)
	hour.Limit, day.Limit = limit.PerHour, limit.PerDay
	within := func(item Item, start model.Time) bool { return item.WindowStart >= start }
	if within(wasDay, day.WindowStart) {
		day.Count = wasDay.Count
	}
	for _, window := range []Item{wasHour, before} {
		switch {
		case within(window, hour.WindowStart):
			hour.Count += window.Count
		case within(window, day.WindowStart):
			day.Count += window.Count
		}
	}
	for _, of := range [][2]Item{{wasHour, hour}, {wasDay, day}} {
		was, is := of[0], of[1]
		counts := within(was, day.WindowStart) && was.Count > 0
		same := was.WindowStart == is.WindowStart && was.Count == is.Count && was.Limit == is.Limit
		if !same && (counts || is.Count > 0) {
			changed = append(changed, is)
		}
	}
	return hour, day, changed, nil
}

var lengths = map[string]time.Duration{Minute: time.Minute, Hour: time.Hour, Day: 24 * time.Hour}

// newItem returns a window that begins at now.
func newItem(limit Limit, identifier model.Name, window string, now time.Time) Item {
	key := keys.RateLimit(identifier, limit.Kind, window)
	start := model.At(now.Truncate(lengths[window]))
	item := Item{
		PK: key.Partition, SK: key.Sort, Identifier: identifier, LimitType: limit.Kind, Window: window,
		WindowStart: start,
		GSI1PK:      keys.LimitsOf(limit.Kind), GSI1SK: keys.WindowOf(start, identifier), CreatedAt: model.At(now),
	}
	// A minute may be needed until its day has ended.
	ends := now.Truncate(lengths[window]).Add(lengths[window])
	switch {
	case limit.PerDay > 0:
		ends = now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	case limit.PerHour > 0:
		ends = now.Truncate(time.Hour).Add(time.Hour)
	}
	item.TTL = ends.Add(time.Minute).Unix()
	return item
}

func put(item Item) (dynamo.Put, error) {
	attributes, err := dynamo.Marshal(item)
	return dynamo.Put{Table: tables.RateLimits, Item: attributes, If: dynamo.Unconditional}, err
}

// OfKind returns up to limit windows of a kind, the latest first, from after a place ("" for the latest).
func (l *Limiter) OfKind(ctx context.Context, kind string, limit int, after string) (all []Item, err error) {
	q := dynamo.Query{
		Table: tables.RateLimits, Index: "GSI1", Where: "gsi1pk = :kind",
		Values:    dynamo.Item{":kind": dynamo.S(keys.LimitsOf(kind))},
		Backwards: true, Limit: int32(limit),
	}
	if after != "" {
		q.Where += " AND gsi1sk < :after"
		q.Values[":after"] = dynamo.S(after)
	}
	page, err := l.DB.Query(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("list rate limits: %w", err)
	}
	for _, row := range page.Items {
		var item Item
		if err := dynamo.Unmarshal(row, &item); err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// Of returns the windows of one caller.
func (l *Limiter) Of(ctx context.Context, kind string, identifier model.Name) (all []Item, err error) {
	refs := Refs(Limit{Kind: kind}, identifier)
	found, err := l.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("rate limits: %w", err)
	}
	for _, ref := range refs {
		item := ref.Found(found)
		if item == nil {
			continue
		}
		var window Item
		if err := dynamo.Unmarshal(item, &window); err != nil {
			return nil, err
		}
		all = append(all, window)
	}
	return all, nil
}
