package nlu

import (
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// Product is a good of a catalogue. Without a pack size it is sold loose, in fractions of its unit.
type Product struct {
	ID, Name, LocalName, Category, Brand string
	Unit, PackSize                       string
	Price                                decimal.Decimal // of a unit or a pack
	Keywords                             []string
}

// product is a good as it is looked for.
type product struct {
	Product
	at    int             // in the index
	words map[string]bool // all that is true of it
	// the folded words of its name in each script, sorted
	written, writtenLocal []string
	texts                 map[string]bool // the folded words of its names and keywords
	parts                 map[string]bool // words that the lexicon knows only within phrases
	sounds                map[string]bool // things that the words of its brand sound like
	weak                  map[string]bool // what customers call it when they name more of it
	heads                 map[string]bool // the things that it is
	proper                map[string]bool // words that no other thing has: the brand and the names that are made up
	names                 [][]string      // the words of its names, sorted
	aliases               []string        // its keywords of one word
	owners                map[string]bool // whose it is by its name: the almari of almari ka tala
	pack                  size            // of a packed good
	base                  string          // of a loose good: what a measure of it is in
	factor                decimal.Decimal // of the base in a unit
	group                 string          // equal for the sizes of one good
	isLoose               bool

	localWords []string    // the words of the name in the other script
	nameWords  []string    // the words of the name, as it is written
	dimensions []dimension // the numbers in the names
	nameEnd    string      // the last word of the name that is neither a modifier nor a number
	core       []string    // the words of the name that do not only say which, sorted
}

// Index is a catalogue in which messages find goods. It does not change, and may be used by many at once.
type Index struct {
	products []*product
	byWord   map[string][]int // products by each of their words, in order
	names    dictionary       // pieces of names that hold numbers or words that mean something else
	vocab    map[string]bool  // folded words of names
	stems    map[string]string
	byLetter map[byte][]string // folded words of names and of the lexicon, for typing errors
	own      map[byte]int      // how many of them are of names; they come first, in order
	byID     map[string]*product
	memo     *memo // of one message
	byMetre  bool  // something is sold by the metre
	kitchen  bool  // dishes are sold

	brands  map[string]bool // words of brands
	written map[string]bool // words of names as they are written
	// those of them that are words for packs, by the pack
	packWords map[string][]string
	ends      map[string]bool     // the last words of names, folded
	skeletons map[string][]string // folded words of names by their consonants, in order
	longWords map[byte][]string   // those that are long and in Latin letters
	thin      map[string][]string // the same, by what is left of them without vowels
	// words for packs that end the name of a thing that is no pack of another, with the pack: bag, bottle
	tails      map[string]string
	kindsOf    map[string]int  // by the last word of names: how many kinds of it there are
	aloneLocal map[string]bool // names of one word in the other script
	modifiers  map[string]bool // words of names that only say which of a thing is meant
	// two words of a name, by the known word that they are when they are written as one
	joinedNames map[string][]string
	sizes       map[string]bool   // numbers without a unit in names of goods
	carriers    map[string]bool   // kinds of packets that names of goods say
	bases       map[string]string // words of names that end in -ed, by the verbs that they are of
}

// isSized reports whether a product is sold in packs of the size that a quantity says.
func (p *product) isSized(q Quantity) bool {
	return !p.isLoose && p.pack.base == q.Base && p.pack.value.Equal(q.Size)
}

// memo keeps what is looked up again and again while one message is read. It bounds the work of a message that repeats
// itself.
type memo struct {
	named   map[string][]*product
	nearest map[string]string
}

// remembering returns the index with a memo of its own.
func (x *Index) remembering() *Index {
	own := *x
	own.memo = &memo{named: map[string][]*product{}, nearest: map[string]string{}}
	return &own
}

// NewIndex returns the index of a catalogue.
func NewIndex(products []Product) *Index {
	x := &Index{
		byWord: map[string][]int{}, names: dictionary{}, vocab: map[string]bool{}, stems: map[string]string{},
		byLetter: map[byte][]string{}, byID: map[string]*product{}, own: map[byte]int{},
		modifiers: map[string]bool{}, tails: map[string]string{}, written: map[string]bool{},
		packWords: map[string][]string{}, longWords: map[byte][]string{}, ends: map[string]bool{},
		skeletons: map[string][]string{},
		kindsOf:   map[string]int{},
		thin:      map[string][]string{}, brands: map[string]bool{}, bases: map[string]string{},
		carriers: map[string]bool{}, sizes: map[string]bool{}, joinedNames: map[string][]string{},
		aloneLocal: map[string]bool{}}
	seen := map[string]bool{}
	for _, p := range products {
		if x.byID[p.ID] == nil {
			x.add(p, seen)
		}
	}
	for _, p := range x.products {
		x.addInitials(p.Brand, seen)
	}
	x.kitchen = isKitchen(products)
	x.learnModifiers()
	x.names.sort()
	for _, key := range slices.Sorted(maps.Keys(x.vocab)) {
		x.byLetter[key[0]] = append(x.byLetter[key[0]], key)
		x.own[key[0]]++
		x.skeletons[consonants(key)] = append(x.skeletons[consonants(key)], key)
		if s := language.Stem(key); x.stems[s] == "" {
			x.stems[s] = key
		}
	}
	x.learnBases()
	x.joinObliques()
	for _, key := range slices.Sorted(maps.Keys(known.Get().keys)) {
		if key != "" && !x.vocab[key] {
			x.byLetter[key[0]] = append(x.byLetter[key[0]], key)
		}
	}
	return x
}

func (x *Index) add(given Product, seen map[string]bool) {
	l := known.Get()
	p := &product{
		Product: given, at: len(x.products), words: map[string]bool{}, weak: map[string]bool{},
		parts: map[string]bool{}, heads: map[string]bool{}, proper: map[string]bool{}, sounds: map[string]bool{},
		texts: map[string]bool{}}
	p.pack, p.isLoose = sizeOf(given.PackSize), strings.TrimSpace(given.PackSize) == ""
	p.base, p.factor = baseOf(given.Unit)
	x.byMetre = x.byMetre || p.isLoose && p.base == "metre"
	p.group = strings.ToLower(given.Name + "|" + given.Brand)
	for _, t := range tokenise(normalise(given.Name)) {
		if other := sameSize.Get()[t.text]; other != "" {
			p.words[other], x.vocab[other] = true, true
		}
	}
	brand := map[string]bool{}
	for _, key := range keysOf(given.Brand) {
		// Birla White makes no brand of white
		if kind := meaningOf(key); len(kind) == 1 && plainKinds.Has(kind[0]) {
			p.words[key] = true
			continue
		}
		brand[key] = true
		p.words[key], p.proper[key], x.brands[key] = true, true, true
	}
	for i, name := range append([]string{given.Name, given.LocalName}, given.Keywords...) {
		tokens := lackingOf(tokenise(normalise(name)), nil)
		for _, t := range tokens {
			if t.kind == word && len(t.key) > 2 {
				p.texts[t.key] = true
			}
		}
		meaning := l.meaningBeside(brand, tokens)
		for _, w := range l.meaning(tokens) {
			p.sounds[w] = p.sounds[w] || !slices.Contains(meaning, w)
		}
		if len(meaning) == 0 {
			continue
		}
		for _, w := range meaning {
			p.words[w] = true
			if one, plural := strings.CutSuffix(w, "s"); plural && len(one) > 3 && !l.things[w] && i == 0 {
				p.words[one] = true // rubber bands
			}
			if !l.things[w] && len(l.goods[w]) == 0 || brand[w] {
				p.proper[w] = true
			}
		}
		if i == 1 {
			p.owners = ownersOf(tokens, l)
		}
		if i > 1 && len(meaning) == 1 {
			p.aliases = append(p.aliases, meaning[0])
		}
		p.heads[l.headOf(withoutMaterial(meaning, l))] = true
		if i == 0 {
			p.nameWords = meaning
		}
		if i == 1 {
			p.localWords = meaning
			if len(meaning) == 1 && len(tokens) == 1 {
				x.aloneLocal[tokens[0].key] = true
			}
		}
		if i < 2 {
			for _, d := range dimensionsOf(tokens) {
				p.dimensions = append(p.dimensions, d)
				if d.base == "" {
					x.sizes[d.value.String()] = true
				}
			}
			p.names = append(p.names, sorted(meaning))
		}
		x.addName(tokens, p, seen)
	}
	for _, t := range tokenise(normalise(given.Name + " " + given.LocalName)) {
		if kind := carrierOf(t.text); kind != "" && !p.isLoose {
			x.carriers[kind] = true
		}
	}
	p.written, p.writtenLocal = sorted(keysOf(given.Name)), sorted(keysOf(given.LocalName))
	x.ends[lastWord(given.Name)], x.ends[lastWord(given.LocalName)] = true, true
	p.addParts(lackingOf(tokenise(normalise(given.Name+" "+given.LocalName)), nil), l)
	for _, w := range l.meaning(tokenise(normalise(given.Brand))) {
		p.words[w], p.proper[w] = true, p.proper[w] || !plainKinds.Has(w)
	}
	x.addName(tokenise(normalise(given.Brand)), p, seen)
	if p.pack.base == "tablet" {
		p.words["tablet"] = true
	}
	x.learn(p)
	x.byID[given.ID] = p
	x.products = append(x.products, p)
	for w := range p.words {
		x.byWord[w] = append(x.byWord[w], p.at)
	}
	for w := range p.weak {
		if !p.words[w] {
			x.byWord[w] = append(x.byWord[w], p.at)
		}
	}
}

// withoutMaterial returns the words of a name without what stands behind the thing and is none: what it is made of, and
// how many parts it has. A cotton napkin is no cotton, and an extension board with 4 sockets no socket.
func withoutMaterial(words []string, l *lexicon) []string {
	for len(words) > 1 {
		last := len(words) - 1
		material := materials.Has(words[last]) && l.headOf(words[:last]) != ""
		parts := last > 1 && isNumeric(words[last-1]) && l.headOf(words[:last-1]) != ""
		if !material && !parts {
			break
		}
		words = words[:last]
	}
	return words
}

// materials are words for what things are made of that are goods of their own, too.
var materials = lazySet("cotton steel plastic wood iron brass rubber")

// ownersOf returns the words that stand before a ka, ki or ke in a name.
func ownersOf(tokens []token, l *lexicon) map[string]bool {
	owners := map[string]bool{}
	for i, t := range tokens {
		if possessives.Has(t.text) {
			for _, w := range l.meaning(tokens[:i]) {
				owners[w] = true
			}
		}
	}
	return owners
}

// lastWord returns the key of the last word of a name that is no unit; "" for none.
func lastWord(name string) string {
	for _, t := range slices.Backward(tokenise(normalise(name))) {
		if t.kind == word && unitOf(t).kind == 0 && len(t.text) > 2 {
			return t.key
		}
	}
	return ""
}

// addParts adds the words of a name that the lexicon knows only together with others: the plate of a paper plate.
func (p *product) addParts(tokens []token, l *lexicon) {
	for _, t := range tokens {
		if t.kind != word || len(t.text) < 3 || isSpecial(t) && unitOf(t).kind != packUnit {
			continue
		}
		for _, w := range l.meaning([]token{t}) {
			if !l.things[w] && !p.words[w] {
				p.words[w], p.parts[w] = true, true
			}
		}
	}
}

// addName learns the words of a name, and the pieces of it that would be read as something else.
func (x *Index) addName(tokens []token, p *product, seen map[string]bool) {
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool {
		return t.kind == mark && t.text != "&" || known.Get().isLoose(t) || possessives.Has(t.text)
	})
	for i, t := range tokens {
		if t.kind == word && len(t.key) > 1 {
			x.vocab[t.key], x.written[t.text] = true, true
			if !t.devanagari && len(t.text) >= leastLong && !slices.Contains(x.longWords[t.text[0]], t.text) {
				x.longWords[t.text[0]] = append(x.longWords[t.text[0]], t.text)
			}
			if u := unitOf(t); u.kind == packUnit && !slices.Contains(x.packWords[u.name], t.text) {
				x.packWords[u.name] = append(x.packWords[u.name], t.text)
			}
			x.addThin(t)
		}
		if i+1 < len(tokens) && !endsBeforeUnit(tokens, i+2) {
			x.addPair(tokens[i:i+2], p, seen)
		}
	}
	for n := 3; n <= min(6, len(tokens)); n++ {
		for i := range len(tokens) - n + 1 {
			if n > 4 && !(isNumber(tokens[i]) && tokens[i+1].text == "x") {
				continue
			}
			if piece := tokens[i : i+n]; slices.ContainsFunc(piece, isSpecial) && !endsBeforeUnit(tokens, i+n) &&
				!cutsArea(tokens, i+n-1) && !cutsArea(tokens, i+n) {
				x.addPiece(piece, p, seen)
			}
		}
	}
	for _, t := range tokens {
		if size := tokenise(t.text + " size"); sizeLetters.Has(t.text) && len(size) == 2 {
			x.names.add(entry{keys: []string{t.key, size[1].key}, goods: []string{t.key}})
		}
	}
	if len(tokens) == 1 && isSpecial(tokens[0]) && !isCommon(tokens[0]) {
		x.addPiece(tokens, p, seen)
	}
}

// cutsArea reports whether a token is the x within a size such as 8x10, before or behind which no piece of a name ends.
func cutsArea(tokens []token, at int) bool {
	return at > 0 && at+1 < len(tokens) && tokens[at].text == "x" && isNumber(tokens[at-1]) && isNumber(tokens[at+1])
}

// possessives join the words of names in Hindi.
var possessives = lazySet("का की के")

// sameSize are the letters for sizes with the words for them.
var sameSize = lazy.Of[map[string]string]{Make: func() map[string]string {
	return map[string]string{"s": "small", "m": "medium", "l": "large", "small": "s", "medium": "m", "large": "l"}
}}

// sizeLetters are sizes of clothes and diapers.
var sizeLetters = lazySet("s m l xl xxl nb")

// addPair learns two words of a name that follow each other: as they are where one of them would be read as something
// else, and written as one word.
func (x *Index) addPair(pair []token, p *product, seen map[string]bool) {
	if (isSpecial(pair[0]) || isSpecial(pair[1])) &&
		!(pair[0].kind == number && unitOf(pair[1]).kind == measureUnit &&
			!measures.Has(unitOf(pair[1]).name)) { // 1 litre is no name
		x.addPiece(pair, p, seen)
	}
	joined := pair[0].text + pair[1].text
	letter := pair[0].kind == word && pair[1].kind == word && len(pair[1].text) == 1 && len(pair[0].text) > 3 // parleg
	if (letter || pair[0].kind == word && pair[1].kind == number && len(pair[0].text) <= 3) &&                // WD-40
		!seen["1 "+joined] {
		seen["1 "+joined] = true
		x.names.add(entry{keys: []string{language.Fold(joined)}, goods: known.Get().meaning(pair)})
		x.vocab[language.Fold(joined)] = true
	}
	if key := language.Fold(joined); len(key) > 3 && len(joined) > 5 &&
		len(pair[0].text) > 2 && len(pair[1].text) > 2 && pair[0].kind == word && pair[1].kind == word &&
		!seen["1 "+key] {
		if known.Get().keys[key] { // marie gold is no marigold, where there are no flowers
			x.joinedNames[key] = known.Get().meaning(pair)
			return
		}
		if meaning := known.Get().meaning(pair); all(meaning, p.words) && len(meaning) > 0 {
			seen["1 "+key] = true
			x.vocab[key] = true
			x.names.add(entry{keys: []string{key}, goods: meaning})
		}
	}
}

func (x *Index) addPiece(piece []token, p *product, seen map[string]bool) {
	var keys []string
	for _, t := range piece {
		keys = append(keys, t.key)
	}
	id := strings.Join(keys, " ")
	meaning := known.Get().meaning(piece)
	if seen[id] || len(meaning) == 0 || !all(meaning, p.words) || allCommon(piece) {
		return
	}
	seen[id] = true
	x.names.add(entry{keys: keys, goods: meaning})
	for i, t := range piece { // an & is written in many ways
		if t.text == "&" || t.text == "and" {
			for _, way := range []string{"&", "and", "n", "end", "aur"} {
				other := slices.Clone(keys)
				other[i] = language.Fold(way)
				x.names.add(entry{keys: other, goods: meaning})
			}
			x.names.add(entry{keys: slices.Delete(slices.Clone(keys), i, i+1), goods: meaning})
		}
	}
}

// isSpecial reports whether a word of a name means something else in a message: a number, a unit, a filler, a marker.
func isSpecial(t token) bool {
	l := known.Get()
	if t.kind != word || l.fillers[t.text] || unitOf(t).kind != 0 {
		return true
	}
	if _, ok := numerals.Get()[t.text]; ok {
		return true
	}
	_, took := l.markers.find([]token{t})
	return took > 0 || len(t.key) < 2
}

// isCommon reports whether a word is so common that it names a good only beside others.
func isCommon(t token) bool {
	_, isNumeral := numerals.Get()[t.text]
	return t.kind != word || len(t.text) < 3 || isNumeral || known.Get().fillers[t.text] || unitOf(t).kind != 0
}

func allCommon(piece []token) bool {
	return len(piece) < 2 && isCommon(piece[0])
}

func all(words []string, in map[string]bool) bool {
	for _, w := range words {
		if !in[w] {
			return false
		}
	}
	return true
}

// sorted returns the words of a name, each once, in order.
func sorted(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }

// joinObliques gives the products that have a word of Hindi in one form of its case the other form, where names of this
// catalogue have both: parda, and parde of parde ke chhalle.
func (x *Index) joinObliques() {
	for _, one := range slices.Sorted(maps.Keys(x.vocab)) {
		base, is := strings.CutSuffix(one, "a")
		other := base + "e"
		if !is || len(base) < 3 || !x.vocab[other] {
			continue
		}
		byOne, byOther := slices.Clone(x.byWord[one]), slices.Clone(x.byWord[other])
		x.giveWord(byOne, other)
		x.giveWord(byOther, one)
	}
}

// giveWord makes a word true of some products.
func (x *Index) giveWord(of []int, word string) {
	for _, at := range of {
		if p := x.products[at]; !p.words[word] {
			p.words[word] = true
			x.byWord[word] = append(x.byWord[word], at)
		}
	}
}

// learnBases lets words of names that say how a thing is made be called by the verbs that they are of: fry is fried,
// steam is steamed. A word that is known otherwise stays what it is.
func (x *Index) learnBases() {
	for _, w := range slices.Sorted(maps.Keys(x.written)) {
		base, is := strings.CutSuffix(w, "ed")
		if !is || len(base) < 3 || strings.IndexFunc(w, language.IsDevanagari) >= 0 {
			continue
		}
		full := language.Fold(w)
		if !x.vocab[full] {
			continue
		}
		for _, verb := range []string{
			base, base + "e", strings.TrimSuffix(base, "i") + "y", strings.TrimSuffix(base, "i") + "ai",
			base[:len(base)-1]} {
			key := language.Fold(verb)
			if s := language.Stem(key); len(key) > 2 && !x.vocab[key] && len(verb) > 2 {
				if x.stems[key] == "" {
					x.stems[key] = full
				}
				if x.stems[s] == "" {
					x.stems[s] = full
				}
				x.bases[key] = full
			}
		}
	}
}
