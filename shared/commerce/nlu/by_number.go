package nlu

import (
	"strings"

	"github.com/shopspring/decimal"
)

// byNumber keeps the largest or the smallest of goods whose names differ by numbers: the big paper plate is that of 10
// inches, the small zip that of 7. A thing without numbers comes in one size only: the big matka is no stand for it.
func byNumber(found []chosen, largest bool) []chosen {
	if sized := keep(found, func(c chosen) bool { return len(c.product.dimensions) > 0 }); len(sized) > 1 {
		found = sized
	}
	best := map[string]decimal.Decimal{}
	for _, c := range found {
		series, value := c.product.numbered()
		if other, seen := best[series]; !seen || largest == value.GreaterThan(other) {
			best[series] = value
		}
	}
	return keep(found, func(c chosen) bool {
		series, value := c.product.numbered()
		return value.Equal(best[series])
	})
}

// numbered returns the name of a product without its numbers, and how large they make it: a box of 8x6x4 is 192.
func (p *product) numbered() (series string, value decimal.Decimal) {
	value = one
	for _, d := range p.dimensions {
		if d.value.IsPositive() {
			value = value.Mul(d.value)
		}
	}
	var words []string
	for _, w := range p.nameWords {
		if !isNumeric(w) && !measureKeys.Get()[w] {
			words = append(words, w)
		}
	}
	return strings.Join(words, " "), value
}
