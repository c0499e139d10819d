// Package calling has a company's own server do what follows when an assistant knows everything that a project asks
// for. A call is an event of the outbox's slow lane, queued in the transaction that completes the conversation. It is
// made with the same id until the server has answered, so that a server can do it once. What the server says goes to
// the person.
package calling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/callback"
	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/replies"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// EventType is the type of the outbox events by which functions are called.
const EventType = "conversations.call"

// Runner makes calls: callback.Runner. Its errors are *assistant.Failure.
type Runner interface {
	Run(ctx context.Context, address string, hosts []string, secret []byte, call callback.Call) (text string, err error)
}

// Desk prepares messages to the people of conversations: replies.Replies.
type Desk interface {
	Prepare(ctx context.Context, c conversationsmodel.Conversation, say replies.Saying) (id string,
		writes []dynamo.Write, err error)
	// Waiting has the inbox show that a conversation waits for a person.
	Waiting(ctx context.Context, c conversationsmodel.Conversation) error
}

// Calling queues calls and makes them.
type Calling struct {
	Domain    string // in whose name messages are sent
	Talks     *talks.Talks
	Companies *companies.Companies
	Outbox    *outbox.Outbox
	Desk      Desk
	Runner    Runner
	Hosts     []string // where functions may be
}

// called names what is called, and for which conversation. It is the payload of the event, and holds no values.
type called struct {
	talks.ID
	Function string `json:"function"`
	Entry    string `json:"entry"` // the person's message after which everything was known
}

// callID returns the id of a call.
func (c called) callID() string {
	return idempotency.Hash("call", string(c.Channel), c.Conversation, c.Entry, c.Function)
}

// Queue returns the writes by which the project's function is called for a conversation that is complete, for the
// transaction that completes it. It returns none if the project has no function, and reports false if what is known is
// not as the function's schema says.
func (k *Calling) Queue(ctx context.Context, c *conversationsmodel.Conversation,
	entry string) (writes []dynamo.Write, may bool, err error) {
	f, err := k.function(ctx, *c)
	if err != nil || f == nil || f.Asked() {
		return nil, true, err
	}
	if _, err := arguments(*f, *c); err != nil {
		return nil, false, nil
	}
	writes, err = talks.Queue(ctx, k.Outbox, *c, keys.EntityCall, EventType, called{talks.IDOf(*c), f.Name, entry})
	c.FunctionCall, c.FunctionCallType, c.FunctionCalledAt = true, &f.Name, ""
	return writes, true, err
}

// function returns the function of a conversation's project; nil if it has none.
func (k *Calling) function(ctx context.Context,
	c conversationsmodel.Conversation) (*conversationsmodel.Function, error) {
	p, err := k.Companies.Project(ctx, c.CompanyID, c.ProjectID)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil, nil
	}
	return p.Function, err
}

// Handlers returns the handler of the events. It is one of the slow lane.
func (k *Calling) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{EventType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			var of called
			if err := json.Unmarshal(event.Payload, &of); err != nil || !of.Key().Whole() {
				return "", &outbox.Failure{Reason: "the stored call cannot be read", Attempts: 1}
			}
			return "", k.call(ctx, of, event)
		},
	}}
}

// call makes one attempt. It does nothing if the server has answered before, or the conversation was erased. If the
// server will not take the call any more, a person of the company gets to know it. Its errors are *outbox.Failure.
func (k *Calling) call(ctx context.Context, of called, event model.OutboxEvent) error {
	c, err := k.Talks.Get(ctx, of.Key())
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && c.FunctionCalledAt != "" {
		return nil
	}
	if err != nil {
		return passing
	}
	text, failed := k.run(ctx, of, c, event)
	if failed == nil {
		if err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error { return k.done(ctx, of, text) }); err != nil {
			return passing
		}
		return nil
	}
	if event.FailuresByClass[failed.Class]+1 >= failed.Attempts {
		if err := k.Desk.Waiting(ctx, c); err != nil {
			return passing
		}
	}
	return failed
}

// passing is the failure of an attempt of which a read or a write of ours has failed.
var passing = &outbox.Failure{
	Reason: "the call could not be read or noted", Class: "store", Attempts: 10, Wait: time.Minute}

// run makes the call and returns what the server says.
func (k *Calling) run(ctx context.Context, of called, c conversationsmodel.Conversation,
	event model.OutboxEvent) (string, *outbox.Failure) {
	f, err := k.function(ctx, c)
	switch {
	case err != nil:
		return "", passing
	case f == nil || f.Name != of.Function:
		return "", &outbox.Failure{Reason: "the project has no such function any more", Class: class, Attempts: 1}
	}
	values, err := arguments(*f, c)
	if err != nil {
		return "", &outbox.Failure{
			Reason: "the arguments are not as the function's schema says", Class: class, Attempts: 1}
	}
	text, err := k.send(ctx, of.callID(), c, *f, values)
	switch {
	case errors.Is(err, errSealed):
		return "", sealed
	case err != nil:
		return "", failure(err, event.FailuresByClass[class])
	}
	return text, nil
}

// errSealed means that the secret of a function cannot be opened, so that no call can be signed.
var errSealed = errors.New("the secret of the function cannot be opened")

// sealed is the failure of an attempt that could not be signed. The key may be back after a while.
var sealed = &outbox.Failure{Reason: errSealed.Error(), Class: "secret", Attempts: attempts, Wait: 10 * time.Minute}

// send makes a call of a function for a conversation, signed with the function's secret, and returns what the server
// says.
func (k *Calling) send(ctx context.Context, id string, c conversationsmodel.Conversation,
	f conversationsmodel.Function, arguments json.RawMessage) (string, error) {
	secret, err := k.Companies.SecretOf(ctx, c, f)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errSealed, err)
	}
	return k.Runner.Run(ctx, f.URL, k.Hosts, secret, callback.Call{
		ID: id, Function: f.Name, Company: string(c.CompanyID), Project: string(c.ProjectID),
		Conversation: c.ConversationID, Arguments: arguments})
}

// How often and after which waits a call is made again: over about ten hours.
const (
	class              = "function"
	attempts           = 14
	firstWait, maxWait = time.Minute, time.Hour
)

// failure returns what follows from a call that has failed, after some that have.
func failure(err error, before int) *outbox.Failure {
	var said *assistant.Failure
	if !errors.As(err, &said) {
		said = &assistant.Failure{Meaning: assistant.Later}
	}
	failed := &outbox.Failure{
		Reason: fmt.Sprintf("the project's server has not done it: HTTP %d %s", said.HTTP, said.Code), Class: class,
		Attempts: 1}
	if said.Meaning == assistant.Later {
		failed.Attempts, failed.Wait = attempts, max(said.After, min(firstWait<<min(before, attempts), maxWait))
	}
	return failed
}

// done notes that the server has answered, and tells the person what it says, unless nothing may be sent. The condition
// is the version of the conversation.
func (k *Calling) done(ctx context.Context, of called, text string) error {
	c, err := k.Talks.Get(ctx, of.Key())
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && c.FunctionCalledAt != "" {
		return nil
	}
	if err != nil {
		return err
	}
	c.FunctionCalledAt = model.At(k.Talks.Now())
	var entries []conversationsmodel.Entry
	id, message, err := k.Desk.Prepare(ctx, c,
		replies.Saying{ID: model.MessageID(idempotency.Hash("said", of.callID())), By: k.Domain, Text: text})
	switch {
	case sending.IsRefusal(err) || errors.Is(err, sending.ErrOptedOut) || errors.Is(err, sending.ErrLeft):
	case err != nil:
		return err
	default:
		entries = append(entries, conversationsmodel.Entry{
			EntryID: id, MessageTimestamp: c.FunctionCalledAt, Role: conversationsmodel.Assistant, Content: text,
			Sources: of.Function})
	}
	own, err := k.Talks.Write(&c, entries...)
	if err != nil {
		return err
	}
	return dynamo.Conflict(k.Talks.DB.Transact(ctx, append(own, message...)))
}
