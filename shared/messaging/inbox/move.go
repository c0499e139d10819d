package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// A notice of a changed number may come late: a stranger has written from the number by then, and their messages stand in
// the conversation of the person who gave it up. The same happens where two people were taken for one. The transaction that
// learns of it marks the conversation as unsettled. Then each message goes to the conversation of its identifiers' owner at
// the message's own time.

// maxMoved is how many messages one transaction moves, moveReads how many of a conversation's newest messages are read for it
// at least: they say what is left when some have gone.
const (
	maxMoved  = 25
	moveReads = 500
)

// moveMisplaced moves what stands in conversations and is somebody else's. It does nothing where everything stands right, so that
// a record that comes again finishes what a crash has interrupted.
func (s *Inbox) moveMisplaced(ctx context.Context, phone model.PhoneNumberID, customers []model.CustomerID) error {
	for _, customer := range customers {
		search := &misplaced{Inbox: s, phone: phone, customer: customer}
		if err := search.run(ctx); err != nil {
			return fmt.Errorf("messages of another owner: %w", err)
		}
	}
	return nil
}

// misplaced is the search for messages that stand in a customer's conversation and are another person's.
type misplaced struct {
	*Inbox
	phone    model.PhoneNumberID
	customer model.CustomerID
	waited   bool
}

// run moves messages until all stand right.
func (x *misplaced) run(ctx context.Context) error {
	for more := true; more; {
		err := x.retryDecision(ctx, func(tried *decision) (err error) {
			more, err = x.moveSome(ctx, tried)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// moveSome moves the first messages that are one other person's, and reports whether there may be more.
//
// What was committed by an older view of who owns which identifier was committed before the conversation was marked, because
// the mark moves on its identity revision. The index may be behind the tables.Messages, so it is asked only when it has had its
// time since then.
func (x *misplaced) moveSome(ctx context.Context, tried *decision) (more bool, err error) {
	source, err := x.CurrentConversation(ctx, x.phone, x.customer)
	if errors.Is(err, ErrNoConversation) || err == nil && source.UnsettledSince == "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !x.waited && x.IndexLag > 0 {
		if err := outbox.Sleep(ctx, x.IndexLag); err != nil {
			return false, err
		}
	}
	x.waited = true
	m := move{source: source}
	if m.all, m.complete, err = x.readNewest(ctx, source); err != nil {
		return false, err
	}
	candidates, err := x.reread(ctx, source, m.all)
	if err != nil {
		return false, err
	}
	for l := x.lookUp(x.phone, nil); len(candidates) > 0; {
		var n int
		if m.person, n, err = x.identify(ctx, l, candidates, false); err != nil {
			return false, err
		}
		switch {
		case m.changesIdentity(): // a message tells something by itself
			return true, x.commitIdentity(ctx, tried, m.person)
		case m.hasConversation(source), m.existing == nil && allOutbound(candidates[:n]):
			candidates = candidates[n:]
			continue
		}
		m.messages = candidates[:min(n, maxMoved)]
		return true, x.commitMove(ctx, tried, m)
	}
	return false, x.markSettled(ctx, source)
}

// markSettled takes the mark from a conversation that holds nothing of others. Its condition is that none has been set since.
func (x *misplaced) markSettled(ctx context.Context, source model.Conversation) error {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: source.PK},
		Do:     "REMOVE unsettledSince",
		If:     "unsettledSince = :since AND ",
		Values: dynamo.Item{":since": dynamo.S(source.UnsettledSince)},
	}
	u.If += SameNumber("identityRevision", source.IdentityRevision, u.Values)
	_, err := x.DB.Update(ctx, u)
	return dynamo.Conflict(err)
}

// commitMove moves messages in one transaction.
func (x *misplaced) commitMove(ctx context.Context, tried *decision, m move) error {
	var shown decodedMessage
	var err error
	if m.takesContact() {
		if shown, err = x.lastChange(ctx, m.source); err != nil {
			return err
		}
	}
	writes, err := m.writes(ctx, x.Inbox, shown)
	if err != nil {
		return err
	}
	decidedOn := m.person
	decidedOn.others = []person{{existing: &m.source}}
	return tried.outcome(decidedOn, x.DB.Transact(ctx, writes))
}

// lastChange is what the last notice about a conversation's person shows of them.
func (x *misplaced) lastChange(ctx context.Context, c model.Conversation) (decodedMessage, error) {
	l := x.lookUp(x.phone, nil)
	known, err := l.componentOf(ctx, model.ParseCustomers(identifiersOf(c)...))
	if err != nil {
		return decodedMessage{}, err
	}
	var last decodedMessage
	for _, f := range known.facts {
		if len(f.Takes) == 0 || f.At < last.at {
			continue
		}
		owner := known.ownerships[f.Takes[0]].owner(f.At)
		if led := known.resolved[owner].conversation; led != nil && led.PK == c.PK {
			last = decodedMessage{at: f.At, contact: identityChange{takes: f.Takes, shows: f.Shows}.contact()}
		}
	}
	return last, nil
}

// allOutbound reports whether messages are all the business's own. They open no conversation with somebody who has never written.
func allOutbound(arrivals []decodedMessage) bool {
	return !slices.ContainsFunc(arrivals, func(a decodedMessage) bool { return a.message.Direction == model.Inbound })
}

// hasConversation reports whether the person's is a conversation that stands.
func (p person) hasConversation(c model.Conversation) bool {
	return p.existing != nil && p.existing.PK == c.PK || slices.ContainsFunc(p.younger, func(y model.Conversation) bool { return y.PK == c.PK })
}

// readNewest reads a conversation's newest messages, oldest first, all since it is unsettled and some before, and reports whether
// that is all there are.
func (x *misplaced) readNewest(ctx context.Context, c model.Conversation) (all []model.Message, complete bool, err error) {
	for below := (Position{}); ; {
		page, next, err := x.Timeline(ctx, c, moveReads, below)
		if err != nil {
			return nil, false, err
		}
		all = append(all, page...)
		complete = next == Position{}
		if complete || len(page) > 0 && page[len(page)-1].Order() < c.UnsettledSince {
			slices.Reverse(all)
			return all, complete, nil
		}
		below = next
	}
}

// reread returns the messages since the conversation is unsettled, read anew: the index may show what has been moved or
// erased already.
func (x *misplaced) reread(ctx context.Context, source model.Conversation, all []model.Message) ([]decodedMessage, error) {
	var refs []dynamo.Ref
	for _, m := range all {
		if m.Order() >= source.UnsettledSince && m.GroupID == "" {
			refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: m.PK}})
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	found, err := x.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	var arrivals []decodedMessage
	for _, ref := range refs {
		var m model.Message
		if err := dynamo.Unmarshal(ref.Found(found), &m); err != nil {
			return nil, err
		}
		if m.ConversationPK == source.PK || slices.Contains(source.MergedFrom, m.ConversationPK) {
			a := decodeStored(m)
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
	messages []decodedMessage
	all      []model.Message // of the source, oldest first
	complete bool            // there are no others
}

// writes are the move in one transaction: the messages, the conversation they go to, as if they arrived now, and the one
// they leave. Each has the condition that it is as it was read.
func (m move) writes(ctx context.Context, s *Inbox, lastChange decodedMessage) ([]dynamo.Write, error) {
	to := keys.Conversation(m.phone, m.customer).Partition
	var writes []dynamo.Write
	for _, a := range m.messages {
		writes = append(writes, dynamo.Update{
			Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: a.message.PK},
			Do: "SET conversationPk = :to", If: "conversationPk = :from",
			Values: dynamo.Item{":to": dynamo.S(to), ":from": dynamo.S(a.message.ConversationPK)},
		})
	}
	left := m.sourceAfter(lastChange)
	p := m.person
	p.decisions = m.movedDecisions()
	var err error
	if p.erasedUntil, err = s.erasedUntil(ctx, p, senderIDs(m.messages)); err != nil {
		return nil, err
	}
	from, err := replaceConversation(m.source, left)
	if err != nil {
		return nil, err
	}
	more, err := s.personWrites(p, m.messages)
	return slices.Concat(writes, []dynamo.Write{from}, more), err
}

// replaceConversation is the update that makes one state of a conversation of another. Its condition is that it is as it was read.
func replaceConversation(read, next model.Conversation) (dynamo.Update, error) {
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
	u.If, err = unchangedItem(read, u.Values)
	return u, err
}

// conversationOfMessage reads the conversation that a message is in by now: a notice that came meanwhile may have moved it. That is asked only
// where an identifier of the conversation has changed hands, and the conversation is read first, so that its identity
// revision tells of a move that comes after the answer.
func (s *Inbox) conversationOfMessage(ctx context.Context, m inbound.Message) (model.Conversation, error) {
	c, err := s.CurrentConversation(ctx, m.Phone, m.Customer)
	if err != nil || c.IdentityRevision == 0 {
		return c, err
	}
	item, err := s.MessageItem(ctx, m.ID)
	if err != nil {
		return c, err
	}
	home := dynamo.Text(item, "conversationPk")
	_, customer, placed := keys.ConversationIDs(home)
	if !placed || home == c.PK || slices.Contains(c.MergedFrom, home) {
		return c, nil
	}
	return s.CurrentConversation(ctx, m.Phone, customer)
}
