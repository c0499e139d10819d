// Package asking has language models answer turns of conversations. A question is an event of a lane of its own,
// because a model may hang for most of a minute. What it may take is reserved before it is asked. Its answer, what it
// has taken and what follows from it commit together, on the version of the conversation. An answer is dropped if the
// person has written meanwhile, and an answer that was lost is asked for again.
package asking

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Functions are what a model may call in a conversation: calling.Calling.
type Functions interface {
	Functions(ctx context.Context, c conversationsmodel.Conversation) ([]assistant.Function, error)
}

// Asking asks models.
type Asking struct {
	DB        *dynamo.Client
	Now       func() time.Time
	Answers   *answering.Answering
	Functions Functions
	Models    models.Models
	Clients   map[string]models.Client // by service
	// DayLimit is the most that the models of one tenant's companies may cost in a day, in US dollars; 0 for no limit.
	DayLimit decimal.Decimal
	Log      *slog.Logger
}

const (
	// attemptTime bounds all questions and calls of an attempt. The lease of its event is longer.
	attemptTime = 50 * time.Second
	// usualTokens bounds an answer if the project does not.
	usualTokens = 1000
	// tries is how often a model is asked that does not answer. Before the last one fails, a person gets the turn.
	tries              = 6
	firstWait, maxWait = 5 * time.Second, 5 * time.Minute
	// badTries is how often a model is asked whose answers cannot be used.
	badTries = budget.CallsATurn
	// storeTries is how often a turn is tried that cannot be read or written, or whose text keeps changing, before a
	// person gets it without a question.
	storeTries = 5
)

// The classes of failures that an event counts.
const (
	unanswered = "model"
	bad        = "answer"
)

// Handlers returns the handler of the events by which models are asked. It is one of the lane of models.
func (k *Asking) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{turns.AskType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			turn, is := answering.Read(event)
			if !is {
				return "", &outbox.Failure{Reason: "the stored question cannot be read", Attempts: 1}
			}
			err := k.attempt(ctx, turn, event)
			var failed *outbox.Failure
			if err != nil && !errors.As(err, &failed) {
				err = answering.Untold
			}
			return "", err
		},
	}}
}

// attempt asks the model once, or once more with the result of a call, and commits what follows.
func (k *Asking) attempt(ctx context.Context, turn turns.Turn, event model.OutboxEvent) error {
	c, open, err := k.Answers.Open(ctx, turn)
	if err != nil || !open {
		return err
	}
	if event.FailuresByClass[answering.Untold.Class] >= storeTries ||
		event.FailuresByClass[changed.Class] >= storeTries {
		return k.commit(ctx, turn, c, handsOver(turn, assistant.Unreached), &paid{})
	}
	p, err := k.Answers.Prepare(ctx, c, turn.Entry)
	if err != nil {
		return err
	}
	if p.Decided != nil { // the owner's rules decide otherwise by now
		p.Decided.Entry = turn.Entry
		return k.commit(ctx, turn, c, *p.Decided, &paid{})
	}
	with, may := k.Models.Find(p.Settings.Assistant, p.Settings.Model)
	client := k.Clients[p.Settings.Assistant]
	if !may || client == nil { // the deployment allows it no more
		return k.commit(ctx, turn, c, handsOver(turn, assistant.Unreached), &paid{})
	}
	if err := k.Answers.Search(ctx, c, &p, answering.FoundByModel); err != nil {
		return err
	}
	if p.Turn.Functions, err = k.Functions.Functions(ctx, c); err != nil {
		return err
	}
	by := k.paying(c, p.Settings, with, client, event.FailuresByClass[bad])
	asking, cancel := context.WithTimeout(ctx, attemptTime)
	given, err := k.Answers.Converse(asking, c, p, by)
	cancel()
	if failed := by.failed(given, err); failed != nil {
		return k.failure(ctx, turn, c, event, by, failed)
	}
	if err != nil {
		return errors.Join(err, by.Settle(ctx))
	}
	return k.commit(ctx, turn, c, given, by)
}

func handsOver(turn turns.Turn, reason assistant.Reason) answering.Given {
	given := answering.HandsOver(reason)
	given.Entry = turn.Entry
	return given
}

// failed returns why an answer cannot be used; nil if it can.
func (p *paid) failed(given answering.Given, err error) *assistant.Failure {
	var failed *assistant.Failure
	if errors.As(err, &failed) {
		return failed
	}
	if err == nil && given.Action == assistant.HandOver && given.Reason == assistant.Unreadable {
		return &assistant.Failure{Meaning: assistant.ToPerson, Reason: given.Reason, Code: "form"}
	}
	return nil
}

// failure returns what follows from a question without an answer that can be used: it is asked again, or a person gets
// the turn.
func (k *Asking) failure(ctx context.Context, turn turns.Turn, c conversationsmodel.Conversation,
	event model.OutboxEvent, by *paid, failed *assistant.Failure) error {
	reason := assistant.Unreached
	switch {
	case failed.Meaning == assistant.Later && event.FailuresByClass[unanswered]+1 < tries:
		wait := min(firstWait<<event.FailuresByClass[unanswered], maxWait)
		again := &outbox.Failure{
			Reason: failed.Error(), Kind: failed.Code, Class: unanswered, Attempts: tries,
			Wait: max(failed.After, wait)}
		return k.again(ctx, by, again)
	case failed.Meaning == assistant.Never:
		k.Log.ErrorContext(ctx, "the model refuses every question: somebody has to mend its settings", "model",
			by.with.ID, "http", failed.HTTP, "code", failed.Code)
	case failed.Meaning == assistant.ToPerson:
		reason = failed.Reason
		unusable := reason == assistant.Refused || reason == assistant.Unreadable
		if asked := event.FailuresByClass[bad] + by.calls; unusable && asked < badTries {
			again := &outbox.Failure{
				Reason: failed.Error(), Kind: failed.Code, Class: bad, Attempts: badTries + 1, Wait: time.Second}
			return k.again(ctx, by, again)
		}
	}
	given := handsOver(turn, reason)
	given.Usage = by.used
	return k.commit(ctx, turn, c, given, by)
}

// again settles what an attempt has taken, and returns why the model is asked again. Without the settling what was
// reserved stays counted, which holds every limit.
func (k *Asking) again(ctx context.Context, by *paid, why *outbox.Failure) error {
	if err := by.Settle(ctx); err != nil {
		k.Log.WarnContext(ctx, "what a question has taken could not be settled", "error", err)
	}
	return why
}

// changed is the failure of an attempt whose answer was to a text that the person has changed since.
var changed = &outbox.Failure{
	Reason: "the person has changed what they have written", Class: "changed", Attempts: 10, Wait: time.Second}

// commit commits an answer with what it has taken. If the turn is over meanwhile, only what it has taken is counted.
func (k *Asking) commit(ctx context.Context, turn turns.Turn, c conversationsmodel.Conversation,
	given answering.Given, by *paid) error {
	var over, edited bool
	read := c // as it was before the model was asked: its version is the condition
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		err := k.Answers.Apply(ctx, read, given, by.Writes()...)
		if !errors.Is(err, dynamo.ErrConflict) {
			return err
		}
		now, open, openErr := k.Answers.Open(ctx, turn)
		if openErr != nil {
			return openErr
		}
		if over = !open; over {
			return nil
		}
		if edited = !sameText(c, now, turn.Entry); edited {
			return nil
		}
		read = now
		return err
	})
	switch {
	case err != nil:
		return err
	case edited:
		return k.again(ctx, by, changed)
	case over:
		return by.Settle(ctx)
	}
	return nil
}

// sameText reports whether an entry says the same in two versions of a conversation. One that has moved to a
// continuation counts as the same.
func sameText(was, now conversationsmodel.Conversation, entry string) bool {
	text := func(c conversationsmodel.Conversation) (string, bool) {
		at := slices.IndexFunc(c.Messages, func(e conversationsmodel.Entry) bool { return e.EntryID == entry })
		if at < 0 {
			return "", false
		}
		return c.Messages[at].Content, true
	}
	before, known := text(was)
	after, still := text(now)
	return !known || !still || before == after
}
