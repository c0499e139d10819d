package owner

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// doubtWords make of a text something that is no command, beside those of any sentence: it is of what was, or of
// something near it.
var doubtWords = lazy.Words("wala wali wale hoga hogi honge thi tha थी था होगा होगी")

// noDoubt are phrases with such a word that make nothing doubtful.
var noDoubt = strings.NewReplacer("nahi kar sakte", "", "nahi kar paayenge", "", "kar do na", "kar do", "ho gaya "+
	"na", "ho gaya")

// doubtful reports whether a text may be no command, though it has the words of one.
func doubtful(text string) bool {
	words := wordsOf(noDoubt.Replace(strings.ToLower(text)))
	return strings.Contains(text, "?") || slices.ContainsFunc(words, isDoubtful)
}

func isDoubtful(word string) bool {
	return language.Negates(word) || language.Asks(word) || language.Supposes(word) || doubtWords.Has(word)
}
