package nlu

import (
	"fmt"
	"testing"

	"github.com/shopspring/decimal"
)

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"2": "2", "1,5": "1.5", "1.5": "1.5", "1,000": "1000", "1/2": "0.5", "1½": "1.5", "१५": "15", "दो": "2",
		"teen": "3", "saadhe teen": "3.5", "साढ़े तीन": "3.5",
		"sava do": "2.25", "paune do": "1.75", "dedh": "1.5", "ढाई": "2.5", "dhai sau": "250", "dedh sau": "150",
		"sava sau": "125", "do sau pachas": "250",
		"twenty five": "25", "one and a half": "1.5", "aadha": "0.5", "पौन": "0.75", "ek hazar": "1000", "½": "0.5",
	} {
		tokens := tokenise(normalise(text))
		value, took := readNumber(tokens)
		if !value.Equal(decimal.RequireFromString(want)) || took != len(tokens) {
			t.Errorf("%s: have %s of %d tokens, want %s of %d", text, value, took, want, len(tokens))
		}
	}
	for _, text := range []string{"10:30", "aloo", "saadhe", "12/05"} {
		if value, took := readNumber(tokenise(normalise(text))); took != 0 {
			t.Errorf("%s is no number: have %s", text, value)
		}
	}
}

func TestQuantities(t *testing.T) {
	x := NewIndex(nil)
	for text, want := range map[string]string{
		"2 kg": "2000 g", "500gm": "500 g", "aadha kilo": "500 g", "pav kilo": "250 g", "pav": "250 g",
		"do pav": "500 g", "पाव भर": "250 g", "dhai sau gram": "250 g", "2 ltr": "2000 ml",
		"2 packet": "2 packet", "3 botal": "3 bottle", "1 dozen": "12 dozen", "aadha darjan": "6 dozen", "x 2": "2",
		"2x": "2", "rs 50": "₹50", "50 rupaye ka": "₹50", "50/-": "₹50",
		"2-3 kg": "unclear", "do teen kilo": "unclear", "2 se 3 kilo": "unclear", "1-1 kilo": "1000 g each",
		"do-do": "2 each", "ek ek packet": "1 packet each", "500 gm wala": "500 g pack",
		"1 kg ka packet": "1000 g pack packet",
		"15 goli":        "15 tablet", "half a dozen": "6 dozen", "kilo": "1000 g", "5 wala": "₹5 price",
	} {
		tokens := tokenise(normalise(text))
		q, took := x.readQuantity(tokens, 0)
		if have := described(q); have != want || took != len(tokens) {
			t.Errorf("%s: have %q of %d tokens, want %q of %d", text, have, took, want, len(tokens))
		}
	}
}

// described writes a quantity down.
func described(q Quantity) string {
	text := ""
	switch {
	case q.Unclear:
		text = "unclear"
	case !q.Size.IsZero():
		text = fmt.Sprintf("%s %s", q.Size, q.Base)
	case !q.Rupees.IsZero():
		text = "₹" + q.Rupees.String()
	default:
		text = q.Count.String()
	}
	for _, part := range []struct {
		on   bool
		word string
	}{{q.OfPack, "pack"}, {q.OfPrice, "price"}, {q.Pack != "", q.Pack}, {q.each, "each"}} {
		if part.on {
			text += " " + part.word
		}
	}
	return text
}

func TestSpellingsOfOneWordAreFoldedToOne(t *testing.T) {
	for _, same := range [][]string{
		{"cheeni", "chini", "चीनी"}, {"aloo", "alu", "aaloo", "आलू"}, {"namak", "नमक"}, {"namkeen", "नमकीन"},
		{"adrak", "अदरक"}, {"phool", "fool", "फूल"},
		{"dhaniya", "dhania", "धनिया"}, {"moong", "mung", "मूंग"}, {"tarbooj", "tarbuz", "तरबूज"}, {"kapde", "कपड़े"},
		{"nahi", "नहीं"}, {"Maida", "मैदा"},
	} {
		for _, word := range same[1:] {
			if have, want := tokenise(normalise(word))[0].key, tokenise(normalise(same[0]))[0].key; have != want {
				t.Errorf("%s is %s, %s is %s", word, have, same[0], want)
			}
		}
	}
}
