package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// Kind is a kind of what can be found.
type Kind string

const (
	Conversations Kind = "conversation"
	Notes         Kind = "note"
	Messages      Kind = "message"
)

// kinds are all of them, in the order in which they are found.
var kinds = []Kind{Conversations, Notes, Messages}

var kindsOf = map[kind]Kind{ofPerson: Conversations, ofNote: Notes, ofMessage: Messages}

// Position is a place among results. The next page begins behind it.
type Position struct {
	Kind Kind
	At   model.Time
	PK   string
}

// compare orders positions as results stand: by kind, then the newest first.
func (p Position) compare(other Position) int {
	return cmp.Or(
		cmp.Compare(slices.Index(kinds, p.Kind), slices.Index(kinds, other.Kind)),
		cmp.Compare(other.At, p.At), cmp.Compare(other.PK, p.PK))
}

// Ask says what is searched for, and where.
type Ask struct {
	Query  Query
	Phones []model.PhoneNumberID
	Kind   Kind // "" for all
	Limit  int
	After  Position // the zero position for the first page
}

// Result is what was found, as it is now.
type Result struct {
	Kind         Kind
	Conversation model.Conversation // in which it is, as it goes on, or which it is
	Message      model.Message
	Note         model.Note
}

// Results are a page of results.
type Results struct {
	Items []Result
	Next  Position // the zero position at the end
	// Complete says that everything was looked at. A number for which much has come at once, or which is new, may have
	// more than a search reads, until a schedule has gathered its words.
	Complete bool
}

const (
	// mostLive bounds how many rows of each source of a number a search looks at itself.
	mostLive = 1000
	// checked is how many candidates are read at once.
	checked = 50
	// mostChecked bounds how many candidates a page reads, beyond those that it shows.
	mostChecked = 500
	// mostPeople bounds how many conversations are put in order.
	mostPeople = 300
)

// candidate is what may be a result.
type candidate struct {
	pk  string
	pos Position
}

// Find finds things by a query. What it returns has been read and still says what was searched for.
func (s *Search) Find(ctx context.Context, ask Ask) (Results, error) {
	found := Results{Complete: true}
	var mu sync.Mutex
	var all []candidate
	jobs := make([]func() error, len(ask.Phones))
	for i, phone := range ask.Phones {
		jobs[i] = func() error {
			return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				some, complete, err := s.candidates(ctx, phone, ask)
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				all, found.Complete = append(all, some...), found.Complete && complete
				return nil
			})
		}
	}
	if err := errors.Join(lanes.Concurrently(readsAtOnce, jobs...)...); err != nil {
		return found, err
	}
	all, err := s.placed(ctx, all, &found)
	if err != nil {
		return found, err
	}
	return found, s.page(ctx, ask, all, &found)
}

// candidates returns what may be found of a number, by its segments and by what has come since. It reports whether it
// has looked at everything.
func (s *Search) candidates(ctx context.Context, phone model.PhoneNumberID, ask Ask) ([]candidate, bool, error) {
	x, err := s.index(ctx, phone)
	if err != nil {
		return nil, false, err
	}
	refs := slices.DeleteFunc(slices.Clone(x.refs), func(r ref) bool {
		return !ask.wants(r.lasting) || !r.lasting && r.newest < s.oldest().Go().UnixMilli()
	})
	var found [][]entry
	var live []thing
	complete := true
	err = errors.Join(lanes.Concurrently(readsAtOnce,
		func() (err error) {
			found, err = s.found(ctx, phone, refs, ask)
			return err
		},
		func() (err error) {
			live, complete, err = s.live(ctx, x, ask)
			return err
		})...)
	if err != nil {
		return nil, false, err
	}
	// Later entries of a thing and what has come since come first.
	seen := map[string]bool{}
	var all []candidate
	oldest := s.oldest().Go().UnixMilli()
	add := func(e entry) {
		pk := e.pk(phone)
		of := kindsOf[e.kind]
		if seen[pk] || of == "" || ask.Kind != "" && ask.Kind != of || of == Messages && e.at < oldest {
			return
		}
		seen[pk] = true
		all = append(all, candidate{pk, Position{of, e.time(), pk}})
	}
	for _, t := range live {
		if t.phone == phone && ask.Query.in(t.line) {
			add(t.entry)
		}
	}
	for _, some := range slices.Backward(found) {
		for _, e := range slices.Backward(some) {
			add(e)
		}
	}
	return all, complete, nil
}

// found returns the entries of segments that a query finds, by the segments. It leaves out segments of messages that
// are older than those that the page can reach: a word of many messages leads to the newest of them at once.
func (s *Search) found(ctx context.Context, phone model.PhoneNumberID, refs []ref, ask Ask) ([][]entry, error) {
	segments, err := s.load(ctx, phone, refs)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(refs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(refs[b].newest, refs[a].newest) })
	all, reached, oldest := make([][]entry, len(segments)), map[string]int64{}, s.oldest().Go().UnixMilli()
	for _, i := range order {
		if !refs[i].lasting && ask.reaches(reached, refs[i].newest) {
			continue
		}
		if all[i], err = segments[i].find(ask.Query); err != nil {
			return nil, err
		}
		for _, e := range all[i] {
			pk := e.pk(phone)
			place := Position{kindsOf[e.kind], e.time(), pk}
			if e.kind == ofMessage && e.at >= oldest && ask.behind(place) {
				reached[pk] = e.at
			}
		}
	}
	return all, nil
}

// behind reports whether a place is on the page that is asked for, or on a later one.
func (a Ask) behind(p Position) bool { return a.After == Position{} || p.compare(a.After) > 0 }

// reaches reports whether a page ends among messages that are newer than a time.
func (a Ask) reaches(messages map[string]int64, than int64) bool {
	newer := 0
	for _, at := range messages {
		if at > than {
			newer++
		}
	}
	return newer > mostChecked+a.Limit
}

// wants reports whether the search may find something in segments of a kind.
func (a Ask) wants(lasting bool) bool { return a.Kind == "" || lasting == (a.Kind != Messages) }

// live reads what a number has and no segment has yet. It reports whether that is everything.
func (s *Search) live(ctx context.Context, x index, ask Ask) (all []thing, complete bool, err error) {
	phone := x.PhoneNumberID
	type part struct {
		source
		from model.Time
	}
	parts := []part{{textsOf(phone), max(x.Until, s.oldest())}}
	if ask.wants(false) {
		parts = append(parts, part{messagesOf(phone), max(x.Until, s.oldest())})
	}
	if ask.Kind == "" || ask.Kind == Conversations {
		for _, of := range peopleOf(phone) {
			parts = append(parts, part{of, x.PeopleUntil})
		}
	}
	complete = true
	var mu sync.Mutex
	var pks []string
	jobs := make([]func() error, len(parts))
	for i, of := range parts {
		jobs[i] = func() error {
			q := of.query(of.from, "")
			q.Backwards, q.Limit = true, mostLive
			page, err := s.DB.Query(ctx, q)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for _, item := range page.Items {
				pks = append(pks, dynamo.Text(item, keys.PK))
			}
			complete = complete && page.Next == nil
			return nil
		}
	}
	if err := errors.Join(lanes.Concurrently(readsAtOnce, jobs...)...); err != nil {
		return nil, false, err
	}
	found, err := s.items(ctx, pks)
	if err != nil {
		return nil, false, err
	}
	for _, item := range found {
		all = append(all, thingIn(item))
	}
	return all, complete, nil
}

// placed puts candidates in order. Where a conversation stands depends on its last message, so conversations are read
// first, up to mostPeople of them.
func (s *Search) placed(ctx context.Context, all []candidate, found *Results) ([]candidate, error) {
	sorting.Func(all, func(a, b candidate) int { return a.pos.compare(b.pos) })
	people := 0
	for people < len(all) && all[people].pos.Kind == Conversations {
		people++
	}
	if people > mostPeople {
		found.Complete = false
		all = slices.Delete(all, mostPeople, people)
		people = mostPeople
	}
	var pks []string
	for _, c := range all[:people] {
		pks = append(pks, c.pk)
	}
	items, err := s.items(ctx, pks)
	if err != nil {
		return nil, err
	}
	for i, c := range all[:people] {
		if at := dynamo.Text(items[c.pk], "receivedAt"); at != "" {
			all[i].pos.At = model.Time(at)
		}
	}
	sorting.Func(all, func(a, b candidate) int { return a.pos.compare(b.pos) })
	return all, nil
}

// page reads candidates behind a position until the page is full, and keeps those that still say what was searched for.
func (s *Search) page(ctx context.Context, ask Ask, all []candidate, found *Results) error {
	all = slices.DeleteFunc(all, func(c candidate) bool { return !ask.behind(c.pos) })
	read := 0
	for len(all) > 0 && len(found.Items) < ask.Limit {
		some := all[:min(len(all), max(checked, ask.Limit))]
		results, err := s.check(ctx, ask, some)
		if err != nil {
			return err
		}
		for i, c := range some {
			if len(found.Items) == ask.Limit || read >= mostChecked+ask.Limit {
				return nil // Next is that of the last one that was looked at
			}
			read++
			if r, is := results[c.pk]; is {
				found.Items = append(found.Items, r)
			}
			if found.Next = c.pos; i == len(some)-1 && len(some) == len(all) {
				found.Next = Position{}
			}
		}
		all = all[len(some):]
	}
	return nil
}

// check reads candidates, and returns those that the query still finds, by their keys. A message is in one of the
// numbers that are searched, in a conversation that is there.
func (s *Search) check(ctx context.Context, ask Ask, some []candidate) (map[string]Result, error) {
	var pks []string
	for _, c := range some {
		pks = append(pks, c.pk)
	}
	items, err := s.items(ctx, pks)
	if err != nil {
		return nil, err
	}
	var things []thing
	for _, item := range items {
		t := thingIn(item)
		if slices.Contains(ask.Phones, t.phone) && ask.Query.in(t.line) {
			things = append(things, t)
		}
	}
	homes, err := s.homes(ctx, things)
	if err != nil {
		return nil, err
	}
	results := map[string]Result{}
	for _, t := range things {
		if c, lives := homes[t.conversation]; lives {
			results[t.pk] = Result{Kind: kindsOf[t.kind], Conversation: c, Message: t.message, Note: t.note}
		}
	}
	return results, nil
}
