package owner

import "github.com/haatline/haatline/shared/lazy"

// dayWords are the words for what a day has brought.
var dayWords = lazy.Words(`
	bikri bikree dhandha dhanda sale sales kamai kamaai galla gala revenue turnover collection sell sold income
	earning earnings summary बिक्री कमाई गल्ला`)

// dayBeside are the words that may stand beside them. A text that has any other word asks for something else.
var dayBeside = lazy.Words(`
	aaj ki ka ke ko today today's todays kitni kitna kitne hui hua hue hai how much did do we i report total batao
	bata dikhao show tell me the of what is was our my for sab pure poore din day hisaab hisab ji please so far abhi
	tak आज की का के कितनी कितना हुई हुआ है बताओ दिखाओ हिसाब कुल`)

// asksForDay reports whether words ask for the figures of the day, and say nothing else.
func asksForDay(words []string) bool {
	figures, today, total := false, false, false
	for _, w := range words {
		figures = figures || dayWords.Has(w)
		today = today || w == "aaj" || w == "today" || w == "आज" || w == "today's" || w == "todays"
		total = total || w == "hisaab" || w == "hisab" || w == "हिसाब" || w == "total" || w == "kitna"
		if !dayWords.Has(w) && !dayBeside.Has(w) {
			return false
		}
	}
	return figures && len(words) > 1 || today && total
}
