// Package budget decides whether a model may be asked once more: by the calls of a turn, and by the tokens and the
// money of a conversation, a company and a day. It only decides. Who asks keeps the counters, reserves what a question
// may take at most, and settles what it has taken.
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
	Turn         Scope = "turn"
	Conversation Scope = "conversation"
	Company      Scope = "company" // of the month
	Day          Scope = "day"     // of the company
)

// Limits are the most that the scopes may take. A limit of zero is none.
type Limits struct{ Conversation, Company, Day Amount }

// Spent is what the scopes have taken, with what is reserved.
type Spent struct {
	Calls                      int // of the turn
	Conversation, Company, Day Amount
}

// Check returns the scope that has not enough left for a question that takes at most so much; "" if all have.
func (l Limits) Check(spent Spent, most Amount) Scope {
	switch {
	case spent.Calls >= CallsATurn:
		return Turn
	case over(spent.Conversation.Plus(most), l.Conversation):
		return Conversation
	case over(spent.Day.Plus(most), l.Day):
		return Day
	case over(spent.Company.Plus(most), l.Company):
		return Company
	}
	return ""
}

func over(sum, limit Amount) bool {
	return limit.Tokens > 0 && sum.Tokens > limit.Tokens ||
		limit.Money.IsPositive() && sum.Money.GreaterThan(limit.Money)
}
