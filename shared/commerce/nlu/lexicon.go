package nlu

import (
	"slices"
	"strings"
	"sync"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/sorting"
)

// entry is a word or a phrase that is known: what it means for goods, or what it does in a message.
type entry struct {
	keys   []string // folded, without ka, ki, ke and wala
	text   string   // as it is written, of an entry of one word
	goods  []string // the words of goods that it stands for
	marker marker
}

// dictionary finds entries by their first word. The longest come first.
type dictionary map[string][]entry

func (d dictionary) add(e entry) {
	if len(e.keys) > 0 {
		d[e.keys[0]] = append(d[e.keys[0]], e)
	}
}

func (d dictionary) sort() {
	for _, entries := range d {
		sorting.Func(entries, func(a, b entry) int { return len(b.keys) - len(a.keys) })
	}
}

// lexicon is what is known before there is a catalogue.
type lexicon struct {
	goods, markers dictionary
	fillers        map[string]bool     // by their spelling
	fillerKeys     map[string]bool     // by their sound
	verbs          map[string]bool     // fillers that ask for something to be sent
	things         map[string]bool     // words that name a thing
	keys           map[string]bool     // all folded words
	named          map[string]bool     // those of goods
	also           []knowledge         // what else well-known goods are
	loosely        map[string][]string // by the thing
	shortNames     map[string][]string // the last words of the names of things
	topics         []topicRow
	abouts         []aboutRow
	topicBook      phraseBook
	aboutBook      phraseBook
}

// knowledge is a row of alsoKnown in the words of goods.
type knowledge struct{ words, also []string }

// known returns the lexicon. It is made at the first use.
var known = lazy.Of[*lexicon]{Make: func() *lexicon {
	l := &lexicon{
		goods: dictionary{}, markers: dictionary{}, fillers: map[string]bool{}, fillerKeys: map[string]bool{},
		verbs:  map[string]bool{},
		things: map[string]bool{}, named: map[string]bool{}, keys: map[string]bool{}, loosely: map[string][]string{},
		shortNames: map[string][]string{},
	}
	for _, g := range rowsOf(goods) {
		l.things[g.name] = true
		l.addGood(g)
	}
	for _, g := range rowsOf(kinds + ";" + phrases) {
		l.addGood(g)
	}
	l.goods.sort()
	l.addMarkers()
	l.addKnowledge()
	l.topics, l.abouts = topicRows(), aboutRows()
	var ofTopics, ofAbouts [][][]string
	for _, row := range l.topics {
		ofTopics = append(ofTopics, row.groups)
	}
	for _, row := range l.abouts {
		ofAbouts = append(ofAbouts, row.groups)
	}
	l.topicBook, l.aboutBook = bookOf(ofTopics), bookOf(ofAbouts)
	l.addTopicWords()
	return l
}}

// addGood adds the spellings of a good. The name itself is one where it has several words or stands in no other row.
func (l *lexicon) addGood(g good) {
	meaning := strings.Fields(g.name)
	for _, spelling := range append(strings.Split(g.also, ","), g.name) {
		keys := keysOf(spelling)
		l.goods.add(entry{keys: keys, goods: meaning, text: strings.TrimSpace(spelling)})
		for _, key := range keys {
			l.keys[key], l.named[key] = true, true
		}
	}
}

func (l *lexicon) addMarkers() {
	for _, row := range markers {
		for _, spelling := range strings.Split(row.words, ",") {
			spelling = normalise(strings.TrimSpace(spelling))
			var keys []string
			for _, t := range tokenise(spelling) {
				keys = append(keys, t.key)
				l.keys[t.key] = true
			}
			l.markers.add(entry{keys: keys, text: strings.ReplaceAll(spelling, "'", ""), marker: row.kind})
		}
	}
	l.markers.sort()
	for _, w := range strings.Fields(fillers) {
		w = normalise(strings.ReplaceAll(w, "'", ""))
		l.fillers[w] = true
		l.fillerKeys[language.Fold(w)] = true
		l.keys[language.Fold(w)] = true
	}
	for _, w := range append(strings.Fields(verbs), futureVerbs()...) {
		w = normalise(w)
		l.verbs[w], l.fillers[w] = true, true
		l.verbs[language.Fold(w)], l.keys[language.Fold(w)] = true, true
		l.fillerKeys[language.Fold(w)] = true
	}
	for w := range units.Get() {
		l.keys[language.Fold(w)] = true
	}
	for w := range numerals.Get() {
		l.keys[language.Fold(w)] = true
	}
}

// addTopicWords makes fillers of the words that tell what a message is about, so that they are no misspelt goods.
func (l *lexicon) addTopicWords() {
	var all []string
	for _, t := range topicsOf(topics) {
		for _, group := range t.groups {
			if !strings.Contains(group, "$") {
				all = append(all, group)
			}
		}
	}
	for _, r := range replies {
		all = append(all, r.words)
	}
	for _, w := range strings.Fields(strings.ReplaceAll(strings.Join(all, " "), "|", " ")) {
		for _, t := range tokenise(normalise(w)) {
			if _, isGood := l.goods.find([]token{t}); t.kind == word && isGood == 0 && unitOf(t).kind == 0 {
				l.keys[t.key] = true
				l.fillers[t.text] = true
			}
		}
	}
}

func (l *lexicon) addKnowledge() {
	for _, row := range rowsOf(alsoKnown) {
		l.also = append(l.also,
			knowledge{words: l.meaning(tokenise(normalise(row.name))), also: strings.Fields(row.also)})
	}
	for _, g := range rowsOf(goods) {
		l.callLoosely(g)
	}
	for _, g := range rowsOf(dryFruits) {
		l.also = append(l.also, knowledge{words: []string{g.name}, also: []string{"dryfruit"}})
	}
	for name, short := range l.shortNames {
		l.loosely[name] = slices.Clone(short)
	}
	for _, row := range rowsOf(looselyCalled) {
		l.loosely[row.name] = append(l.loosely[row.name], row.also)
	}
}

// callLoosely lets a good be called by the last word of its names: shaving cream is a cream.
func (l *lexicon) callLoosely(g good) {
	for _, spelling := range strings.Split(g.also, ",") {
		tokens := tokenise(normalise(spelling))
		if len(tokens) < 2 {
			continue
		}
		if e, took := l.goods.find(tokens[len(tokens)-1:]); took > 0 && len(e.goods) == 1 && e.goods[0] != g.name &&
			!slices.Contains(l.shortNames[g.name], e.goods[0]) {
			l.shortNames[g.name] = append(l.shortNames[g.name], e.goods[0])
		}
	}
}

// keysOf returns the folded words of a spelling without the words that join them.
func keysOf(spelling string) []string {
	var keys []string
	for _, t := range tokenise(normalise(spelling)) {
		if t.kind != mark && !joins.Has(t.text) {
			keys = append(keys, t.key)
		}
	}
	return keys
}

// joins are words that stand between the words of a thing without meaning: chane ki dal, chakki wala atta.
var joins = &wordSet{of: "ka ki ke k kaa of wala wali wale vala vali vale का की के वाला वाली वाले waala waali waale ko"}

// wordSet is the set of some words in their normal form. It is read when it is first needed, and a variable is declared
// with a literal: a function that reads no orders should not pay for it, not even when it starts.
type wordSet struct {
	of   string // the words
	once sync.Once
	list []string
	set  map[string]bool
}

// List returns the words in their order. The caller does not change it.
func (w *wordSet) List() []string {
	w.once.Do(w.read)
	return w.list
}

// Set returns the words as a set. The caller does not change it.
func (w *wordSet) Set() map[string]bool {
	w.once.Do(w.read)
	return w.set
}

func (w *wordSet) read() {
	w.list, w.set = strings.Fields(w.of), map[string]bool{}
	for i, word := range w.list {
		w.list[i] = normalise(word)
		w.set[w.list[i]] = true
	}
}

// Has reports whether a word is one of them.
func (w *wordSet) Has(word string) bool { return w.Set()[word] }

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[normalise(w)] = true
	}
	return set
}

// find returns the longest entry at the start of some tokens and how many tokens it takes.
func (d dictionary) find(tokens []token) (entry, int) {
	if len(tokens) == 0 {
		return entry{}, 0
	}
	for _, e := range d[tokens[0].key] {
		if len(e.keys) == 1 && len(tokens[0].key) < 4 && !sameShort(e, tokens[0]) {
			continue
		}
		if took := matches(e.keys, tokens); took > 0 {
			return d.asSpelt(e, tokens), took
		}
	}
	return entry{}, 0
}

// asSpelt returns the entry of one word that is spelt like the first of some tokens, where another one only sounds like
// it, or lacks its wala: long is no laung, and chat is no chhat wala.
func (d dictionary) asSpelt(e entry, tokens []token) entry {
	if len(e.keys) > 1 || e.text == tokens[0].text {
		return e
	}
	joined := len(tokens) > 1 && joins.Has(tokens[1].text)
	for _, fits := range []func(o entry) bool{
		func(o entry) bool { return o.text == tokens[0].text },
		func(o entry) bool { return joined == strings.Contains(o.text, " ") },
	} {
		if i := slices.IndexFunc(d[tokens[0].key], func(o entry) bool { return len(o.keys) == 1 && fits(o) }); i >= 0 {
			return d[tokens[0].key][i]
		}
	}
	return e
}

// spelt reports whether there is an entry of one word that is spelt like a token.
func (d dictionary) spelt(t token) bool {
	return slices.ContainsFunc(d[t.key], func(e entry) bool { return len(e.keys) == 1 && e.text == t.text })
}

// sameShort reports whether a short word may be an entry: the sound alone says too little, so that a marker has to be
// spelt as it is listed.
func sameShort(e entry, t token) bool {
	return e.marker == 0 || e.text == t.text
}

// maxJoins is how many joining words may stand between two words of a phrase.
const maxJoins = 3

// matches returns how many tokens the keys take at the start of some tokens, over joining words and hyphens; 0 where
// they do not match.
func matches(keys []string, tokens []token) int {
	at := 0
	for i, key := range keys {
		for skipped := 0; i > 0 && skipped < maxJoins && at < len(tokens) && tokens[at].key != key &&
			(joins.Has(tokens[at].text) || tokens[at].text == "-"); skipped++ {
			at++
		}
		if at >= len(tokens) ||
			tokens[at].key != key && !(key == "x" && (tokens[at].text == "*" || tokens[at].text == "×")) &&
				(i == 0 || len(key) < 3 || tokens[at].key != key+"s" && tokens[at].key != key+"es" &&
					!(len(key) > 4 && tokens[at].key+"e" == key)) { // ball valv
			return 0
		}
		at++
	}
	return at
}

// meaning returns the words of goods that the tokens of a name stand for.
func (l *lexicon) meaning(tokens []token) []string {
	var words []string
	for at := 0; at < len(tokens); {
		t := tokens[at]
		measures := at > 0 && tokens[at-1].kind == number && unitOf(t).kind != 0 // 6 पीस are no peas
		if e, took := l.goods.find(tokens[at:]); took > 0 && !measures &&
			!(took == 1 && l.fillers[t.text] && e.text != t.text && !l.isGoodSpelt(t.text)) { // good is no gud
			words = append(words, e.goods...)
			at += took
			continue
		}
		at++
		if t.kind == mark || joins.Has(t.text) || l.isLoose(t) || t.text == "and" || t.text == "एंड" ||
			t.text == "एण्ड" || t.text == "और" {
			continue
		}
		words = append(words, t.key)
	}
	return words
}

// isLoose reports whether a word of a name only says that the good is sold loose.
func (l *lexicon) isLoose(t token) bool {
	e, took := l.markers.find([]token{t})
	return took > 0 && e.marker == loose
}

// headOf returns the thing that some words name: the last thing among them, since what stands before it says which
// kind; "" if none is a thing. A flavour is the thing only where there is no other: a lozenge with ginger is no
// ginger.
func (l *lexicon) headOf(words []string) string {
	flavour := ""
	for i := len(words) - 1; i >= 0; i-- {
		switch {
		case !l.things[words[i]]:
		case !flavours.Has(words[i]):
			return words[i]
		case flavour == "":
			flavour = words[i]
		}
	}
	return flavour
}

// flavours are things that other goods taste or smell of.
var flavours = &wordSet{of: "lemon orange mango apple strawberry pineapple ginger honey cardamom " +
	"mint tomato onion chilli garlic coconut " +
	"almond cashew pistachio saffron pepper amla tamarind cumin fenugreek tulsi grapes litchi guava " +
	"pomegranate peach fennel cinnamon clove banana lime sandal coriander jeera"}
