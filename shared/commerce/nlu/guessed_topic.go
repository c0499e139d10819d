package nlu

import (
	"slices"
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
var guesses = lazy.Of[[]cues]{Make: func() []cues { return slices.Concat(deliveryCues(), personCues(), moneyCues()) }}

// deliveryCues are the cues of questions where an order is, and of orders that are cancelled.
func deliveryCues() []cues {
	notStatus := cueWords(`charge charges free minimum karte karti dete deti timing time sunday address change bill paid
		payment pay ready keep pick rent new discount offer note mat band khuli open close do give चार्ज फ्री करते देते`)
	ordered := cueWords(`order orders parcel delivery saman items item stuff things boy rider ladka package packet bag
		groceries courier ऑर्डर सामान पार्सल डिलीवरी लड़का`)
	return []cues{
		{OrderStatus, []map[string]bool{ordered, cueWords(`when where kab kahan kidhar waiting wait expect expected nearby
			reach reached reaching arriving aayega aayegi aaya aayi pahuncha pahunche pahuche pahunchega nikla sent coming
			diya hua late delayed tak कब कहाँ कहां आया आएगा पहुँचा पहुंचा निकला हुआ भेजा`)}, notStatus, 9},
		{OrderStatus, []map[string]bool{
			cueWords(`aaoge aoge paoge pahunchoge pahuchoge nikle nikloge aayenge pahunchenge bhejoge pahunch
				आओगे पहुँचोगे पहुंचोगे निकले निकलोगे पाओगे`),
			cueWords("kab kitne kitni ki kya minute tak ghar abhi rahe कब कितने कितनी कि क्या मिनट तक घर")},
			notStatus, 8},
		{OrderStatus, []map[string]bool{cueWords("it they someone anyone"),
			cueWords("come reach arrive left started set"), cueWords("will when before has yet after")}, notStatus, 9},
		{OrderStatus, []map[string]bool{cueWords("more longer much"), cueWords("minutes minute mins hours hour time"),
			cueWords("how")}, notStatus, 6},
		{OrderStatus, []map[string]bool{cueWords("saman parcel order ऑर्डर सामान पार्सल"),
			cueWords("jayega jaega jayegi milega जाएगा जायेगा मिलेगा"),
			cueWords("aa aaj mera mere kya na आ आज मेरा ना क्या")},
			notStatus, 9},
		{OrderStatus, []map[string]bool{cueWords("said told promised"), cueWords("minute minutes mins hour hours half"),
			cueWords("you u they")}, nil, 12},
		{CancelOrder, []map[string]bool{cueWords("order ordr ऑर्डर आर्डर"),
			cueWords("hata hatao rok roko rokiye rokna undo scrap drop stop halt रोक रोको हटा हटाओ रोकिए")},
			cueWords("mat nahi dont not why kyu rakha ready pick se me mein item items में से"), 9},
		{OrderStatus, []map[string]bool{cueWords("waiting intezar इंतज़ार इंतजार")}, notStatus, 8},
	}
}

// personCues are the cues of the wish to talk to a person.
func personCues() []cues {
	return []cues{
		{Human, []map[string]bool{
			cueWords("call phone fon phon ring contact mobile कॉल फोन फ़ोन"),
			cueWords(`karna karo kar kariye kijiye maar maro lagao laga milao back number no zara please pls urgent me
				करना करो कर करिए कीजिए लगाओ मिलाओ ज़रा नंबर uthao uthaiye utha pick उठाओ उठाइए`)},
			cueWords(`order delivery kab recharge changed badal naya new mat save note pe se paytm cover nahi doorbell bell
				when before reach ऑर्डर मत नया बदल`), 7},
		{Human, []map[string]bool{
			cueWords("someone anyone somebody anybody person human insaan aadmi word whoever इंसान " +
				"shopkeeper dukandar bot machine"),
			cueWords("talk speak ring call phone through want real there baat se not stop with koi है")},
			cueWords("order delivery else ordered size for"), 10},
	}
}

// moneyCues are the cues of questions what is owed, and of orders that are repeated.
func moneyCues() []cues {
	return []cues{
		{KhataBalance,
			[]map[string]bool{cueWords("bakaya baki udhar hisab khata dues outstanding बकाया उधार हिसाब खाता")},
			cueWords("nahi mat milega doge dete नहीं मिलेगा"), 3},
		{KhataBalance, []map[string]bool{cueWords("much amount"), cueWords("owe give pay settle"),
			cueWords("still left till yet remaining")},
			cueWords("discount for per"), 10},
		{KhataBalance, []map[string]bool{cueWords("total kul कुल"), cueWords("pay dena dene owe देना देने")}, nil, 9},
		{RepeatOrder, []map[string]bool{
			cueWords("regular usual monthly mahine महीने हमेशा हफ्ते hamesha"),
			cueWords("order saman samaan list stuff groceries rashan ration jata सामान ऑर्डर राशन"),
			cueWords("bhej bhejo bhejna send put place do dena give get भेज भेजो दे दो")},
			cueWords("bill price rate kitna kharab nahi kya when where kab hisab बिल कब हिसाब"), 9},
		{RepeatOrder, []map[string]bool{cueWords("same wahi vahi previous pichla pichle pichli last वही पिछला पिछली"),
			cueWords("before again dobara phir fir order usual earlier दोबारा फिर ऑर्डर")},
			cueWords("bill price rate kitna kharab nahi kya when where बिल"), 9},
	}
}

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
