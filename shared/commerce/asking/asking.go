// Package asking has language models read what the shop's assistant has not understood. A question is an event of the
// lane of models. What it may take is reserved before it is asked, once. What the model reads is checked by the code
// that checks everything else, and the customer says yes to it as to any order. If the model does not help, the
// customer gets what the assistant says without one. The answer commits with what the question has taken, on the
// session as it was read: it is dropped if the customer has written on meanwhile.
package asking

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/assistant/prompt"
	"github.com/haatline/haatline/shared/assistant/spending"
	shop "github.com/haatline/haatline/shared/commerce/assistant"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Asking asks models.
type Asking struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Shop     *shop.Assistant
	Orders   *orders.Orders
	Models   models.Models
	Clients  map[string]models.Client // by service
	DayLimit decimal.Decimal          // of everything that a tenant has models do, in US dollars; 0 for no limit
	Log      *slog.Logger
}

const (
	// attemptTime bounds a question: the customer waits in a chat.
	attemptTime = 20 * time.Second
	// mostTokens bounds an answer.
	mostTokens = 700
	// storeTries is how often a question is tried that cannot be read or written, before it is not asked any more.
	storeTries = 5
)

// untold is the failure of an attempt in which something could not be read or written.
var untold = &outbox.Failure{
	Reason: "the message could not be answered", Class: "store", Attempts: 10, Wait: time.Minute}

// Handlers returns the handler of the events by which models are asked. It is one of the lane of models.
func (k *Asking) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{shop.AskType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			var q shop.Question
			if json.Unmarshal(event.Payload, &q) != nil || q.Session == "" || q.Message == "" {
				return "", &outbox.Failure{Reason: "the stored question cannot be read", Attempts: 1}
			}
			if err := k.attempt(ctx, q, event.FailuresByClass[untold.Class] < storeTries); err != nil {
				k.Log.WarnContext(ctx, "a message waits that a model was asked about", "error", err)
				return "", untold
			}
			return "", nil
		},
	}}
}

// attempt asks the model, if it may, and commits the answer.
func (k *Asking) attempt(ctx context.Context, q shop.Question, may bool) error {
	var held shop.Held
	var open bool
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() (err error) {
		held, open, err = k.Shop.Held(ctx, q)
		return err
	})
	if err != nil || !open {
		return err
	}
	var read *nlu.Reading
	bill := &spending.Bill{}
	if may && held.Reader != nil {
		if read, err = k.ask(ctx, held, bill); err != nil {
			return errors.Join(err, bill.Settle(ctx))
		}
	}
	answered, err := k.Shop.AnswerHeld(ctx, q, read, bill.Writes()...)
	if err != nil || !answered {
		return errors.Join(err, bill.Settle(ctx))
	}
	return nil
}

// ask asks the store's model about a message, and returns what it reads; nil if it does not help: it is allowed no
// more, has not enough left of a limit, fails, or says what cannot be.
func (k *Asking) ask(ctx context.Context, held shop.Held, bill *spending.Bill) (*nlu.Reading, error) {
	service, id, _ := strings.Cut(held.Store.Settings.Model, ":")
	with, may := k.Models.Find(service, id)
	client := k.Clients[service]
	if !may || client == nil {
		return nil, nil
	}
	about, err := k.about(ctx, held)
	if err != nil || len(about.products) == 0 {
		return nil, err
	}
	*bill = spending.Bill{
		Spending: &spending.Spending{DB: k.DB}, Price: with.Price, Counters: []spending.Counter{
			spending.OfTenant(held.Store.TenantID, k.Now(), budget.Amount{Money: k.DayLimit})}}
	asks := client(models.Question{Model: with.ID, MaxTokens: mostTokens})
	p, decided := about.prompt(), prompt.Decision{}
	over, err := bill.Ask(ctx, budget.Most(with.Price, p.Size(), mostTokens), func() (assistant.Usage, error) {
		ctx, cancel := context.WithTimeout(ctx, attemptTime)
		defer cancel()
		decided, err = asks.Ask(ctx, p)
		return decided.Usage, err
	})
	var failed *assistant.Failure
	switch {
	case errors.As(err, &failed):
		k.failed(ctx, with, failed)
		return nil, nil
	case err != nil || over != "":
		return nil, err
	}
	return about.read(decided.Call), nil
}

// failed notes that a model has not answered.
func (k *Asking) failed(ctx context.Context, with models.Model, why *assistant.Failure) {
	level := slog.LevelWarn
	if why.Meaning == assistant.Never {
		level = slog.LevelError // somebody has to mend the settings
	}
	k.Log.Log(ctx, level, "a model does not help the shop", "model", with.ID, "http", why.HTTP, "code", why.Code)
}
