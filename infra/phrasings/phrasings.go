// Package phrasings measures how well customers are understood: it reads labelled messages to a shop and compares them
// with what the matcher makes of them.
package phrasings

import (
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/infra/labelled"
	"github.com/haatline/haatline/shared/commerce/nlu"
)

// Message is a labelled message.
type Message struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Language string `json:"language"`
	Expect   Expect `json:"expect"`
}

// Expect is what a message means.
type Expect struct {
	Intent     nlu.Intent `json:"intent"`
	Lines      []Line     `json:"lines,omitempty"`
	Ask        []Ask      `json:"ask,omitempty"`
	ProductIDs []string   `json:"product_ids,omitempty"`
}

// Line is a product with a quantity or an amount in rupees.
type Line struct {
	ProductID string           `json:"product_id"`
	Quantity  *decimal.Decimal `json:"quantity,omitempty"`
	Unit      string           `json:"unit,omitempty"`
	Amount    *decimal.Decimal `json:"amount,omitempty"`
}

// Ask is a thing that has to be asked about.
type Ask struct {
	Text      string      `json:"text"`
	Options   []string    `json:"options"`
	Also      []string    `json:"also,omitempty"` // options that may be given, too
	Missing   nlu.Missing `json:"missing,omitempty"`
	ProductID string      `json:"product_id,omitempty"`
}

// ReadMessages reads labelled messages, one JSON object a line.
func ReadMessages(file string) ([]Message, error) { return labelled.Read[Message](file) }

// Given returns a reading in the form of what is expected.
func Given(r nlu.Reading) Expect {
	given := Expect{Intent: r.Intent, ProductIDs: r.ProductIDs}
	for _, line := range r.Lines {
		l := Line{ProductID: line.ProductID}
		if line.Amount.IsZero() {
			l.Quantity, l.Unit = &line.Quantity, line.Unit
		} else {
			l.Amount = &line.Amount
		}
		given.Lines = append(given.Lines, l)
	}
	for _, ask := range r.Asks {
		given.Ask = append(given.Ask,
			Ask{Text: ask.Text, Options: ask.Options, Missing: ask.Missing, ProductID: ask.ProductID})
	}
	return given
}
