// Package optout hears that a person wants no more messages, or wants them again, in English, in Hindi, and in Hindi in
// Latin letters.
package optout

import (
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// outWords are the messages by which a person asks not to be written to, inWords those that take it back. A word counts
// only when it is the whole message.
var (
	outWords = words("stop", "stopall", "unsubscribe", "opt out", "opt-out", "optout",
		"cancel subscription", "stop promotions",
		"रोकें", "रोको", "बंद करो", "बंद करें", "band karo", "band kare", "mat bhejo", "मत भेजो")
	inWords = words("start", "unstop", "subscribe", "opt in", "opt-in", "optin",
		"चालू करो", "शुरू करें", "shuru karo", "chalu karo")
)

func words(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, word := range list {
		set[word] = true
	}
	return set
}

// Decides reports whether a message decides about being written to, and whether it asks to stop. A sentence decides
// only if it says nothing else: "please stop messaging me", "mujhe message mat karo".
func Decides(text string) (out, decides bool) {
	word := strings.ToLower(strings.Trim(strings.TrimSpace(text), ".!"))
	switch {
	case outWords[word]:
		return true, true
	case inWords[word]:
		return false, true
	}
	said := wordsOf(text)
	certain := asks(said) && plain(said) && !strings.ContainsAny(text, "?,;:\n")
	return certain, certain
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

// longest is how many words a sentence has at most that decides.
const longest = 12

// asks reports whether words speak of leaving, of messages that are to stop, or of messages that are not to be sent.
func asks(said []string) bool {
	return leaving.Any(said) || messages.Any(said) && (stopping.Any(said) || refusing.Any(said) && sending.Any(said))
}

// plain reports whether words that ask to stop say nothing else, and refuse nothing but messages.
func plain(said []string) bool {
	if len(said) > longest || !language.All(said, leaving, stopping, refusing, messages, sending, beside) {
		return false
	}
	for i, w := range said {
		if !refusing.Has(w) {
			continue
		}
		next := said[i+1 : min(i+2, len(said))]
		last := len(next) == 0 && i > 0 && sending.Has(said[i-1])
		answers := bare.Has(w) && !more.Any(next) // no, message me
		if answers || !last && !sending.Any(next) && !messages.Any(next) || stopping.Any(said) || leaving.Any(said) {
			return false
		}
	}
	return true
}

var (
	bare, more, begging = language.NewList(`no`), language.NewList(`more`), language.NewList(`na naa ना न`)

	leaving  = language.NewList(`unsubscribe unsubscribed unsub optout अनसब्सक्राइब अनसबस्क्राइब`)
	stopping = language.NewList(`stop stopped quit cease band bandh rok roko rokiye rokna बंद बन्द रोको रोकिए रोक रोकना`)
	refusing = language.NewList(`dont not no never mat nahi nahin मत नहीं`)
	// messages are what is sent. To message, or to text, is a word of it as well.
	messages = language.NewList(`message messages messaging messaged msg msgs mesg sms text texts texting whatsapp spam spamming
		मैसेज मेसेज मैसेजेस संदेश सन्देश एसएमएस व्हाट्सएप`)
	sending = language.NewList(`send sending sent write want need more me us bhejo bhejna bhejen bheje bhejiye bhejte bhej karo karna
		kariye kijiye karen kare kar chahiye chaiye भेजो भेजना भेजें भेजिए भेजते भेज करो करना करिए कीजिए करें कर चाहिए`)
	// beside are words that change nothing.
	beside = language.NewList(`please pls plz kindly i you your u the these this those any all from to on of it again now just do will
		would can anymore ever immediately sir madam bhai ji mujhe mujhko mereko hume hamein humko ye yeh aise ko pe par aur ab aap tum
		aapke apne kripya kripaya koi sab sare saare bhi se hi do de dijiye dena dijie diya jaye agar aage है हैं मुझे मुझको हमें ये यह
		ऐसे को पे पर और अब आप तुम कृपया कोई सब सारे भी से दो दीजिए देना जी भाई number mobile phone नंबर`)
)
