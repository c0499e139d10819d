package nlu

import (
	"strings"

	"github.com/shopspring/decimal"
)

// readRupees reads an amount of money: ₹50, rs 50, 50 rupaye ka, 50/-, 20 wala, 10 ka.
func readRupees(tokens []token) (Quantity, int) {
	at := 0
	before := unitOf(tokens[0]).kind == rupeeUnit
	if before {
		at++
		if at < len(tokens) && tokens[at].text == "." {
			at++
		}
	}
	value, took := readNumber(tokens[min(at, len(tokens)):])
	if took == 0 || !value.IsPositive() {
		return Quantity{}, 0
	}
	at += took
	q := Quantity{Rupees: value}
	if !before {
		switch {
		case at < len(tokens) && unitOf(tokens[at]).kind == rupeeUnit:
			at++
		case at+1 < len(tokens) && tokens[at].text == "/" && tokens[at+1].text == "-":
			at += 2
		case at < len(tokens) && isAttribute(tokens[at]) && tokens[at].text != "size" && tokens[at].text != "type":
			return Quantity{Rupees: value, OfPrice: true}, at + 1
		case at < len(tokens) && joins.Has(tokens[at].text) && tokens[at].text != "of" &&
			value.GreaterThanOrEqual(exact("5")) &&
			(at+1 == len(tokens) || tokens[at+1].kind == mark || amountOf(tokens[at+1])):
		default:
			return Quantity{}, 0
		}
	} else if at+1 < len(tokens) && tokens[at].text == "/" && tokens[at+1].text == "-" {
		at += 2
	}
	for at < len(tokens) && (joins.Has(tokens[at].text) || isAttribute(tokens[at]) || isOnes(tokens[at])) {
		q.OfPrice = q.OfPrice || isOnes(tokens[at]) || isAttribute(tokens[at]) && tokens[at].text != "worth"
		at++
	}
	return q, at
}

// isOnes reports whether a word stands for goods of the price before it: the 10 rupee ones.
func isOnes(t token) bool { return t.text == "ones" || t.text == "one" }

// amountOf reports whether a word after "10 ka" leaves the ten to be rupees: 10 ka packet is, too.
func amountOf(t token) bool { return t.kind == word && unitOf(t).kind != measureUnit }

// readRange reads 2-3 and do teen, which leave the quantity open, and 1-1 and do-do, which go for each of several
// things.
func readRange(tokens []token) (Quantity, int) {
	first, took := rangePart(tokens)
	if took == 0 {
		return Quantity{}, 0
	}
	at, open := took, false
	if at < len(tokens) {
		switch tokens[at].text {
		case "-":
			at++
			open = true
		case "to", "se", "से", "ya", "या", "or", "till", "tak":
			at++
			open = true
		}
	}
	second, more := rangePart(tokens[min(at, len(tokens)):])
	if !open && more > 0 && sameSmallCounts(tokens) { // soap aur shampoo 1 1
		return eachOf(first, unit{}, at+more)
	}
	if more == 0 || !open && (tokens[0].kind == number) != (tokens[at].kind == number) {
		return Quantity{}, 0
	}
	at += more
	u := unit{}
	if at < len(tokens) {
		u = unitOf(tokens[at])
	}
	switch {
	case first.Equal(second) && (open && tokens[took].text == "-" || !open && !joinsNumber(tokens[0])):
		return eachOf(first, u, at)
	case !open && (tokens[0].kind == number || !second.Equal(first.Add(one)) || u.kind == 0):
		return Quantity{}, 0
	case open && !second.GreaterThan(first):
		return Quantity{}, 0
	}
	if u.kind != 0 {
		at++
	}
	return Quantity{Unclear: true}, at
}

// sameSmallCounts reports whether some tokens are the same small number twice and nothing else.
func sameSmallCounts(tokens []token) bool {
	return len(tokens) == 2 && tokens[0].kind == number && tokens[0].text == tokens[1].text && len(tokens[0].text) == 1
}

// joinsNumber reports whether a number word may stand before another as part of one number.
func joinsNumber(t token) bool { return t.kind == number }

func rangePart(tokens []token) (decimal.Decimal, int) {
	if len(tokens) == 0 {
		return decimal.Zero, 0
	}
	if tokens[0].kind == number {
		value, ok := digits(tokens[0].text)
		if !ok || len(tokens[0].text) > longestCount ||
			strings.HasPrefix(tokens[0].text, "0") && !strings.Contains(tokens[0].text, ".") {
			return decimal.Zero, 0
		}
		return value, 1
	}
	if unitOf(tokens[0]).factor.Equal(exact("250")) {
		return exact("250"), 1
	}
	n, ok := numerals.Get()[tokens[0].text]
	if !ok || n.alone.IsZero() {
		return decimal.Zero, 0
	}
	return n.alone, 1
}

// eachOf returns a quantity that goes for each of several things.
func eachOf(value decimal.Decimal, u unit, at int) (Quantity, int) {
	q := Quantity{Count: value, each: true}
	switch u.kind {
	case measureUnit:
		q = Quantity{Size: value.Mul(u.factor), Base: u.name, each: true}
	case packUnit:
		q.Pack = u.name
	case dozenUnit:
		q.Count, q.Pack = value.Mul(u.factor), "dozen"
	case rupeeUnit:
		q = Quantity{Rupees: value, each: true}
	default:
		if value.Equal(exact("250")) {
			return Quantity{Size: value, Base: "g", each: true}, at
		}
		return q, at
	}
	return q, at + 1
}
