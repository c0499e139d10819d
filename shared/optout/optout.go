// Package optout hears that a person wants no more messages, or wants them again, in English, in Hindi, and in Hindi in
// Latin letters.
package optout

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// outWords are the messages by which a person asks not to be written to, inWords those that take it back. A word counts
// only when it is the whole message.
var (
	outWords = []string{"stop", "stopall", "unsubscribe", "opt out", "opt-out", "optout",
		"cancel subscription", "stop promotions",
		"रोकें", "रोको", "बंद करो", "बंद करें", "band karo", "band kare", "mat bhejo", "मत भेजो"}
	inWords = []string{"start", "unstop", "subscribe", "opt in", "opt-in", "optin",
		"चालू करो", "शुरू करें", "shuru karo", "chalu karo"}
)

// Decides reports whether a message decides about being written to, and whether it asks to stop. Only a word that is
// the whole message decides. A sentence does not: "sms mat karo, whatsapp karo" asks for messages.
func Decides(text string) (out, decides bool) {
	word := strings.ToLower(strings.Trim(strings.TrimSpace(text), ".!"))
	switch {
	case slices.Contains(outWords, word):
		return true, true
	case slices.Contains(inWords, word):
		return false, true
	}
	return false, false
}

// Suggests reports whether a message may ask to stop, among other things. A person has to read it.
func Suggests(text string) bool {
	out, decides := Decides(text)
	return decides && out || asks(wordsOf(text))
}

// wordsOf returns the words of a text. Na refuses what stands behind it; at the end of a sentence it only begs.
func wordsOf(text string) []string {
	said := language.Words(text)
	for i, w := range said[:max(0, len(said)-1)] {
		if begging.Has(w) && sending.Has(said[i+1]) {
			said[i] = "mat"
		}
	}
	return said
}

// asks reports whether words speak of leaving, of messages that are to stop, or of messages that are not to be sent.
func asks(said []string) bool {
	return leaving.Any(said) || messages.Any(said) && (stopping.Any(said) || refusing.Any(said) && sending.Any(said))
}

var (
	begging = language.NewList(`na naa ना न`)

	leaving  = language.NewList(`unsubscribe unsubscribed unsub optout अनसब्सक्राइब अनसबस्क्राइब`)
	stopping = language.NewList(`stop stopped quit cease band bandh rok roko rokiye rokna बंद बन्द रोको रोकिए रोक रोकना`)
	refusing = language.NewList(`dont not no never mat nahi nahin मत नहीं`)
	// messages are what is sent. To message, or to text, is a word of it as well.
	messages = language.NewList(`message messages messaging messaged msg msgs mesg sms text texts texting whatsapp spam spamming
		मैसेज मेसेज मैसेजेस संदेश सन्देश एसएमएस व्हाट्सएप`)
	sending = language.NewList(`send sending sent write want need more me us bhejo bhejna bhejen bheje bhejiye bhejte bhej karo karna
		kariye kijiye karen kare kar chahiye chaiye भेजो भेजना भेजें भेजिए भेजते भेज करो करना करिए कीजिए करें कर चाहिए`)
)
