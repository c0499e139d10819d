package asking

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/assistant/prompt"
	"github.com/haatline/haatline/shared/assistant/spending"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
)

// paid is a model that is asked within its limits. It is an assistant for one attempt.
type paid struct {
	spending.Bill
	with models.Model
	most int // tokens of an answer
	by   prompt.Model

	may   int             // how often the model may answer in this attempt
	calls int             // how often it has
	used  assistant.Usage // by all questions
}

// paying returns the model of a conversation, within the limits of its project and of the deployment.
func (k *Asking) paying(c conversationsmodel.Conversation, s answering.Settings, with models.Model,
	client models.Client, badBefore int) *paid {
	limits, most := s.Budget(), cmp.Or(s.MaxTokens, usualTokens)
	limits.Tenant = budget.Amount{Money: k.DayLimit}
	return &paid{
		Bill: spending.Bill{
			Spending: &spending.Spending{DB: k.DB}, Counters: Counters(c, limits, k.Now()), Price: with.Price},
		with: with, most: most, may: budget.CallsATurn - badBefore,
		by: client(models.Question{Model: with.ID, Temperature: s.Temperature, MaxTokens: most}),
	}
}

// Counters returns the counters of a conversation with their limits.
func Counters(c conversationsmodel.Conversation, limits budget.Limits, now time.Time) []spending.Counter {
	day, month := spending.Day(now), spending.Month(now)
	talk := spending.Counter{
		Key: keys.TalkSpent(c.Key()), Also: "tenant_id = :tenant, customer = :customer",
		Values: dynamo.Item{":tenant": dynamo.S(c.TenantID), ":customer": dynamo.S(c.Customer)},
		Limit:  budget.Limit{Scope: budget.Conversation, Most: limits.Conversation}}
	if c.TTL > 0 {
		talk.Also += ", #ttl = :ttl"
		talk.Values[":ttl"] = dynamo.N(c.TTL)
	}
	return []spending.Counter{
		talk,
		spending.OfPeriod(c.TenantID, keys.Spent(c.CompanyID, day), now.Add(spending.KeepsDays),
			budget.Limit{Scope: budget.Day, Most: limits.Day}),
		spending.OfPeriod(c.TenantID, keys.Spent(c.CompanyID, month), now.Add(spending.KeepsMonths),
			budget.Limit{Scope: budget.Company, Most: limits.Company}),
		spending.OfTenant(c.TenantID, now, limits.Tenant)}
}

// Answer asks the model, if the limits have enough left: else a person gets the turn.
func (p *paid) Answer(ctx context.Context, turn assistant.Turn) (answer assistant.Answer, err error) {
	if p.calls >= p.may { // answers that could not be used count, too
		return assistant.HandsOver(assistant.AtLimit, p.used), nil
	}
	most := budget.Most(p.with.Price, prompt.Of(turn).Size(), p.most)
	over, err := p.Ask(ctx, most, func() (assistant.Usage, error) {
		answer, err = prompt.Answer(ctx, p.by, turn)
		p.count(answer.Usage, err)
		return answer.Usage, err
	})
	if over != "" {
		return assistant.HandsOver(assistant.AtLimit, p.used), nil
	}
	answer.Usage = p.used
	return answer, err
}

// count adds what a question has taken.
func (p *paid) count(used assistant.Usage, err error) {
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
}
