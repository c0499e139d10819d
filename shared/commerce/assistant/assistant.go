// Package assistant takes orders in a chat: it answers customers who write to a store's numbers, asks back what is
// unclear, and makes the order when the customer has said yes. It knows rules and words, no model; what reads the words
// can be replaced. Where it does not get on, it leaves the conversation to a person.
package assistant

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/addressform"
	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// Inbox marks conversations. inbox.Inbox implements it.
type Inbox interface {
	NeedsPerson(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error
}

// Reader reads what customers write, with what a store sells. nlu.Index implements it; a model may stand behind it.
type Reader interface {
	Read(text string) nlu.Reading
	Resolve(product string, ask nlu.Ask) (nlu.Line, nlu.Ask, bool)
	Near(text string, limit int) []string
	Options(asked string, options []string, text string) (chosen []string, quantity *nlu.Quantity)
	Counted(asked string, options []string, text string) (chosen []string, quantities []nlu.Quantity, is bool)
	Repeats(products []string, quantities []decimal.Decimal) func(word string) bool
	Names(product, word string) bool
	Wishes(text string, shown func(word string) bool) bool
	Sample(limit int) []nlu.Product
	Variant(text string, of []string) (nlu.Change, bool)
	Alike(ids, others []string) []string
}

// Limit is how often a customer is answered. Who writes more is left to the shop's people until the window ends.
var Limit = ratelimit.Limit{Kind: "chat_messages", PerMinute: 20, PerHour: 120, PerDay: 400}

// Assistant answers customers.
type Assistant struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Domain  string // in the purpose of its messages, and as their sender
	Sender  sending.Preparer
	Numbers tenancy.StoreFinder
	Inbox   Inbox
	Limiter *ratelimit.Limiter
	Orders  *orders.Orders
	// Reader returns what reads the words of a store's customers.
	Reader func(ctx context.Context, store commercemodel.Store) (Reader, error)
	Credit Credit // nil if there is no credit book
	Papers Papers // nil if papers are not sent in the chat
	Queue  Queue  // of questions to language models; nil if there is none
	// Addresses knows the default addresses of customers, and Forms sends forms that ask for one; nil for neither.
	Addresses addressform.Addresses
	Forms     Forms
}

// Forms sends forms: forms.Forms.
type Forms interface {
	Open(form model.OpenForm) (token string, write dynamo.Write, err error)
}

// Credit knows what customers owe.
type Credit interface {
	// Owed returns what a customer owes a store, and reports whether they have a ledger there.
	Owed(ctx context.Context, store, customer model.Name) (model.Amount, bool, error)
	// Latest returns a customer's latest entries, the newest first.
	Latest(ctx context.Context, store, customer model.Name, limit int) ([]orders.CreditEntry, error)
	// AskStatement returns the writes that have the customer's statement made and sent.
	AskStatement(ctx context.Context, of papers.Asked) ([]dynamo.Write, error)
}

// FromCatalogue returns the reader of a store's catalogue.
func FromCatalogue(c *catalogue.Catalogue) func(ctx context.Context, store commercemodel.Store) (Reader, error) {
	return func(ctx context.Context, store commercemodel.Store) (Reader, error) { return c.Index(ctx, store) }
}

// Subscription reacts to what customers write to the numbers of stores. It claims what it answers.
func (a *Assistant) Subscription() inbound.Subscription {
	return stores.Subscription(a.Domain, a.Numbers, a.Now, wants, a.answer)
}

// wants reports whether a message is something that the assistant can read.
func wants(m inbound.Message) bool {
	if !m.Live || m.Retracts != "" {
		return false
	}
	return m.Cart != nil || m.Choice != nil && m.Choice.Kind != inbound.ChoiceFlow || m.Address() != nil ||
		strings.TrimSpace(m.Text) != "" || unread.Has(m.Kind)
}

// answer makes one attempt to answer a message. The answer, the session, and the order if one is made, commit in one
// transaction. Its condition is that the session is as it was read, and does not know the message yet.
func (a *Assistant) answer(ctx context.Context, id model.Name, tenant model.TenantID,
	m inbound.Message) (claimed bool, err error) {
	out := a.outgoing(id, tenant, m)
	key := SessionRef(id, m.Customer)
	refs := append(a.Sender.Refs(out), stores.Ref(id), key)
	found, err := a.DB.BatchGet(ctx, append(refs, ratelimit.Refs(Limit, orders.CustomerPhone(m.Customer))...))
	if err != nil {
		return false, err
	}
	store, err := stores.In(found, id)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && store.TenantID != tenant {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s, err := a.session(store, m.Phone, m.Customer, key.Found(found))
	switch {
	case err != nil:
		return false, err
	case slices.Contains(s.Seen, m.ID):
		return true, nil
	case !store.Settings.Assistant || s.HandedOverAt != "" || s.MutedUntil > model.At(a.Now()):
		return false, nil
	}
	conversation := dynamo.Ref{Table: tables.Messages, Key: keys.Conversation(m.Phone, m.Customer)}.Found(found)
	adopted, err := a.adopt(ctx, s, conversation)
	if err == nil && adopted {
		err = dynamo.ErrConflict // read again
	}
	if err != nil {
		return false, err
	}
	if ours, err := a.askedIn(ctx, id, m); err != nil || !ours {
		return false, err
	}
	decision, counted, err := a.Limiter.Prepare(Limit, s.CustomerPhone, found)
	if err != nil {
		return false, err
	}
	asking := s.Context.Asking
	s.Context.Asking = nil // the customer has written on
	if !decision.Allowed {
		s.MutedUntil = model.At(decision.ResetsAt)
		return false, a.keep(ctx, s, nil)
	}
	t := a.turn(store, m, dynamo.Text(conversation, "senderName"), s)
	switch t.reader, err = a.Reader(ctx, store); {
	case errors.Is(err, catalogue.ErrTooLarge):
		t.withoutCatalogue()
	case err != nil:
		return false, err
	default:
		if err := t.runAfter(ctx, asking); err != nil {
			return false, err
		}
	}
	if t.asksModel() {
		return true, a.ask(ctx, t, asking, key.Found(found), counted)
	}
	return true, a.say(ctx, t, out, found, counted)
}

// turn returns the turn of a message in a session, without its reader.
func (a *Assistant) turn(store commercemodel.Store, m inbound.Message, name string, s *commercemodel.Session) *turn {
	return &turn{assistant: a, store: store, m: m, name: name, s: s, context: &s.Context, now: a.Now()}
}

// say commits what a turn says, with the session, what follows from it, and other writes.
func (a *Assistant) say(ctx context.Context, t *turn, out sending.Outgoing, found dynamo.Found,
	with []dynamo.Write) error {
	if t.content == nil { // it has been said already
		return t.marked(ctx, a.keep(ctx, t.s, slices.Concat(t.writes, with)))
	}
	out.Content, out.NeedsPerson = t.content, t.s.HandedOverAt != "" || t.person
	prepared, err := a.Sender.Prepare(ctx, out, found)
	if err != nil {
		if err = a.unanswered(ctx, t.m, err); err != nil {
			return err
		}
	}
	return a.keep(ctx, t.s, slices.Concat(t.writes, prepared.Writes, with))
}

// outgoing returns the answer to a message of a customer of a store, without its content.
func (a *Assistant) outgoing(id model.Name, tenant model.TenantID, m inbound.Message) sending.Outgoing {
	return sending.Outgoing{
		Tenant: tenant, Phone: m.Phone, Customer: m.Customer, SentBy: a.Domain,
		ID:      model.MessageID(idempotency.Hash("assistant", string(m.ID))),
		Purpose: model.AskOf(a.Domain, string(id)),
	}
}

// askedIn reports whether a message may be answered: it is no choice, or the choice stands under a message of the
// assistant of this store. A choice that somebody else has offered is left to people: even its title would say yes to
// an order that it was not asked about.
func (a *Assistant) askedIn(ctx context.Context, store model.Name, m inbound.Message) (bool, error) {
	if m.Choice == nil || m.Address() != nil { // an address is no answer to a question: it says where the customer is
		return true, nil
	}
	if !strings.HasPrefix(m.Choice.ID, TapPrefix) {
		return false, nil
	}
	about, ours, err := m.Asked(ctx, a.Domain)
	return ours && about == string(store), err
}

// unanswered marks the conversation of a customer who cannot be answered now, so that a person sees it. Who wants no
// messages is left alone. It returns any other failure.
func (a *Assistant) unanswered(ctx context.Context, m inbound.Message, failure error) error {
	switch {
	case !unsendable(failure):
		return failure
	case errors.Is(failure, sending.ErrOptedOut):
		return nil
	}
	return a.Inbox.NeedsPerson(ctx, m.Phone, m.Customer)
}

// unsendable reports whether an answer cannot be sent to this customer now. The customer's message takes effect all the
// same.
func unsendable(err error) bool {
	for _, reason := range []error{
		sending.ErrOptedOut, sending.ErrWindowClosed, sending.ErrUnreachable,
		sending.ErrOnlyGroups, sending.ErrNotForGroups} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}
