// Package prices holds Meta's public prices of WhatsApp messages: for each market, what a delivered template of a
// category costs. Meta changes them at the beginning of a quarter. It bills by its own list, which may have another
// currency, discounts for many messages, and free messages in an open window: what follows from these prices is an
// estimate, and says of when they are.
package prices

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/model"
)

// Currency is the one of the prices.
const Currency = "USD"

// Other is the market of numbers that are in no other.
const Other = "Other"

// market is one of Meta's markets: a country, or what is left of a region.
type market struct {
	name  string
	codes string // the calling codes of its numbers, separated by blanks
}

// MarketOf returns the market of a recipient, by a number with its calling code, or by a user id.
func MarketOf(recipient string) string {
	if country, _, byUserID := strings.Cut(recipient, "."); byUserID {
		if name, known := countries[country]; known {
			return name
		}
		return Other
	}
	best, length := Other, 0
	for _, m := range markets {
		for code := range strings.FieldsSeq(m.codes) {
			if len(code) > length && strings.HasPrefix(recipient, code) {
				best, length = m.name, len(code)
			}
		}
	}
	return best
}

// List is a list of prices, and since when it holds.
type List struct {
	From   string // yyyy-mm-dd
	prices map[string]price
}

// price is what a message of each category costs.
type price struct{ marketing, utility, authentication string }

// At returns the list that holds at an instant, or the oldest one before there was any.
func At(at model.Time) List {
	all := lists.Get()
	holds := all[0]
	for _, list := range all {
		if list.From <= string(at) {
			holds = list
		}
	}
	return holds
}

// Of returns what a message costs in a market, by its category: marketing, utility or authentication. It reports false
// for another category.
func (l List) Of(market, category string) (decimal.Decimal, bool) {
	p, known := l.prices[market]
	if !known {
		p = l.prices[Other]
	}
	text := map[string]string{
		"marketing": p.marketing, "utility": p.utility, "authentication": p.authentication}[strings.ToLower(category)]
	amount, err := decimal.NewFromString(text)
	return amount, err == nil
}
