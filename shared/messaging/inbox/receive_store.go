package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/tombstone"
)

// maxTransactionMessages and maxTransactionBytes keep a transaction within DynamoDB's limits of 100 writes and 4 MB.
// Every message is one write, and three with a file; aliases and the conversation are added.
const (
	maxTransactionMessages = 40
	maxTransactionBytes    = 2 << 20
	fileWrites             = 2 // an event of the outbox and its number
)

// storeUnplaced stores a message that belongs to no conversation under its id. No timeline shows it.
func (s *Inbox) storeUnplaced(ctx context.Context, m model.Message) error {
	write, err := JoinWrite(m)
	if err != nil {
		return err
	}
	if err := s.DB.Update(ctx, write); err != nil && !dynamo.IsConditionFailed(err) {
		return fmt.Errorf("store message: %w", err)
	}
	return nil
}

// storeGroup stores the messages of people who share an identifier, in as many transactions as they need. If DynamoDB
// rejects a message, the others are still stored.
func (s *Inbox) storeGroup(
	ctx context.Context, phone model.PhoneNumberID, group []decodedMessage, ahead *contacts.Prefetch,
) (storeResult, error) {
	all, group, err := s.filterImported(ctx, group)
	if err != nil {
		return storeResult{}, err
	}
	group = slices.Clone(group)
	sorting.Func(group, func(a, b decodedMessage) int { // the first message of a customer comes first
		return strings.Compare(string(a.order()), string(b.order()))
	})
	for len(group) > 0 {
		size := countFitting(group)
		got, left, err := s.storeFirst(ctx, phone, group[:size], ahead)
		switch {
		case err == nil:
			all, group = all.merge(got), slices.Concat(left, group[size:])
			continue
		case !dynamo.Permanent(err):
			return storeResult{}, err
		case size == 1:
			all.refused = append(all.refused, fmt.Sprintf("%s: %v", group[0].position, err))
		default: // one of them is invalid: store them one by one
			for i := range group[:size] {
				one, err := s.storeGroup(ctx, phone, group[i:i+1], nil)
				if err != nil {
					return storeResult{}, err
				}
				all = all.merge(one)
			}
		}
		group = group[size:]
	}
	return all, nil
}

// filterImported drops messages of an imported history that are stored already. It reads them first, because after an
// interrupted import each would otherwise cost a failed transaction.
func (s *Inbox) filterImported(
	ctx context.Context, group []decodedMessage,
) (stored storeResult, left []decodedMessage, err error) {
	if len(group) == 0 || !group[0].imported {
		return storeResult{}, group, nil
	}
	refs := make([]dynamo.Ref, len(group))
	for i, a := range group {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(a.message.PK)}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return storeResult{}, nil, fmt.Errorf("look up imported messages: %w", err)
	}
	for i, a := range group {
		item := refs[i].Found(found)
		if !tombstone.Is(item) && !IsMessage(item) {
			left = append(left, a)
			continue
		}
		if err := s.acceptStored(ctx, &stored, a, item); err != nil {
			return storeResult{}, nil, err
		}
	}
	return stored, left, nil
}

// acceptStored records in got a message whose key already holds the message or its tombstone.
func (s *Inbox) acceptStored(ctx context.Context, got *storeResult, a decodedMessage, item dynamo.Item) error {
	if tombstone.Is(item) {
		got.erased = true
		return nil
	}
	telemetry.Count(ctx, telemetry.DuplicatesRefused, 1)
	if _, changed := item["versions"]; changed { // the domains see the version that counts
		var m model.Message
		if err := dynamo.Unmarshal(item, &m); err != nil {
			return err
		}
		a.message.TextBody, a.message.Caption, a.message.Content = m.TextBody, m.Caption, m.Content
		a.message.RevokedAt = m.RevokedAt
	}
	got.stored = append(got.stored, a.inConversation(dynamo.Text(item, "conversationPk")))
	return s.linkEntry(ctx, a.message.PK, a.message.EventID, item)
}

// countFitting returns how many of the first messages fit into one transaction.
func countFitting(group []decodedMessage) int {
	size, writes, bytes := 0, 0, 0
	for size < len(group) && writes < maxTransactionMessages && (size == 0 || bytes < maxTransactionBytes) {
		bytes += len(group[size].message.Content) + len(group[size].message.TextBody)
		if writes++; group[size].media != nil {
			writes += fileWrites
		}
		size++
	}
	return size
}

// storeFirst commits the first messages that one person has written, by the messages' own times, together with their
// conversation in one transaction, so that a message that is stored already is not counted twice. It returns the
// remaining messages.
func (s *Inbox) storeFirst(
	ctx context.Context, phone model.PhoneNumberID, some []decodedMessage, ahead *contacts.Prefetch,
) (got storeResult, left []decodedMessage, err error) {
	for _, a := range some {
		if a.media != nil {
			if err := s.Files.Store(ctx, *a.media); err != nil {
				return storeResult{}, nil, err
			}
		}
	}
	var settle []model.CustomerID
	look := false // for misplaced messages: there is a new fact, or an earlier call that learnt it may have died
	err = s.retryDecision(ctx, func(tried *decision) error {
		l := s.Contacts.LookUp(phone, ahead)
		decided, n, err := l.Identify(ctx, sightings(some), true)
		if err != nil {
			return err
		}
		p := person{Person: decided}
		settle, look = p.Settle, p.FactDecided
		part, rest := some[:n], some[n:]
		if p.erasedUntil, err = s.erasedUntil(ctx, p.Person, senderIDs(part)); err != nil {
			return err
		}
		if p.erasedUntil != "" {
			if part, err = s.tombstoneLate(ctx, part, p.erasedUntil); err != nil {
				return err
			}
			got.erased = got.erased || len(part) < n
		}
		if err = s.decideWaiting(ctx, phone, part); err != nil {
			return err
		}
		if p.files, err = s.orders(ctx, phone, part); err != nil {
			return err
		}
		err = s.commitMessages(ctx, p, part)
		l.Drop()
		ahead = nil // the next attempt reads the items again
		var canceled *dynamo.TransactionCancelled
		if errors.As(err, &canceled) {
			fresh, waited, err := s.filterStored(ctx, &got, part, canceled.Reasons)
			if err != nil {
				return err
			}
			if len(fresh) < len(part) || waited { // store the others without them
				look = true
				left = slices.Concat(fresh, rest)
				return nil
			}
		}
		if err != nil {
			return tried.outcome(p, err)
		}
		for _, a := range part {
			got.stored = append(got.stored, a.inConversation(keys.Conversation(phone, p.Customer).Partition))
		}
		telemetry.Count(ctx, telemetry.MessagesIn, float64(len(part)))
		left = rest
		return nil
	})
	if err == nil && look {
		err = s.moveMisplaced(ctx, phone, settle)
	}
	return got, left, err
}

// filterStored drops the messages whose condition failed: they are stored already, or changes wait for them, which they
// get. Messages come first among the writes.
func (s *Inbox) filterStored(
	ctx context.Context, got *storeResult, part []decodedMessage, reasons []dynamo.Reason,
) (fresh []decodedMessage, waited bool, err error) {
	for i, a := range part {
		if i >= len(reasons) || !reasons[i].Failed() {
			fresh = append(fresh, a)
			continue
		}
		if item := reasons[i].Item; !tombstone.Is(item) && !IsMessage(item) {
			var waiting model.Message
			if err := dynamo.Unmarshal(item, &waiting); err != nil {
				return nil, false, err
			}
			a.waited = model.Message{Versions: waiting.Versions, Reactions: waiting.Reactions}
			fresh, waited = append(fresh, a), true
			continue
		}
		if err := s.acceptStored(ctx, got, a, reasons[i].Item); err != nil {
			return nil, false, err
		}
	}
	return fresh, waited, nil
}

// commitMessages stores messages with their conversation and the changes of identifiers that they show. Without
// messages it writes nothing: the changes were committed with them.
func (s *Inbox) commitMessages(ctx context.Context, p person, messages []decodedMessage) error {
	if len(messages) == 0 {
		return nil
	}
	var writes []dynamo.Write
	for _, a := range messages {
		a = a.inConversation(keys.Conversation(p.Phone, p.Customer).Partition)
		MarkLateText(&a.message, model.At(s.Now()))
		write, err := joinChanged(a)
		if err != nil {
			return err
		}
		writes = append(writes, write)
	}
	files, err := s.Files.Ask(ctx, p.files, withFiles(messages)...)
	if err != nil {
		return err
	}
	more, err := s.personWrites(p, messages)
	if err != nil {
		return err
	}
	rekey, err := s.Contacts.RekeyWrites(ctx, p.Person)
	if err != nil {
		return err
	}
	return s.DB.Transact(ctx, slices.Concat(writes, files, more, rekey))
}

// withFiles returns those of the messages that show a file.
func withFiles(messages []decodedMessage) []model.Message {
	var all []model.Message
	for _, a := range messages {
		if a.media != nil {
			all = append(all, a.message)
		}
	}
	return all
}

// orders reads what asking for the files of messages depends on.
func (s *Inbox) orders(
	ctx context.Context, phone model.PhoneNumberID, messages []decodedMessage,
) (media.Orders, error) {
	var ids []model.MediaID
	for _, m := range withFiles(messages) {
		ids = append(ids, m.MediaID)
	}
	return s.Files.Orders(ctx, phone, ids)
}

// senderIDs returns the distinct identifiers from which messages were written. It omits the identifiers that a notice
// takes: an erased customer may have had them until then.
func senderIDs(group []decodedMessage) []model.CustomerID {
	var ids []model.CustomerID
	for _, a := range group {
		from := a.ids
		if a.change != nil {
			from = a.change.Before()
		}
		for _, id := range from {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
