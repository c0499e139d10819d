package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// Reply is what a message is that says nothing else.
type Reply string

// The replies. A message is one only as a whole: one word beside it that is no part of it makes it something else.
const (
	Yes  Reply = "yes"  // it confirms what was shown
	No   Reply = "no"   // it declines what was shown
	Hold Reply = "hold" // the customer wants to think, to ask somebody, to say so later
)

// grammar is a closed grammar of replies: a message is one if each of its words is one of the grammar's, and some of
// them are a core.
type grammar struct {
	core    string // phrases that suffice, separated by |
	beside  string // words that may stand beside them
	phrases phraseSet
	words   map[string]bool
}

// courtesies may stand beside any reply: forms of address, thanks, particles.
const courtesies = `ji jee bhai bhaiya bhaiyya ustad ustaad guru malik janab huzoor उस्ताद मालिक bro sir madam mam maam uncle aunty aunti didi dada boss yaar please plz
	pls pl kindly na hi ab to toh phir fir
	hai h he hain hey arre accha acha achha ok okay thanks thank thanku you thankyou thnx thx dhanyavad dhanyavaad
	shukriya so then just simply only actually
	beta beti sahab saab sahib chacha chachaji kaka bhabhi seth sethji boss dost yr re baba बाबा dear brother sister buddy babu
	जी भाई भई भैया सर मैडम प्लीज कृपया ना ही अब तो फिर है हैं हे अच्छा धन्यवाद शुक्रिया 🙏 😊 🙂 😀 😄 😋 😍 🤗 😁 😃
	🙌 💪 ❤ 😇 🌹 💐 🎉 🥰 ☺ 🤝 👏`

var yesGrammar = grammar{
	core: `sounds great|sounds fine|sounds ok|sounds perfect|sounds right|place kar do|place kar dijiye|place kardo|ऑर्डर डाल दो|ऑर्डर डाल दीजिए|bhj dijye|bhej dijye|kr dijye|
		kar dijye|karein|karen|करें|daal do|laga de|lga de|lga dena|laga dena|लगा दीजिए|लगा देना|kr do|kr dena|
		kr dijiye|भेजदो|करदो|भेज देना|कर देना|
		यही सब चाहिए|करिए|snd|pkka|pkk|bhijwaiye|bhijwaiyega|deal|ekdam|approve|approved|accept|accepted|chalegi|
		डन|फाइनल|यस|ओके|
		of course|haan|haa|ha|hn|hao|hau|haw|haanji|hnji|yes|yeah|yea|yep|yup|ys|ok|okk|okie|k|kk|theek|thk|thike|
		sahi|confirm|confirmed|cnfrm|confrm|cnfm|confrmd|conform|pakka|done|correct|right|sure|bilkul|jee|alright|
		all right|go ahed|go ahd|goahead|sounds good|that works|works for me|all set|good to go|zaroor|perfect|fine|
		agreed|agree|great|good|go ahead|go for it|proceed|yahi chahiye|yehi chahiye|yahi bas|bas yahi|bas yehi|
		yahi theek|yahi lena|chalega|manzoor|kardo|kar do|kar den|kar dijiye|kar dijie|kar dijiyega|kar dena|kar de|
		karo|kar lo|kariye|kijiye|bhej do|bhejdo|bhjdo|bhj do|bhjdena|bhj dena|krdena|bhj dijiye|bhej dena|
		bhej dijiye|bhej dijie|bhej dijiyega|bhej dijiega|bhejiyega|bhijwa dijiyega|kar dijiega|bhej de|bhejo|
		bhejiye|bhijwa do|karwa do|krwa do|karwa dijiye|karwa dena|bhijwa dijiye|bhijwa dena|bhejwa do|
		bhejwa dijiye|bhejwa dena|bhejwao|bhijwao|mangwa do|mangwa lo|mangwa dijiye|mangwa de|pack kar|pack karo|
		book it|book kar|place it|place order|place the order|place my order|place this|order it|order place|
		order kar|order daal do|order daal dijiye|order daal dena|daal do order|order laga do|send it|send them|
		send|deliver it|deliver|do it|pack it|ship it|finalise|finalize|final|absolutely|exactly|definitely|ekdum|
		thats all|that is all|thats it|that is it|itna hi|itni hi|itne hi|bas itna|bas itni|bas itne|nothing else|
		laga do|lga do|lgado|laga dijiye|de do|dedo|de dijiye|le aao|la do|bana do|bring it|bring them|lets do it|
		let us do it|book karo|as it is|हाँ|हां|हा|हौ|कन्फर्म|कर दो|कर दें|कर लो|कीजिए|भेज दो|भेज दें|मंगवा दो|
		मंगवा दीजिए|मंगवा लो|भेजिए|भिजवा दो|भिजवा दीजिए|दे दो|दे दीजिए|बस इतना ही|इतना ही|यही चाहिए|लगा दो|बना दो|
		बना दीजिए|ले आओ|ले आना|जी हाँ|जी हां|ji|जी|होय|चालेल|ठीक आहे|करा|पाठवा|હા|હાજી|કરી દો|હા કરી દો|বেশ|
		হ্যাঁ|হ্যা|করে দিন|করে দাও|ঠিক আছে|ஆம்|ஆமாம்|சரி|செய்யுங்கள்|அனுப்புங்கள்|అవును|సరే|చేయండి|పంపండి|👍|👌|✅|✔|☑|
		💯|🆗`,
	beside: `order all that thats it the this my is bas yahi yehi chahiye pack bhej yhi its these a mera meri mere
		ordr orders ise isko ye yeh wo woh sab saara everything looks look lagta lag
		raha i we will take may shown jaise jaisa likha likh note waise waisa bs jaldi jldi jldise jaldise
		chalo chaliye wala wali wale itnahi kijiyega sabhi pura badhiya mast cool nice chal isi ko abhi alrighty
		hmm हम्म dokie packing saman everythings thing things baaki rest remaining hm umm from
		quickly fast asap soon turant fatafat aap apna hum mai main mujhe delivery
		with यह ये वो ऑर्डर आर्डर आप पैक डिलीवरी`,
}

var noGrammar = grammar{
	core: `ill pass|i will pass|not this time|not interested any more|not interested|rehn do|rhn do|rehnedo|rhnedo|
		rehndo|rahnedo|nahi|nahin|nhi|nai|nope|no|nah|nako|mat|na|naa|rehne do|rahne do|rhne do|rhne dijiye|rhne de|
		rehne dijiye|rahne dijiye|rehne den|rehne dena|rahne dena|rehne de|rahne de|chhod do|chhodo|chhod dijiye|
		leave it|leave|forget it|forget|never mind|nevermind|cancel|cancle|skip|drop it|dont want|do not want|
		dont need|not needed|not required|dont send|do not send|dont place|dont confirm|no need|mat bhejo|
		mat bhejna|mat karo|mat karna|nothing|jaane do|hata do|hatao|hata dijiye|refuse|stop|ना|रहने दो|रहने दीजिए|
		छोड़ दो|छोड़ दीजिए|कैंसिल|रद्द|जाने दो|हटा दो|ના|નથી જોઈતું|રહેવા દો|না|লাগবে না|থাক|வேண்டாம்|இல்லை|వద్దు|
		కాదు|👎|❌|🚫`,
	beside: `chahiye chaiye chahie chahye chahiya bhejiye kijiye kar lena kuch bhi that the a my isko ise ye yeh wo sab
		all anything it's abhi aaj now today is baar liye mujhe mere hum main mai mehnga mehenga mehngi mahanga
		mahnga costly expensive jarurat ki ka koi rakho भेजिए कीजिए भी यह ये वो आज की`,
}

// holds are phrases by which a customer puts off the answer.
const holds = `ruko|ruk jao|ruk jaiye|rukiye|rukna|rukie|ruk ja|wait|hold on|ek minute|ek min|1 min|1 minute|one minute|
		one min|one sec|ek second|give me a minute|abhi nahi|abhi nhi|abhi mat|not now|not today|some other day|
		some other time|another day|another time|maybe later|well see|we will see|let me look|let me see|not yet|
		later|baad me|baad mein|bataunga|bataungi|bata dunga|bata dungi|batata hu|batata hoon|batati hu|batati hoon|
		bolta hu|bolta hoon|bolunga|bolti hu|sochta hu|sochti hu|soch ke|soch kar|sochne do|sochunga|puch ke|puchta|
		puch kar|puch lu|puch leta|let me ask|let me think|let me check|will tell|will let you|let you know|will confirm|
		think about|thodi der|thoda ruk|i will think|get back to|ask my|check kar ke|dekhta hu|dekh ke batata|
		dekhte hain|एक मिनट|बाद में|बताऊँगा|बताती|बताता|सोच|पूछ|ok tomorrow|kal bata`

// replyGrammars are the grammars as they are used.
var replyGrammars = lazy.Of[map[Reply]*grammar]{Make: func() map[Reply]*grammar {
	all := map[Reply]*grammar{Yes: &yesGrammar, No: &noGrammar}
	for _, g := range all {
		g.words, g.phrases = map[string]bool{}, phraseSet{}
		for _, phrase := range strings.Split(g.core, "|") {
			keys := replyKeys(phrase)
			g.phrases.add(keys)
			if g == &yesGrammar && len(keys) > 1 {
				continue // all set says yes, and set alone does not
			}
			for _, key := range keys {
				g.words[key] = true
			}
		}
		for _, w := range strings.Fields(g.beside + " " + courtesies) {
			for _, key := range replyKeys(w) {
				g.words[key] = true
			}
		}
	}
	return all
}}

var holdPhrases = lazy.Of[phraseSet]{Make: func() phraseSet { return phrasesOf(holds) }}

// makes are words by which a number before them becomes the quantity.
var makes = &wordSet{of: "kar kr karo kardo krdo krna karna कर करो"}

// replyKeys returns what the words of a reply are known by.
func replyKeys(text string) []string {
	var keys []string
	for _, w := range replyTokens(normalise(text)) {
		keys = append(keys, w.key)
	}
	return keys
}

// replyWord is a word, a number, a sign or an emoji of a reply.
type replyWord struct{ text, key string }

// replyTokens returns the words of a text with its emoji. Full stops, commas and exclamation marks are no words.
func replyTokens(text string) []replyWord {
	var words []replyWord
	var emoji []rune
	for _, t := range tokenise(text) {
		if t.kind == mark && t.text != "👍" && t.text != "🙏" {
			if !strings.ContainsAny(t.text, ".,!…\n-") {
				words = append(words, replyWord{t.text, t.text})
			}
			continue
		}
		words = append(words, replyWord{t.text, replyKeyOf(t)})
	}
	for _, r := range text {
		if (r > 0x2100 && r < 0x2C00 || r >= 0x1F000) && r != '₹' && r != '👍' && r != '🙏' &&
			(r < 0x1F3FB || r > 0x1F3FF) {
			emoji = append(emoji, r)
		}
	}
	for _, r := range emoji {
		words = append(words, replyWord{string(r), string(r)})
	}
	return words
}

// replyKeyOf returns what a word of a reply is known by: its sound, and its spelling where it is short.
func replyKeyOf(t token) string {
	if t.kind != word || t.devanagari && (len(t.key) < 3 || soundsBeside.Has(t.text)) {
		return t.text
	}
	if t.devanagari { // कन्फर्म is said as confirm is
		return drawnOut(t.key)
	}
	if short := undrawn(t.text); short != t.text { // okayy, yesss
		t.text, t.key = short, language.Fold(short)
	}
	if soundsBeside.Has(t.text) {
		return "=" + t.text
	}
	if len(t.key) < 3 && len(t.text) < 4 {
		return t.text
	}
	return drawnOut(t.key)
}

// soundsBeside are words that only sound like those that may stand beside a reply: to hear is not soon, गुड़ not good.
var soundsBeside = &wordSet{of: `set sun bus shahi sub saab low law car mean men tees dhaan baby khari
	khaari karri thick gudh गुड़ गुड दाल डाल डल सेट आइस कार खारी खारा
	तीस बेबी बॉश धान वीट सीप करी शिप चाल धोने टीके कार्य दाण दान पाक बेज लीक लेट देन साइट सिर सीधे खुल दिल आना आओ सुन शाही`}

// undrawn writes a last letter that is repeated once, where it is no vowel or comes three times.
func undrawn(text string) string {
	n := len(text)
	if n < 4 || text[n-1] != text[n-2] || strings.IndexByte("aeio", text[n-1]) >= 0 && text[n-1] != text[n-3] ||
		text[n-1] == 'l' || text[n-1] == 's' && text[n-2] != text[n-3] && n < 5 {
		return text
	}
	return strings.TrimRight(text, text[n-1:]) + text[n-1:]
}

// drawnOut writes a letter that is repeated at the end once: yesss, hmmm.
func drawnOut(key string) string {
	for len(key) > 2 && key[len(key)-1] == key[len(key)-2] {
		key = key[:len(key)-1]
	}
	return key
}

// ReplyOf returns which reply a text is; "" for none. shown reports whether a word may repeat what the customer was
// shown, such as a word of a product's name or a quantity; nil for none.
func ReplyOf(text string, shown func(word string) bool) Reply {
	words := replyTokens(normalise(text))
	if saysYesFirst(words) {
		words[0] = replyTokens("haan")[0]
	}
	if rest := afterPrice(words); len(rest) > 0 { // rate theek hai, bhej do
		words = rest
	}
	if len(words) == 1 && words[0].text == "y" { // beside others it may be a size
		return Yes
	}
	if len(words) == 0 || len(words) > maxReply {
		return ""
	}
	keys := make([]string, len(words))
	for i, w := range words {
		keys[i] = w.key
	}
	if !slices.ContainsFunc(keys, func(k string) bool { return k == "?" }) && holdPhrases.Get().in(keys) {
		return Hold
	}
	if noYes.Get().in(keys) || asksByNa(words) || onlyHears(words) {
		return ""
	}
	if len(words) > 1 && (words[0].text == "do" || words[0].text == "दो") && makes.Has(words[1].text) {
		return "" // do kar do: make it two
	}
	if keepsOrder(tokenise(normalise(text))) {
		return "" // cancel mat karna
	}
	if laughs(words) {
		return ""
	}
	if asksByOrder(words) || happened.Get().in(keys) {
		return "" // is my order confirmed; order confirm ho gaya
	}
	for _, reply := range []Reply{Yes, No} {
		if reply == Yes && forbidsByNa(words) {
			continue
		}
		if replyGrammars.Get()[reply].holds(words, keys, shown) {
			return reply
		}
		shown = nil // who names a thing and says no does not want that thing
	}
	return ""
}

// saysYesFirst reports whether words begin with one that says yes in this place alone: ya ok, but ya na is a choice. हो
// is a yes in Marathi, and in Hindi a form of to be: लीक हो रहा है complains.
func saysYesFirst(words []replyWord) bool {
	switch {
	case len(words) == 0:
		return false
	case words[0].text == "हो":
		return len(words) == 1 || !afterHo.Has(words[1].text)
	}
	return len(words) > 1 && (words[0].text == "ya" || words[0].text == "yaa") && afterYa.Has(words[1].text)
}

var (
	afterYa = &wordSet{of: "ok okay yes sure fine right please go"}
	afterHo = &wordSet{of: "रहा रही रहे गया गयी गई गये गए जा जाए जाएगा जाएगी जायेगा सकता सकती सकते ना न तो"}
)

// asksByOrder reports whether words ask by their order, as in English: is my order confirmed, did I say yes.
func asksByOrder(words []replyWord) bool {
	for len(words) > 1 && replyCourtesies.Get()[words[0].key] {
		words = words[1:]
	}
	doIt := len(words) > 1 && words[0].text == "do" && words[1].text == "it"
	return len(words) > 1 && auxiliaries.Has(words[0].text) && subjects.Has(words[1].text) && !doIt
}

var (
	auxiliaries = &wordSet{of: "is are was were has had did do does can could will would should shall may am"}
	subjects    = &wordSet{of: "my your the it this that i you u we he she they there order everything " +
		"all anything somebody someone"}
)

var replyCourtesies = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(courtesies) {
		for _, key := range replyKeys(w) {
			all[key] = true
		}
	}
	return all
}}

// happened are phrases that tell or ask whether something has been done, and do not ask for it.
var happened = lazy.Of[phraseSet]{Make: func() phraseSet {
	all := phraseSet{}
	for _, done := range strings.Fields("confirm confirmed order book place pakka final send pack deliver dispatch") {
		for _, is := range []string{"ho gaya", "hogaya", "ho gya", "hogya"} {
			all.add(replyKeys(done + " " + is))
		}
	}
	return all
}}

// maxReply is how many words a reply has at most.
const maxReply = 14

func (g *grammar) holds(words []replyWord, keys []string, shown func(word string) bool) bool {
	idiom, sure := 0, false // where the last idiom ends, and whether one says yes
	for i, key := range keys {
		if g == &yesGrammar {
			idiom = max(idiom, i+idiomPhrases.Get().longest(keys[i:]))
			if whole := wholeYes.Get().longest(keys[i:]); whole > 0 {
				idiom, sure = max(idiom, i+whole), true
			}
		}
		idiom = max(idiom, i+g.phrases.longest(keys[i:]))
		if i < idiom {
			continue
		}
		// go ahead and place it, likh lo aur bhej do; before goods it adds them
		if words[i].text == "and" || words[i].text == "aur" && acts(words[:i]) {
			if g.phrases.longest(keys[i+1:]) == 0 {
				return false
			}
			continue
		}
		if !g.words[key] && (shown == nil || !shown(words[i].text)) {
			return false
		}
	}
	return sure || g.phrases.in(keys)
}

// BeginsWithYes reports whether a text begins with a word that says yes.
func BeginsWithYes(text string) bool { return yesWordsAt(text) > 0 }

// AfterYes returns what a text says after the words of a yes with which it begins.
func AfterYes(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[min(yesWordsAt(text), len(words)):], " ")
}

// yesWordsAt returns with how many words of a yes a text begins; 0 if the first says none.
func yesWordsAt(text string) int {
	n := 0
	for _, w := range strings.Fields(text) {
		tokens := replyTokens(normalise(strings.Trim(w, ",.!")))
		if len(tokens) != 1 ||
			!replyGrammars.Get()[Yes].phrases.in([]string{tokens[0].key}) &&
				!(n > 0 && (contrasts.Has(tokens[0].text) || courtesy.Get()[tokens[0].text])) {
			break
		}
		n++
	}
	return n
}
