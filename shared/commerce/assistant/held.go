package assistant

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// AskType is the type of the outbox events by which a language model is asked about a message.
const AskType = "commerce.ask"

// Queue queues events of the outbox. outbox.Outbox implements it.
type Queue interface {
	Queue(ctx context.Context, of outbox.Entity, eventType string, payload any) ([]dynamo.Write, error)
}

// Question names the message that a language model is asked about. It is the payload of the event: it holds no texts.
type Question struct {
	Store   model.Name      `json:"store"`
	Session model.Name      `json:"session"`
	Message model.MessageID `json:"message"`
}

// maxAskedText bounds the messages that a model is asked about, in bytes.
const maxAskedText = 1000

// asksModel reports whether a language model is asked before the message is answered: the store wants it, and the
// reader has not understood the message or asks back. The answer that the turn has found is thrown away then: without
// the model's help it is found again.
func (t *turn) asksModel() bool {
	return t.unclear && t.store.Settings.Model != "" && t.assistant.Queue != nil && len(t.writes) == 0 &&
		t.m.Choice == nil && t.m.Cart == nil && t.words != "" && t.words == strings.TrimSpace(t.m.Text) &&
		len(t.m.Text) <= maxAskedText
}

// runAfter works out the answer to a message. The message before may still wait for a language model: the customer has
// written on, so that it is read without one, and the answer says what there is to say about both.
func (t *turn) runAfter(ctx context.Context, asking *commercemodel.Asking) error {
	if asking != nil {
		before, err := t.before(ctx, asking)
		if err != nil {
			return err
		}
		if t.s.HandedOverAt != "" { // a person answers both
			t.seen()
			t.content, t.notes = before.content, before.notes
			return nil
		}
		t.notes, t.person, t.writes = before.notes, before.person, before.writes
	}
	return t.run(ctx)
}

// before reads the message before in the session of a turn, without a language model.
func (t *turn) before(ctx context.Context, asking *commercemodel.Asking) (*turn, error) {
	before := t.assistant.turn(t.store, messageOf(asking, t.s), asking.Name, t.s)
	before.reader, before.notes, before.person = t.reader, slices.Clone(asking.Notes), asking.Person
	return before, before.hear(ctx)
}

// messageOf returns the message that waits in a session.
func messageOf(asking *commercemodel.Asking, s *commercemodel.Session) inbound.Message {
	return inbound.Message{
		ID: asking.Message, Text: asking.Text, At: asking.At, Kind: "text", Live: true, Channel: model.ChannelWhatsApp,
		Phone: s.PhoneNumberID, Customer: s.Customer}
}

// ask keeps the message of a turn for a language model. The session stays as it was before the message; what the
// message before it does, which has waited, too, is done. The question commits with it.
func (a *Assistant) ask(ctx context.Context, t *turn, asking *commercemodel.Asking, item dynamo.Item,
	with []dynamo.Write) error {
	s, err := a.session(t.store, t.m.Phone, t.m.Customer, item)
	if err != nil {
		return err
	}
	s.Context.Asking = nil
	again := a.turn(t.store, t.m, t.name, s)
	again.reader = t.reader
	next := &commercemodel.Asking{Message: t.m.ID, Text: t.m.Text, At: t.m.At, Name: t.name}
	if asking != nil {
		before, err := again.before(ctx, asking)
		if err != nil {
			return err
		}
		next.Notes, next.Person = before.notes, before.person
		with = slices.Concat(with, before.writes)
	}
	again.seen()
	s.Context.Asking = next
	question, err := a.Queue.Queue(ctx, outbox.Entity{
		Tenant: t.store.TenantID, Type: keys.EntityModel, ID: string(s.SessionID)}, AskType,
		Question{t.store.ID, s.SessionID, t.m.ID})
	if err != nil {
		return err
	}
	return a.keep(ctx, s, slices.Concat(with, question))
}

// Held is a message that waits for a language model.
type Held struct {
	Store    commercemodel.Store
	Words    string                // of the message
	Said     []commercemodel.Said  // before it
	Basket   *commercemodel.Basket // the open order; nil for none
	Language string
	Reading  nlu.Reading // what the reader makes of the message
	Reader   Reader      // nil if what the store sells cannot be read

	s      *commercemodel.Session
	asking commercemodel.Asking
	found  dynamo.Found
}

// Held returns the message of a question with what is known of it. It reports false if the question is over: the
// customer has written on, a person answers, or the session is gone. Somebody is to look at a message whose session has
// expired before it was answered.
func (a *Assistant) Held(ctx context.Context, q Question) (h Held, open bool, err error) {
	var s commercemodel.Session
	err = a.DB.Get(ctx, tables.Sessions, keys.Session(q.Session), &s)
	if errors.Is(err, dynamo.ErrNotFound) {
		return h, false, nil
	}
	if err != nil || s.Context.Asking == nil || s.Context.Asking.Message != q.Message || s.HandedOverAt != "" {
		return h, false, err
	}
	if s.TTL <= a.Now().Unix() {
		return h, false, a.Inbox.NeedsPerson(ctx, s.PhoneNumberID, s.Customer)
	}
	asking := *s.Context.Asking
	m := messageOf(&asking, &s)
	key := SessionRef(q.Store, s.Customer)
	refs := append(a.Sender.Refs(a.outgoing(q.Store, s.TenantID, m)), stores.Ref(q.Store), key)
	h.found, err = a.DB.BatchGet(ctx, refs)
	if err != nil {
		return h, false, err
	}
	h.Store, err = stores.In(h.found, q.Store)
	if errors.Is(err, dynamo.ErrNotFound) {
		return h, false, nil
	}
	if err == nil {
		h.s, err = a.session(h.Store, s.PhoneNumberID, s.Customer, key.Found(h.found))
	}
	switch {
	case err != nil:
		return h, false, err
	case h.s.Version != s.Version:
		return h, false, dynamo.ErrConflict
	case !h.Store.Settings.Assistant || h.Store.TenantID != s.TenantID:
		return h, false, nil
	}
	h.s.Context.Asking, h.asking = nil, asking
	h.Words, h.Said, h.Basket = asking.Text, h.s.Context.ConversationHistory, h.s.Context.CurrentOrder
	h.Language = h.s.Context.Language
	h.Reader, err = a.Reader(ctx, h.Store)
	if errors.Is(err, catalogue.ErrTooLarge) {
		return h, true, nil
	}
	if err == nil {
		h.Reading = h.Reader.Read(h.Words)
	}
	return h, err == nil, err
}

// AnswerHeld answers a message that has waited for a language model: by what the model has read, or as without one if
// read is nil. Its condition is that the session is as it was read, and still waits for this message. It reports false
// if it does not: then nothing is said and nothing is written.
func (a *Assistant) AnswerHeld(ctx context.Context, q Question, read *nlu.Reading,
	with ...dynamo.Write) (answered bool, err error) {
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		h, open, err := a.Held(ctx, q)
		if answered = open; err != nil || !open {
			return err
		}
		t := a.turn(h.Store, messageOf(&h.asking, h.s), h.asking.Name, h.s)
		t.notes, t.person, t.reader = slices.Clone(h.asking.Notes), h.asking.Person, h.Reader
		if read != nil {
			t.reader, t.modeled = readAs{h.Reader, *read}, true
		}
		if h.Reader == nil {
			t.withoutCatalogue()
		} else if err := t.run(ctx); err != nil {
			return err
		}
		return a.say(ctx, t, a.outgoing(q.Store, h.Store.TenantID, t.m), h.found, with)
	})
	return answered && err == nil, err
}

// readAs is a reader of one message that somebody else has read.
type readAs struct {
	Reader
	reading nlu.Reading
}

// Read returns what was read.
func (r readAs) Read(string) nlu.Reading { return r.reading }
