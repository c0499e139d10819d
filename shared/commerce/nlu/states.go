package nlu

import (
	"slices"
	"strings"
)

// states reports whether a message in English only tells something of what it names, and orders nothing: flowers wilted
// within two hours, ur flowers r always late. It says so by a verb that is no wish; nothing in it asks for anything,
// and nothing is counted.
func (x *Index) states(tokens []token, items []*item) bool {
	if !onlyAsked(items) {
		return false
	}
	if languageOf(tokens) != "en" {
		return statesInHindi(tokens)
	}
	words, finite := 0, false
	for i, t := range tokens {
		if t.kind != word {
			continue
		}
		words++
		if askedFor.Has(t.text) {
			return false
		}
		finite = finite || i > 0 && perfects.Has(t.text) && x.isParticiple(tokens, i+1)
		finite = finite || i > 0 && owners.Has(tokens[0].text) && harmed.Has(t.text) // my boy cut his finger
		finite = finite || (stating.Has(t.text) || t.text == "too") && i+1 < len(tokens) || x.isPast(t)
	}
	return finite && words >= leastStated
}

// leastStated is how many words a sentence has that tells something.
const leastStated = 4

// isPast reports whether a word is an English verb of what was, and no word of a name: wilted, but not roasted where
// roasted peanuts are sold.
func (x *Index) isPast(t token) bool {
	if !strings.HasSuffix(t.text, "ed") || len(t.text) < leastPast || x.vocab[t.key] && !t.guessed {
		return false
	}
	_, took := known.Get().goods.find([]token{{kind: word, text: t.text, key: t.key}})
	return took == 0
}

// isDone reports whether an item begins with a verb of what was, behind who did it: you missed two things.
func (x *Index) isDone(tokens []token, it *item) bool {
	if len(it.parts) == 0 {
		return false
	}
	at := it.parts[0].from
	return at > 0 && subjects.Has(tokens[at-1].text) && x.isPast(tokens[at])
}

// isParticiple reports whether a word behind a have says what has happened: have eaten, has been.
func (x *Index) isParticiple(tokens []token, i int) bool {
	return i < len(tokens) && tokens[i].kind == word && (haveDone.Has(tokens[i].text) || x.isPast(tokens[i]) ||
		len(tokens[i].text) > 4 && strings.HasSuffix(tokens[i].text, "en") && !x.vocab[tokens[i].key])
}

var (
	perfects = &wordSet{of: "have has had hasnt havent hadnt ve"}
	haveDone = &wordSet{of: "been gone done lost left come got become begun run torn worn shrunk burnt bent cut hurt"}
)

var (
	owners = &wordSet{of: "my our his her their somebody someone thieves rats mice"}
	harmed = &wordSet{of: "cut hurt bit stole took ate burnt bent slit hit bled lost"}
)

// leastPast is how many letters a verb of what was has.
const leastPast = 5

var (
	// stating are verbs of what is, was and happens.
	stating = &wordSet{of: `is are r was were am isnt arent wasnt werent has hasnt had hadnt havent does doesnt did
		didnt wont
		keeps came comes went goes gets got felt feels smells tastes smelt looks seems turned fell died broke stopped
		left lost
		says said told gives gave charge charging sells sold lasts lasted works makes ran burst tore cost costs took
		im ive youre hes shes theyre shows blinks beeps stops starts leaks burns trips heats rattles shakes shrinks bleeds`}

	// askedFor are words that ask for something.
	askedFor = &wordSet{of: `need needs want wants wanted require required send give order add get buy take pack
		bring deliver
		book please pls plz kindly put keep looking let lets ill id can could may share chahiye bhej dena do`}
)

// statesInHindi reports whether a message in Hindi only tells something: it ends with a verb of what is or was, and
// holds none that asks for anything.
func statesInHindi(tokens []token) bool {
	var words []token
	tooMuch := false
	for _, t := range tokens {
		if t.kind == word {
			words = append(words, t)
		}
		tooMuch = tooMuch || t.text == "too"
		if askedFor.Has(t.text) || plainVerbs.Has(t.text) {
			return false
		}
	}
	stated := len(words)
	for last := len(words) - 1; stated >= leastStated && last > 0; last-- {
		if stateEnds.Has(words[last].text) || isNo(words[last]) && (turned.Has(words[last-1].text) ||
			last > 1 && words[last-1].text == "hi" && turned.Has(words[last-2].text)) {
			return true
		}
		if words[last].text == "ho" && isHabitual(words[last-1].text) { // mehnge bechte ho
			return true
		}
		if !courtesy.Get()[words[last].text] && !wholly.Has(words[last].text) {
			break
		}
	}
	return tooMuch && stated >= leastStated // pillow too hard yaar
}

// wholly may stand behind the verb of what is or was: manjha ulajh gaya pura.
var wholly = &wordSet{of: "pura poora puri poori sara sab bilkul ekdum pehle पूरा पूरी सब बिल्कुल"}

// isHabitual reports whether a word is a verb of what happens again and again.
func isHabitual(text string) bool {
	return len(text) > 4 && slices.ContainsFunc(habitual.List(),
		func(ending string) bool { return strings.HasSuffix(text, ending) })
}

// stateEnds are verbs with which a sentence ends that tells something; turned are those of what was.
var (
	stateEnds = &wordSet{of: `hai hain h tha thi the raha rahi rahe rha rhi gaya gayi gaye gya gyi hua hui hue aaya
		aayi aaye
		nikla nikli nikle laga lagi lage mila mili mile है हैं था थी थे रहा रही रहे गया गयी गई गए हुआ हुई हुए आया आई
		आए निकला
		निकली निकले लगा लगी मिला मिली`}
	turned = &wordSet{of: `aaya aayi aaye bheja bheji bheje diya di diye nikla nikli nikle laga mila mili mile kiya
		hua hui
		hue आया आई आए भेजा भेजी भेजे दिया दी दिए निकला मिला मिली`}
)

// thanksFor returns Thanks for a message that begins or ends with thanks: thanks, the blanket is lovely. "" for
// another.
func thanksFor(tokens []token) Intent {
	thanks := func(t token) bool { return replyWords.Get()[Thanks][replyKey(t)] }
	if len(tokens) > 0 && (thanks(tokens[0]) || thanks(tokens[len(tokens)-1])) {
		return Thanks
	}
	return ""
}
