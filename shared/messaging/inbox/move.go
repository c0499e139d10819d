package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
)

// A notice of a changed number may arrive late. Its next owner may have written from the number by then, and their
// messages are in the conversation of its former owner. The same happens if two people were taken for one. The
// transaction that records the notice marks the conversation as unsettled. Then each message moves to the conversation
// of its identifiers' owner at the message's own time.

// maxMoved bounds how many messages one transaction moves. moveReads is the minimum number of a conversation's newest
// messages to read: they decide what the conversation shows without the moved ones.
const (
	maxMoved  = 25
	moveReads = 500
)

// moveMisplaced moves the messages in customers' conversations that belong to other people. It does nothing if there
// are none. So an entry that is repeated after a crash finishes the moves.
func (s *Inbox) moveMisplaced(ctx context.Context, phone model.PhoneNumberID, customers []model.CustomerID) error {
	for _, customer := range customers {
		search := &misplaced{Inbox: s, phone: phone, customer: customer}
		if err := search.run(ctx); err != nil {
			return fmt.Errorf("move misplaced messages: %w", err)
		}
		if err := s.moveMisplaced(ctx, phone, search.next); err != nil {
			return err
		}
	}
	return nil
}

// misplaced searches a customer's conversation for messages of other people.
type misplaced struct {
	*Inbox
	phone    model.PhoneNumberID
	customer model.CustomerID
	waited   bool
	next     []model.CustomerID // to whose conversations changes have moved, which are decided again there
}

// run moves messages until none is misplaced.
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

// moveSome moves the first misplaced messages of one other person, and reports whether there may be more.
//
// Every message that was committed by an older view of the owners was committed before the conversation was marked,
// because the mark changes its identity revision. The index may lag behind the table, so it is read only after IndexLag
// has passed.
func (x *misplaced) moveSome(ctx context.Context, tried *decision) (more bool, err error) {
	source, err := x.CurrentConversation(ctx, x.phone, x.customer)
	if errors.Is(err, ErrNoConversation) || err == nil && source.UnsettledSince == "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !x.waited && x.IndexLag > 0 {
		if err := dynamo.Sleep(ctx, x.IndexLag); err != nil {
			return false, err
		}
	}
	x.waited = true
	m := move{source: source}
	shown, complete, err := x.readNewest(ctx, source)
	if err != nil {
		return false, err
	}
	if m.all, err = x.placed(ctx, source, shown); err != nil {
		return false, err
	}
	m.complete = complete
	candidates := m.candidates()
	for l := x.Contacts.LookUp(x.phone, nil); len(candidates) > 0; {
		var n int
		if m.Person, n, err = l.Identify(ctx, sightings(candidates), false); err != nil {
			return false, err
		}
		switch {
		case m.ChangesIdentity(): // a message shows a new fact
			return true, x.commitIdentity(ctx, tried, m.person)
		case m.hasConversation(source), m.Existing == nil && allOutbound(candidates[:n]):
			candidates = candidates[n:]
			continue
		}
		m.messages = candidates[:min(n, maxMoved)]
		if err = x.commitMove(ctx, tried, m); err == nil && slices.ContainsFunc(m.messages, mayBeDecidedAgain) {
			x.next = append(x.next, m.Customer)
		}
		return true, err
	}
	if more, err = x.decideAgain(ctx, m); err != nil || more {
		return more, err
	}
	return false, x.markSettled(ctx, source)
}

// markSettled removes the mark from a conversation without misplaced messages. The condition is that it has not been
// marked again.
func (x *misplaced) markSettled(ctx context.Context, source model.Conversation) error {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.ByPK(source.PK),
		Do:     "REMOVE unsettledSince",
		If:     "unsettledSince = :since",
		Values: dynamo.Item{":since": dynamo.S(source.UnsettledSince)},
	}
	u.If = dynamo.And(u.If, dynamo.SameNumber("identityRevision", source.IdentityRevision, u.Values))
	err := x.DB.Update(ctx, u)
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
	decidedOn.Others = []contacts.Person{{Existing: &m.source}}
	return tried.outcome(decidedOn, x.DB.Transact(ctx, writes))
}

// lastChange returns what the last notice about a conversation's person shows about them.
func (x *misplaced) lastChange(ctx context.Context, c model.Conversation) (decodedMessage, error) {
	last, at, err := x.Contacts.LastChange(ctx, x.phone, c)
	return decodedMessage{at: at, contact: contactAfter(last)}, err
}

// allOutbound reports whether the business sent all messages. Such messages open no conversation with a person who has
// never written.
func allOutbound(messages []decodedMessage) bool {
	return !slices.ContainsFunc(messages, func(a decodedMessage) bool { return a.message.Direction == model.Inbound })
}

// hasConversation reports whether a conversation belongs to the person.
func (p person) hasConversation(c model.Conversation) bool {
	return p.Existing != nil && p.Existing.PK == c.PK ||
		slices.ContainsFunc(p.Younger, func(y model.Conversation) bool { return y.PK == c.PK })
}

// readNewest reads what the index shows of a conversation's newest messages: all since it is unsettled, and some
// before. It reports whether they are all of its messages.
func (x *misplaced) readNewest(
	ctx context.Context, c model.Conversation,
) (shown []model.Message, complete bool, err error) {
	for below := (Position{}); ; {
		page, next, err := x.Timeline(ctx, c, moveReads, below)
		if err != nil {
			return nil, false, err
		}
		shown = append(shown, page...)
		complete = next == Position{}
		if complete || len(page) > 0 && page[len(page)-1].Order() < c.UnsettledSince {
			return shown, complete, nil
		}
		below = next
	}
}

// placed reads the shown messages themselves, and returns those that are in the conversation, oldest first. The index
// may still show a message that is moved, attached or erased already, and the conversation must not show it as its
// last.
func (x *misplaced) placed(
	ctx context.Context, source model.Conversation, shown []model.Message,
) (all []model.Message, err error) {
	pks := make([]string, len(shown))
	for i, m := range shown {
		pks[i] = m.PK
	}
	found, err := x.readMessages(ctx, pks)
	for _, m := range found {
		if m.ConversationPK == source.PK || slices.Contains(source.MergedFrom, m.ConversationPK) {
			all = append(all, m)
		}
	}
	sorting.Func(all, func(a, b model.Message) int { return PositionOf(a).compare(PositionOf(b)) })
	return all, err
}

// move moves messages of one person out of another person's conversation.
type move struct {
	person
	source   model.Conversation
	messages []decodedMessage
	all      []model.Message // of the source, as they are stored, oldest first
	complete bool            // all holds every message
}

// candidates returns the messages that may be misplaced: those since the source is unsettled.
func (m move) candidates() []decodedMessage {
	var some []decodedMessage
	for _, message := range m.all {
		if message.Order() >= m.source.UnsettledSince && message.GroupID == "" {
			a := decodeStored(message)
			a.contact.waba = m.source.WABAMetaID
			some = append(some, a)
		}
	}
	return some
}

// writes returns the move as one transaction: the messages, the conversation that gets them as if they had just
// arrived, and the one that loses them. The condition of each is that it is as it was read.
func (m move) writes(ctx context.Context, s *Inbox, lastChange decodedMessage) ([]dynamo.Write, error) {
	to := keys.Conversation(m.Phone, m.Customer).Partition
	var writes []dynamo.Write
	for _, a := range m.messages {
		writes = append(writes, dynamo.Update{
			Table: tables.Messages, Key: keys.ByPK(a.message.PK),
			Do: "SET conversationPk = :to", If: "conversationPk = :from",
			Values: dynamo.Item{":to": dynamo.S(to), ":from": dynamo.S(a.message.ConversationPK)},
		})
	}
	left := m.sourceAfter(lastChange)
	left.ChangesPK, left.ChangedAt = keys.Changes(m.Phone), model.At(s.Now()) // its last message may be an old one now
	p := m.person
	p.decisions = m.movedDecisions()
	if slices.ContainsFunc(m.messages, mayBeDecidedAgain) && p.Existing != nil {
		p.FactDecided, p.Unsettled = true, unsettledFrom(*p.Existing, m.messages[0].order())
	}
	var err error
	if p.erasedUntil, err = s.erasedUntil(ctx, p.Person, senderIDs(m.messages)); err != nil {
		return nil, err
	}
	from, err := replaceConversation(m.source, left)
	if err != nil {
		return nil, err
	}
	more, err := s.personWrites(p, m.messages)
	return slices.Concat(writes, []dynamo.Write{from}, more), err
}

// unsettledFrom returns since when a conversation is unsettled if messages at and after a place in the order are
// decided again.
func unsettledFrom(c model.Conversation, at model.Order) model.Order {
	if c.UnsettledSince == "" {
		return at
	}
	return min(c.UnsettledSince, at)
}

// replaceConversation returns the update from one state of a conversation to another. The condition is that it is as it
// was read.
func replaceConversation(read, next model.Conversation) (dynamo.Update, error) {
	u, err := replaceItem(keys.ByPK(read.PK), read, next)
	if err != nil {
		return u, err
	}
	u.If, err = unchangedItem(read, u.Values)
	return u, err
}

// conversationOfMessage reads the current conversation of a message, because a notice may have moved it. It checks that
// only if the conversation's identity has ever changed. It reads the conversation first, so that the identity revision
// shows a later move.
func (s *Inbox) conversationOfMessage(ctx context.Context, m inbound.Message) (model.Conversation, error) {
	c, err := s.CurrentConversation(ctx, m.Phone, m.Customer)
	if err != nil || c.IdentityRevision == 0 {
		return c, err
	}
	item, err := s.MessageItem(ctx, m.ID)
	if err != nil {
		return c, err
	}
	if target := dynamo.Text(item, "attachedTo"); target != "" {
		if item, err = s.MessageItem(ctx, m.Retracts); err != nil {
			return c, err
		}
	}
	home := dynamo.Text(item, "conversationPk")
	_, customer, placed := keys.ConversationIDs(home)
	if !placed || home == c.PK || slices.Contains(c.MergedFrom, home) {
		return c, nil
	}
	return s.CurrentConversation(ctx, m.Phone, customer)
}
