package asking

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/model"
)

// readLine is a line as a model reads it.
type readLine struct {
	Thing    *string `json:"thing"`
	Product  string  `json:"product"`
	Quantity *string `json:"quantity"`
}

// The actions of a model.
const (
	ordersIt = "order"
	asksOf   = "price"
)

// read returns what the shop's reader would have read if it had understood the message as a model does; nil if the
// model's call cannot be: another tool, arguments without the form, a product that was not offered, an amount that
// nobody has said, or no line. Then nothing of it counts.
func (a about) read(call assistant.Call) *nlu.Reading {
	var said struct {
		Action string     `json:"action"`
		Lines  []readLine `json:"lines"`
	}
	decoder := json.NewDecoder(bytes.NewReader(call.Arguments))
	decoder.DisallowUnknownFields()
	if call.Name != readTool || decoder.Decode(&said) != nil || decoder.Decode(&struct{}{}) != io.EOF ||
		len(said.Lines) == 0 || len(said.Lines) > maxProducts {
		return nil
	}
	r := a.held.Reading
	r.Lines, r.Asks, r.Remarks = slices.Clone(r.Lines), slices.Clone(r.Asks), slices.Clone(r.Remarks)
	r.Reply, r.Quantity, r.Question, r.About, r.More = "", nil, false, "", false
	switch said.Action {
	case asksOf:
		r.Intent, r.ProductIDs = nlu.Price, nil
		for _, l := range said.Lines {
			if !slices.Contains(a.products, l.Product) {
				return nil
			}
			r.ProductIDs = append(r.ProductIDs, l.Product)
		}
		return &r
	case ordersIt:
		r.Intent = nlu.Order
		for _, l := range said.Lines {
			if !a.take(&r, l) {
				return nil
			}
		}
		return &r
	}
	return nil
}

// take takes a line of a model into a reading, in place of what was not clear. What the reader has understood itself
// stays. It reports false for a line that cannot be.
func (a about) take(r *nlu.Reading, l readLine) bool {
	of, is := a.thingOf(l)
	if !is || !slices.Contains(a.products, l.Product) ||
		len(of.Options) > 0 && of.ask.Missing != nlu.MissingProduct && !slices.Contains(of.Options, l.Product) {
		return false
	}
	ask := of.ask
	ask.ProductID, ask.Options, ask.Missing = l.Product, nil, ""
	if l.Quantity != nil {
		q := a.held.Reader.Read(*l.Quantity).Quantity
		if q == nil || q.Unclear || q.Count.IsZero() && q.Size.IsZero() && q.Rupees.IsZero() {
			return false
		}
		ask.Quantity = *q
	}
	r.Asks = slices.DeleteFunc(r.Asks, func(was nlu.Ask) bool { return was.Text == of.Words })
	r.Remarks = slices.DeleteFunc(r.Remarks, func(was nlu.Remark) bool {
		return was.Kind == nlu.Unknown && (was.Text == of.Words || l.Thing == nil)
	})
	if slices.ContainsFunc(r.Lines, func(has nlu.Line) bool { return has.ProductID == l.Product }) {
		return true
	}
	line, again, ok := a.held.Reader.Resolve(l.Product, ask)
	if !ok {
		r.Asks = append(r.Asks, again)
		return true
	}
	if !a.sellable(line) {
		return false
	}
	r.Lines = append(r.Lines, line)
	return true
}

// thingOf returns what a line is for. A line that does not say so is for the only thing that is not clear, or for the
// whole message. It reports false for a thing that is none.
func (a about) thingOf(l readLine) (thing, bool) {
	switch at := slices.IndexFunc(a.things, func(t thing) bool { return l.Thing != nil && t.ID == *l.Thing }); {
	case at >= 0:
		return a.things[at], true
	case l.Thing != nil:
		return thing{}, false
	case len(a.things) == 1:
		return a.things[0], true
	}
	return thing{ask: nlu.Ask{Text: a.held.Words}}, true
}

// few is how much of a thing a model may read from words without a number in digits.
var few = decimal.NewFromInt(20)

// numbers are numbers in digits.
var numbers = regexp.MustCompile(`\d+(?:\.\d+)?`)

// sellable reports whether a line can be ordered, and is one that the customer may have said: more than a few of
// something, or so many rupees' worth of it, only if the number stands in the message.
func (a about) sellable(l nlu.Line) bool {
	wanted := orders.WantedOf(model.Name(l.ProductID))
	wanted.Quantity = model.Amount{Decimal: l.Quantity}
	if l.Amount.IsPositive() {
		wanted.Worth = &model.Amount{Decimal: l.Amount}
	}
	if _, _, err := a.articles.Price([]orders.Wanted{wanted}); err != nil {
		return false
	}
	said := func(n decimal.Decimal) bool {
		return slices.ContainsFunc(numbers.FindAllString(digits(a.held.Words), -1), func(text string) bool {
			number, err := decimal.NewFromString(text)
			return err == nil && number.Equal(n)
		})
	}
	if l.Amount.IsPositive() {
		return said(l.Amount)
	}
	return l.Quantity.LessThanOrEqual(few) || said(l.Quantity)
}

// digits returns a text with the digits of Hindi as those of English, and without separators of thousands.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '०' && r <= '९':
			return '0' + r - '०'
		case r == ',':
			return -1
		}
		return r
	}, text)
}
