package owner

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/lazy"
)

// closingWords are the words of a message that closes the store for a day, or opens it again. A message that has any
// other word is about something else.
var closingWords = lazy.Words(`
	aaj kal today tomorrow dukaan dukan shop store band bandh close closed closing h hai gyi गई rahegi rahega rakho
	rakhna kar do karo kardo ki for the is we are khol khuli khula kholo open again phir se abhi chutti chhutti
	holiday nahi nhi khul khulegi khulega kholenge ji hum log our my please ho gayi gaya आज कल दुकान बंद है रहेगी रखो
	कर दो खोल खुल खुली खोलो फिर से छुट्टी नहीं खुलेगी खुलेगा`)

// closingCommand reads whether the store is closed today or tomorrow, or open again.
func (c *command) closingCommand(words []string, has func(string) bool) bool {
	for _, w := range words {
		if !closingWords.Has(w) {
			return false
		}
	}
	shut := has("nahi_khulegi nahi_khulega nahi_kholenge nhi_khulegi नहीं_खुलेगी नहीं_खुलेगा")
	asks := words[0] == "is" || words[0] == "are"
	both := has("aaj today आज") && has("kal tomorrow कल")
	switch {
	case asks, both, len(words) < 2, !shut && has("nahi nhi नहीं khulegi khulega kholenge खुलेगी खुलेगा"):
		return false
	case shut || has("band bandh close closed chutti chhutti holiday बंद छुट्टी"):
		if !has("aaj kal today tomorrow dukaan dukan shop store we आज कल दुकान") {
			return false
		}
		c.what = closeToday
		if has("kal tomorrow कल") {
			c.what = closeTomorrow
		}
	case !has("kal tomorrow कल") && has("khol khul khuli khula kholo open खोल खुल खुली खोलो") &&
		has("aaj today dukaan dukan shop store we phir again आज दुकान फिर"):
		c.what = openAgain
	default:
		return false
	}
	return true
}

var hoursForm = lazy.Regexp(
	`(?i)(\d{1,2})(?::(\d{2}))?\s*(am|pm)?\s*(?:baje)?\s*(?:se|to|-|–|till|until|से)\s*(\d{1,2})(?::(\d{2}))?\s*(am|pm)?`)

// hoursCommand reads from when to when the store is open: timing 9 se 9.
func (c *command) hoursCommand(text string, has func(string) bool) bool {
	if !has("timing timings hours samay khulne time open khuli khulti टाइमिंग समय खुली खुलती") ||
		has("aaj kal today tomorrow nahi nahin nhi mat not don't आज कल नहीं मत") {
		return false
	}
	for _, word := range wordsOf(text) {
		if strings.Trim(word, "0123456789:-–apm") != "" && !hoursWords.Has(word) {
			return false // of something else, or of another time
		}
	}
	parts := hoursForm.Get().FindStringSubmatch(withHalves(text))
	if parts == nil {
		return false
	}
	opens, okOpens := minutesOf(parts[1], parts[2], parts[3])
	closes, okCloses := minutesOf(parts[4], parts[5], parts[6])
	if !okOpens || !okCloses {
		return false
	}
	if closes <= opens && parts[6] == "" && closes < 12*60 { // 9 to 9
		closes += 12 * 60
	}
	clock := func(m int) string { return fmt.Sprintf("%02d:%02d", m/60, m%60) }
	c.what, c.hours = setHours, commercemodel.Hours{Open: clock(opens), Close: clock(closes)}
	return opens != closes
}

// hoursWords may stand in a message that sets the store's hours.
var hoursWords = lazy.Words(`
	timing timings hours samay khulne khulta change time open opens close closes khuli khulti khulegi rahegi rahega
	rahti dukaan dukan shop store our new naya nayi is are the from to till until se tak baje baj subah raat shaam
	sham dopahar dopehar ka ki ke kar do karo kardo kijiye set ab now please ji hai टाइमिंग समय खुली खुलती दुकान से तक
	बजे सुबह रात शाम दोपहर का की कर दो है`)

// withHalves returns a text with the parts of the day that stand before an hour, as in subah 7 se raat 10, after it.
func withHalves(text string) string {
	return halfForm.Get().ReplaceAllStringFunc(text, func(said string) string {
		parts := halfForm.Get().FindStringSubmatch(said)
		if morning := strings.ToLower(parts[1]); morning == "subah" || morning == "सुबह" {
			return parts[2] + " am"
		}
		return parts[2] + " pm"
	})
}

var halfForm = lazy.Regexp(`(?i)(subah|सुबह|raat|रात|shaam|sham|शाम|dopahar|dopehar|दोपहर)\s+(?:ke\s+|के\s+)?(\d{1,2}(?::\d{2})?)`)

// minutesOf returns a time of day in minutes after midnight.
func minutesOf(hour, minute, half string) (int, bool) {
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute)
	switch strings.ToLower(half) {
	case "pm":
		if h < 12 {
			h += 12
		}
	case "am":
		h %= 12
	}
	return h*60 + m, h < 24 && m < 60
}

// closing closes the store for a day, or opens it again.
func (t talk) closing(ctx context.Context, w what) error {
	day, key := "", "owner.opened"
	switch w {
	case closeToday:
		day, key = stores.Date(t.store, t.Now()), "owner.closed"
	case closeTomorrow:
		day, key = stores.Date(t.store, t.Now().AddDate(0, 0, 1)), "owner.closed"
	}
	return t.text(ctx, key, wording.Values{"day": day}, stores.CloseOn(t.store, day, t.Now()))
}

// setHours gives the store other hours.
func (t talk) setHours(ctx context.Context, hours commercemodel.Hours) error {
	write, err := stores.SetHours(t.store, hours, t.Now())
	if err != nil {
		return err
	}
	return t.text(ctx, "owner.hours", wording.Values{"opens": hours.Open, "closes": hours.Close}, write)
}
