package messaging

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// A customer has a wa_id, a BSUID, or both; the number dialled may differ from the one that answers; a number may pass
// to somebody else. One conversation per person, whatever identifiers a message shows: the conversation's key holds one
// of them, and every other one has an alias item that leads to it.

// person is whom a message is with: the conversation as it stands, and what resolving the identifiers asks to write.
type person struct {
	phone    model.PhoneNumberID
	customer model.CustomerID                      // in the conversation's key
	existing *model.Conversation                   // nil where there is none yet
	aliases  []aliasChange                         // identifiers that do not lead to it yet
	led      map[model.CustomerID]model.CustomerID // where the aliases led when they were read
	younger  []model.Conversation                  // others that turned out to be the same person's

	erasedUntil model.Time // what they wrote until then has been erased
}

// aliasChange leads an identifier to a customer. was is where it led when it was read, "" for nowhere.
type aliasChange struct {
	id, was, to model.CustomerID
	since       model.Time       // of a number that passes to a stranger
	before      model.CustomerID // whose it was until then
}

// identity is what one lookup found for one identifier.
type identity struct {
	id           model.CustomerID
	alias        model.CustomerID // "" where there is none
	passed       bool             // the number has passed to a stranger since: its alias is not to be moved
	conversation *model.Conversation
}

// resolve finds the person behind identifiers, the best one first, in one batch get; in a second one where an alias or a
// merged conversation leads elsewhere. at is the time of what they are shown by: a number that has passed to a stranger
// still was the person's before. items are what lookupRefs name, where they have been read already; nil reads them.
func (s *Store) resolve(ctx context.Context, phone model.PhoneNumberID, ids []model.CustomerID, at model.Time, items dynamo.Found) (person, error) {
	if items == nil {
		var err error
		if items, err = s.DB.BatchGet(ctx, lookupRefs(phone, ids)); err != nil {
			return person{}, fmt.Errorf("look up customer: %w", err)
		}
	}
	found, err := identities(phone, ids, at, items)
	if err != nil {
		return person{}, err
	}
	var candidates []identity // where the identifiers lead, without repetition
	var elsewhere []model.CustomerID
	for _, identity := range found {
		target := identity.target()
		if target != identity.id {
			elsewhere = append(elsewhere, target)
		} else if identity.conversation != nil {
			candidates = append(candidates, identity)
		}
	}
	if len(elsewhere) > 0 {
		targets, err := s.conversations(ctx, phone, elsewhere)
		if err != nil {
			return person{}, err
		}
		candidates = append(targets, candidates...)
	}
	return choose(phone, ids, found, dedupe(candidates)), nil
}

// target is the customer an identifier leads to.
func (i identity) target() model.CustomerID {
	if i.alias != "" {
		return i.alias
	}
	if i.conversation != nil && i.conversation.MergedInto != "" {
		if _, customer, ok := keys.ConversationIDs(i.conversation.MergedInto); ok {
			return customer
		}
	}
	return i.id
}

// lookupRefs name what is read to find the person behind identifiers: for each, its alias and its conversation.
func lookupRefs(phone model.PhoneNumberID, ids []model.CustomerID) []dynamo.Ref {
	refs := make([]dynamo.Ref, 0, 2*len(ids))
	for _, id := range ids {
		refs = append(refs, dynamo.Ref{Table: table, Key: keys.Alias(phone, id)}, dynamo.Ref{Table: table, Key: keys.Conversation(phone, id)})
	}
	return refs
}

func identities(phone model.PhoneNumberID, ids []model.CustomerID, at model.Time, items dynamo.Found) ([]identity, error) {
	refs := lookupRefs(phone, ids)
	found := make([]identity, len(ids))
	for i, id := range ids {
		found[i].id = id
		if alias := refs[2*i].Found(items); alias != nil {
			found[i].alias = model.CustomerID(dynamo.Text(alias, "customerId"))
			if since := dynamo.Text(alias, "since"); string(at) < since {
				found[i].alias = model.CustomerID(dynamo.Text(alias, "before"))
				found[i].passed = true
			}
		}
		var err error
		if found[i].conversation, err = asConversation(refs[2*i+1].Found(items)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// conversations reads conversations by the customer in their key. A customer without one is a candidate all the same:
// an alias may lead to a conversation that is yet to open.
func (s *Store) conversations(ctx context.Context, phone model.PhoneNumberID, customers []model.CustomerID) ([]identity, error) {
	refs := make([]dynamo.Ref, len(customers))
	for i, customer := range customers {
		refs[i] = dynamo.Ref{Table: table, Key: keys.Conversation(phone, customer)}
	}
	items, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("look up conversation: %w", err)
	}
	found := make([]identity, len(customers))
	for i, customer := range customers {
		found[i].id = customer
		if found[i].conversation, err = asConversation(refs[i].Found(items)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func asConversation(item dynamo.Item) (*model.Conversation, error) {
	if item == nil {
		return nil, nil
	}
	conversation := new(model.Conversation)
	if err := dynamo.Unmarshal(item, conversation); err != nil {
		return nil, err
	}
	return conversation, nil
}

func dedupe(candidates []identity) []identity {
	var distinct []identity
	seen := map[model.CustomerID]bool{}
	for _, candidate := range candidates {
		if !seen[candidate.id] {
			seen[candidate.id] = true
			distinct = append(distinct, candidate)
		}
	}
	return distinct
}

// choose settles on one conversation: the only candidate, the older of two, or a new one under the best identifier.
func choose(phone model.PhoneNumberID, ids []model.CustomerID, found []identity, candidates []identity) person {
	p := person{phone: phone, customer: ids[0], led: map[model.CustomerID]model.CustomerID{}}
	if len(candidates) > 0 {
		oldest := candidates[0]
		for _, candidate := range candidates[1:] {
			if older(candidate.conversation, oldest.conversation) {
				oldest = candidate
			}
		}
		p.customer, p.existing = oldest.id, oldest.conversation
		for _, candidate := range candidates {
			if candidate.id != oldest.id && candidate.conversation != nil {
				p.younger = append(p.younger, *candidate.conversation)
			}
		}
	}
	for _, identity := range found {
		p.led[identity.id] = identity.alias
		if identity.id != p.customer && identity.alias != p.customer && !identity.passed {
			p.aliases = append(p.aliases, aliasChange{id: identity.id, was: identity.alias, to: p.customer})
		}
	}
	return p
}

// older says whether a conversation stood before another; one that stands is older than one yet to open.
func older(a, b *model.Conversation) bool {
	switch {
	case a == nil:
		return false
	case b == nil:
		return true
	case a.CreatedAt != b.CreatedAt:
		return a.CreatedAt < b.CreatedAt
	}
	return a.PK < b.PK
}

// aliasWrites leads identifiers to the person's conversation. An alias that leads elsewhere is moved: the platform has
// just shown, in one message, that both identifiers are this person's. The condition is that it still is as it was read.
func (p person) aliasWrites() []dynamo.Write {
	var writes []dynamo.Write
	for _, alias := range p.aliases {
		u := dynamo.Update{
			Table: table, Key: keys.Alias(p.phone, alias.id),
			Do:     "SET itemType = :type, customerId = :to",
			If:     "attribute_not_exists(pk)",
			Values: dynamo.Item{":type": dynamo.S(model.ItemAlias), ":to": dynamo.S(alias.to)},
		}
		if alias.since != "" {
			u.Do += ", since = :since, #before = :before"
			u.Values[":since"], u.Values[":before"] = dynamo.S(alias.since), dynamo.S(alias.before)
		}
		if alias.was != "" {
			u.If = "customerId = :was"
			u.Values[":was"] = dynamo.S(alias.was)
		}
		writes = append(writes, u)
	}
	return writes
}

// withRetired accounts for a number the person has given up: from now on it is a stranger's, whose messages open a
// conversation of their own. The stranger cannot have the number's own key where the person has it, so an alias leads
// the number to a key made of it and of the notice's id.
func (p person) withRetired(fresh []arrival) person {
	for _, a := range fresh {
		if a.retires == "" {
			continue
		}
		var kept []aliasChange
		was, known := model.CustomerID(""), a.retires == p.customer
		for _, alias := range p.aliases {
			if alias.id == a.retires {
				was = alias.was
				continue
			}
			kept = append(kept, alias)
		}
		if led := p.led[a.retires]; led == p.customer {
			was, known = led, true
		}
		p.aliases = kept
		if known {
			p.aliases = append(p.aliases, aliasChange{
				id: a.retires, was: was, to: a.retires + strangerMark + model.CustomerID(shortHash(a.message.PK)), since: a.message.ReceivedAt, before: p.customer,
			})
		}
	}
	return p
}

// strangerMark stands between a number that has passed to somebody else and what makes its new owner's key.
const strangerMark = "~"

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// mergeWrites take the younger conversations out of the inbox and name the older one.
func (p person) mergeWrites() []dynamo.Write {
	var writes []dynamo.Write
	for _, younger := range p.younger {
		writes = append(writes, dynamo.Update{
			Table: table, Key: keys.Key{PartitionName: "pk", Partition: younger.PK},
			Do:     "SET mergedInto = :older REMOVE inboxPk",
			If:     "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND unreadCount = :unread",
			Values: dynamo.Item{":older": dynamo.S(keys.Conversation(p.phone, p.customer).Partition), ":unread": dynamo.N(younger.UnreadCount)},
		})
	}
	return writes
}

// Identify records that identifiers are one person's, as a notice of the platform says, where one of them is known. It
// does nothing for people the number has not talked to.
func (s *Store) Identify(ctx context.Context, phone model.PhoneNumberID, ids []model.CustomerID) error {
	return dynamo.Retry(ctx, attempts, func() error {
		p, err := s.resolve(ctx, phone, ids, model.At(s.Now()), nil)
		if err != nil || p.existing == nil {
			return err
		}
		writes := append(p.aliasWrites(), p.mergeWrites()...)
		if len(writes) == 0 {
			return nil
		}
		conversation, err := s.conversationWrite(p, nil)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, conversation)))
	})
}
