package nlu

import (
	"strings"
	"time"
)

// Clock is when a customer wants the goods, as far as their words say it in days and hours.
type Clock struct {
	Day     int          // days from today; -1 where none is said
	Weekday time.Weekday // of the next such day; -1 where none is said
	// minutes after midnight between which they want them; both are -1 where no time is said
	From, To int
	Either   bool // the hour can be before noon or after it
}

// minutesOfDay is the end of a day.
const minutesOfDay = 24 * 60

// The words for days, and for the parts of a day with their minutes after midnight.
var (
	clockDays = map[string]int{
		"aaj": 0, "today": 0, "tonight": 0, "आज": 0, "kal": 1, "tomorrow": 1, "tmrw": 1, "tomo": 1, "कल": 1,
		"parso": 2, "parson": 2, "परसों": 2}
	clockWeekdays = [7]string{
		"sunday ravivar raviwar itwar रविवार", "monday somvar somwar सोमवार", "tuesday mangalvar mangalwar मंगलवार",
		"wednesday budhvar budhwar बुधवार", "thursday guruvar guruwar गुरुवार", "friday shukravar shukrawar शुक्रवार",
		"saturday shanivar shaniwar शनिवार"}
	clockParts = []struct {
		words    string
		from, to int
	}{
		{"subah subh morning सुबह", 5 * 60, 12 * 60}, {"dopahar dopeher noon afternoon दोपहर", 12 * 60, 16 * 60},
		{"shaam sham evening शाम", 16 * 60, 20 * 60}, {"raat night tonight रात", 19 * 60, minutesOfDay},
	}
	clockUntil = &wordSet{of: "tak pehle pahle by before till until तक पहले"}
	clockAfter = &wordSet{of: "baad after बाद"}
)

// ClockOf reads when a customer wants the goods. It reports false for words that say neither a day nor a time.
func ClockOf(words string) (Clock, bool) {
	c := Clock{Day: -1, Weekday: -1, From: -1, To: -1}
	tokens := tokenise(normalise(words))
	until, after, hour := false, false, -1
	for i, t := range tokens {
		if day, ok := clockDays[t.text]; ok {
			c.Day = day
		}
		for day, names := range clockWeekdays {
			if hasWord(names, t.text) {
				c.Weekday = time.Weekday(day)
			}
		}
		for _, part := range clockParts {
			if hasWord(part.words, t.text) {
				c.From, c.To = part.from, part.to
			}
		}
		until, after = until || clockUntil.Has(t.text), after || clockAfter.Has(t.text)
		if at, either, ok := hourAt(tokens, i); ok && hour < 0 {
			hour, c.Either = at, either
		}
	}
	if hour >= 0 {
		c.at(hour, until, after)
	}
	return c, c.Day >= 0 || c.Weekday >= 0 || c.From >= 0
}

func hasWord(words, w string) bool { return w != "" && strings.Contains(" "+words+" ", " "+w+" ") }

// hourAt returns the time of day that a number says, in minutes after midnight, and whether it may be before or after
// noon.
func hourAt(tokens []token, i int) (minutes int, either, ok bool) {
	if !isCountWord(tokens[i]) {
		return 0, false, false
	}
	if hours, rest, colon := strings.Cut(tokens[i].text, ":"); colon {
		at, err := time.Parse("15:04", hours+":"+rest)
		return at.Hour()*60 + at.Minute(), at.Hour() < 13 && !isHalfNamed(tokens, i), err == nil
	}
	value, took := readNumber(tokens[i:])
	if took == 0 || value.GreaterThan(twentyFour) {
		return 0, false, false
	}
	minutes = int(value.Mul(sixty).IntPart())
	if i+took < len(tokens) && tokens[i+took].text == "pm" && minutes < 12*60 {
		return minutes + 12*60, false, true
	}
	return minutes, minutes <= 12*60 && !isHalfNamed(tokens, i), true
}

var (
	sixty      = exact("60")
	twentyFour = exact("24")
)

// isHalfNamed reports whether am or pm stands after a time.
func isHalfNamed(tokens []token, i int) bool {
	return i+1 < len(tokens) && (tokens[i+1].text == "am" || tokens[i+1].text == "pm")
}

// at sets an hour. A part of the day beside it says which half of the day it is in.
func (c *Clock) at(hour int, until, after bool) {
	if c.From >= 0 {
		if hour < c.From && hour+12*60 < minutesOfDay && c.Either {
			hour += 12 * 60
		}
		c.Either = false
	}
	c.From, c.To = hour, hour
	switch {
	case until:
		c.From = 0
	case after:
		c.To = minutesOfDay
	}
}
