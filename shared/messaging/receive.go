package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

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

// Incoming is a logged value on its way into the inbox: taken apart, and with what it shares with its batch read ahead.
type Incoming struct {
	store    *Store
	event    model.WebhookEvent
	arrivals []arrival
	unplaced []model.Message
	problems []string
	ahead    *prefetch
	claim    func() error // gives the number its owner, once for the whole batch
	err      error        // why the value could not be read
}

// Open takes logged values apart and reads together what their customers are found by: a batch of many customers costs two
// look-ups, not two each.
func (s *Store) Open(ctx context.Context, events []model.WebhookEvent) []*Incoming {
	ahead := &prefetch{items: map[string]dynamo.Item{}}
	all := make([]*Incoming, len(events))
	wanted := map[model.PhoneNumberID][]model.CustomerID{}
	type number struct {
		phone model.PhoneNumberID
		waba  model.WABAID
	}
	claims := map[number]func() error{}
	for i, event := range events {
		in := &Incoming{store: s, event: event, ahead: ahead}
		all[i] = in
		var value json.RawMessage
		if value, in.err = s.Value(ctx, event); in.err != nil {
			continue
		}
		in.arrivals, in.unplaced, in.problems = readArrivals(event, value)
		for _, a := range in.arrivals {
			wanted[event.PhoneNumberID] = append(wanted[event.PhoneNumberID], a.identifiers()...)
		}
		of := number{event.PhoneNumberID, event.WABAMetaID}
		if claims[of] == nil {
			claims[of] = sync.OnceValue(func() error { return s.claim(ctx, of.phone, of.waba) })
		}
		in.claim = claims[of]
	}
	var jobs []func() error
	for phone, ids := range wanted {
		jobs = append(jobs, func() error { return s.readAhead(ctx, phone, ids, ahead) })
	}
	_ = sideBySide(groupWidth, jobs...) // each value does what is missing itself, and says what is wrong
	return all
}

// readAhead reads the items of identifiers and where these lead.
func (s *Store) readAhead(ctx context.Context, phone model.PhoneNumberID, ids []model.CustomerID, ahead *prefetch) error {
	l := s.lookUp(phone, nil)
	if err := l.identifiers(ctx, ids); err != nil {
		return err
	}
	var owners []model.CustomerID
	for _, id := range ids {
		o, err := l.ownership(id)
		if err != nil {
			return err
		}
		for _, owner := range o.owners {
			owners = append(owners, owner.CustomerID)
		}
	}
	if _, err := l.follow(ctx, owners); err != nil {
		return err
	}
	ahead.add(l.items)
	return nil
}

// Order returns what the value must keep its place among: values that share a key are received one after the other. The
// keys are those of the customers, by every identifier and by where these lead.
func (in *Incoming) Order() []string {
	var order []string
	phone := in.event.PhoneNumberID
	for _, a := range in.arrivals {
		for _, id := range a.identifiers() {
			order = append(order, keys.Conversation(phone, id).Partition)
			item, _ := in.ahead.get(keys.Alias(phone, id).Partition)
			if o, err := ownershipOf(id, item, 0); err == nil {
				for _, owner := range o.owners {
					order = append(order, keys.Conversation(phone, owner.CustomerID).Partition)
				}
			}
			if item, _ := in.ahead.get(keys.Conversation(phone, id).Partition); dynamo.Text(item, "mergedInto") != "" {
				order = append(order, dynamo.Text(item, "mergedInto"))
			}
		}
	}
	return order
}

// Receive makes messages and conversations of a logged value, then has the domains react. Running it again after any
// failure ends in the state of one clean run. An error that Permanent recognises says what could not be used: the rest
// has been stored.
func (s *Store) Receive(ctx context.Context, event model.WebhookEvent, reactions []Reaction) error {
	return s.Open(ctx, []model.WebhookEvent{event})[0].Receive(ctx, reactions)
}

// Receive is Store.Receive of a value that has been opened.
func (in *Incoming) Receive(ctx context.Context, reactions []Reaction) error {
	s, event := in.store, in.event
	if in.err != nil {
		return in.err
	}
	var all receipt
	errs := sideBySide(2, in.claim, func() (err error) {
		all, err = in.keep(ctx)
		return err
	})
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("receive %s: %w", event.EventID, err)
	}
	if all.erased {
		if err := s.takeOut(ctx, []model.EventID{event.EventID}, isErased, nil); err != nil {
			return fmt.Errorf("take erased messages out of %s: %w", event.EventID, err)
		}
	}
	refused, err := react(ctx, all.received(event.PhoneNumberID), reactions)
	if err != nil {
		return fmt.Errorf("react to %s: %w", event.EventID, err)
	}
	return asPermanent(slices.Concat(in.problems, all.refused, refused))
}

// keep stores the messages of the value.
func (in *Incoming) keep(ctx context.Context) (receipt, error) {
	for _, message := range in.unplaced {
		if err := in.store.storeUnplaced(ctx, message); err != nil {
			return receipt{}, err
		}
	}
	return in.receiveGroups(ctx, groupByPerson(in.arrivals))
}

// groupWidth is how many people's messages, or messages' statuses, of one value are dealt with side by side.
const groupWidth = 16

// receiveGroups stores the messages of several people side by side.
func (in *Incoming) receiveGroups(ctx context.Context, groups [][]arrival) (receipt, error) {
	receipts, jobs := make([]receipt, len(groups)), make([]func() error, len(groups))
	for i, group := range groups {
		jobs[i] = func() (err error) {
			receipts[i], err = in.store.receiveGroup(ctx, in.event.PhoneNumberID, group, in.ahead)
			return err
		}
	}
	errs := sideBySide(groupWidth, jobs...) // one person's trouble does not keep the others
	var all receipt
	for _, got := range receipts {
		all = all.and(got)
	}
	return all, errors.Join(errs...)
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
		for _, id := range a.identifiers() {
			if at, ok := groupOf[id]; ok {
				index = at
				break
			}
		}
		if index < 0 {
			index = len(groups)
			groups = append(groups, nil)
		}
		for _, id := range a.identifiers() {
			if _, taken := groupOf[id]; !taken {
				groupOf[id] = index
			}
		}
		groups[index] = append(groups[index], a)
	}
	return groups
}

// receiveGroup stores the messages of people who share an identifier, in as many transactions as they need. A message that
// DynamoDB refuses is set apart and does not take the others with it.
func (s *Store) receiveGroup(ctx context.Context, phone model.PhoneNumberID, group []arrival, ahead *prefetch) (receipt, error) {
	all, group, err := s.withoutImported(ctx, group)
	if err != nil {
		return receipt{}, err
	}
	for len(group) > 0 {
		size := fitting(group)
		got, left, err := s.receiveSome(ctx, phone, group[:size], ahead)
		switch {
		case err == nil:
			all, group = all.and(got), slices.Concat(left, group[size:])
			continue
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

// withoutImported leaves out the messages of an imported history that are stored already, by reading them: an import that
// was interrupted would otherwise pay for a failed transaction of each.
func (s *Store) withoutImported(ctx context.Context, group []arrival) (stored receipt, left []arrival, err error) {
	if len(group) == 0 || !group[0].imported {
		return receipt{}, group, nil
	}
	refs := make([]dynamo.Ref, len(group))
	for i, a := range group {
		refs[i] = dynamo.Ref{Table: table, Key: keys.Key{PartitionName: "pk", Partition: a.message.PK}}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return receipt{}, nil, fmt.Errorf("look up imported messages: %w", err)
	}
	for i, a := range group {
		item := refs[i].Found(found)
		if !erased(item) && !isMessage(item) {
			left = append(left, a)
			continue
		}
		if err := s.alreadyStored(ctx, &stored, a, item); err != nil {
			return receipt{}, nil, err
		}
	}
	return stored, left, nil
}

// alreadyStored accounts for a message whose key holds an item already: the message, or the tombstone of an erased one.
func (s *Store) alreadyStored(ctx context.Context, got *receipt, a arrival, item dynamo.Item) error {
	if erased(item) {
		got.erased = true
		return nil
	}
	telemetry.Count(ctx, telemetry.DuplicatesRefused, 1)
	got.stored = append(got.stored, a.in(dynamo.Text(item, "conversationPk")))
	return s.alsoLogged(ctx, a, item)
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

// receiveSome commits the first of some messages, those that one person has written by their own times, with their
// conversation in one transaction, so that a message that is there already counts nothing twice. It returns the messages
// that are left.
func (s *Store) receiveSome(ctx context.Context, phone model.PhoneNumberID, some []arrival, ahead *prefetch) (got receipt, left []arrival, err error) {
	for _, a := range some {
		if a.media != nil {
			if err := s.storeMedia(ctx, *a.media); err != nil {
				return receipt{}, nil, err
			}
		}
	}
	err = s.deciding(ctx, func(tried *decision) error {
		l := s.lookUp(phone, ahead)
		p, n, err := s.identify(ctx, l, some)
		if err != nil {
			return err
		}
		part, rest := some[:n], some[n:]
		if p.erasedUntil, err = s.erasedUntil(ctx, p, identifiers(part)); err != nil {
			return err
		}
		if p.erasedUntil != "" {
			if part, err = s.buryLate(ctx, part, p.erasedUntil); err != nil {
				return err
			}
			got.erased = got.erased || len(part) < n
		}
		err = s.commitArrivals(ctx, p, part)
		ahead.drop(l.items)
		ahead = nil // whatever comes next reads anew
		var canceled *dynamo.Canceled
		if errors.As(err, &canceled) {
			fresh, err := s.withoutStored(ctx, &got, part, canceled.Reasons)
			if err != nil {
				return err
			}
			if len(fresh) < len(part) { // the others go without them
				left = slices.Concat(fresh, rest)
				return nil
			}
		}
		if err != nil {
			return tried.outcome(p, err)
		}
		for _, a := range part {
			got.stored = append(got.stored, a.in(keys.Conversation(phone, p.customer).Partition))
		}
		telemetry.Count(ctx, telemetry.MessagesIn, float64(len(part)))
		left = rest
		return nil
	})
	return got, left, err
}

// withoutStored leaves out the messages whose condition failed: they are there already. Messages come first among the writes.
func (s *Store) withoutStored(ctx context.Context, got *receipt, part []arrival, reasons []dynamo.Reason) ([]arrival, error) {
	var fresh []arrival
	for i, a := range part {
		if i >= len(reasons) || !reasons[i].Failed() {
			fresh = append(fresh, a)
			continue
		}
		if err := s.alreadyStored(ctx, got, a, reasons[i].Item); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

// commitArrivals stores messages with their conversation and what is new about the person. Without a message it stores
// nothing: whatever they changed was committed with them.
func (s *Store) commitArrivals(ctx context.Context, p person, messages []arrival) error {
	if len(messages) == 0 {
		return nil
	}
	var writes []dynamo.Write
	for _, a := range messages {
		write, err := joinWrite(a.in(keys.Conversation(p.phone, p.customer).Partition).message)
		if err != nil {
			return err
		}
		writes = append(writes, write)
	}
	more, err := s.personWrites(p, messages)
	if err != nil {
		return err
	}
	return s.DB.Transact(ctx, append(writes, more...))
}

// personWrites bring a person's conversation up to date with new messages, and write what these show of identifiers.
func (s *Store) personWrites(p person, messages []arrival) ([]dynamo.Write, error) {
	conversation, err := s.conversationWrite(p, messages)
	if err != nil {
		return nil, err
	}
	merges, err := p.mergeWrites()
	if err != nil {
		return nil, err
	}
	identity, err := p.identityWrites(0)
	return slices.Concat([]dynamo.Write{conversation}, merges, identity), err
}

// identifiers are those of messages, without repetition, the best of the first message first.
func identifiers(group []arrival) []model.CustomerID {
	var ids []model.CustomerID
	for _, a := range group {
		for _, id := range a.identifiers() {
			if !slices.Contains(ids, id) {
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
