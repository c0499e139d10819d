package language

import (
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// Negates reports whether a word of English or Hindi, in small letters, makes a sentence say that something is not so.
func Negates(word string) bool { return negations.Has(word) }

// Asks reports whether a word asks a question.
func Asks(word string) bool { return questions.Has(word) }

// Supposes reports whether a word makes of a sentence something that has not happened, or of which the writer does not
// know: a condition, a wish, what somebody says, what is still to come.
func Supposes(word string) bool {
	if supposals.Has(word) {
		return true
	}
	for _, end := range futureEnds {
		if len(word) > len(end) && strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

var (
	negations = lazy.Words(`
		nahi nahin nhi nai naa na mat not never no don't dont didn't didnt doesn't doesnt isn't isnt won't wont hasn't
		cannot can't bina without नहीं नही ना मत बिना`)
	questions = lazy.Words(`
		kya kyu kyun kyon kab kaun kitna kitne kitni kaise kahan why who how what क्या कब कौन कितना कितने कितनी क्यों`)
	supposals = lazy.Words(`
		agar if jab jabtak until unless when bola boli bole bol bolta bolti keh kehta kehti kehte kaha kah kahta says
		say said told claims wants want chahta chahti chahiye chaiye chahie should shall will would can could may
		might must maybe shayad अगर जब बोला बोली कहता कहती कहा चाहिए शायद`)
	// futureEnds are the endings of a Hindi verb in the future.
	futureEnds = []string{"ega", "egi", "enge", "unga", "ungi", "oonga", "oongi", "ेगा", "ेगी", "ेंगे", "ूंगा", "ूँगा",
		"ूंगी", "ूँगी"}
)
