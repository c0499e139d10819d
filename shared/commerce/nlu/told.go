package nlu

import (
	"slices"
	"strings"
)

// sentence is what stands between two ends of sentences, or a part of it that only tells of something.
type sentence struct {
	elements []element
	told     bool
}

// apartFromTold splits the sentences of which one part only tells of something, and another orders something: the roll
// was too salty, this time 2 chicken rolls; 1 tank of 1000 litres, the old one leaks.
func (x *Index) apartFromTold(tokens []token, all [][]element) []sentence {
	var parts []sentence
	for _, elements := range all {
		apart := splitAtPauses(tokens, elements)
		tells, orders := false, false
		for i, part := range apart {
			apart[i].told = x.told(tokens, part.elements)
			tells = tells || apart[i].told
			orders = orders || !apart[i].told && (ordersCounted(part.elements) || asksForMeasure(part.elements))
		}
		if !tells || !orders || topicOf(tokens[elements[0].from:elements[len(elements)-1].to], true) == CancelOrder {
			parts = append(parts, sentence{elements: elements})
			continue
		}
		for i, part := range apart { // what tells nothing stays together
			if i > 0 && !part.told && !apart[i-1].told {
				last := &parts[len(parts)-1]
				last.elements = append(slices.Clip(last.elements), part.elements...)
				continue
			}
			parts = append(parts, part)
		}
	}
	return parts
}

// splitAtPauses returns the parts of a sentence, each with the pause that ends it.
func splitAtPauses(tokens []token, elements []element) []sentence {
	var parts []sentence
	from := 0
	for i, e := range elements {
		if i > from && beginsAnew(tokens, elements, i) {
			parts = append(parts, sentence{elements: elements[from:i]})
			from = i
		}
		if e.kind == pauseElement || i == len(elements)-1 {
			parts = append(parts, sentence{elements: elements[from : i+1]})
			from = i + 1
		}
	}
	return parts
}

// beginsAnew reports whether an element says that what was is over: namak zyada tha, aaj theek se banana.
func beginsAnew(tokens []token, elements []element, i int) bool {
	t, before := tokens[elements[i].from], tokens[elements[i].from-1]
	return pastWords.Has(before.text) && before.text != "the" &&
		(anew.Has(t.text) || t.text == "is" && at(tokens, elements[i].from+1) == "baar")
}

var anew = &wordSet{of: "aaj ab abhi iss today now this आज अब"}

// told reports whether a part tells of something and asks for nothing.
func (x *Index) told(tokens []token, part []element) bool {
	if len(part) == 0 || orders(tokens, part) {
		return false
	}
	words := tokens[part[0].from:part[len(part)-1].to]
	return topicOf(x.besideNames(words), true) != "" || tellsState(tokens, part)
}

// tellsState reports whether a part ends with a verb that is no order, and says what is going on or has happened: 2 nal
// tapak rahe hain.
func tellsState(tokens []token, part []element) bool {
	for i := len(part) - 1; i > 0; i-- {
		e := part[i]
		if e.kind == pauseElement || e.kind == breakElement && !e.question || isWords.Has(tokens[e.from].text) {
			continue
		}
		return going.Has(tokens[e.from].text) && part[i-1].kind == unknownElement
	}
	return false
}

// judges reports whether a sentence only says how a thing is, or what is in it: atta bahut mota pisa hai, ply me dimak
// nikal rahi hai.
func judges(tokens []token, sentence []element) bool {
	last, good, much, inside, goes, fails := -1, false, false, false, false, false
	for i, e := range sentence {
		t := tokens[e.from]
		switch {
		case e.kind == quantityElement && e.quantity.said() && !e.quantity.Unclear,
			e.kind == breakElement && e.question,
			asking.Has(t.text), e.kind == markerElement && (e.marker == askPrice || e.marker == askStock):
			return false
		case e.kind == goodsElement:
			good = true
		}
		much = much || good && muchWords.Has(t.text)
		inside = inside || good && inWords.Has(t.text)
		goes = goes || going.Has(t.text)
		fails = fails || good && doesNot(tokens, e.from)
		fails = fails || good && (turnedOut.Has(t.text) || breaks(tokens, e.from) || tellsHabit(tokens, e.from))
		if isWords.Has(t.text) && t.text != "h" {
			last = i
		}
	}
	return fails || good && last > 1 && (much || inside && goes)
}

// breaks reports whether a verb and the one behind it say that something fails: sui baar baar toot rahi hai.
func breaks(tokens []token, i int) bool {
	next := at(tokens, i+1)
	return failing.Has(tokens[i].text) && (going.Has(next) || next == "jata" || next == "jati" || next == "jate")
}

var failing = &wordSet{of: `toot tut phat fat atak ulajh phas fas ukhad utar jal gir chatak murjha sad pighal chipak
	टूट फट अटक उलझ फंस उखड़ उतर जल गिर सड़ चिपक`}

// tellsHabit reports whether a verb of what happens again and again stands before a hai, and neither asks what there
// is nor describes what is meant: dhaga uljhta hai.
func tellsHabit(tokens []token, i int) bool {
	t := tokens[i].text
	return isHabitual(t) && isWords.Has(at(tokens, i+1)) && !usual.Has(t) && !known.Get().isGoodSpelt(t) &&
		!slices.ContainsFunc(tokens[:i], func(t token) bool { return ofWhich.Has(t.text) })
}

// usual are such verbs of what a shop does, and of what customers want.
var usual = &wordSet{of: `milta milti milte rakhte rakhta bechte bechta dete deta dete banate banata karte karta lagta
	lagti lagte chahta chahti chahte bolte kehte khate pehente lagate lete jaate jaata`}

var ofWhich = &wordSet{of: "jo jisme jisse jis jiske jispe जो जिसमें जिससे जिस जिसके"}

// doesNot reports whether a no and a verb say what does not happen: camera raat me saaf nahi dikhata.
func doesNot(tokens []token, i int) bool {
	verb := at(tokens, i+1)
	if isNo(tokens[i]) && (happening.Has(verb) || happening.Has(at(tokens, i+2))) {
		return true // jal nahi rahi, khushboo nahi aa rahi, fit nahi hua
	}
	return isNo(tokens[i]) && len(verb) > 4 && !known.Get().verbs[verb] &&
		(endsIn(verb, habitual) || len(verb) > 5 && endsIn(verb, future) && !promised.Has(verb))
}

// endsIn reports whether a word has one of some endings.
func endsIn(text string, endings *wordSet) bool {
	return slices.ContainsFunc(endings.List(), func(ending string) bool { return strings.HasSuffix(text, ending) })
}

// promised are verbs of what will be that ask whether there is something, or refuse it.
var promised = &wordSet{of: "milega milegi milenge chalega chalegi chalenge chahiyega lagega lagegi rahega " +
	"मिलेगा मिलेगी मिलेंगे चलेगा चलेगी लगेगा"}

// turnedOut are verbs that say how a thing turned out to be: dahi khatti nikli.
var turnedOut = &wordSet{of: "nikla nikli nikle निकला निकली निकले"}

// happening are verbs that say what goes on, or has happened.
var happening = &wordSet{of: "raha rahi rahe rha rhi hua hui hue huye रहा रही रहे हुआ हुई हुए"}

// habitual are the endings of verbs that say what happens again and again.
var habitual = &wordSet{of: "ta ti te ता ती ते"}

// future are the endings of verbs that say what will happen, or will not.
var future = &wordSet{of: "ega egi enge ेगा ेगी ेंगे"}

// muchWords say how much of a quality a thing has.
var muchWords = &wordSet{of: "bahut bohot bahot bht kaafi kafi itna itni itne zyada jyada too very " +
	"बहुत काफी इतना इतनी ज्यादा"}

// going are words behind the stem of a verb that say what is going on or has happened.
var going = &wordSet{of: "raha rahe rahi gaya gaye gayi gya gyi chuka chuki chuke रहा रहे रही गया " +
	"गए गये गई गयी चुका चुकी"}

// ordersCounted reports whether a part has a known thing and how much of it.
func ordersCounted(part []element) bool {
	return slices.ContainsFunc(part, func(e element) bool { return e.kind == goodsElement }) &&
		slices.ContainsFunc(part, isQuantity)
}

// asksForMeasure reports whether a part asks for so much of what was spoken of: aaj taza 500 gm dena.
func asksForMeasure(part []element) bool {
	return slices.ContainsFunc(part, isQuantity) && slices.ContainsFunc(part, func(e element) bool { return e.verb }) &&
		!slices.ContainsFunc(part, func(e element) bool { return e.kind == goodsElement || e.kind == unknownElement })
}

// forbidsAct reports whether a text asks not to do something else than to send or to sell: ghanti mat bajana.
func forbidsAct(tokens []token) bool {
	for i, t := range tokens {
		verb := at(tokens, i+1)
		if (t.text == "mat" || t.text == "मत") && !sellingActs.Has(verb) && slices.ContainsFunc(actEndings.List(),
			func(ending string) bool { return strings.HasSuffix(verb, ending) && len(verb) > len(ending)+2 }) {
			return true
		}
	}
	return false
}

var (
	actEndings = &wordSet{of: "na ना iyega iye इए इएगा"}

	// sellingActs are verbs of what a shop does with an order.
	sellingActs = &wordSet{of: `karna kariye kariyega kijiye kijiyega bhejna bhejiye bhejiyega dena dijiye dijiyega lena
		lijiye lana laana rakhna rakhiye dalna daalna jodna banana mangana mangwana likhna chahiye karana karwana bhijwana
		करना कीजिए करिए भेजना भेजिए भेजिएगा देना दीजिए लेना लाना रखना रखिए डालना जोड़ना बनाना मंगाना मंगवाना लिखना भिजवाना
		कीजिएगा दीजिएगा`}
)
