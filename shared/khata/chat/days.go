package chat

import (
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/lazy"
)

// daysAgo are words for days before today.
var daysAgo = lazy.Of[map[string]int]{Make: func() map[string]int {
	return map[string]int{
		"kal": 1, "yesterday": 1, "कल": 1, "parso": 2, "parson": 2, "परसों": 2, "tarso": 3, "narso": 3, "नरसों": 3,
	}
}}

var dayForm = lazy.Regexp(`^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?$`)

// isDay reports whether a word names a day: kal, 20/11, 20-11-2026.
func isDay(word string) bool {
	_, before := daysAgo.Get()[word]
	return before || dayForm.Get().MatchString(word)
}

// dayOf returns the day that a word of the owner's names, by the store's calendar, as yyyy-mm-dd; "" for today and for
// a word that names no day. A day without a year is the last one of that name.
func dayOf(s shop.Shop, word string, now time.Time) string {
	today := now.In(s.Zone)
	if days, before := daysAgo.Get()[word]; before {
		return s.Date(today.AddDate(0, 0, -days))
	}
	parts := dayForm.Get().FindStringSubmatch(word)
	if parts == nil {
		return ""
	}
	date, _ := strconv.Atoi(parts[1])
	month, _ := strconv.Atoi(parts[2])
	year := today.Year()
	if parts[3] != "" {
		year, _ = strconv.Atoi(parts[3])
		if year < 100 {
			year += 2000
		}
	}
	day := time.Date(year, time.Month(month), date, 12, 0, 0, 0, s.Zone)
	if day.Day() != date || int(day.Month()) != month {
		return ""
	}
	if parts[3] == "" && s.Date(day) > s.Date(today) {
		day = day.AddDate(-1, 0, 0)
	}
	if s.Date(day) == s.Date(today) {
		return ""
	}
	return s.Date(day)
}

// dayIn returns the first word of a note that names a day; "" for none.
func dayIn(note string) string {
	for _, word := range strings.Fields(strings.ToLower(note)) {
		if isDay(word) {
			return word
		}
	}
	return ""
}

// dated adds the day on which it happened to an amount.
func (t talk) dated(amount, day string) string {
	at, err := time.Parse(shop.DateLayout, day)
	if err != nil {
		return amount
	}
	return amount + " (" + shop.Day(at, t.language("")) + ")"
}
