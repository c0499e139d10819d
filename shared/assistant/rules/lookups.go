package rules

import (
	"slices"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/language"
)

// lookup says by which words people ask for what is looked up: one word of each list stands in the message, and none
// of those against it.
type lookup struct {
	name    assistant.Lookup
	of      []*language.List
	against *language.List
}

// lookups are what may be looked up, by its words in English, in Hindi, and in Hindi in Latin letters.
var lookups = []lookup{
	{assistant.OrderState, []*language.List{
		language.NewList(`order orders parcel delivery saman samaan ऑर्डर आर्डर पार्सल सामान डिलीवरी`),
		language.NewList(`where when status track tracking reached arrived late delayed shipped dispatched kahan kaha kidhar kab pahuncha
			pahunchega aaya aayega aaega nikla kitni der कहाँ कहां किधर कब पहुँचा पहुंचा पहुँचेगा पहुंचेगा आया आएगा निकला स्टेटस`)},
		language.NewList(`cancel return refund replace change place charge charges fee free minimum area raddh badal wapas रद्द वापस बदल`)},
	{assistant.KhataBalance, []*language.List{
		language.NewList(`balance khata khaata udhar udhaar udhari baaki baki bakaya due dues owe owed outstanding hisab hisaab बैलेंस खाता
			उधार उधारी बाकी बाक़ी बकाया हिसाब`),
		language.NewList(`my i mera meri mere kitna kitni what how show batao bata check मेरा मेरी मेरे कितना कितनी बताओ बताइए दिखाओ`)},
		language.NewList(`open close limit date kholna खोलना`)},
	{assistant.CardRequest, []*language.List{
		language.NewList(`card cards कार्ड`),
		language.NewList(`status request application applied approved approval where when kab kahan kaha hua mila milega स्टेटस कब कहाँ कहां
			मिला मिलेगा मंज़ूर मंजूर`)},
		language.NewList(`lost block stolen pay payment accept fees charge visiting kho chori खो चोरी`)},
}

// own are words by which people speak of what is theirs, and not of how the company does it.
var own = language.NewList(`my mine i me mera meri mere mujhe hamara hamari मेरा मेरी मेरे मुझे हमारा हमारी`)

// few is how many words a message has at most that asks for its own without saying so: "order kab aayega".
const few = 5

// lookupFor returns what a message asks to be looked up, if that is allowed. An id in the message does not count: what
// is looked up is that of the person who writes.
func lookupFor(turn assistant.Turn) (assistant.Lookup, bool) {
	said := language.Words(turn.Last().Text)
	if len(said) > few && !own.Any(said) {
		return "", false
	}
	for _, l := range lookups {
		misses := func(list *language.List) bool { return !list.Any(said) }
		if slices.Contains(turn.Lookups, l.name) && !slices.ContainsFunc(l.of, misses) && misses(l.against) {
			return l.name, true
		}
	}
	return "", false
}

// asking are words of questions.
var asking = language.NewList(`what when where why how who which can do does is are kya kab kahan kaha kyu kyun kaise kaun kitna kitni
	kitne क्या कब कहाँ कहां क्यों कैसे कौन कितना कितनी कितने`)

// agreeing are words that only say yes, or greet.
var agreeing = language.NewList(`yes yeah yep ok okay sure hi hello hey namaste ji haan haa han ha theek thik hai accha acha thanks please
	start ready go tell bolo bataiye poochiye pucho good morning afternoon evening हाँ हां जी ठीक है नमस्ते पूछिए बोलिए`)
