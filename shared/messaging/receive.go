package messaging

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
)

// Received is a message that is stored, for the domains that react to it.
type Received struct {
	Message  model.Message
	Phone    model.PhoneNumberID
	Customer model.CustomerID // in the conversation's key
	Live     bool             // a customer has just sent it: no echo, no imported history, no notice
}

// Reaction is what a domain does about a stored message. It runs for every message of every delivery, also when the
// message was there already, and must be idempotent by the message's id. Its permanent errors are parked with the event
// and keep nothing from the inbox.
type Reaction struct {
	Name  string
	React func(ctx context.Context, received Received) error
}

// maxTransactionMessages and maxTransactionBytes keep a conversation's transaction within DynamoDB's 100 writes and
// 4 MB: every message is one write, and aliases and the conversation itself come on top.
const (
	maxTransactionMessages = 40
	maxTransactionBytes    = 2 << 20
)

// Receive makes messages and conversations of a logged value, then has the domains react. Running it again after any
// failure ends in the state of one clean run. An error that Permanent recognises says what could not be used: the rest
// has been stored.
func (s *Store) Receive(ctx context.Context, event model.WebhookEvent, reactions []Reaction) error {
	value, err := s.Value(ctx, event)
	if err != nil {
		return err
	}
	arrivals, unplaced, problems := readArrivals(event, value)
	if err := s.claim(ctx, event.PhoneNumberID, event.WABAMetaID); err != nil {
		return err
	}
	for _, message := range unplaced {
		if err := s.storeUnplaced(ctx, message); err != nil {
			return err
		}
	}
	phone := event.PhoneNumberID
	groups := groupByPerson(arrivals)
	ahead, err := s.readAhead(ctx, phone, groups)
	if err != nil {
		return err
	}
	var received []Received
	someErased := false
	for _, group := range groups {
		got, err := s.receiveGroup(ctx, phone, group, ahead)
		if err != nil {
			return fmt.Errorf("receive %s: %w", event.EventID, err)
		}
		problems, someErased = append(problems, got.refused...), someErased || got.erased
		for _, a := range got.stored {
			a.message.ConversationPK = keys.Conversation(phone, got.customer).Partition
			received = append(received, Received{Message: a.message, Phone: phone, Customer: got.customer, Live: a.unread})
		}
	}
	if someErased {
		if err := s.takeOut(ctx, []model.EventID{event.EventID}, isErased, nil); err != nil {
			return fmt.Errorf("take erased messages out of %s: %w", event.EventID, err)
		}
	}
	refused, err := react(ctx, received, reactions)
	if err != nil {
		return fmt.Errorf("react to %s: %w", event.EventID, err)
	}
	return asPermanent(append(problems, refused...))
}

// react has every domain react to every message, after all are in the inbox: a domain in trouble keeps no message and no
// other domain waiting. It returns what can never succeed, and an error when something is worth another try.
func react(ctx context.Context, received []Received, reactions []Reaction) (refused []string, again error) {
	for _, r := range received {
		for _, reaction := range reactions {
			err := reaction.React(ctx, r)
			switch {
			case err != nil && Permanent(err):
				refused = append(refused, fmt.Sprintf("%s: %v", reaction.Name, err))
			case err != nil:
				again = errors.Join(again, fmt.Errorf("%s: %w", reaction.Name, err))
			}
		}
	}
	return refused, again
}

// readAhead reads what all people of a body are found by, together: a body of many people costs one look-up, not one each.
// It is nil for one person, who is looked up when they are dealt with.
func (s *Store) readAhead(ctx context.Context, phone model.PhoneNumberID, groups [][]arrival) (dynamo.Found, error) {
	if len(groups) < 2 {
		return nil, nil
	}
	var refs []dynamo.Ref
	for _, group := range groups {
		refs = append(refs, lookupRefs(phone, identifiers(group))...)
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("look up customers: %w", err)
	}
	return found, nil
}

// asPermanent is one permanent error of all problems, or nil.
func asPermanent(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrPermanent, strings.Join(problems, "; "))
}

// storeUnplaced keeps a message that belongs to no conversation under its id, out of every timeline.
func (s *Store) storeUnplaced(ctx context.Context, m model.Message) error {
	write, err := joinWrite(m)
	if err != nil {
		return err
	}
	if _, err := s.DB.Update(ctx, write); err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("store message: %w", err)
	}
	return nil
}

// groupByPerson groups messages that share an identifier, in the order of the body, so that a person's messages change
// their conversation in one transaction and never race each other.
func groupByPerson(arrivals []arrival) [][]arrival {
	groupOf := map[model.CustomerID]int{}
	var groups [][]arrival
	for _, a := range arrivals {
		index := -1
		for _, id := range a.ids {
			if at, ok := groupOf[id]; ok {
				index = at
				break
			}
		}
		if index < 0 {
			index = len(groups)
			groups = append(groups, nil)
		}
		for _, id := range a.ids {
			if _, taken := groupOf[id]; !taken {
				groupOf[id] = index
			}
		}
		groups[index] = append(groups[index], a)
	}
	return groups
}

// receiveGroup stores one person's messages, in as many transactions as they need. A message that DynamoDB refuses is set
// apart and does not take the others with it. ahead holds what has been read of them, and is good for the first
// transaction only.
func (s *Store) receiveGroup(ctx context.Context, phone model.PhoneNumberID, group []arrival, ahead dynamo.Found) (receipt, error) {
	var all receipt
	for len(group) > 0 {
		size := fitting(group)
		got, err := s.receiveTogether(ctx, phone, group[:size], ahead)
		ahead = nil
		switch {
		case err == nil:
			all = all.and(got)
		case !Permanent(err):
			return receipt{}, err
		case size == 1:
			all.refused = append(all.refused, fmt.Sprintf("%s: %v", group[0].position, err))
		default: // one of them is at fault: one by one
			for i := range group[:size] {
				one, err := s.receiveGroup(ctx, phone, group[i:i+1], nil)
				if err != nil {
					return receipt{}, err
				}
				all = all.and(one)
			}
		}
		group = group[size:]
	}
	return all, nil
}

// fitting is how many messages, from the first, go into one transaction.
func fitting(group []arrival) int {
	size, bytes := 0, 0
	for size < len(group) && size < maxTransactionMessages && (size == 0 || bytes < maxTransactionBytes) {
		bytes += len(group[size].message.Content) + len(group[size].message.TextBody)
		size++
	}
	return size
}

// receiveTogether commits messages and their conversation in one transaction, so that a message that is there already
// counts nothing twice.
func (s *Store) receiveTogether(ctx context.Context, phone model.PhoneNumberID, group []arrival, ahead dynamo.Found) (receipt, error) {
	for _, a := range group {
		if a.media != nil {
			if err := s.storeMedia(ctx, *a.media); err != nil {
				return receipt{}, err
			}
		}
	}
	ids := identifiers(group)
	fresh, got := group, receipt{stored: group}
	err := dynamo.Retry(ctx, attempts, func() error {
		p, err := s.resolve(ctx, phone, ids, group[0].message.ReceivedAt, ahead)
		ahead = nil // whatever comes next reads anew
		if err != nil {
			return err
		}
		got.customer = p.customer
		if p.erasedUntil, err = s.erasedUntil(ctx, p, ids); err != nil {
			return err
		}
		if p.erasedUntil != "" {
			left, err := s.buryLate(ctx, fresh, p.erasedUntil)
			if err != nil {
				return err
			}
			fresh, got = left, got.without(fresh, left)
		}
		writes, err := s.receiveWrites(p, fresh)
		if err != nil || len(writes) == 0 {
			return err
		}
		err = s.DB.Transact(ctx, writes)
		var canceled *dynamo.Canceled
		if errors.As(err, &canceled) {
			for i, reason := range canceled.Reasons[:min(len(fresh), len(canceled.Reasons))] {
				if err := s.alsoLogged(ctx, fresh[i], reason.Item); err != nil {
					return err
				}
			}
			got = got.withoutErased(fresh, canceled.Reasons)
			if left := withoutStored(fresh, canceled.Reasons); len(left) < len(fresh) {
				fresh = left
			}
		}
		return dynamo.Conflict(err)
	})
	if err == nil {
		telemetry.Count(ctx, telemetry.MessagesIn, float64(len(fresh)))
		telemetry.Count(ctx, telemetry.DuplicatesRefused, float64(len(group)-len(fresh)))
	}
	return got, err
}

// receiveWrites is the transaction of fresh messages: each message, their conversation, and what is new about the person.
// With no fresh message it is empty: whatever they changed was committed with them.
func (s *Store) receiveWrites(p person, fresh []arrival) ([]dynamo.Write, error) {
	if len(fresh) == 0 {
		return nil, nil
	}
	var writes []dynamo.Write
	for i := range fresh {
		m := fresh[i].message
		m.ConversationPK = keys.Conversation(p.phone, p.customer).Partition
		write, err := joinWrite(m)
		if err != nil {
			return nil, err
		}
		writes = append(writes, write)
	}
	p = p.withRetired(fresh)
	conversation, err := s.conversationWrite(p, fresh)
	if err != nil {
		return nil, err
	}
	writes = append(append(writes, conversation), p.mergeWrites()...)
	return append(writes, p.aliasWrites()...), nil
}

// identifiers are those of a person's messages, without repetition, the best of the first message first.
func identifiers(group []arrival) []model.CustomerID {
	var ids []model.CustomerID
	seen := map[model.CustomerID]bool{}
	for _, a := range group {
		for _, id := range a.ids {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// storeMedia records a media object once. It is put on its own, before the message, because two messages may show the
// same object, and a condition that fails must not take a message with it.
func (s *Store) storeMedia(ctx context.Context, m model.Media) error {
	item, err := dynamo.Marshal(m)
	if err != nil {
		return err
	}
	if err := putOnce(ctx, s.DB, item); err != nil {
		return fmt.Errorf("store media record: %w", err)
	}
	return nil
}
