package nlu

import (
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// Intent is what a customer wants with a message.
type Intent string

// The intents.
const (
	Order        Intent = "order"
	Greeting     Intent = "greeting"
	OrderStatus  Intent = "order_status"
	CancelOrder  Intent = "cancel_order"
	KhataBalance Intent = "khata_balance"
	Price        Intent = "price"
	Availability Intent = "availability"
	Human        Intent = "human"
	Confirm      Intent = "confirm"
	Decline      Intent = "decline"
	RepeatOrder  Intent = "repeat_order"
	Thanks       Intent = "thanks"
	Other        Intent = "other"
)

// replyWords are the words of each kind of reply.
var replyWords = lazy.Of[map[Intent]map[string]bool]{Make: func() map[Intent]map[string]bool {
	words := map[Intent]map[string]bool{}
	for _, r := range replies {
		words[r.intent] = map[string]bool{}
		for _, phrase := range strings.Split(r.words, "|") {
			for _, t := range tokenise(normalise(strings.TrimSpace(phrase))) {
				if !questionWords.Has(t.text) {
					words[r.intent][replyKey(t)] = true
				}
			}
		}
	}
	return words
}}

// replyKey is what a word of a reply is known by: its sound, or its spelling where it is short, since hai sounds like
// hey.
func replyKey(t token) string {
	if len(t.key) < 3 {
		return t.text
	}
	return t.key
}

// questionWords greet only beside others: how are you.
var questionWords = &wordSet{of: "how are you what s up whats not kuch ho hain"}

// topicOf returns what a text is about beside goods; "" if no row fits.
func topicOf(tokens []token, beside bool) Intent {
	fits := known.Get().topicBook.fitting(spaced(tokens))
	for i, row := range known.Get().topics {
		if fits[i] && (!beside || row.weight != weak) && !(row.intent == CancelOrder && keepsOrder(tokens)) {
			return row.intent
		}
	}
	return ""
}

// replyOf returns which reply a short message is: the words of the first kind that it has decide, no before yes, yes
// before thanks unless it only says that all is well; "" if it is none.
func replyOf(tokens []token) Intent {
	has := map[Intent]int{}
	words, unknown := 0, 0
	strongYes := false
	for _, t := range tokens {
		if t.kind == mark && t.text != "👍" {
			continue
		}
		words++
		found := false
		for intent, of := range replyWords.Get() {
			if of[replyKey(t)] {
				has[intent]++
				found = true
			}
		}
		strongYes = strongYes || sureWords.Has(t.text)
		if !found && !known.Get().fillers[t.text] && !known.Get().fillerKeys[t.key] {
			unknown++
		}
	}
	switch {
	case words > longReply && has[Decline]*3 < words && has[Thanks] == 0 && has[Greeting]*3 < words:
		return ""
	case words == 0 || unknown > max(1, words/2) || keepsOrder(tokens):
		return ""
	case has[Decline] > 0 && (has[Thanks] == 0 || has[Decline] > 0 && !strongYes) && !strongYes:
		return Decline
	case has[Thanks] > 0 && !strongYes:
		return Thanks
	case has[Greeting] > 0 && !strongYes && has[Greeting] >= has[Confirm]:
		return Greeting
	}
	return ""
}

// longReply is how many words a reply has at most of which only one says what it is.
const longReply = 5

// sureWords say yes; ok and theek hai may also only end a conversation.
var sureWords = &wordSet{of: "haan han haa ha yes yeah yep yup confirm confirmed pakka sahi hanji " +
	"haanji हाँ हां हा कन्फर्म पक्का सही " +
	"proceed kardo bilkul zaroor jaroor jarur"}

// keepsOrder reports whether some words say that an order is not to be cancelled: cancel mat karna, don't cancel.
func keepsOrder(tokens []token) bool {
	refuses := func(at int) bool {
		return at >= 0 && at < len(tokens) && (keepWords.Has(tokens[at].text) || isNo(tokens[at]))
	}
	for i, t := range tokens {
		if cancels.Has(t.key) && (refuses(i+1) || doing.Has(at(tokens, i+1)) && refuses(i+2) ||
			i+2 < len(tokens) && tokens[i+1].text == "ho" && going.Has(tokens[i+2].text) ||
			refuses(i-1) || i > 1 && tokens[i-1].text == "the" && refuses(i-2)) {
			return true
		}
	}
	return false
}

// cancels are words for cancelling; keepWords refuse what follows; doing may stand between.
var (
	cancels   = &wordSet{of: "kansel kankle kankal kansal kensil kensal kanseled rad"}
	keepWords = &wordSet{of: "mat dont not never मत"}
	doing     = &wordSet{of: "karna karo kar karne करना करो कर"}
)
