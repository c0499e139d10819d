// Package budget says what a model costs, and how much it may take: in tokens and in money, for a conversation, a day
// of a company, and a month of it. Who asks keeps the counters, reserves what a question may take at most, and settles
// what it has taken.
package budget

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant"
)

// CallsATurn is how often a model is asked in one turn at most: once, and once more with the result of a call.
const CallsATurn = 2

// Price is what a model costs, in US dollars for a million tokens.
type Price struct{ Prompt, Completion decimal.Decimal }

// million is how many tokens a price is for.
const million = 6

// Of returns what some tokens cost, exactly.
func (p Price) Of(used assistant.Usage) decimal.Decimal {
	prompt := p.Prompt.Mul(decimal.NewFromInt(used.PromptTokens))
	completion := p.Completion.Mul(decimal.NewFromInt(used.CompletionTokens))
	return prompt.Add(completion).Shift(-million)
}

// ErrNoPrice means that nobody has said what a model costs, so that no limit of money can hold.
var ErrNoPrice = errors.New("the model has no price")

// PriceOf returns what a model costs: by the owner's table, else by the list. It returns ErrNoPrice.
func PriceOf(model string, own map[string]Price) (Price, error) {
	for _, table := range []map[string]Price{own, list} {
		if price, known := table[model]; known {
			return price, nil
		}
	}
	return Price{}, fmt.Errorf("%w: %q", ErrNoPrice, model)
}

// Amount is tokens, and the money for them.
type Amount struct {
	Tokens int64
	Money  decimal.Decimal // US dollars
}

// Plus returns the sum of two amounts.
func (a Amount) Plus(b Amount) Amount { return Amount{a.Tokens + b.Tokens, a.Money.Add(b.Money)} }

// Minus returns the difference of two amounts.
func (a Amount) Minus(b Amount) Amount { return Amount{a.Tokens - b.Tokens, a.Money.Sub(b.Money)} }

// Taken returns what a question has taken.
func Taken(price Price, used assistant.Usage) Amount {
	return Amount{used.PromptTokens + used.CompletionTokens, price.Of(used)}
}

// Most returns what a question takes at most: a token of the prompt has at least a byte.
func Most(price Price, promptBytes, answerTokens int) Amount {
	return Taken(price, assistant.Usage{PromptTokens: int64(promptBytes), CompletionTokens: int64(answerTokens)})
}

// Scope is what a limit is for.
type Scope string

const (
	Conversation Scope = "conversation"
	Company      Scope = "company" // of the month
	Day          Scope = "day"     // of the company
	Tenant       Scope = "tenant"  // all companies of a tenant, in a day
)

// Limits are the most that the scopes may take. A limit of zero is none.
type Limits struct{ Conversation, Day, Company, Tenant Amount }

// Limit is what one scope may take.
type Limit struct {
	Scope Scope
	Most  Amount
}

// All returns the limits, in the order in which they are looked at.
func (l Limits) All() []Limit {
	return []Limit{{Conversation, l.Conversation}, {Day, l.Day}, {Company, l.Company}, {Tenant, l.Tenant}}
}

// Room returns how much may have been taken before a question that takes at most so much, so that the limit holds after
// it. It reports false if the question is larger than the limit. An amount of the limit that is zero is none.
func (l Limit) Room(question Amount) (Amount, bool) {
	room := l.Most.Minus(question)
	return room, !(l.Most.Tokens > 0 && room.Tokens < 0) && !(l.Most.Money.IsPositive() && room.Money.IsNegative())
}
