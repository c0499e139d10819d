// Package conversations plays labelled conversations to a shop and judges what became of them. The shop runs in this
// process, on the local engine, so that a run waits for the outbox and not for a clock.
package conversations

import (
	"encoding/json"

	"github.com/haatline/haatline/infra/labelled"
)

// Record is a labelled conversation.
type Record struct {
	ID       string `json:"id"`
	Shop     string `json:"shop"`
	Class    string `json:"class"`
	Language string `json:"language"`
	SetUp    SetUp  `json:"set-up"`
	Turns    []Turn `json:"turns"`
	Finally  Final  `json:"finally"`
}

// SetUp is what there is before the first message.
type SetUp struct {
	Balances map[string]Balance `json:"balances"` // what customers owe, by their numbers
}

// Balance is what a customer owes.
type Balance struct {
	Name    string      `json:"name"`
	Balance json.Number `json:"balance"`
}

// Turn is one message, one change of prices, or the wait for a message that nobody has asked for.
type Turn struct {
	From     string            `json:"from"` // customer or owner
	If       string            `json:"if"`
	Text     string            `json:"text"`
	Tap      string            `json:"tap"`
	Hears    string            `json:"hears"`
	Image    json.RawMessage   `json:"image"`
	Document json.RawMessage   `json:"document"`
	Voice    json.RawMessage   `json:"voice"`
	Location json.RawMessage   `json:"location"`
	Message  map[string]any    `json:"message"`
	Price    map[string]string `json:"price"`
	Expect   Expect            `json:"expect"`
}

// Expect is what has to be true after a turn. What is left out is not looked at.
type Expect struct {
	Placed    *int   `json:"placed"`
	Basket    []Line `json:"basket"`
	Language  string `json:"language"`
	Answered  bool   `json:"answered"`
	Person    *bool  `json:"person"`
	Says      string `json:"says"`
	NeverSays string `json:"never_says"`
	hasBasket bool
}

// UnmarshalJSON notes whether a basket is expected: an empty one is expected to be empty.
func (e *Expect) UnmarshalJSON(text []byte) error {
	type plain Expect
	var named map[string]json.RawMessage
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	err := json.Unmarshal(text, (*plain)(e))
	_, e.hasBasket = named["basket"]
	return err
}

// Line is a product and how much of it.
type Line struct {
	ProductID string      `json:"product_id"`
	Quantity  json.Number `json:"quantity"`
}

// Final is what has to be true in the end.
type Final struct {
	Orders      *[]Order `json:"orders"`
	Agreed      *bool    `json:"agreed"`
	Ledger      []Owed   `json:"ledger"`
	TurnsAtMost int      `json:"turns_at_most"`
}

// Order is an order that stands. What is left out is not looked at.
type Order struct {
	Lines   []Line       `json:"lines"`
	Total   *json.Number `json:"total"`
	Payment string       `json:"payment"`
	Status  string       `json:"status"`
	Address []string     `json:"address"`
	Note    []string     `json:"note"`
	When    []string     `json:"when"`
}

// Owed is what a customer owes in the end.
type Owed struct {
	Customer string      `json:"customer"`
	Amount   json.Number `json:"amount"`
}

// ReadRecords reads labelled conversations, one JSON object a line.
func ReadRecords(file string) ([]Record, error) { return labelled.Read[Record](file) }
