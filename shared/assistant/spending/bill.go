package spending

import (
	"context"
	"errors"
	"net/http"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/dynamo"
)

// Bill is what the questions of one attempt take: one question after the other, within the limits of some counters.
type Bill struct {
	Spending *Spending
	Counters []Counter
	Price    budget.Price

	open     bool // the last question is not settled
	reserved Reserved
	took     budget.Amount
}

// Ask asks a question that takes at most so much, and settles the question before it. It returns the scope that has not
// enough left, and asks nothing then. An error of the question is an *assistant.Failure.
func (b *Bill) Ask(ctx context.Context, most budget.Amount,
	question func() (assistant.Usage, error)) (over budget.Scope, err error) {
	if err := b.Settle(ctx); err != nil {
		return "", err
	}
	reserved, over, err := b.Spending.Reserve(ctx, b.Counters, most)
	if err != nil || over != "" {
		return over, err
	}
	used, err := question()
	var failed *assistant.Failure
	if errors.As(err, &failed) {
		used = failed.Usage
	}
	if known(failed, used) {
		b.open, b.reserved, b.took = true, reserved, budget.Taken(b.Price, used)
	}
	return "", err
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

// Writes returns the writes by which the last question counts as what it has taken, for the transaction of its answer.
func (b *Bill) Writes() []dynamo.Write {
	if !b.open {
		return nil
	}
	return b.reserved.Settle(b.took)
}

// Settle counts the last question as what it has taken.
func (b *Bill) Settle(ctx context.Context) error {
	if !b.open {
		return nil
	}
	b.open = false
	return b.Spending.SettleAlone(ctx, b.reserved, b.took)
}
