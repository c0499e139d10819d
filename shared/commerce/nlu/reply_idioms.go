package nlu

import (
	"github.com/haatline/haatline/shared/lazy"
)

// idioms are phrases that may stand beside a yes and change nothing of it. Their words may not stand there alone: kuch
// nahi says no, aur kuch nahi says that the order is complete.
const idioms = `aur kuch nahi|aur kuch nhi|aur kuch nahin|aur kuch nahi chahiye|kuch aur nahi|kuch aur nahi chahiye|
	nahi bas yahi bhej do|nahi bas yahi bhejo|nahi bas itna hi bhej do|nahi bas itna hi bhejo|aur kuchh nahi|
	और कुछ नहीं|और कुछ नहीं चाहिए|कुछ और नहीं|कुछ और नहीं चाहिए|नहीं बस यही भेज दो|नहीं बस इतना ही भेज दो|
	no changes|no change|no more changes|nothing more|nothing else|no just send|
	what i want|what i wanted|what we want|i want it|we want it|you can|u can|you may|lets do|let us do|
	yahi chahiye tha|yehi chahiye tha|yahi chahiye thi|यही चाहिए था|bana ke|bana kar|pack karke|pack kar ke|de jana|
	de jao|de jaiye|बना के|बना कर|दे जाना|sure thing|it over|them over|confirm samjho|pakka samjho|final samjho|
	done samjho|confirm samjhiye`

var idiomPhrases = lazy.Of[[][]string]{Make: func() [][]string { return keysOfPhrases(idioms) }}

// idiomAt returns how many words of an idiom some words begin with; 0 for none.
func idiomAt(keys []string) int {
	longest := 0
	for _, phrase := range idiomPhrases.Get() {
		if len(phrase) > longest && beginsWithPhrase(keys, [][]string{phrase}) {
			longest = len(phrase)
		}
	}
	return longest
}

// laughs reports whether some words are laughter, and no yes that is said again: ha ha ha.
func laughs(words []replyWord) bool {
	n := 0
	for _, w := range words {
		if w.text != "ha" && w.text != "hee" && w.text != "he" && w.text != "हा" {
			return false
		}
		n++
	}
	return n > 2
}
