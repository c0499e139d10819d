package shop

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// Languages are those in which customers are told of their ledgers: English, Hindi, and Hindi in Latin letters.
var Languages = []string{"en", "hi", "hi-Latn"}

// Language returns the language for somebody: their own where it is one of Languages, else the store's first.
func (s Shop) Language(own string) string {
	for _, language := range append([]string{own}, s.Languages...) {
		if slices.Contains(Languages, language) {
			return language
		}
	}
	return Languages[0]
}

// Money returns an amount as people read it: ₹1,23,456.50.
func (s Shop) Money(a model.Amount) string {
	whole, part, _ := strings.Cut(a.Abs().StringFixed(2), ".")
	text, group := "", 3
	for len(whole) > group {
		text, whole = ","+whole[len(whole)-group:]+text, whole[:len(whole)-group]
		if s.inRupees() {
			group = 2
		}
	}
	text = whole + text
	if part != "00" {
		text += "." + part
	}
	if s.inRupees() {
		text = "₹" + text
	} else {
		text = s.Currency + " " + text
	}
	if a.IsNegative() {
		return "−" + text
	}
	return text
}

func (s Shop) inRupees() bool { return s.Currency == "INR" || s.Currency == "" }

var hindiMonths = []string{
	"जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर"}

// Day returns a day as people write it: 21 Nov 2026.
func Day(at time.Time, language string) string {
	if language == "hi" {
		return strconv.Itoa(at.Day()) + " " + hindiMonths[at.Month()-1] + " " + strconv.Itoa(at.Year())
	}
	return at.Format("2 Jan 2006")
}
