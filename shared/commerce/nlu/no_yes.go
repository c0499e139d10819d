package nlu

import "github.com/haatline/haatline/shared/lazy"

// noYes are phrases of words that say yes alone, and together something else: theek kar do asks to mend it, bas karo to
// stop.
var noYes = lazy.Of[phraseSet]{Make: func() phraseSet {
	return phrasesOf(`correct it|correct this|correct the|make it right|you sure|do do|दो दो|
		bas karo|bas kariye|bas kijiye|jaldi karo|theek kar do|theek karo|theek kardo|theek kr do|sahi kr do|theek kar dijiye|sahi kar do|
		sahi karo|sahi kardo|sahi kar dijiye|हो गया|deal with|i am good|im good|ji na|जी ना|do bhejo|do bhejiye|
		दो भेजो|दो भेजिए|theek ho gaya|main theek|mai theek|aap theek|hum theek|main thik|aap thik|मैं ठीक|
		आप ठीक|sahi wala|sahi wali|sahi wale|accha wala|acha wala|accha bhejo|acha bhejo|सही वाला|अच्छा वाला|अच्छा भेजो|note karo|done with|he is|she is|you are|u are|u r|we are|they are|wo wala|wo wali|wo wale|woh wala|woh wali|
		वो वाला|वो वाली|वह वाला|वह वाली`)
}}

var (
	naWords   = &wordSet{of: "na naa ना"}
	isOfReply = &wordSet{of: "hai h he है"}

	// sureAsked are words that ask with a na behind them: pakka na.
	sureAsked = &wordSet{of: "pakka sahi theek thik thk confirm final done ok right fine पक्का सही ठीक कन्फर्म"}

	// naForbids are the forms of sending and doing that a na before them forbids. What is given after a stem, as in
	// bhej do, is asked for.
	naForbids = &wordSet{of: `bhejo bhejna bhejiye bhejiyega bhejen karo karna kariye kijiye kijiyega kar lana lao dena
		dijiye dijiyega भेजो भेजना भेजिए भेजिये भेजिएगा करो करना करिए कीजिए कीजिएगा लाना लाओ देना`}
)

// Wishes reports whether a text that could say yes names goods: dal bhej do, but not order dal do. shown reports
// whether a word may repeat what the customer was shown; nil for none.
func (x *Index) Wishes(text string, shown func(word string) bool) bool {
	tokens := tokenise(normalise(text))
	for i, t := range tokens {
		if t.kind != word || shown != nil && shown(t.text) || i > 0 && placed.Has(tokens[i-1].text) {
			continue
		}
		e, took := known.Get().goods.find(tokens[i:])
		if took > 0 && known.Get().isGoodSpelt(t.text) &&
			(ReplyOf(t.text, nil) != Yes && !known.Get().fillers[t.text] || x.sells(e.goods)) {
			return true
		}
	}
	return false
}

// placed are words for an order. The word behind them places it: order dal do.
var placed = &wordSet{of: "order ordr ordar ऑर्डर आर्डर"}

// asksByNa reports whether a na makes a question of words that say yes: sahi hai na, pakka na. What is asked to be done
// behind it makes none of it.
func asksByNa(words []replyWord) bool {
	for i := 1; i < len(words); i++ {
		last := i == len(words)-1
		if naWords.Has(words[i].text) && (isOfReply.Has(words[i-1].text) && !acts(words[i+1:]) ||
			last && sureAsked.Has(words[i-1].text)) {
			return true
		}
	}
	return false
}

// acts reports whether some words hold one that asks for something to be done.
func acts(words []replyWord) bool {
	for _, w := range words {
		if known.Get().verbs[w.text] {
			return true
		}
	}
	return false
}

// forbidsByNa reports whether a na stands before a verb, or before all else: na bhejo, na ji.
func forbidsByNa(words []replyWord) bool {
	if naWords.Has(words[0].text) {
		return true
	}
	for i, w := range words {
		if naWords.Has(w.text) && i+1 < len(words) && naForbids.Has(words[i+1].text) {
			return true
		}
	}
	return false
}

// onlyHears reports whether some words only say that the customer has heard, thank, or call somebody: accha ji, thank
// you ji, bhaiya ji.
func onlyHears(words []replyWord) bool {
	for i, w := range words {
		ji := i > 0 && (w.text == "ji" || w.text == "जी")
		if !ji && !heard.Has(w.text) && !thanking.Has(w.text) && !called.Has(w.text) {
			return false
		}
	}
	return true
}

var called = &wordSet{of: `bhai bhaiya bhaiyya didi uncle aunty chacha kaka seth sir madam masterji panditji
	भाई भैया दीदी अंकल आंटी चाचा काका सेठ`}

var thanking = &wordSet{of: `thank thanks you u thankyou thanku thx thnx dhanyavad dhanyawad dhanyavaad shukriya bahut
	धन्यवाद शुक्रिया बहुत`}

var heard = &wordSet{of: "accha acha achha achcha oh अच्छा"}

// afterPrice returns what stands behind words that the price is all right; nil where they do not say so.
func afterPrice(words []replyWord) []replyWord {
	if len(words) < 3 || !priceNames.Has(words[0].text) {
		return nil
	}
	at := 1
	for at < len(words) && (isOfReply.Has(words[at].text) || allRight.Has(words[at].text)) {
		at++
	}
	last := words[at-1].text
	if at == 1 || at == len(words) || !allRight.Has(last) && !allRight.Has(words[at-2].text) ||
		allRight.Has(last) && makes.Has(words[at].text) { // total theek karo
		return nil
	}
	return words[at:]
}

var (
	priceNames = &wordSet{of: "rate price total amount paise daam bhav रेट दाम पैसे"}
	allRight   = &wordSet{of: "theek thik ok okay fine sahi is ठीक सही"}
)
