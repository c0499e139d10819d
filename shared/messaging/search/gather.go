package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Schedule is the detail type of the event of the schedule that gathers words.
const Schedule = "search-gathering"

const (
	// mostSteps bounds the steps of one run for one number.
	mostSteps = 40
	// numbersAtOnce is how many numbers are gathered for at once.
	numbersAtOnce = 4
	// gatherReserve is how long before the end of a run nothing new begins.
	gatherReserve = 20 * time.Second
)

// GatherAll gathers the words of all numbers that belong to a tenant, of every account that WhatsApp has told of. A
// number that fails does not affect the others. It begins with another number each time, so that none waits for ever if
// a run has no time for all.
func (s *Search) GatherAll(ctx context.Context) error {
	accounts, err := s.Accounts(ctx)
	if err != nil {
		return err
	}
	var failed error
	var phones []model.PhoneNumberID
	for _, waba := range accounts {
		numbers, err := s.Phones(ctx, waba)
		failed = errors.Join(failed, err)
		for _, number := range numbers {
			if number.TenantID != "" {
				phones = append(phones, number.PhoneNumberID)
			}
		}
	}
	rand.Shuffle(len(phones), func(i, j int) { phones[i], phones[j] = phones[j], phones[i] })
	jobs := make([]func() error, len(phones))
	for i, phone := range phones {
		jobs[i] = func() error { return s.Gather(ctx, phone) }
	}
	return errors.Join(append(lanes.Concurrently(numbersAtOnce, jobs...), failed)...)
}

// Gather puts into segments what has come together of a number, in steps, of which each commits by itself.
func (s *Search) Gather(ctx context.Context, phone model.PhoneNumberID) error {
	for range mostSteps {
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < gatherReserve {
			return nil
		}
		more := false
		err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() (err error) {
			more, err = s.step(ctx, phone)
			return err
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// batch is what one step gathers: rows of messages and of changed texts before until, and rows of people before
// peopleUntil.
type batch struct {
	messages, texts, people []row
	until, peopleUntil      model.Time
	more                    bool
}

func (s *Search) batch(ctx context.Context, x index) (b batch, err error) {
	phone, to, most := x.PhoneNumberID, model.At(s.Now().Add(-settles)), s.sizes().Most
	from := max(x.Until, s.oldest())
	textsUntil, otherUntil := to, to
	sources := peopleOf(phone)
	var others []row
	for _, err := range lanes.Concurrently(readsAtOnce,
		func() (err error) {
			b.messages, b.until, err = s.window(ctx, messagesOf(phone), from, to, most)
			return err
		},
		func() (err error) {
			b.texts, textsUntil, err = s.window(ctx, textsOf(phone), from, to, most)
			return err
		},
		func() (err error) {
			b.people, b.peopleUntil, err = s.window(ctx, sources[0], x.PeopleUntil, to, most)
			return err
		},
		func() (err error) {
			others, otherUntil, err = s.window(ctx, sources[1], x.PeopleUntil, to, most)
			return err
		},
	) {
		if err != nil {
			return b, err
		}
	}
	b.until, b.peopleUntil = min(b.until, textsUntil), min(b.peopleUntil, otherUntil)
	b.messages, b.texts = before(b.messages, b.until), before(b.texts, b.until)
	b.people = before(append(b.people, others...), b.peopleUntil)
	b.more = b.until < to || b.peopleUntil < to
	return b, nil
}

// step gathers one batch, if enough has come together. It reports whether more waits. Its condition is that the index
// is as it was read before anything else: an erasure that ends meanwhile writes it, and so does another step.
func (s *Search) step(ctx context.Context, phone model.PhoneNumberID) (more bool, err error) {
	x, err := s.index(ctx, phone)
	if err != nil {
		return false, err
	}
	b, err := s.batch(ctx, x)
	if err != nil {
		return false, err
	}
	if !b.more && len(b.messages)+len(b.texts)+len(b.people) < s.sizes().Least {
		return false, nil
	}
	messages, lasting, err := s.entries(ctx, x, b)
	if err != nil {
		return false, err
	}
	if x, err = s.dropOld(ctx, x, b.texts); err != nil {
		return false, err
	}
	if lasting, err = s.unknown(ctx, x, lasting); err != nil {
		return false, err
	}
	x.Until, x.PeopleUntil = max(b.until, x.Until), max(b.peopleUntil, x.PeopleUntil)
	return b.more, s.add(ctx, x, messages, lasting)
}

// entries reads what a batch has, and returns the entries of messages and of what lasts. What is erased, or was moved
// to another number's conversation, has none.
func (s *Search) entries(ctx context.Context, x index, b batch) (messages, lasting []entry, err error) {
	var pks []string
	for _, rows := range [][]row{b.messages, b.texts, b.people} {
		for _, r := range rows {
			pks = append(pks, r.pk)
		}
	}
	found, err := s.items(ctx, pks)
	if err != nil {
		return nil, nil, err
	}
	var all []thing
	for _, pk := range slices.Compact(slices.Sorted(slices.Values(pks))) {
		t := thingIn(found[pk])
		if t.line != "" && t.phone == x.PhoneNumberID {
			all = append(all, t)
		}
	}
	homes, err := s.homes(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	oldest := s.oldest().Go().UnixMilli()
	for _, t := range all {
		switch _, lives := homes[t.conversation]; {
		case !lives:
		case t.kind != ofMessage:
			lasting = append(lasting, t.entry)
		case t.at >= oldest:
			messages = append(messages, t.entry)
		}
	}
	return messages, lasting, nil
}

// dropOld removes the entries of things that say something else now.
func (s *Search) dropOld(ctx context.Context, x index, texts []row) (index, error) {
	if len(texts) == 0 || len(x.refs) == 0 {
		return x, nil
	}
	changed := map[string]bool{}
	for _, r := range texts {
		changed[r.pk] = true
	}
	phone := x.PhoneNumberID
	return s.drop(ctx, x, func(e entry) bool { return changed[e.pk(phone)] }, nil)
}

// unknown returns those of the entries of people and notes that no segment has.
func (s *Search) unknown(ctx context.Context, x index, entries []entry) ([]entry, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	known := map[entry]bool{}
	refs := slices.DeleteFunc(slices.Clone(x.refs), func(r ref) bool { return !r.lasting })
	segments, err := s.loadEntries(ctx, x.PhoneNumberID, refs)
	if err != nil {
		return nil, err
	}
	for _, segment := range segments {
		for _, e := range segment {
			known[timeless(e)] = true
		}
	}
	return slices.DeleteFunc(entries, func(e entry) bool { return known[timeless(e)] }), nil
}

func timeless(e entry) entry {
	e.at = 0
	return e
}

// written is a segment that a transaction writes.
type written struct {
	ref
	entries []entry
}

// add adds entries to the last segments of their kinds and opens new ones. It forgets the segments whose time is over.
func (s *Search) add(ctx context.Context, x index, messages, lasting []entry) error {
	var writes []dynamo.Write
	oldest := s.oldest().Go().UnixMilli()
	x.refs = slices.DeleteFunc(slices.Clone(x.refs), func(r ref) bool {
		over := !r.lasting && r.newest < oldest
		if over {
			writes = append(writes, dynamo.Delete{
				Table: tables.Messages, Key: keys.SearchSegment(x.PhoneNumberID, r.number), If: dynamo.Unconditional})
		}
		return over
	})
	var all []written
	number := int64(0)
	for _, r := range x.refs {
		number = max(number, r.number)
	}
	for _, of := range []struct {
		entries []entry
		lasting bool
	}{{messages, false}, {lasting, true}} {
		if len(of.entries) == 0 {
			continue
		}
		some, err := s.fill(ctx, &x, &number, of.entries, of.lasting)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	return s.commit(ctx, &x, all, writes)
}

// fill returns the segments that hold entries: the last one of the kind, if it has room, and new ones, with numbers
// that follow the last one.
func (s *Search) fill(ctx context.Context, x *index, number *int64, entries []entry, lasting bool) ([]written, error) {
	open, most := -1, int64(s.sizes().Segment)
	for i, r := range x.refs {
		if r.lasting == lasting && r.size < most {
			open = i
		}
	}
	next := func() written {
		*number++
		return written{ref: ref{number: *number, lasting: lasting}}
	}
	var current written
	if open < 0 {
		current = next()
	} else {
		held, err := s.loadEntries(ctx, x.PhoneNumberID, x.refs[open:open+1])
		if err != nil {
			return nil, err
		}
		current = written{ref: ref{number: x.refs[open].number, lasting: lasting}}
		entries = last(append(slices.Clone(held[0]), entries...))
		x.refs = slices.Delete(slices.Clone(x.refs), open, open+1)
	}
	var all []written
	for _, e := range entries {
		if current.size > 0 && current.size+int64(e.size()) > most {
			all, current = append(all, current), next()
		}
		current.entries, current.size = append(current.entries, e), current.size+int64(e.size())
		current.newest = max(current.newest, e.at)
	}
	return append(all, current), nil
}

// last returns entries without those that a later one of the same thing replaces.
func last(entries []entry) []entry {
	at := map[entry]int{}
	for i, e := range entries {
		e.at, e.line = 0, ""
		at[e] = i
	}
	var kept []entry
	for i, e := range entries {
		of := e
		of.at, of.line = 0, ""
		if at[of] == i {
			kept = append(kept, e)
		}
	}
	return kept
}

// commit writes segments and the index in one transaction, with other writes. The condition of all of them is that the
// index has the version that was read. A segment without entries is deleted.
func (s *Search) commit(ctx context.Context, x *index, all []written, with []dynamo.Write) error {
	version := x.Version + 1
	writes := slices.Clone(with)
	for i, w := range all {
		key := keys.SearchSegment(x.PhoneNumberID, w.number)
		if len(w.entries) == 0 {
			writes = append(writes, dynamo.Delete{Table: tables.Messages, Key: key, If: dynamo.Unconditional})
			continue
		}
		all[i].version = version
		x.refs = append(x.refs, all[i].ref)
		entries, err := pack(w.entries)
		if err != nil {
			return err
		}
		segment := model.SearchSegment{
			PK: key.Partition, ItemType: model.ItemSearchSegment, Version: version, Entries: entries}
		if !w.lasting {
			segment.TTL = milliseconds(w.newest).Add(Kept + 24*time.Hour).Unix()
		}
		item, err := dynamo.Marshal(segment)
		if err != nil {
			return err
		}
		writes = append(writes, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional})
	}
	slices.SortFunc(x.refs, func(a, b ref) int { return int(a.number - b.number) })
	x.Segments = writeRefs(x.refs)
	put, err := dynamo.PutVersion(tables.Messages, &x.SearchIndex)
	if err != nil {
		return err
	}
	if err := s.DB.Transact(ctx, append(writes, put)); err != nil {
		return fmt.Errorf("write the index of %s: %w", x.PhoneNumberID, dynamo.Conflict(err))
	}
	for _, w := range all {
		if len(w.entries) > 0 {
			s.memory.put(place{x.PhoneNumberID, w.number}, version, segmentOf(w.entries))
		}
	}
	return nil
}
