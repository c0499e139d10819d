package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// idioms are phrases that may stand beside a yes and change nothing of it. Their words may not stand there alone: kuch
// nahi says no, aur kuch nahi says that the order is complete.
const idioms = `aise hi|waise hi|ऐसे ही|वैसे ही|jaisa bola waisa|jaisa kaha waisa|jaisa bola waise|jo likha wahi|
		jo bola wahi|जो लिखा है वही|जो बोला वही|sab clear hai|clear hai|it across|them across|for me|for us|
		unhone bol diya|bol diya unhone|bol diya hai|bol diya|from my side|sahi pakde ho|sahi pakda|bas ho gaya|
		ho gaya bhej do|ho gaya bhejo|ho gaya bhej dijiye|हो गया भेज दो|order now|it now|send now|place now|yes now|
		haan now|it right now|order right now|send right now|hai bhejna|ji bhejna|bhai bhejna|bhaiya bhejna|ok bhejna|
		jaldi bhejna|jldi bhejna|yaad se bhejna|aaj hi bhejna|time pe bhejna|ghar pe bhejna|pakka bhejna|order bhejna|
		है भेजना|जी भेजना|भाई भेजना|भैया भेजना|जल्दी भेजना|घर पे भेजना|meri side se|my side se|good to me|right to me|
		fine to me|theek laga|thik laga|sahi laga|accha laga|ठीक लगा|अच्छा लगा|aur kuch nahi|aur kuch nhi|
		aur kuch nahin|aur kuch nahi chahiye|kuch aur nahi|kuch aur nahi chahiye|nahi bas yahi bhej do|
		nahi bas yahi bhejo|nahi bas itna hi bhej do|nahi bas itna hi bhejo|और कुछ नहीं|और कुछ नहीं चाहिए|कुछ और नहीं|
		कुछ और नहीं चाहिए|नहीं बस यही भेज दो|नहीं बस इतना ही भेज दो|no changes|no change|no more changes|nothing more|
		nothing else|no just send|what i want|what i wanted|what we want|i want it|we want it|you can|u can|you may|
		lets do|let us do|yahi chahiye tha|yehi chahiye tha|yahi chahiye thi|यही चाहिए था|bana ke|bana kar|pack karke|
		pack kar ke|de jana|de jao|de jaiye|बना के|दे जाना|sure thing|it over|them over|confirm samjho|pakka samjho|
		final samjho|done samjho|confirm samjhiye|jaldi se|jldi se|yaad se|time pe|time par|time se|abhi ke abhi|
		aaj hi|abhi hi|thats the one|that is the one|that s the one|what i need|what we need|i need it|all i need|
		only this|this only|sure why not|yes why not|haan kyu nahi|haan kyun nahi|kyu nahi bhej do|kyun nahi bhej do|
		haan to aur kya|koi baat nahi bhej do|koi dikkat nahi bhej do|haan koi dikkat nahi|meri taraf se|
		hamari taraf se|mere taraf se|haan wahi|ha wahi|haan bilkul wahi|ji wahi|kitni baar bolu|kitni baar bolun|
		kitni baar kahu|confirm rakho|pakka rakho|confirm rakhna|from us|from me|main le lunga|mai le lunga|
		main le lungi|sab kuch|lets get it|डन समझो|all items|sab items|sabhi items|sabhi cheeze|list ke hisaab se|
		jo upar likha hai|jo dikha raha hai|same as|no change needed|nothing to add|as soon as possible|it along|
		from my end|from our end|jo likha hai|jo likhi hai|jo bola hai|jo bataya hai|haan wahi sab|mummy ne bola|
		mummy ne kaha|papa ne bola|papa ne kaha|haan g|ji g|kitna poochoge|lag raha hai|no issues go ahead|
		no issue go ahead|no problem go ahead|haan no problem|haan zaroor|ji zaroor|ghar pe|ghar par|घर पे|जल्दी से|
		याद से|टाइम पे|टाइम पर|समय पर`

// whole are phrases that say yes, though none of their words may stand beside a yes alone.
const whole = `confirm kar rahe hain|confirm kar raha hu|confirm kar rahi hu|im confirming|i am confirming|i want this|
		i want these|we want this|we want these|sure hu|ho bhej do|do send|do deliver|do place|do confirm|
		bhej hi dijiye|kar hi dijiye|bhej bhi do|kar bhi do|bhej bhi dijiye|bhej diya jaye|kar diya jaye|thatll do|
		confirm karta hu|confirm karti hu|confirm karte hain|lagao order|order lagao|laga lo|order chadha do|
		order le lo|order le lijiye|nothing to change|seems right|seems fine|sau pratishat|as above|as per above|
		as per list|im ok with it|im fine with it|i am ok with it|i am fine with it|pura bhej do|pura order|haan pura|
		भेज ही दो|कर ही दो|lets get it|fine by me|that will do|that would be great|that would be fine|thatll be all|
		that will be all|pack it up|make it happen|carry on|go on|lets go|put it through|put the order through|do it|
		please do so|yahi hai|yahi order hai|yahi tha|yahi sab|likh lo|likh lijiye|likh do|likh dijiye|la dena|le aana|
		le aaiye|le aaiyega|de dena|de dijiyega|itna kaafi hai|itna hi kafi hai|itna hi kafi|aur kuch nahi bas|
		aage badhao|aage badhaiye|yahi lena tha|yahi mangwana tha|pakka samjhna|barabar hai|sab barabar|ho jaye|
		kar lijiye|rakh do|rakh dijiye|theek rahega bhej do|yahi rakho|final rakho|pakka rakho|lock kar do|lock it|
		lock karo|kar hi do|bhej hi do|100 %|100 percent|i am sure|im sure|i need this|i need these|parcel kar do|
		dispatch kar do|dispatch it|haan bhejna|haan zaroor bhejna|haan jaldi bhejna|mangwa dijiyega|pahuncha do|
		pahuncha dena|pahuncha dijiye|ghar bhej do|बराबर है|हो जाए|बेशक|अवश्य|avashya|स्वीकार है|पहुँचा दो|
		rawana kar do|ready kar do|ready karo|taiyar kar do|taiyar karo|taiyar kar dijiye|kara do|kara dijiye|
		sahi samjhe|sahi samjha|ले आइए|ले आइएगा|दे देना|दे दीजिएगा|लिख लो|लिख लीजिए|लिख दीजिए|लिख दो`

var (
	idiomPhrases = lazy.Of[phraseSet]{Make: func() phraseSet { return phrasesOf(idioms) }}
	wholeYes     = lazy.Of[phraseSet]{Make: func() phraseSet { return phrasesOf(whole) }}
)

// phraseSet holds phrases of replies by their first words.
type phraseSet map[string][][]string

// phrasesOf returns phrases with a stroke between each two.
func phrasesOf(phrases string) phraseSet {
	all := phraseSet{}
	for _, phrase := range strings.Split(phrases, "|") {
		all.add(replyKeys(phrase))
	}
	return all
}

func (s phraseSet) add(keys []string) {
	if len(keys) > 0 {
		s[keys[0]] = append(s[keys[0]], keys)
	}
}

// longest returns how many words the longest of the phrases has with which some words begin; 0 for none.
func (s phraseSet) longest(keys []string) int {
	longest := 0
	if len(keys) == 0 {
		return 0
	}
	for _, phrase := range s[keys[0]] {
		if len(phrase) > longest && len(phrase) <= len(keys) && slices.Equal(keys[:len(phrase)], phrase) {
			longest = len(phrase)
		}
	}
	return longest
}

// in reports whether some words hold one of the phrases.
func (s phraseSet) in(keys []string) bool {
	for at := range keys {
		if s.longest(keys[at:]) > 0 {
			return true
		}
	}
	return false
}

// laughs reports whether some words are laughter, and no yes that is said again: ha ha ha.
func laughs(words []replyWord) bool {
	n := 0
	for _, w := range words {
		if w.text != "ha" && w.text != "hee" && w.text != "he" && w.text != "हा" {
			return false
		}
		n++
	}
	return n > 2
}
