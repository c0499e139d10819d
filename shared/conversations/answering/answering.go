// Package answering answers turns by an assistant. What it says, what it has learned and the end of the turn commit
// together. An answer is dropped if the person has written meanwhile: then the turn of the newer message answers both.
package answering

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/rules"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/conversations/replies"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Desk prepares messages to the people of conversations: replies.Replies.
type Desk interface {
	Prepare(ctx context.Context, c conversationsmodel.Conversation, say replies.Saying) (id string,
		writes []dynamo.Write, err error)
	// Assisted reports whether an assistant may still answer in a conversation.
	Assisted(ctx context.Context, c conversationsmodel.Conversation) (bool, error)
	// Waiting has the inbox show that a conversation waits for a person.
	Waiting(ctx context.Context, c conversationsmodel.Conversation) error
}

// Answering answers turns.
type Answering struct {
	Domain    string // in whose name messages are sent
	Talks     *talks.Talks
	Desk      Desk
	Questions *questions.Lists
	Lookups   Lookups
	Calls     Calls // nil if nothing is called
	Outbox    *outbox.Outbox
	Rules     assistant.Assistant
}

// Lookups tell a person what domains keep of them: lookup.Desk.
type Lookups interface {
	Look(ctx context.Context, a lookup.Asked) (text string, err error)
}

// Calls calls the company's own server: calling.Calling.
type Calls interface {
	// Queue returns the writes by which the server does what follows when everything is known. It reports false if it
	// may not be called with what is known.
	Queue(ctx context.Context, c *conversationsmodel.Conversation, entry string) (writes []dynamo.Write, may bool,
		err error)
	// Call has the server do what a language model asks for in the turn of an entry.
	Call(ctx context.Context, c conversationsmodel.Conversation, entry string, of assistant.Call) (text string,
		err error)
}

// New returns what answers turns by rules, and leaves those that a language model is to answer to package asking.
func New(domain string, t *talks.Talks, desk Desk, lookups Lookups, to *outbox.Outbox) *Answering {
	return &Answering{
		Domain: domain, Talks: t, Desk: desk, Questions: &questions.Lists{DB: t.DB, Now: t.Now}, Lookups: lookups,
		Outbox: to, Rules: rules.Assistant{},
	}
}

const (
	shown = 30 // of the latest entries an assistant sees
	found = 3  // of the likeliest answers of the list that rules choose from
	// FoundByModel is how many of them a language model gets.
	FoundByModel = 8
	// mostAnswers is how many answers an assistant gives in a row within answersWithin. More of them answer a machine.
	mostAnswers, answersWithin = 20, time.Hour
	// attempts is how often a turn is tried. From lastAttempts on a person gets it.
	attempts, lastAttempts = 10, 5
)

// asksModel is what the event of a turn ends with that a language model is to answer.
const asksModel = "model"

// Handlers returns the handler of the turns' events. It is one of the slow lane. A turn that a language model is to
// answer queues the question in the transaction that ends its event, so that it is queued once.
func (a *Answering) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{turns.EventType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (end string, err error) {
			turn, is := Read(event)
			if !is {
				return "", &outbox.Failure{Reason: "the stored turn cannot be read", Attempts: 1}
			}
			err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				end, err = a.answer(ctx, turn, event.RetryCount >= lastAttempts)
				return err
			})
			if err != nil {
				return "", Untold
			}
			return end, nil
		},
		Settle: func(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
			if outcome.ExternalID != asksModel {
				return nil, nil
			}
			turn, _ := Read(event) // it was read before
			return turns.Ask(ctx, a.Outbox, event.EcosystemID, turn)
		},
	}}
}

// Read returns the turn of an event. It reports false if it cannot be read.
func Read(event model.OutboxEvent) (turn turns.Turn, is bool) {
	err := json.Unmarshal(event.Payload, &turn)
	return turn, err == nil && turn.Key().Whole()
}

// Untold is the failure of an attempt in which something could not be read or written.
var Untold = &outbox.Failure{
	Reason: "the turn could not be answered", Class: "turn", Attempts: attempts, Wait: time.Minute}

// answer makes one attempt, or hands the conversation over after too many. It says nothing if the turn is over, and
// returns how its event ends.
func (a *Answering) answer(ctx context.Context, turn turns.Turn, giveUp bool) (end string, err error) {
	c, open, err := a.Open(ctx, turn)
	if err != nil || !open {
		return "", err
	}
	given := HandsOver(assistant.Unreached)
	if !giveUp {
		var asks bool
		if given, asks, err = a.ask(ctx, c, turn.Entry); err != nil {
			return "", err
		}
		if asks {
			return asksModel, nil
		}
	}
	given.Entry = turn.Entry
	return "", a.Apply(ctx, c, given)
}

// Open returns the conversation of a turn. It reports false if the turn is over: somebody has answered, the assistant
// has left it to a person of the company, the person has written on, a person of the company goes on, or the
// conversation has come to its end or is gone.
func (a *Answering) Open(ctx context.Context, turn turns.Turn) (c conversationsmodel.Conversation, open bool,
	err error) {
	c, err = a.Talks.Get(ctx, turn.Key())
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return conversationsmodel.Conversation{}, false, nil
	case err != nil, !c.Status.Open(), c.Pending != turn.Entry:
		return c, false, err
	case c.HandOffToHuman:
		return c, false, a.Desk.Waiting(ctx, c) // the attempt before this one may have died
	}
	// A person of the company may have handed the conversation back before this attempt came.
	return c, !c.Gave(turn.Entry), nil
}

// Given is a turn with its answer.
type Given struct {
	assistant.Turn
	assistant.Answer
	Entry string // that is answered
}

// HandsOver returns the answer that gives a turn to a person without asking anybody.
func HandsOver(reason assistant.Reason) Given {
	return Given{Answer: assistant.HandsOver(reason, assistant.Usage{})}
}

// ask has the assistant answer an entry. It reports true if a language model is to answer it.
func (a *Answering) ask(ctx context.Context, c conversationsmodel.Conversation, entry string) (given Given, asks bool,
	err error) {
	p, err := a.Prepare(ctx, c, entry)
	if err != nil || p.Decided != nil {
		return p.given(), false, err
	}
	if p.Settings.AsksModel() {
		return Given{}, true, nil
	}
	if err := a.Search(ctx, c, &p, found); err != nil {
		return Given{}, false, err
	}
	given, err = a.Converse(ctx, c, p, a.Rules)
	return given, false, err
}
