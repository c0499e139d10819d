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

// traces are all that leads to one customer, as it was read: the conversation that goes on, those that were merged into
// it, and the aliases of all of them.
type traces struct {
	tenant    model.TenantID
	phone     model.PhoneNumberID
	customer  model.CustomerID     // in the key of the conversation that goes on; as asked for where there is none
	goesOn    *model.Conversation  // nil where there is none
	merged    []model.Conversation // those that still stand
	customers []model.CustomerID   // in the keys of all conversations, the one that goes on first
	aliases   []trace
}

// trace is an alias item that has to do with the customer.
type trace struct {
	id    model.CustomerID
	alias model.Alias
	heir  bool // it leads to a stranger, who has a conversation
}

// partitions are the conversations' partitions in gsi_conversation.
func (w traces) partitions() []string {
	var all []string
	for _, customer := range w.customers {
		all = append(all, keys.Conversation(w.phone, customer).Partition)
	}
	return all
}

// entity is what the outbox keeps the order of one of the conversations for.
func (w traces) entity(customer model.CustomerID) outbox.Entity {
	return outbox.Entity{Tenant: w.tenant, Type: entityType, ID: keys.WhatsAppEntityID(w.phone, customer)}
}

// owns says whether a message of a logged value is the customer's: by what is stored under its id, and by who it is with
// where nothing is.
func (w traces) owns(a arrival, stored dynamo.Item) bool {
	switch {
	case erased(stored):
		return true
	case isMessage(stored):
		return slices.Contains(w.partitions(), dynamo.Text(stored, "conversationPk"))
	}
	return slices.ContainsFunc(a.ids, func(id model.CustomerID) bool {
		return slices.Contains(w.customers, id) || slices.ContainsFunc(w.aliases, func(t trace) bool { return t.id == id && t.alias.Since == "" })
	})
}

// tracesOf finds all that leads to the customer whom an identifier means. An alias of a number that has passed to a
// stranger is not followed: whoever erases the person who had it must not erase the stranger by the same call.
func (s *Store) tracesOf(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID, asked model.CustomerID) (traces, error) {
	w := traces{tenant: tenant, phone: phone, customer: asked, customers: []model.CustomerID{asked}}
	id := asked
	for range maxHops {
		items, err := s.DB.BatchGet(ctx, lookupRefs(phone, []model.CustomerID{id}))
		if err != nil {
			return w, fmt.Errorf("look up customer: %w", err)
		}
		found, err := identities(phone, []model.CustomerID{id}, "", items)
		if err != nil {
			return w, err
		}
		one := found[0]
		if one.conversation != nil || one.passed {
			one.alias = "" // a conversation that stands is meant itself
		}
		if next := one.target(); next != id {
			id = next
			continue
		}
		if one.conversation == nil {
			return w, nil
		}
		w.customer, w.goesOn = id, one.conversation
		return s.withMerged(ctx, w, asked)
	}
	return w, fmt.Errorf("%w: aliases that lead in a circle", ErrPermanent)
}

// withMerged adds the conversations that were merged into the one that goes on, and the aliases of all of them. asked is
// one more identifier to look for.
func (s *Store) withMerged(ctx context.Context, w traces, asked model.CustomerID) (traces, error) {
	w.customers = []model.CustomerID{w.customer}
	for _, pk := range w.goesOn.MergedFrom {
		if _, customer, ok := keys.ConversationIDs(pk); ok {
			w.customers = append(w.customers, customer)
		}
	}
	merged, err := s.conversations(ctx, w.phone, w.customers[1:])
	if err != nil {
		return w, err
	}
	for _, one := range merged {
		if one.conversation != nil {
			w.merged = append(w.merged, *one.conversation)
		}
	}
	ids := append(slices.Clone(w.customers), asked)
	for _, c := range w.standing() {
		_, customer, _ := keys.ConversationIDs(c.PK)
		ids = append(ids, usable(append(slices.Clone(c.Aliases), c.From, c.UserID, string(recipientOf(customer)))...)...)
	}
	slices.Sort(ids)
	return s.withAliases(ctx, w, slices.Compact(ids))
}

// standing are all the customer's conversations that stand.
func (w traces) standing() []model.Conversation {
	if w.goesOn == nil {
		return nil
	}
	return append([]model.Conversation{*w.goesOn}, w.merged...)
}

// withAliases adds the alias items of identifiers that have to do with the customer: those that lead to them, and those of
// numbers they have given up.
func (s *Store) withAliases(ctx context.Context, w traces, ids []model.CustomerID) (traces, error) {
	refs := make([]dynamo.Ref, len(ids))
	for i, id := range ids {
		refs[i] = dynamo.Ref{Table: table, Key: keys.Alias(w.phone, id)}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return w, fmt.Errorf("look up aliases: %w", err)
	}
	var strangers []model.CustomerID
	for i, id := range ids {
		var alias model.Alias
		if err := dynamo.Unmarshal(refs[i].Found(found), &alias); err != nil {
			return w, err
		}
		leads, led := slices.Contains(w.customers, alias.CustomerID), slices.Contains(w.customers, alias.Before)
		if leads || led {
			w.aliases = append(w.aliases, trace{id: id, alias: alias})
		}
		if led && !leads {
			strangers = append(strangers, alias.CustomerID)
		}
	}
	heirs, err := s.conversations(ctx, w.phone, strangers)
	if err != nil {
		return w, err
	}
	for i := range w.aliases {
		w.aliases[i].heir = slices.ContainsFunc(heirs, func(h identity) bool {
			return h.id == w.aliases[i].alias.CustomerID && h.conversation != nil
		})
	}
	return w, nil
}

// end is the write that ends an alias as far as it is the customer's, nil where it is not, and whether the identifier is
// nobody's then.
//
// A number that has passed to a stranger separates two people, and whoever of them is erased, the other must still be
// told apart. The one who had it: the alias forgets them, and goes where the stranger has no conversation. The stranger:
// it stays as long as it knows the one who had it, because without it the stranger's messages would be theirs.
func (t trace) end(w traces) (writes []dynamo.Write, free bool) {
	key := keys.Alias(w.phone, t.id)
	read := dynamo.Item{":to": dynamo.S(t.alias.CustomerID)}
	leads, led := slices.Contains(w.customers, t.alias.CustomerID), slices.Contains(w.customers, t.alias.Before)
	switch {
	case leads && t.alias.Before != "" && !led:
		return nil, false
	case leads:
		return []dynamo.Write{dynamo.Delete{Table: table, Key: key, If: "customerId = :to", Values: read}}, t.alias.Since == ""
	}
	read[":before"] = dynamo.S(t.alias.Before)
	const same = "customerId = :to AND #before = :before"
	if t.heir {
		return []dynamo.Write{dynamo.Update{Table: table, Key: key, Do: "REMOVE #before", If: same, Values: read}}, false
	}
	return []dynamo.Write{
		dynamo.Delete{Table: table, Key: key, If: same, Values: read},
		dynamo.Check{Table: table, Key: keys.Conversation(w.phone, t.alias.CustomerID), If: "attribute_not_exists(pk)"},
	}, false
}
