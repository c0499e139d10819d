// Package search finds conversations by names, numbers and labels, notes by their words, and messages of the last 90
// days by theirs, in any script and spelling. A schedule gathers the words in segments, which a search reads and keeps
// in memory. What is newer than the segments, a search looks at itself. So nothing is written when a message comes, and
// a message is found at once.
package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Kept is for how long messages are found.
const Kept = 90 * 24 * time.Hour

// Search gathers words and finds things by them.
type Search struct {
	DB  *dynamo.Client
	Now func() time.Time
	// Accounts lists the accounts that WhatsApp has told of, and Phones the numbers of one.
	Accounts func(ctx context.Context) ([]model.WABAID, error)
	Phones   func(ctx context.Context, waba model.WABAID) ([]model.Phone, error)
	// Sizes are how much is gathered at once; the zero value for the usual sizes.
	Sizes Sizes

	memory memory
}

// Sizes say how much is gathered at once.
type Sizes struct {
	// Least is how many things have to come together before segments are written, because a segment is written whole.
	// Until then, a search looks at them itself.
	Least int
	// Most bounds how many are gathered in one step, and with maxWords what a transaction holds.
	Most int
	// Segment bounds a segment, in bytes before it is compressed. A write of it costs a unit for each kilobyte after
	// that, about two fifths.
	Segment int
}

// usual are the sizes that keep the cost of a message low.
var usual = Sizes{Least: 64, Most: 500, Segment: 72 << 10}

func (s *Search) sizes() Sizes {
	if s.Sizes == (Sizes{}) {
		return usual
	}
	return s.Sizes
}

func milliseconds(at int64) time.Time { return time.UnixMilli(at) }

// oldest returns since when messages are found.
func (s *Search) oldest() model.Time { return model.At(s.Now().Add(-Kept)) }

// index is what is known of a number, as it was read.
type index struct {
	model.SearchIndex
	refs []ref
}

func (s *Search) index(ctx context.Context, phone model.PhoneNumberID) (x index, err error) {
	key := keys.SearchIndex(phone)
	err = s.DB.Get(ctx, tables.Messages, key, &x.SearchIndex)
	if errors.Is(err, dynamo.ErrNotFound) {
		x.PK, x.ItemType, x.PhoneNumberID = key.Partition, model.ItemSearchIndex, phone
		return x, nil
	}
	if err == nil {
		x.refs, err = readRefs(x.Segments)
	}
	if err != nil {
		return x, fmt.Errorf("read the index of %s: %w", phone, err)
	}
	return x, nil
}

const (
	// maxRemembered bounds the memory of segments, in bytes before they were compressed.
	maxRemembered = 96 << 20
	// segmentsAtOnce and itemsAtOnce say how segments and other items are read.
	segmentsAtOnce, itemsAtOnce, readsAtOnce = 12, 100, 8
)

// place is a segment in memory.
type place struct {
	phone  model.PhoneNumberID
	number int64
}

type remembered struct {
	version, used int64
	*segment
}

// memory keeps segments between searches. What it holds of a segment counts for one version of it.
type memory struct {
	mu       sync.Mutex
	segments map[place]remembered
	size     int64
	clock    int64
}

func (m *memory) get(of place, version int64) (*segment, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held, is := m.segments[of]
	if !is || held.version != version {
		return nil, false
	}
	m.clock++
	held.used = m.clock
	m.segments[of] = held
	return held.segment, true
}

func (m *memory) put(of place, version int64, held *segment) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.segments == nil {
		m.segments = map[place]remembered{}
	}
	if former, is := m.segments[of]; is {
		if former.version > version {
			return
		}
		m.size -= former.size
	}
	m.clock++
	m.segments[of] = remembered{version, m.clock, held}
	m.size += held.size
	for m.size > maxRemembered && len(m.segments) > 1 {
		var least place
		first := true
		for at, held := range m.segments {
			if first || held.used < m.segments[least].used {
				least, first = at, false
			}
		}
		m.size -= m.segments[least].size
		delete(m.segments, least)
	}
}

// load returns segments of a number. One whose time is over may be gone: it is empty. It returns dynamo.ErrConflict if
// one was written since the index was read.
func (s *Search) load(ctx context.Context, phone model.PhoneNumberID, refs []ref) ([]*segment, error) {
	all := make([]*segment, len(refs))
	var missing []int
	for i, r := range refs {
		held, is := s.memory.get(place{phone, r.number}, r.version)
		if all[i] = held; !is {
			missing = append(missing, i)
		}
	}
	var jobs []func() error
	for some := range slices.Chunk(missing, segmentsAtOnce) {
		jobs = append(jobs, func() error { return s.loadSome(ctx, phone, refs, some, all) })
	}
	return all, errors.Join(lanes.Concurrently(readsAtOnce, jobs...)...)
}

// loadEntries returns the entries of segments of a number, as load returns these.
func (s *Search) loadEntries(ctx context.Context, phone model.PhoneNumberID, refs []ref) ([][]entry, error) {
	segments, err := s.load(ctx, phone, refs)
	if err != nil {
		return nil, err
	}
	all := make([][]entry, len(segments))
	for i, segment := range segments {
		if all[i], err = segment.entries(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *Search) loadSome(ctx context.Context, phone model.PhoneNumberID, refs []ref, some []int,
	all []*segment) error {
	asked := make([]dynamo.Ref, len(some))
	for i, at := range some {
		asked[i] = dynamo.Ref{Table: tables.Messages, Key: keys.SearchSegment(phone, refs[at].number)}
	}
	found, err := s.DB.BatchGet(ctx, asked)
	if err != nil {
		return fmt.Errorf("read segments of %s: %w", phone, err)
	}
	for i, at := range some {
		all[at] = segmentOf(nil)
		if item := asked[i].Found(found); item != nil {
			var stored model.SearchSegment
			if err := dynamo.Unmarshal(item, &stored); err != nil {
				return err
			}
			if stored.Version != refs[at].version {
				return fmt.Errorf("%w: a segment of %s was written", dynamo.ErrConflict, phone)
			}
			if all[at], err = unpack(stored.Entries); err != nil {
				return err
			}
		}
		s.memory.put(place{phone, refs[at].number}, refs[at].version, all[at])
	}
	return nil
}

// items reads items by their keys.
func (s *Search) items(ctx context.Context, pks []string) (map[string]dynamo.Item, error) {
	pks = slices.Compact(slices.Sorted(slices.Values(pks)))
	all := map[string]dynamo.Item{}
	var mu sync.Mutex
	var jobs []func() error
	for some := range slices.Chunk(pks, itemsAtOnce) {
		jobs = append(jobs, func() error {
			refs := make([]dynamo.Ref, len(some))
			for i, pk := range some {
				refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(pk)}
			}
			found, err := s.DB.BatchGet(ctx, refs)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for i, ref := range refs {
				if item := ref.Found(found); item != nil {
					all[some[i]] = item
				}
			}
			return nil
		})
	}
	if err := errors.Join(lanes.Concurrently(readsAtOnce, jobs...)...); err != nil {
		return nil, fmt.Errorf("read what search has found: %w", err)
	}
	return all, nil
}

// settles is how long after its time a thing of a number certainly shows in the indexes. A message that is stored later
// than inbox.MessageIsLate after its own time is marked with the time at which it is stored. The rest is for the run
// that stores it, and for the index.
const settles = inbox.MessageIsLate + 4*time.Minute

// source is a partition of an index with what search reads.
type source struct {
	index, name, sort, partition string
}

func messagesOf(phone model.PhoneNumberID) source {
	return source{tables.IndexInbox, "inboxPk", "receivedAt", keys.InboxMessages(phone)}
}

func textsOf(phone model.PhoneNumberID) source {
	return source{tables.IndexChanges, "changesPk", "changedAt", keys.ChangedTexts(phone)}
}

func peopleOf(phone model.PhoneNumberID) []source {
	return []source{
		{tables.IndexInbox, "inboxPk", "receivedAt", keys.InboxConversations(phone)},
		{tables.IndexChanges, "changesPk", "changedAt", keys.Changes(phone)},
	}
}

// query returns the query for what a source has from a time on and before another; "" for no end.
func (of source) query(from, to model.Time) dynamo.Query {
	q := dynamo.Query{
		Table: tables.Messages, Index: of.index, Where: of.name + " = :pk AND " + of.sort + " BETWEEN :from AND :to",
		Values: dynamo.Item{":pk": dynamo.S(of.partition), ":from": dynamo.S(max(from, "0")), ":to": dynamo.S("9")},
	}
	if to != "" {
		q.Values[":to"] = dynamo.S(model.At(to.Go().Add(-time.Millisecond)))
	}
	return q
}

// row is a row of a source.
type row struct {
	pk string
	at model.Time
}

// window reads what a source has from a time on and before another, the oldest first: at least so many rows, unless
// there are fewer. It returns before which time it has read everything.
func (s *Search) window(ctx context.Context, of source, from, to model.Time, most int) ([]row, model.Time, error) {
	if from >= to {
		return nil, to, nil
	}
	q := of.query(from, to)
	q.Limit = int32(most)
	var rows []row
	for {
		page, err := s.DB.Query(ctx, q)
		if err != nil {
			return nil, "", fmt.Errorf("read what is to be found: %w", err)
		}
		for _, item := range page.Items {
			rows = append(rows, row{dynamo.Text(item, keys.PK), model.Time(dynamo.Text(item, of.sort))})
		}
		if page.Next == nil {
			return rows, to, nil
		}
		// Others of the last row's time may follow.
		last := model.Time(dynamo.Text(page.Next, of.sort))
		if whole := before(rows, last); len(whole) > 0 {
			return whole, last, nil
		}
		q.After = page.Next
	}
}

// before returns the rows of before a time.
func before(rows []row, at model.Time) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.at >= at })
}
