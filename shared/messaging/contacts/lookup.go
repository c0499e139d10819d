package contacts

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Prefetch holds the alias and conversation items of a batch of entries. A write drops the items that it was decided
// on, so later entries read them again. The zero Prefetch is empty.
type Prefetch struct {
	mu    sync.Mutex
	items map[string]dynamo.Item // by pk; nil for an absent item
}

// get returns a prefetched item; nil for an absent one. It reports whether the item is prefetched.
func (p *Prefetch) get(pk string) (item dynamo.Item, known bool) {
	if p == nil {
		return nil, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	item, known = p.items[pk]
	return item, known
}

// add adds items.
func (p *Prefetch) add(items map[string]dynamo.Item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.items == nil {
		p.items = map[string]dynamo.Item{}
	}
	maps.Copy(p.items, items)
}

// drop removes items.
func (p *Prefetch) drop(items map[string]dynamo.Item) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for pk := range items {
		delete(p.items, pk)
	}
}

// Prefetch reads the items of identifiers and the conversations that they lead to. With them it reads the number's item
// if nobody has asked for a while which store the number has: the domains ask next.
func (s *Contacts) Prefetch(
	ctx context.Context, phone model.PhoneNumberID, ids []model.CustomerID, ahead *Prefetch,
) error {
	l := s.LookUp(phone, nil)
	wanted := l.identifierKeys(ids)
	number := keys.Phone(phone)
	asks := s.Numbers != nil && !s.Numbers.KnowsStore(phone)
	if asks {
		wanted = append(wanted, number)
	}
	if err := l.read(ctx, wanted...); err != nil {
		return err
	}
	if asks {
		s.Numbers.NoteStore(phone, l.items[number.Partition])
		delete(l.items, number.Partition)
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

// Conversations returns the partition keys of the conversations to which an identifier leads or has led, by the
// prefetched items. The conversation under the identifier itself comes first.
func (p *Prefetch) Conversations(phone model.PhoneNumberID, id model.CustomerID) []string {
	all := []string{keys.Conversation(phone, id).Partition}
	item, _ := p.get(keys.Alias(phone, id).Partition)
	if o, err := ownershipOf(id, item, 0); err == nil {
		for _, owner := range o.owners {
			all = append(all, keys.Conversation(phone, owner.CustomerID).Partition)
		}
	}
	if item, _ := p.get(keys.Conversation(phone, id).Partition); dynamo.Text(item, "mergedInto") != "" {
		all = append(all, dynamo.Text(item, "mergedInto"))
	}
	return all
}

// Lookup reads the alias and conversation items of a number's customers, each at most once, so that one decision sees
// one state. It uses prefetched items.
type Lookup struct {
	contacts   *Contacts
	phone      model.PhoneNumberID
	prefetched *Prefetch
	items      map[string]dynamo.Item // by pk; nil for an absent item
}

func (s *Contacts) LookUp(phone model.PhoneNumberID, ahead *Prefetch) *Lookup {
	return &Lookup{contacts: s, phone: phone, prefetched: ahead, items: map[string]dynamo.Item{}}
}

// Drop drops what the lookup has read from its prefetched items, because a write was decided on it.
func (l *Lookup) Drop() { l.prefetched.drop(l.items) }

func (l *Lookup) aliasKey(id model.CustomerID) keys.Key { return keys.Alias(l.phone, id) }

func (l *Lookup) conversationKey(customer model.CustomerID) keys.Key {
	return keys.Conversation(l.phone, customer)
}

// read loads the wanted items that are not loaded yet, in one batch.
func (l *Lookup) read(ctx context.Context, wanted ...keys.Key) error {
	var refs []dynamo.Ref
	for _, key := range wanted {
		if _, known := l.items[key.Partition]; known {
			continue
		}
		if item, known := l.prefetched.get(key.Partition); known {
			l.items[key.Partition] = item
			continue
		}
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: key})
	}
	if len(refs) == 0 {
		return nil
	}
	found, err := l.contacts.DB.BatchGet(ctx, refs)
	if err != nil {
		return fmt.Errorf("look up customer: %w", err)
	}
	for _, ref := range refs {
		l.items[ref.Key.Partition] = ref.Found(found)
	}
	return nil
}

// identifiers loads the alias items of identifiers and the conversations under them.
func (l *Lookup) identifiers(ctx context.Context, ids []model.CustomerID) error {
	return l.read(ctx, l.identifierKeys(ids)...)
}

func (l *Lookup) identifierKeys(ids []model.CustomerID) []keys.Key {
	wanted := make([]keys.Key, 0, 2*len(ids)+1)
	for _, id := range ids {
		wanted = append(wanted, l.aliasKey(id), l.conversationKey(id))
	}
	return wanted
}

// ownership returns the owners of an identifier. Its alias item must be loaded.
func (l *Lookup) ownership(id model.CustomerID) (ownership, error) {
	return ownershipOf(id, l.items[l.aliasKey(id).Partition], l.contacts.Now().Unix())
}

// maxHops bounds how many aliases and merges are followed.
const maxHops = 8

// resolution is where a customer's key leads: the current conversation, or the key under which it will open.
type resolution struct {
	customer     model.CustomerID
	conversation *model.Conversation // nil if there is none yet
}

// follow resolves customers' keys: through merges to the current conversation and, if a key has no conversation,
// through the alias of its identifier. It reads the next steps of all keys together.
func (l *Lookup) follow(ctx context.Context, customers []model.CustomerID) (map[model.CustomerID]resolution, error) {
	found := make(map[model.CustomerID]resolution, len(customers))
	for _, customer := range customers {
		found[customer] = resolution{customer: customer}
	}
	for range maxHops {
		wanted := map[model.CustomerID][]keys.Key{}
		var all []keys.Key
		for customer, s := range found {
			next, missing, err := l.followKnown(s)
			if err != nil {
				return nil, err
			}
			found[customer] = next
			if len(missing) > 0 {
				wanted[customer] = missing
				all = append(all, missing...)
			}
		}
		if len(wanted) == 0 {
			return found, nil
		}
		if err := l.read(ctx, all...); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: aliases or merges form a cycle", dynamo.ErrPermanent)
}

// followKnown follows loaded items, and returns the keys of the items to load next.
func (l *Lookup) followKnown(s resolution) (next resolution, missing []keys.Key, err error) {
	for range maxHops {
		key := l.conversationKey(s.customer)
		item, known := l.items[key.Partition]
		if !known {
			return s, []keys.Key{key}, nil
		}
		if s.conversation, err = asConversation(item); err != nil {
			return s, nil, err
		}
		if s.conversation != nil {
			_, older, merged := keys.ConversationIDs(s.conversation.MergedInto)
			if !merged {
				return s, nil, nil
			}
			s = resolution{customer: older}
			continue
		}
		if identity.IsUnknownOwner(s.customer) {
			return s, nil, nil
		}
		if _, known := l.items[l.aliasKey(s.customer).Partition]; !known {
			return s, []keys.Key{l.aliasKey(s.customer)}, nil
		}
		o, err := l.ownership(s.customer)
		if err != nil || o.owners[0].CustomerID == s.customer {
			return s, nil, err
		}
		s = resolution{customer: o.owners[0].CustomerID}
	}
	return s, nil, fmt.Errorf("%w: aliases or merges form a cycle", dynamo.ErrPermanent)
}

// asConversation decodes a conversation item; nil for an absent item.
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

// conversation reads the conversation under a key, merged or not; nil if there is none.
func (l *Lookup) conversation(ctx context.Context, customer model.CustomerID) (*model.Conversation, error) {
	key := l.conversationKey(customer)
	if err := l.read(ctx, key); err != nil {
		return nil, err
	}
	return asConversation(l.items[key.Partition])
}
