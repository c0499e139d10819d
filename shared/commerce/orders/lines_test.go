package orders

import (
	"errors"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
)

func now() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func made(status commercemodel.OrderStatus) commercemodel.Order {
	return commercemodel.Order{StoreID: "STR-1", ID: "ORD-1", Status: status, Version: 1, Date: "2026-11-21"}
}

func number(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

func money(text string) *model.Amount { a := number(text); return &a }

// sold are a loose good, a packed one and one that is counted in dozens.
var sold = Articles{
	"RICE": {Product: "RICE", Name: "Rice", Unit: "kg", Price: number("62.50"), Stock: money("10"), Active: true},
	"SALT/1KG": {
		Product: "SALT", SKU: "1KG", Name: "Salt 1 kg", Unit: "packet", Size: "1 kg", Price: number("27"),
		Active: true},
	"BANANA": {Product: "BANANA", Name: "Banana", Unit: "dozen", Price: number("55"), Active: true},
	"GONE":   {Product: "GONE", Name: "Gone", Unit: "kg", Price: number("1")},
}

func TestLinesArePricedOrRefusedByTheirRule(t *testing.T) {
	for name, c := range map[string]struct {
		wanted []Wanted
		total  string // "" if it is refused
		lines  int
	}{
		"loose and packed": {
			[]Wanted{{Product: "RICE", Quantity: number("2.5")}, {Product: "SALT", SKU: "1KG", Quantity: number("3")}},
			"237.25", 2},
		"half a dozen":   {[]Wanted{{Product: "BANANA", Quantity: number("0.5")}}, "27.5", 1},
		"ten of a dozen": {[]Wanted{{Product: "BANANA", Quantity: number("0.833")}}, "45.83", 1},
		"so much worth":  {[]Wanted{{Product: "RICE", Worth: money("50")}}, "50", 1},
		"twice the same is one line": {
			[]Wanted{{Product: "RICE", Quantity: number("1")}, {Product: "RICE", Quantity: number("2")}}, "187.5", 1},
		"to the paisa":            {[]Wanted{{Product: "RICE", Quantity: number("0.333")}}, "20.81", 1},
		"nothing":                 {nil, "", 0},
		"nobody sells it":         {[]Wanted{{Product: "GOLD", Quantity: number("1")}}, "", 0},
		"not sold any more":       {[]Wanted{{Product: "GONE", Quantity: number("1")}}, "", 0},
		"a variant is named":      {[]Wanted{{Product: "SALT", Quantity: number("1")}}, "", 0},
		"none of it":              {[]Wanted{{Product: "RICE", Quantity: number("0")}}, "", 0},
		"less than none":          {[]Wanted{{Product: "RICE", Quantity: number("-1")}}, "", 0},
		"too exact":               {[]Wanted{{Product: "RICE", Quantity: number("3.0001")}}, "", 0},
		"too much":                {[]Wanted{{Product: "RICE", Quantity: number("1000000000")}}, "", 0},
		"half a packet":           {[]Wanted{{Product: "SALT", SKU: "1KG", Quantity: number("0.5")}}, "", 0},
		"a packet by its worth":   {[]Wanted{{Product: "SALT", SKU: "1KG", Worth: money("10")}}, "", 0},
		"three decimals of money": {[]Wanted{{Product: "RICE", Worth: money("10.005")}}, "", 0},
		"more money than an order costs": {
			[]Wanted{{Product: "RICE", Quantity: number("99999")}, {Product: "BANANA", Quantity: number("99999")}},
			"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			lines, total, err := sold.Price(c.wanted)
			if c.total == "" {
				if !errors.Is(err, ErrLines) {
					t.Errorf("%v, %s, %v", lines, total, err)
				}
				return
			}
			if err != nil || len(lines) != c.lines || !total.Equal(decimal.RequireFromString(c.total)) {
				t.Errorf("%+v, %s, %v", lines, total, err)
			}
		})
	}
}

func TestMoreThanTheStockIsRefusedByName(t *testing.T) {
	lines, _, err := sold.Price([]Wanted{{Product: "RICE", Quantity: number("10.5")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sold.InStock(lines); !errors.Is(err, ErrStock) {
		t.Error(err)
	}
	back := sold.with([]commercemodel.Taken{{ProductID: "RICE", Quantity: number("1")}})
	if err := back.InStock(lines); err != nil || !sold["RICE"].Stock.Equal(decimal.NewFromInt(10)) {
		t.Errorf("with what the order has taken itself: %v", err)
	}
}
