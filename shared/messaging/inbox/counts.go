package inbox

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Counts counts conversations by the filters of the list.
type Counts struct {
	All, Unread, WaitingForReply, Archived int // conversations; all but Archived count only those that are not archived

	UnreadTotal int // messages
	// Of those that are not archived: what an assistant has left to a person, what each state has, and of the open
	// ones what the colleague takes care of who asks, what nobody takes care of, and in which the customer wrote last.
	NeedsPerson                             int
	Open, Waiting, Snoozed, Resolved        int
	OpenMine, OpenUnassigned, OpenUnreplied int
	Labels                                  map[string]int // those that are not archived, by label
	// Complete is false if a number has more conversations than are counted. The newest are counted.
	Complete bool
}

const (
	// maxCountedRows bounds how many conversations of a number are counted. countPage is how many one query reads.
	maxCountedRows, countPage = 2000, 500
	// maxCountedRowsTotal bounds the same for all numbers of a call, which every reader of the inbox may repeat without
	// limit.
	maxCountedRowsTotal = 20_000
	// countAnew is for how long a process only looks at what has changed since it has counted. An erased conversation
	// is counted for so long at most.
	countAnew = 5 * time.Minute
	// mostTallies bounds the numbers of which a process remembers what it has counted.
	mostTallies = 64
)

// countedRows returns how many conversations are counted of each of some numbers.
func countedRows(numbers int) int {
	return max(1, min(maxCountedRows, maxCountedRowsTotal/max(1, numbers)))
}

// tallies are what a process has counted, by number. The zero value has counted nothing.
type tallies struct {
	mu  sync.Mutex
	all map[model.PhoneNumberID]*tally
}

// tally is what a process has read of the conversations of a number. They are named by a hash, so that nobody's number
// stays in memory.
type tally struct {
	mu       sync.Mutex
	rows     map[uint64]counted
	readAt   time.Time  // when all of them were read
	until    model.Time // since when to ask for changes
	most     int        // how many were read at most
	complete bool
}

// counted is what is counted of a conversation.
type counted struct {
	archived, unreplied, needsPerson bool
	unread                           int
	state                            model.WorkState
	snoozedUntil                     model.Time
	assignee                         string
	labels                           []string
}

var seed = maphash.MakeSeed()

// of returns the tally of a number. It forgets another one if there are many.
func (t *tallies) of(phone model.PhoneNumberID) *tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	if found := t.all[phone]; found != nil {
		return found
	}
	if t.all == nil {
		t.all = map[model.PhoneNumberID]*tally{}
	}
	for other := range t.all {
		if len(t.all) < mostTallies {
			break
		}
		delete(t.all, other)
	}
	t.all[phone] = &tally{}
	return t.all[phone]
}

// CountInbox counts the conversations of some numbers for a colleague. A process that has counted before reads only
// what has changed since.
func (s *Inbox) CountInbox(ctx context.Context, phones []model.PhoneNumberID, colleague string) (Counts, error) {
	parts, jobs := make([]Counts, len(phones)), make([]func() error, len(phones))
	most := countedRows(len(phones))
	for i, phone := range phones {
		jobs[i] = func() (err error) {
			parts[i], err = s.countNumber(ctx, phone, most, colleague)
			return err
		}
	}
	if err := errors.Join(lanes.Concurrently(partitionsAtOnce, jobs...)...); err != nil {
		return Counts{}, fmt.Errorf("count inbox: %w", err)
	}
	all := Counts{Complete: true, Labels: map[string]int{}}
	for _, part := range parts {
		all.add(part)
	}
	return all, nil
}

// countNumber counts the newest conversations of a number.
func (s *Inbox) countNumber(ctx context.Context, phone model.PhoneNumberID, most int,
	colleague string) (Counts, error) {
	t := s.tallies.of(phone)
	t.mu.Lock()
	defer t.mu.Unlock()
	now := s.Now()
	anew := t.rows == nil || t.most != most || now.Sub(t.readAt) > countAnew
	if !anew {
		changes, err := s.ChangedSince(ctx, []model.PhoneNumberID{phone}, t.until)
		if err != nil {
			return Counts{}, err
		}
		t.take(changes)
		anew = changes.Anew || len(t.rows) > most
	}
	if anew {
		if err := s.readTally(ctx, phone, t, most, now); err != nil {
			return Counts{}, err
		}
	}
	return t.counts(colleague, model.At(now)), nil
}

// readTally reads the newest conversations of a number, by the rows of the inbox alone.
func (s *Inbox) readTally(ctx context.Context, phone model.PhoneNumberID, t *tally, most int,
	now time.Time) error {
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexInbox, Where: "inboxPk = :pk", Backwards: true,
		Values: dynamo.Item{":pk": dynamo.S(keys.InboxConversations(phone))},
	}
	t.rows = nil // after an error everything is read again
	rows := map[uint64]counted{}
	for read := 0; read < most; read += countPage {
		query.Limit = int32(min(countPage, most-read))
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			var c model.Conversation
			if err := dynamo.Unmarshal(item, &c); err != nil {
				return err
			}
			rows[maphash.String(seed, c.PK)] = countedOf(c)
		}
		if query.After = page.Next; page.Next == nil {
			break
		}
	}
	t.rows, t.readAt, t.until, t.most, t.complete = rows, now, model.At(now), most, query.After == nil
	return nil
}

// take takes over what has changed.
func (t *tally) take(changes Changes) {
	for _, c := range changes.Conversations {
		t.rows[maphash.String(seed, c.PK)] = countedOf(c)
	}
	for _, pk := range changes.Gone {
		delete(t.rows, maphash.String(seed, pk))
	}
	t.until = changes.Until
}

func countedOf(c model.Conversation) counted {
	return counted{
		archived: c.Archived, unreplied: c.WaitingSince != "", needsPerson: c.NeedsPersonSince != "",
		unread: c.UnreadCount, state: c.State, snoozedUntil: c.SnoozedUntil, assignee: c.Assignee, labels: c.Labels,
	}
}

// counts counts what a process has read, as it is for a colleague now.
func (t *tally) counts(colleague string, now model.Time) Counts {
	n := Counts{Complete: t.complete, Labels: map[string]int{}}
	for _, c := range t.rows {
		n.count(c, colleague, now)
	}
	return n
}

func (n *Counts) count(c counted, colleague string, now model.Time) {
	if c.archived {
		n.Archived++
		return
	}
	n.All++
	n.UnreadTotal += c.unread
	when := func(so bool, count *int) {
		if so {
			*count++
		}
	}
	when(c.unread > 0, &n.Unread)
	when(c.unreplied, &n.WaitingForReply)
	when(c.needsPerson, &n.NeedsPerson)
	for _, label := range c.labels {
		n.Labels[label]++
	}
	switch {
	case c.state == model.WorkWaiting:
		n.Waiting++
	case c.state == model.WorkResolved:
		n.Resolved++
	case c.state == model.WorkSnoozed && c.snoozedUntil > now:
		n.Snoozed++
	default:
		n.Open++
		when(c.assignee == colleague && colleague != "", &n.OpenMine)
		when(c.assignee == "", &n.OpenUnassigned)
		when(c.unreplied, &n.OpenUnreplied)
	}
}

func (n *Counts) add(part Counts) {
	for _, count := range []struct{ sum, of *int }{
		{&n.All, &part.All}, {&n.Unread, &part.Unread}, {&n.WaitingForReply, &part.WaitingForReply},
		{&n.Archived, &part.Archived}, {&n.UnreadTotal, &part.UnreadTotal}, {&n.NeedsPerson, &part.NeedsPerson},
		{&n.Open, &part.Open}, {&n.Waiting, &part.Waiting}, {&n.Snoozed, &part.Snoozed},
		{&n.Resolved, &part.Resolved}, {&n.OpenMine, &part.OpenMine}, {&n.OpenUnassigned, &part.OpenUnassigned},
		{&n.OpenUnreplied, &part.OpenUnreplied},
	} {
		*count.sum += *count.of
	}
	for label := range maps.Keys(part.Labels) {
		n.Labels[label] += part.Labels[label]
	}
	n.Complete = n.Complete && part.Complete
}
