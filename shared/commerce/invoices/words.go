package invoices

import (
	"strings"

	"github.com/shopspring/decimal"
)

var ones = strings.Fields("Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen " +
	"Fifteen Sixteen Seventeen Eighteen Nineteen")

var tens = strings.Fields("- - Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety")

// InWords returns an amount of rupees in words, as people in India count: crores, lakhs, thousands.
func InWords(amount decimal.Decimal) string {
	paise := amount.Abs().Shift(2).Round(0).IntPart()
	text := "Rupees " + number(paise/100)
	if paise%100 > 0 {
		text += " and " + number(paise%100) + " Paise"
	}
	return text + " Only"
}

// number returns a whole number in words.
func number(n int64) string {
	var words []string
	for _, unit := range []struct {
		of   int64
		name string
	}{{1e7, "Crore"}, {1e5, "Lakh"}, {1e3, "Thousand"}, {100, "Hundred"}} {
		if n >= unit.of {
			words = append(words, number(n/unit.of), unit.name)
			n %= unit.of
		}
	}
	if n >= 20 {
		words = append(words, tens[n/10])
		n %= 10
		if n == 0 {
			return strings.Join(words, " ")
		}
	}
	if n > 0 || len(words) == 0 {
		words = append(words, ones[n])
	}
	return strings.Join(words, " ")
}
