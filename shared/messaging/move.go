package messaging

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// A notice of a changed number may come late: a stranger has written from the number by then, and their messages stand in
// the conversation of the person who gave it up. Each message goes to the conversation of the identifier's owner at the
// message's own time, as soon as the notice says who that is.

// maxMoved is how many messages one transaction moves, moveReads how many of a conversation's newest messages are read for it
// at least: they say what is left when some have gone.
const (
	maxMoved  = 25
	moveReads = 500
)

// resettle moves the messages that a notice shows to be another person's. It looks at the conversations of those who owned the
// identifiers until the notice. It does nothing where everything stands right, so that a notice which comes again
// finishes what a crash has interrupted.
func (s *Store) resettle(ctx context.Context, phone model.PhoneNumberID, c change, at model.Order) error {
	if len(c.takes) == 0 {
		return nil
	}
	ids := slices.Concat(c.gives, c.takes)
	for _, id := range ids {
		search := misplaced{Store: s, phone: phone, id: id, since: at, notice: c}
		if err := search.run(ctx); err != nil {
			return fmt.Errorf("messages of another owner: %w", err)
		}
	}
	return nil
}

// misplaced is the search for messages that show an identifier, and stand in the conversation of who owned it until a notice,
// though the notice came before them.
type misplaced struct {
	*Store
	phone  model.PhoneNumberID
	id     model.CustomerID
	since  model.Order
	notice change
}

// run moves messages until all stand right. A notice that comes in time pays for no query: the conversation, which is read
// with strong consistency, shows nothing after it.
func (x misplaced) run(ctx context.Context) error {
	for more := true; more; {
		err := x.deciding(ctx, func(tried *decision) (err error) {
			more, err = x.moveSome(ctx, tried)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// source finds the conversation of who owned the identifier until the notice; nil where there is none.
func (x misplaced) source(ctx context.Context, l *lookup) (*model.Conversation, error) {
	if err := l.identifiers(ctx, []model.CustomerID{x.id}); err != nil {
		return nil, err
	}
	o, err := l.ownership(x.id)
	if err != nil {
		return nil, err
	}
	owner := o.owners[o.before(x.since)].CustomerID
	led, err := l.follow(ctx, []model.CustomerID{owner})
	return led[owner].conversation, err
}

// moveSome moves the first messages that are one other person's, and reports whether there may be more.
//
// The index may be behind the table, so it is asked only when it has had its time since the conversation was read. What was
// committed before that is in the index by then; what commits later changes the conversation, and the move fails and is
// decided anew. A message that commits after the notice is led by the new owners, because the notice moves on the
// identity revision of the conversation.
func (x misplaced) moveSome(ctx context.Context, tried *decision) (more bool, err error) {
	l := x.lookUp(x.phone, nil)
	source, err := x.source(ctx, l)
	if err != nil || source == nil || source.LastOrder <= x.since {
		return false, err
	}
	if x.IndexLag > 0 {
		if err := outbox.Sleep(ctx, x.IndexLag); err != nil {
			return false, err
		}
	}
	m := move{source: *source}
	if m.all, m.complete, err = x.newest(ctx, *source); err != nil {
		return false, err
	}
	candidates, err := x.stillThere(ctx, *source, m.all)
	if err != nil {
		return false, err
	}
	for len(candidates) > 0 {
		var n int
		if m.person, n, err = x.identify(ctx, l, candidates); err != nil {
			return false, err
		}
		if m.is(*source) || m.existing == nil && onlyOurs(candidates[:n]) {
			candidates = candidates[n:]
			continue
		}
		m.arrivals = candidates[:min(n, maxMoved)]
		return len(candidates) > len(m.arrivals), x.commitMove(ctx, tried, m)
	}
	return false, nil
}

// commitMove moves messages in one transaction.
func (x misplaced) commitMove(ctx context.Context, tried *decision, m move) error {
	notice := arrival{at: x.since}
	if slices.Contains(x.notice.gives, x.id) {
		notice.contact = x.notice.contact() // it is about the person whom the messages leave
	}
	writes, err := m.writes(ctx, x.Store, notice)
	if err != nil {
		return err
	}
	decidedOn := m.person
	decidedOn.losers = append(slices.Clone(decidedOn.losers), m.source)
	return tried.outcome(decidedOn, x.DB.Transact(ctx, writes))
}

// onlyOurs reports whether messages are all the business's own. They open no conversation with somebody who has never written.
func onlyOurs(arrivals []arrival) bool {
	return !slices.ContainsFunc(arrivals, func(a arrival) bool { return a.message.Direction == model.Inbound })
}

// is reports whether the person's is a conversation that stands.
func (p person) is(c model.Conversation) bool {
	return p.existing != nil && p.existing.PK == c.PK || slices.ContainsFunc(p.younger, func(y model.Conversation) bool { return y.PK == c.PK })
}

// newest reads a conversation's newest messages, oldest first, all since the notice and some before it, and reports
// whether that is all there are.
func (x misplaced) newest(ctx context.Context, c model.Conversation) (all []model.Message, complete bool, err error) {
	for below := (Position{}); ; {
		page, next, err := x.Timeline(ctx, c, moveReads, below)
		if err != nil {
			return nil, false, err
		}
		all = append(all, page...)
		complete = next == Position{}
		if complete || len(page) > 0 && orderOf(page[len(page)-1]) < x.since {
			slices.Reverse(all)
			return all, complete, nil
		}
		below = next
	}
}

// stillThere returns the messages since the notice that show the identifier, read anew: the index may show what has been
// moved or erased already.
func (x misplaced) stillThere(ctx context.Context, source model.Conversation, all []model.Message) ([]arrival, error) {
	var refs []dynamo.Ref
	for _, m := range all {
		if orderOf(m) >= x.since && slices.Contains(shownBy(m), x.id) && !isChange(m) {
			refs = append(refs, dynamo.Ref{Table: table, Key: keys.Key{PartitionName: "pk", Partition: m.PK}})
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	found, err := x.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	var arrivals []arrival
	for _, ref := range refs {
		var m model.Message
		if err := dynamo.Unmarshal(ref.Found(found), &m); err != nil {
			return nil, err
		}
		if m.ConversationPK == source.PK || slices.Contains(source.MergedFrom, m.ConversationPK) {
			a := arrivalOf(m)
			a.contact.waba = source.WABAMetaID
			arrivals = append(arrivals, a)
		}
	}
	return arrivals, nil
}

// move takes messages of one person out of another person's conversation.
type move struct {
	person
	source   model.Conversation
	arrivals []arrival
	all      []model.Message // of the source, oldest first
	complete bool            // there are no others
}

// writes are the move in one transaction: the messages, the conversation they go to, as if they arrived now, and the one
// they leave. Each has the condition that it is as it was read.
func (m move) writes(ctx context.Context, s *Store, notice arrival) ([]dynamo.Write, error) {
	to := keys.Conversation(m.phone, m.customer).Partition
	var writes []dynamo.Write
	for _, a := range m.arrivals {
		writes = append(writes, dynamo.Update{
			Table: table, Key: keys.Key{PartitionName: "pk", Partition: a.message.PK},
			Do: "SET conversationPk = :to", If: "conversationPk = :from",
			Values: dynamo.Item{":to": dynamo.S(to), ":from": dynamo.S(a.message.ConversationPK)},
		})
	}
	left := m.vacated(notice)
	p := m.person
	p.decisions = m.takenAlong()
	p.losers = slices.DeleteFunc(slices.Clone(p.losers), func(c model.Conversation) bool { return c.PK == m.source.PK }) // it is written below
	var err error
	if p.erasedUntil, err = s.erasedUntil(ctx, p, identifiers(m.arrivals)); err != nil {
		return nil, err
	}
	from, err := replaced(m.source, left)
	if err != nil {
		return nil, err
	}
	more, err := s.personWrites(p, m.arrivals)
	return slices.Concat(writes, []dynamo.Write{from}, more), err
}

// replaced is the update that makes one state of a conversation of another. Its condition is that it is as it was read.
func replaced(read, next model.Conversation) (dynamo.Update, error) {
	item, err := dynamo.Marshal(next)
	if err != nil {
		return dynamo.Update{}, err
	}
	before, err := dynamo.Marshal(read)
	if err != nil {
		return dynamo.Update{}, err
	}
	delete(item, "pk")
	if err := keepChanges(item, &read); err != nil {
		return dynamo.Update{}, err
	}
	u := setAll(keys.Key{PartitionName: "pk", Partition: read.PK}, item, nil)
	after, err := dynamo.Marshal(next)
	if err != nil {
		return dynamo.Update{}, err
	}
	remove := ""
	for name := range before {
		if _, stays := after[name]; !stays {
			remove += ", #" + name
		}
	}
	if remove != "" {
		u.Do += " REMOVE " + remove[2:]
	}
	u.If, err = exactly(read, u.Values)
	return u, err
}

// homeOf reads the conversation that a message is in by now: a notice that came meanwhile may have moved it. That is asked only
// where an identifier of the conversation has changed hands, and the conversation is read first, so that its identity
// revision tells of a move that comes after the answer.
func (s *Store) homeOf(ctx context.Context, r Received) (model.Conversation, error) {
	c, err := s.standing(ctx, r.Phone, r.Customer)
	if err != nil || c.IdentityRevision == 0 {
		return c, err
	}
	id, _ := keys.MessageIDOf(r.Message.PK)
	item, err := s.messageItem(ctx, id)
	if err != nil {
		return c, err
	}
	home := dynamo.Text(item, "conversationPk")
	_, customer, placed := keys.ConversationIDs(home)
	if !placed || home == c.PK || slices.Contains(c.MergedFrom, home) {
		return c, nil
	}
	return s.standing(ctx, r.Phone, customer)
}
