package budget_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/budget"
)

func dollars(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func TestALimitLeavesRoomForOneMoreQuestion(t *testing.T) {
	amount := func(tokens int64, money string) budget.Amount {
		return budget.Amount{Tokens: tokens, Money: dollars(money)}
	}
	question := amount(100, "0.01")
	for name, c := range map[string]struct {
		limit budget.Amount
		room  budget.Amount
		fits  bool
	}{
		"none":                       {budget.Amount{}, amount(-100, "-0.01"), true},
		"tokens":                     {amount(1000, "0"), amount(900, "-0.01"), true},
		"money":                      {amount(0, "1"), amount(-100, "0.99"), true},
		"exactly one question":       {question, budget.Amount{}, true},
		"a token less":               {amount(99, "0"), amount(-1, "-0.01"), false},
		"a millionth of a cent less": {amount(0, "0.00999999"), amount(-100, "-0.00000001"), false},
	} {
		room, fits := budget.Limit{Scope: budget.Day, Most: c.limit}.Room(question)
		if fits != c.fits || room.Tokens != c.room.Tokens || !room.Money.Equal(c.room.Money) {
			t.Errorf("%s: %v %t", name, room, fits)
		}
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
