package nlu

import "github.com/shopspring/decimal"

// readTimes reads x 2 and qty 2.
func readTimes(tokens []token) (Quantity, int) {
	if unitOf(tokens[0]).kind != timesUnit || len(tokens) < 2 || tokens[0].text == "no" || tokens[0].text == "number" {
		return Quantity{}, 0
	}
	at := 1
	for at < len(tokens) && (tokens[at].text == "-" || tokens[at].text == ":" || tokens[at].text == ".") {
		at++
	}
	value, took := readNumber(tokens[at:])
	if took == 0 || !value.IsPositive() {
		return Quantity{}, 0
	}
	if at+took < len(tokens) { // x 2 kg, 2 x 1 kg
		if u := unitOf(tokens[at+took]); u.kind == measureUnit {
			return Quantity{Size: value.Mul(u.factor), Base: u.name, OfPack: true}, at + took + 1
		} else if u.kind == packUnit {
			return Quantity{Count: value, Pack: u.name, times: true}, at + took + 1
		}
	}
	return Quantity{Count: value, times: true}, at + took
}

// leastPrice is the least number that is a price or a size before an x and a count: kurkure 20 x 4.
var leastPrice = decimal.NewFromInt(5)

// timesCount reads the count after an x that stands behind a number, where that number may be a price or a size. It
// returns how many tokens it took with the x; 0 for none.
func timesCount(tokens []token, before decimal.Decimal) (decimal.Decimal, int) {
	if t := tokens[0].text; t != "x" && t != "×" && t != "*" || len(tokens) < 2 || before.LessThan(leastPrice) {
		return decimal.Zero, 0
	}
	count, took := readNumber(tokens[1:])
	if took == 0 || !count.IsPositive() || !count.IsInteger() ||
		1+took < len(tokens) && (unitOf(tokens[1+took]).kind != 0 || tokens[1+took].text == "x") {
		return decimal.Zero, 0
	}
	return count, 1 + took
}
