package budget_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/budget"
)

func dollars(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func TestAQuestionIsAskedWithinEveryLimit(t *testing.T) {
	limits := budget.Limits{
		Conversation: budget.Amount{Tokens: 1000}, Day: budget.Amount{Money: dollars("0.10")},
		Company: budget.Amount{Tokens: 50_000, Money: dollars("1")},
	}
	most := budget.Amount{Tokens: 100, Money: dollars("0.01")}
	spent := func(tokens int64, money string) budget.Amount {
		return budget.Amount{Tokens: tokens, Money: dollars(money)}
	}
	for name, c := range map[string]struct {
		spent budget.Spent
		want  budget.Scope
	}{
		"nothing yet":           {budget.Spent{}, ""},
		"the second call":       {budget.Spent{Calls: 1}, ""},
		"a third call":          {budget.Spent{Calls: 2}, budget.Turn},
		"exactly to the limit":  {budget.Spent{Conversation: spent(900, "9")}, ""},
		"one token more":        {budget.Spent{Conversation: spent(901, "0")}, budget.Conversation},
		"money to the limit":    {budget.Spent{Day: spent(math.MaxInt32, "0.09")}, ""},
		"a millionth of a cent": {budget.Spent{Day: spent(0, "0.09000001")}, budget.Day},
		"the company's tokens":  {budget.Spent{Company: spent(49_901, "0")}, budget.Company},
		"the company's money":   {budget.Spent{Company: spent(0, "0.991")}, budget.Company},
		"what is reserved counts": {budget.Spent{Conversation: spent(800, "0").Plus(spent(101, "0"))},
			budget.Conversation},
	} {
		if have := limits.Check(c.spent, most); have != c.want {
			t.Errorf("%s: %q, want %q", name, have, c.want)
		}
	}
	if have := (budget.Limits{}).Check(budget.Spent{Day: spent(math.MaxInt32, "1000000")}, most); have != "" {
		t.Errorf("without limits: %q", have)
	}
}

func TestAModelWithoutAPriceIsNotAsked(t *testing.T) {
	if _, err := budget.PriceOf("new-model", nil); !errors.Is(err, budget.ErrNoPrice) {
		t.Error(err)
	}
	own := map[string]budget.Price{"new-model": {}, "gpt-4o-mini": {Prompt: dollars("9")}}
	if _, err := budget.PriceOf("new-model", own); err != nil {
		t.Errorf("a local model costs nothing: %v", err)
	}
	if price, _ := budget.PriceOf("gpt-4o-mini", own); !price.Prompt.Equal(dollars("9")) {
		t.Error("the owner's price comes first")
	}
}

// What is reserved and settled leaves exactly what was taken, in whatever order.
func TestReservingLeavesWhatWasTaken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price, _ := budget.PriceOf("gpt-4o-mini", nil)
		var counter, taken budget.Amount
		var open []func()
		for range rapid.IntRange(0, 20).Draw(t, "questions") {
			size := rapid.IntRange(1, 50_000).Draw(t, "bytes")
			used := assistant.Usage{PromptTokens: int64(rapid.IntRange(0, size).Draw(t, "prompt")),
				CompletionTokens: int64(rapid.IntRange(0, 500).Draw(t, "completion"))}
			most, took := budget.Most(price, size, 500), budget.Taken(price, used)
			if took.Tokens > most.Tokens || took.Money.GreaterThan(most.Money) {
				t.Fatalf("%v is more than %v", took, most)
			}
			counter, taken = counter.Plus(most), taken.Plus(took)
			open = append(open, func() { counter = counter.Plus(took).Minus(most) })
		}
		for len(open) > 0 {
			i := rapid.IntRange(0, len(open)-1).Draw(t, "settles")
			open[i]()
			open = append(open[:i], open[i+1:]...)
		}
		if counter.Tokens != taken.Tokens || !counter.Money.Equal(taken.Money) {
			t.Fatalf("%v, want %v", counter, taken)
		}
	})
}

// A question of 11 and 7 tokens costs a fraction of a cent, exactly.
func ExamplePrice_Of() {
	price, _ := budget.PriceOf("gpt-4o-mini", nil)
	fmt.Println(price.Of(assistant.Usage{PromptTokens: 11, CompletionTokens: 7}))
	// Output: 0.00000585
}
