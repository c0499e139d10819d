package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// CountWords names the count of things whose words were erased.
const CountWords = "searchWords"

// dropsAtOnce bounds how many segments one transaction rewrites.
const dropsAtOnce = 20

// drop rewrites the segments of a number without some entries, and returns the index as it is then. count returns the
// writes by which an audit record counts, for each transaction; nil for none.
func (s *Search) drop(ctx context.Context, x index, drops func(entry) bool,
	count func(name string, n int) []dynamo.Write) (index, error) {
	segments, err := s.loadEntries(ctx, x.PhoneNumberID, x.refs)
	if err != nil {
		return x, err
	}
	var all []written
	dropped := 0
	flush := func() error {
		if len(all) == 0 {
			return nil
		}
		var with []dynamo.Write
		if count != nil {
			with = count(CountWords, dropped)
		}
		err := s.commit(ctx, &x, all, with)
		all, dropped = nil, 0
		return err
	}
	for i, r := range slices.Clone(x.refs) {
		left := slices.DeleteFunc(slices.Clone(segments[i]), drops)
		if len(left) == len(segments[i]) {
			continue
		}
		w := written{ref: ref{number: r.number, lasting: r.lasting}, entries: left}
		for _, e := range left {
			w.size, w.newest = w.size+int64(e.size()), max(w.newest, e.at)
		}
		x.refs = slices.DeleteFunc(slices.Clone(x.refs), func(other ref) bool { return other.number == r.number })
		all, dropped = append(all, w), dropped+len(segments[i])-len(left)
		if len(all) == dropsAtOnce {
			if err := flush(); err != nil {
				return x, err
			}
		}
	}
	return x, flush()
}

// Erase removes from the segments what would lead to a customer: the words of their messages, of the notes about them,
// and of their names and numbers. count returns the writes by which an audit record counts, for each transaction. It
// returns the write that has to commit with the removal of the customer's conversation. Its condition is that no words
// were gathered since Erase. It also ends every gathering that has read the customer's messages before they were
// erased, because a gathering has the same condition.
func (s *Search) Erase(ctx context.Context, of contacts.Customer,
	count func(name string, n int) []dynamo.Write) (end func(key model.CustomerID) []dynamo.Write, err error) {
	var x index
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		if x, err = s.index(ctx, of.Phone()); err != nil || len(x.refs) == 0 {
			return err
		}
		theirs, err := s.theirs(ctx, x, of)
		if err != nil {
			return err
		}
		x, err = s.drop(ctx, x, func(e entry) bool { return theirs[timeless(e)] }, count)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("erase the words of a customer: %w", err)
	}
	put, err := s.end(x)
	return func(key model.CustomerID) []dynamo.Write {
		if key != of.Key() { // one transaction ends the erasure
			return nil
		}
		return []dynamo.Write{put}
	}, err
}

// theirs returns the entries that lead to a customer.
func (s *Search) theirs(ctx context.Context, x index, of contacts.Customer) (map[entry]bool, error) {
	own := map[string]bool{}
	for _, partition := range of.Partitions() {
		q := inbox.MessagesQuery(partition)
		for {
			page, err := s.DB.Query(ctx, q)
			if err != nil {
				return nil, err
			}
			for _, item := range page.Items {
				id, _ := keys.MessageIDOf(dynamo.Text(item, keys.PK))
				own[string(id)], own[dynamo.Text(item, "queuedId")] = true, true
			}
			if q.After = page.Next; q.After == nil {
				break
			}
		}
	}
	segments, err := s.loadEntries(ctx, x.PhoneNumberID, x.refs)
	if err != nil {
		return nil, err
	}
	theirs := map[entry]bool{}
	var doubted []entry // they may have moved to somebody else since
	var pks []string
	for _, e := range slices.Concat(segments...) {
		switch in := slices.Contains(of.Keys(), model.CustomerID(e.customer)); {
		case e.kind == ofMessage && own[e.id], e.kind != ofMessage && in:
			theirs[timeless(e)] = true
		case e.kind == ofMessage && in:
			doubted, pks = append(doubted, e), append(pks, e.pk(x.PhoneNumberID))
		}
	}
	found, err := s.items(ctx, pks)
	if err != nil {
		return nil, err
	}
	for _, e := range doubted {
		in := dynamo.Text(found[e.pk(x.PhoneNumberID)], "conversationPk")
		if in == "" || slices.Contains(of.Partitions(), in) {
			theirs[timeless(e)] = true
		}
	}
	return theirs, nil
}

// end returns the write of the index's next version.
func (s *Search) end(x index) (dynamo.Write, error) {
	return dynamo.PutVersion(tables.Messages, &x.SearchIndex)
}

// Forget removes the words of messages that are emptied next. Search reads these messages again after that, so words
// that are gathered in between go with the next gathering.
func (s *Search) Forget(ctx context.Context, messages []model.Message) error {
	of := map[model.PhoneNumberID]map[string]bool{}
	for _, m := range messages {
		phone, _, placed := keys.ConversationIDs(m.ConversationPK)
		if !placed {
			continue
		}
		if of[phone] == nil {
			of[phone] = map[string]bool{}
		}
		id, _ := keys.MessageIDOf(m.PK)
		of[phone][string(id)] = true
	}
	for phone, forgotten := range of {
		err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
			x, err := s.index(ctx, phone)
			if err != nil || len(x.refs) == 0 {
				return err
			}
			_, err = s.drop(ctx, x, func(e entry) bool { return e.kind == ofMessage && forgotten[e.id] }, nil)
			return err
		})
		if err != nil {
			return fmt.Errorf("forget the words of messages: %w", err)
		}
	}
	return nil
}
