package asking

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/assistant/prompt"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/spending"
	"github.com/haatline/haatline/shared/dynamo"
)

// paid is a model that is asked within its limits. It is an assistant for one attempt.
type paid struct {
	spending *spending.Spending
	c        conversationsmodel.Conversation
	with     models.Model
	limits   budget.Limits
	most     int // tokens of an answer
	by       assistant.Assistant

	may      int             // how often the model may answer in this attempt
	calls    int             // how often it has
	used     assistant.Usage // by all questions
	open     bool            // the last question is not settled
	reserved spending.Reserved
	took     budget.Amount
}

// paying returns the model of a conversation, within the limits of its project and of the deployment.
func (k *Asking) paying(c conversationsmodel.Conversation, s answering.Settings, with models.Model, client Client,
	badBefore int) *paid {
	limits, most := s.Budget(), cmp.Or(s.MaxTokens, usualTokens)
	limits.Tenant = budget.Amount{Money: k.DayLimit}
	return &paid{
		spending: &spending.Spending{DB: k.DB, Now: k.Now}, c: c, with: with, limits: limits, most: most,
		may: budget.CallsATurn - badBefore,
		by:  client(Question{Model: with.ID, Temperature: s.Temperature, MaxTokens: most}),
	}
}

// Answer asks the model, if the limits have enough left: else a person gets the turn.
func (p *paid) Answer(ctx context.Context, turn assistant.Turn) (assistant.Answer, error) {
	if p.calls >= p.may { // answers that could not be used count, too
		return assistant.HandsOver(assistant.AtLimit, p.used), nil
	}
	if err := p.settle(ctx); err != nil { // the question before, whose answer was a call
		return assistant.Answer{}, err
	}
	reserved, over, err := p.spending.Reserve(ctx, p.c, p.limits, budget.Most(p.with.Price, size(turn), p.most))
	if err != nil {
		return assistant.Answer{}, err
	}
	if over != "" {
		return assistant.HandsOver(assistant.AtLimit, p.used), nil
	}
	answer, err := p.by.Answer(ctx, turn)
	used := answer.Usage
	var failed *assistant.Failure
	if errors.As(err, &failed) {
		used = failed.Usage
	}
	p.used.PromptTokens += used.PromptTokens
	p.used.CompletionTokens += used.CompletionTokens
	p.used.Took += used.Took
	if failed == nil || failed.Meaning == assistant.ToPerson {
		p.calls++
	}
	if known(failed, used) {
		p.open, p.reserved, p.took = true, reserved, budget.Taken(p.with.Price, used)
	}
	answer.Usage = p.used
	return answer, err
}

// known reports whether anybody knows what a question has taken. A service that has not answered may have worked all
// the same, and one that has may not have counted: then what was reserved stays counted.
func known(failed *assistant.Failure, used assistant.Usage) bool {
	if failed != nil && failed.HTTP != http.StatusOK {
		return failed.Code != noAnswer
	}
	return used.PromptTokens+used.CompletionTokens > 0
}

// noAnswer is the code of a failure of a question that was sent and got no answer.
const noAnswer = "transport"

// size returns how many bytes the prompt of a turn has.
func size(turn assistant.Turn) (n int) {
	p := prompt.Of(turn)
	n = len(p.System)
	for _, m := range p.Messages {
		n += len(m.Text)
	}
	for _, t := range p.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	for _, r := range turn.Results {
		n += len(r.Name) + len(r.Arguments) + len(r.Text)
	}
	return n
}

// writes returns the writes by which the last question counts as what it has taken, for the transaction of its answer.
func (p *paid) writes() []dynamo.Write {
	if !p.open {
		return nil
	}
	return p.reserved.Settle(p.took)
}

// settle counts the last question as what it has taken.
func (p *paid) settle(ctx context.Context) error {
	if !p.open {
		return nil
	}
	p.open = false
	return p.spending.SettleAlone(ctx, p.reserved, p.took)
}
