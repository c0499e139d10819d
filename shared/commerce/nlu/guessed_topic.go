package nlu

import (
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// cues are words that together tell what a message is about of which no phrase is known.
type cues struct {
	intent Intent
	groups []map[string]bool // one word of each has to be there
	not    map[string]bool   // and none of these
	most   int               // words of the message
}

// guesses are the cues in the order in which they are tried.
var guesses = lazy.Of[[]cues]{Make: func() []cues {
	notStatus := cueWords(`charge charges free minimum karte karti dete deti timing time sunday address change bill paid
		payment pay ready keep pick rent new discount offer note mat band khuli open close do give चार्ज फ्री करते देते`)
	ordered := cueWords(`order orders parcel delivery saman items item stuff things boy rider ladka package packet bag
		groceries courier ऑर्डर सामान पार्सल डिलीवरी लड़का`)
	return []cues{
		{OrderStatus, []map[string]bool{ordered, cueWords(`when where kab kahan kidhar waiting wait expect expected nearby
			reach reached reaching arriving aayega aayegi aaya aayi pahuncha pahunche pahuche pahunchega nikla sent coming
			diya hua late delayed tak कब कहाँ कहां आया आएगा पहुँचा पहुंचा निकला हुआ भेजा`)}, notStatus, 9},
		{OrderStatus, []map[string]bool{cueWords("waiting intezar इंतज़ार इंतजार")}, notStatus, 8},
		{Human, []map[string]bool{
			cueWords("call phone fon phon ring contact mobile कॉल फोन फ़ोन"),
			cueWords(`karna karo kar kariye kijiye maar maro lagao laga milao back number no zara please pls urgent me
				करना करो कर करिए कीजिए लगाओ मिलाओ ज़रा नंबर`)},
			cueWords(`order delivery kab recharge changed badal naya new mat save note pe se paytm cover nahi doorbell bell
				when before reach ऑर्डर मत नया बदल`), 7},
		{Human, []map[string]bool{
			cueWords("someone anyone somebody anybody person human shopkeeper dukandar sethji seth bot machine"),
			cueWords("talk speak ring call phone through want real there baat se not stop")},
			cueWords("order delivery else ordered size for"), 10},
		{KhataBalance,
			[]map[string]bool{cueWords("bakaya baki udhar hisab khata dues outstanding बकाया उधार हिसाब खाता")},
			cueWords("nahi mat milega doge dete नहीं मिलेगा"), 3},
		{KhataBalance, []map[string]bool{cueWords("total kul कुल"), cueWords("pay dena dene owe देना देने")}, nil, 9},
		{RepeatOrder, []map[string]bool{cueWords("same wahi vahi previous pichla pichle pichli last वही पिछला पिछली"),
			cueWords("before again dobara phir fir order usual earlier दोबारा फिर ऑर्डर")},
			cueWords("bill price rate kitna kharab nahi kya when where बिल"), 9},
	}
}}

func cueWords(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[topicKey(normalise(w))] = true
	}
	return set
}

// guessedTopic returns what a message without goods is about, by the words that it holds; "" for nothing.
func guessedTopic(tokens []token) Intent {
	words := map[string]bool{}
	n := 0
	for _, t := range tokens {
		if t.kind != mark {
			words[topicKey(t.text)] = true
			n++
		}
	}
	for _, guess := range guesses.Get() {
		fits := n <= guess.most && !anyOf(words, guess.not)
		for _, group := range guess.groups {
			fits = fits && anyOf(words, group)
		}
		if fits {
			return guess.intent
		}
	}
	return ""
}

func anyOf(words, of map[string]bool) bool {
	for w := range words {
		if of[w] {
			return true
		}
	}
	return false
}
