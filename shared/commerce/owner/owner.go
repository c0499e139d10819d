// Package owner lets the owner of a store run the day in the chat: confirm and refuse orders, move them on, ask for
// those of the day, and say what has run out or costs something else. Only the person who has the store's own number
// now may.
package owner

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/figures"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Contacts knows the people behind addresses. contacts.Contacts implements it.
type Contacts interface {
	Authorities(
		ctx context.Context, phones []model.PhoneNumberID, sender model.CustomerID, given ...contacts.Authority,
	) (holders []model.CustomerID, held int, err error)
}

// Inbox knows what was said to people. inbox.Inbox implements it.
type Inbox interface {
	Conversation(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (model.Conversation, error)
	Timeline(ctx context.Context, c model.Conversation, limit int, below inbox.Position) ([]model.Message,
		inbox.Position, error)
	AboutWrites(tenant model.TenantID, customers []model.CustomerID, messages ...model.MessageID) ([]dynamo.Write,
		error)
}

// Owner reacts to what owners write.
type Owner struct {
	DB        *dynamo.Client
	Now       func() time.Time
	Domain    string
	Sender    sending.Preparer
	Numbers   tenancy.StoreFinder
	Inbox     Inbox
	Contacts  Contacts
	Orders    *orders.Orders
	Catalogue *catalogue.Catalogue
	Figures   *figures.Figures
	Book      Book // nil if there is no credit book
}

// Subscription reacts to what owners write to the numbers of their stores. It claims what it answers.
func (o *Owner) Subscription() inbound.Subscription {
	return stores.Subscription(o.Domain, o.Numbers, o.Now, wants, o.react)
}

// wants reports whether a message may be something that an owner does.
func wants(m inbound.Message) bool {
	if !m.Live || m.Retracts != "" {
		return false
	}
	if m.Choice != nil {
		return strings.HasPrefix(m.Choice.ID, TapPrefix)
	}
	return parse(m.Text).what != nothing
}

// talk is one message of an owner's.
type talk struct {
	*Owner
	store commercemodel.Store
	m     inbound.Message
	self  commercemodel.Member // who has written
	team  []person             // the others who run the store, and whom a question can reach
	// unanswered records that a message has been done that could not be answered. The answer is the record of others.
	unanswered idempotency.Request
	// about is the customer whom a message to the team is about, so that an erasure finds the message; "" for nobody.
	about model.CustomerID
}

// others returns the customers, other than its receiver, whom a message is about.
func (t talk) others(to model.CustomerID) []model.CustomerID {
	if t.about == "" || t.about == to {
		return nil
	}
	return []model.CustomerID{t.about}
}

// react makes one attempt to do what a message asks for. What is done and the answer commit in one transaction.
func (o *Owner) react(ctx context.Context, id model.Name, tenant model.TenantID, m inbound.Message) (bool, error) {
	t := talk{Owner: o, m: m}
	var err error
	t.unanswered, err = idempotency.NewRequest(idempotency.Chat, tenant, o.Domain, "owner", string(m.ID), nil)
	if err != nil {
		return false, err
	}
	found, err := o.DB.BatchGet(ctx, append(t.unanswered.Refs(), stores.Ref(id), t.answerRef()))
	if err != nil {
		return false, err
	}
	t.store, err = stores.In(found, id)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && t.store.TenantID != tenant {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if is, err := t.findRole(ctx); err != nil || !is {
		return false, err
	}
	if t.answerRef().Found(found) != nil {
		return true, nil // it was answered
	}
	if done, err := t.unanswered.Before(found, o.Now()); err != nil || done != nil {
		return done != nil, err
	}
	if m.Choice != nil {
		return t.tapped(ctx)
	}
	return t.said(ctx, parse(m.Text))
}

func (t talk) answerID() model.MessageID {
	return model.MessageID(idempotency.Hash("owner", string(t.m.ID)))
}

func (t talk) answerRef() dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Message(t.answerID())}
}

// answer answers, with what commits beside it. What cannot be answered is done all the same.
func (t talk) answer(ctx context.Context, c content.Content, about string, with []dynamo.Write) error {
	writes, err := t.answers(ctx, c, about, len(with) > 0)
	if with = append(with, writes...); err != nil || len(with) == 0 {
		return err
	}
	return dynamo.Conflict(t.DB.Transact(ctx, with))
}

// answers returns the writes of an answer. Where it cannot be sent, they are the record of what is done beside it, and
// what leads an erasure to the message.
func (t talk) answers(ctx context.Context, c content.Content, about string, does bool) ([]dynamo.Write, error) {
	out := sending.Outgoing{
		Tenant: t.store.TenantID, Phone: t.m.Phone, Customer: t.m.Customer, SentBy: t.Domain, ID: t.answerID(),
		Content: c, About: t.others(t.m.Customer)}
	if len(out.About) > 0 {
		out.ToldIn = []model.MessageID{t.m.ID}
	}
	if about != "" {
		out.Purpose = model.AskOf(t.Domain, about)
	}
	found, err := t.DB.BatchGet(ctx, t.Sender.Refs(out))
	if err != nil {
		return nil, err
	}
	prepared, err := t.Sender.Prepare(ctx, out, found)
	var refused *problem.Error
	if err != nil && (errors.Is(err, dynamo.ErrConflict) || !errors.As(err, &refused)) {
		return nil, err
	}
	if err == nil || !does {
		return prepared.Writes, nil
	}
	record, err := t.unanswered.Writes(t.Now(), struct{}{})
	if err != nil || len(out.About) == 0 {
		return record, err
	}
	told, err := t.Inbox.AboutWrites(t.store.TenantID, out.About, t.m.ID)
	return append(record, told...), err
}

// text answers with a text of the wording.
func (t talk) text(ctx context.Context, key string, values wording.Values, with ...dynamo.Write) error {
	return t.answer(ctx, content.Text{Body: t.word(key, values)}, "", with)
}

// word returns a text in the owner's language: the store's first.
func (t talk) word(key string, values wording.Values) string {
	return wording.Text(t.store.Settings, key, Language(t.store), values)
}

// Language returns the language in which a store's owner is written to.
func Language(s commercemodel.Store) string { return wording.Language(s.Settings, "", "") }
