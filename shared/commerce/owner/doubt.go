package owner

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// doubtWords make of a text something that is no command: it says that something is not so, or will be, or that
// somebody says so, or it asks.
var doubtWords = lazy.Words(`nahi nahin nhi nai na mat not don't dont didn't didnt isn't isnt won't wont never no
	kya kab kaun kyu kyun
	kyon kaise kahan kitna kitne kitni why when who how what agar if unless jab jabtak until wala wali wale bol bola
	boli bolta
	bolti keh kehta kehti kaha says said raha-tha chahta chahti chahiye wants want should would could may might hoga
	hogi honge
	shayad maybe thi tha the-the थी था नहीं नही ना मत क्या कब कौन क्यों अगर जब बोला बोली कहता चाहिए होगा होगी`)

// noDoubt are phrases with such a word that make nothing doubtful.
var noDoubt = strings.NewReplacer("nahi kar sakte", "", "nahi kar paayenge", "", "kar do na", "kar do", "ho gaya "+
	"na", "ho gaya")

// futureEnds are the endings of a Hindi verb in the future.
var futureEnds = []string{"ega", "egi", "enge", "unga", "ungi", "oonga", "ेगा", "ेगी", "ेंगे", "ूंगा", "ूँगा"}

// doubtful reports whether a text may be no command, though it has the words of one.
func doubtful(text string) bool {
	words := wordsOf(noDoubt.Replace(strings.ToLower(text)))
	return strings.Contains(text, "?") || slices.ContainsFunc(words, isDoubtful)
}

func isDoubtful(word string) bool {
	return doubtWords.Has(word) || slices.ContainsFunc(futureEnds, func(end string) bool {
		return strings.HasSuffix(word, end) && len(word) > len(end)
	})
}
