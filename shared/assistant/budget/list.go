package budget

import "github.com/shopspring/decimal"

// list has list prices of models that are often used, in US dollars for a million tokens. Services change theirs, so an
// owner's own table comes first.
var list = map[string]Price{
	"amazon.nova-micro-v1:0": price("0.035", "0.14"),
	"amazon.nova-lite-v1:0":  price("0.06", "0.24"),
	"amazon.nova-pro-v1:0":   price("0.80", "3.20"),
	"gpt-4o-mini":            price("0.15", "0.60"),
	"gpt-4.1-nano":           price("0.10", "0.40"),
	"gpt-4.1-mini":           price("0.40", "1.60"),
	"gpt-4.1":                price("2.00", "8.00"),
	"gpt-5-nano":             price("0.05", "0.40"),
	"gpt-5-mini":             price("0.25", "2.00"),
}

func price(prompt, completion string) Price {
	return Price{decimal.RequireFromString(prompt), decimal.RequireFromString(completion)}
}
