package assistant

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// digits returns a text with the digits of Hindi as those of English.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '०' && r <= '९' {
			return '0' + r - '०'
		}
		return r
	}, text)
}

// figures are numbers with the separators of thousands, in the Indian and in the English way.
var figures = regexp.MustCompile(`-?\d+(?:,\d{2,3})*(?:\.\d+)?`)

// numbersIn returns the numbers of a text without their separators.
func numbersIn(text string) []string {
	var all []string
	for _, number := range figures.FindAllString(digits(text), -1) {
		all = append(all, strings.ReplaceAll(number, ",", ""))
	}
	return all
}

// phones are runs that may be phone numbers.
var phones = regexp.MustCompile(`\+?[\d०-९][\d०-९ ()./-]{5,}[\d०-९]`)

var (
	isoDate     = regexp.MustCompile(`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`)
	numericDate = regexp.MustCompile(`\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b`)
	dayMonth    = regexp.MustCompile(`(\d{1,2})(?:st|nd|rd|th)?[\s.-]+([\pL\pM]+)\.?(?:,?[\s-]+(\d{4}))?`)
	monthDay    = regexp.MustCompile(`([\pL\pM]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?`)
)

// months are the names of the months by how they begin, after folding.
var months = [12][]string{
	{"jan", "जनवरी"}, {"feb", "फरवरी", "फ़रवरी"}, {"mar", "मार्च"}, {"apr", "अप्रैल"}, {"may", "mai", "मई"},
	{"jun", "जून"},
	{"jul", "जुलाई"}, {"aug", "अगस्त"}, {"sep", "सितंबर", "सितम्बर"}, {"oct", "अक्टूबर", "अक्तूबर"},
	{"nov", "नवंबर", "नवम्बर"}, {"dec", "दिसंबर", "दिसम्बर"},
}

// monthOf returns the month of a name; 0 for another word.
func monthOf(word string) int {
	for i, names := range months {
		for _, name := range names {
			if strings.HasPrefix(word, name) {
				return i + 1
			}
		}
	}
	return 0
}

// datesIn returns the dates of a text as 2006-01-02. The day stands before the month, as in India. A date without a
// year is the next one.
func datesIn(text string, now time.Time) []string {
	text = digits(strings.ToLower(text))
	var all []string
	add := func(year, month, day string) {
		y, _ := strconv.Atoi(year)
		m, _ := strconv.Atoi(month)
		d, _ := strconv.Atoi(day)
		if date, ok := dateOf(y, m, d, now); ok {
			all = append(all, date)
		}
	}
	for _, found := range isoDate.FindAllStringSubmatch(text, -1) {
		add(found[1], found[2], found[3])
	}
	text = isoDate.ReplaceAllString(text, " ")
	for _, found := range numericDate.FindAllStringSubmatch(text, -1) {
		add(found[3], found[2], found[1])
	}
	for _, found := range dayMonth.FindAllStringSubmatch(text, -1) {
		add(found[3], strconv.Itoa(monthOf(found[2])), found[1])
	}
	if len(all) == 0 {
		for _, found := range monthDay.FindAllStringSubmatch(text, -1) {
			add(found[3], strconv.Itoa(monthOf(found[1])), found[2])
		}
	}
	for _, word := range strings.Fields(text) {
		switch strings.Trim(word, ".,!?") {
		case "today", "aaj", "आज":
			all = append(all, now.Format(time.DateOnly))
		case "tomorrow":
			all = append(all, now.AddDate(0, 0, 1).Format(time.DateOnly))
		}
	}
	return all
}

// dateOf returns a date if there is such a day. A year of two digits lies within the last 80 years or the next 19.
func dateOf(year, month, day int, now time.Time) (string, bool) {
	switch {
	case year == 0:
		if year = now.Year(); time.Date(year, time.Month(month), day+1, 0, 0, 0, 0, now.Location()).Before(now) {
			year++
		}
	case year < 100:
		if year += now.Year() / 100 * 100; year > now.Year()+19 {
			year -= 100
		}
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return date.Format(time.DateOnly), month >= 1 && month <= 12 && day >= 1 && date.Day() == day && year >= 1000
}
