package nlu

import (
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// What tells the goods of a catalogue apart, beside the thing that they are: a colour, a size, a model, a school class,
// a number of pages. All of it is learnt from the catalogue, so that it holds for goods that no list knows.

// learnModifiers finds the words that only say which of a thing is meant: those that goods of several categories have
// in their names, and the words that stand in their place in other names. Brake Shoe Activa and Seat Cover Activa make
// a modifier of activa; Brake Shoe Splendor then makes one of splendor.
func (x *Index) learnModifiers() {
	categories := map[string]map[string]bool{}
	inBrands := map[string]bool{}
	for _, p := range x.products {
		accessory := accessories.Get()[p.lastName()]
		for _, w := range p.nameWords {
			if accessory && w != p.lastName() { // a cooker's gasket makes no modifier of cooker
				continue
			}
			if categories[w] == nil {
				categories[w] = map[string]bool{}
			}
			categories[w][strings.ToLower(p.Category)] = true
		}
		for _, w := range known.Get().meaning(tokenise(normalise(p.Brand))) {
			inBrands[w] = true
		}
	}
	ofCategories := map[string]bool{} // a word that a category is called by is a thing
	for _, p := range x.products {
		for _, t := range tokenise(normalise(p.Category)) {
			ofCategories[t.key], ofCategories[strings.TrimSuffix(t.key, "s")] = true, true
		}
	}
	may := func(w string) bool {
		return !ofCategories[w] && !x.plainThings[w] && !known.Get().things[w] && !accessories.Get()[w] &&
			(!inBrands[w] || plainKinds.Has(w)) && !isNumeric(w)
	}
	for w, in := range categories {
		if may(w) && (len(in) > 1 || plainKinds.Has(w)) {
			x.modifiers[w] = true
		}
	}
	x.learnLabels(may)
	x.learnLetters()
	places := map[string]map[string]bool{} // the words that stand in one place of names that are else equal
	for _, p := range x.products {
		for _, w := range p.nameWords {
			if may(w) {
				rest := strings.Join(sorted(slices.DeleteFunc(slices.Clone(p.nameWords),
					func(other string) bool { return other == w || isNumeric(other) })), " ")
				if places[rest] == nil {
					places[rest] = map[string]bool{}
				}
				places[rest][w] = true
			}
		}
	}
	x.learnLeading(may)
	var beside []map[string]bool
	for rest, words := range places {
		if rest != "" && x.anyModifier(words) {
			beside = append(beside, words)
		}
	}
	for _, words := range beside {
		maps.Copy(x.modifiers, words)
	}
	kinds := map[string][]string{}
	for _, p := range x.products {
		p.nameEnd, p.localEnd, p.core = x.endOf(withoutMaterial(p.nameWords, known.Get())), x.endOf(p.localWords),
			x.coreOf(p)
		if len(p.nameWords) > 1 && p.nameWords[0] != p.nameEnd && !slices.Contains(kinds[p.nameEnd], p.nameWords[0]) {
			kinds[p.nameEnd] = append(kinds[p.nameEnd], p.nameWords[0])
			x.kindsOf[p.nameEnd]++
		}
		x.learnTail(p)
	}
}

// lastName returns the last word of a product's name that is no number and no measure.
func (p *product) lastName() string {
	for back := len(p.nameWords) - 1; back >= 0; back-- {
		w := p.nameWords[back]
		if !isModel(w) && !measureKeys.Get()[w] {
			return w
		}
	}
	return ""
}

func (x *Index) anyModifier(words map[string]bool) bool {
	for w := range words {
		if x.modifiers[w] {
			return true
		}
	}
	return false
}

// onlyWhich reports whether a word says which of a thing is meant and names none: a modifier, a number, a letter for a
// size.
func (x *Index) onlyWhich(w string) bool {
	return x.modifiers[w] || isModel(w) || x.isLetter(w) || sizeNames.Has(w)
}

// isLetter reports whether a word is a letter that says which of a thing is meant: size M, a flute in C.
func (x *Index) isLetter(w string) bool { return sizeLetters.Has(w) || x.letters[w] }

// learnLetters learns the letters by which names differ that are else equal.
func (x *Index) learnLetters() {
	letters := map[string]string{} // by the rest of the name
	for _, p := range x.products {
		for i, w := range p.nameWords {
			if len(w) != 1 || isNumeric(w) || len(p.nameWords) < 2 {
				continue
			}
			rest := strings.Join(slices.Delete(slices.Clone(p.nameWords), i, i+1), " ")
			if other := letters[rest]; other != "" && other != w {
				x.letters[other], x.letters[w] = true, true
			}
			letters[rest] = w
		}
	}
}

// isModel reports whether a word holds a digit: 34, m235.
func isModel(w string) bool { return strings.ContainsAny(w, "0123456789") }

// isNumeric reports whether a word begins with a digit.
func isNumeric(w string) bool { return w != "" && isDigit(rune(w[0])) }

// sizeNames are words for sizes.
var sizeNames = &wordSet{of: "small smal medium large big mini jumbo"}

// bare reports whether words only say which of a thing is meant.
func (x *Index) bare(words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !x.onlyWhich(w) })
}

// coreOf returns the words of a product's name that do not only say which; all but sizes where all do.
func (x *Index) coreOf(p *product) []string {
	core := slices.DeleteFunc(slices.Clone(p.nameWords), x.onlyWhich)
	if len(core) == 0 {
		core = slices.DeleteFunc(slices.Clone(p.nameWords),
			func(w string) bool { return isNumeric(w) || sizeLetters.Has(w) || sizeNames.Has(w) })
	}
	return sorted(core)
}

// endOf returns the last word of a product's name that does not only say which.
func (x *Index) endOf(name []string) string {
	for i := len(name) - 1; i >= 0; i-- {
		w := name[i]
		numbered := i > 0 && isNumeric(name[i-1]) && // 5 kg, a chassis with 4 wheels
			(measureKeys.Get()[w] || i > 1 && slices.ContainsFunc(name[:i-1], x.isPlainName))
		if !x.onlyWhich(w) && !numbered {
			return w
		}
	}
	return ""
}

// isPlainName reports whether a word of a name does not only say which, and is no brand.
func (x *Index) isPlainName(w string) bool { return !x.onlyWhich(w) && !x.brands[w] }

// measureKeys are the folded words of measures: behind a number they name no thing.
var measureKeys = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	keys := map[string]bool{}
	for w, u := range units.Get() {
		if u.kind == measureUnit {
			keys[language.Fold(w)] = true
		}
	}
	return keys
}}

// learnTail learns the word for a pack with which the name of a good of its own ends, or which is a keyword of it: bag,
// bottle, can. It names that good, too.
func (x *Index) learnTail(p *product) {
	for _, keyword := range p.Keywords {
		tokens := tokenise(normalise(keyword))
		if len(tokens) == 1 && len(tokens[0].text) == 2 && tokens[0].kind == word {
			x.initials[tokens[0].text] = true
		}
		if len(tokens) != 1 || unitOf(tokens[0]).kind != packUnit {
			continue
		}
		if !slices.ContainsFunc(tokenise(normalise(p.Name)), func(t token) bool { // thaili of a carry bag
			return unitOf(t).name == unitOf(tokens[0]).name
		}) {
			x.addTail(tokens[0], p)
		}
	}
	tokens := tokenise(normalise(p.Name))
	for back := len(tokens) - 1; back >= 0; back-- {
		t := tokens[back]
		if t.kind != word || x.onlyWhich(t.key) || unitOf(t).kind == measureUnit || x.brands[t.key] && p.proper[t.key] {
			continue
		}
		inOther := carrierOf(p.Unit) != "" && carrierOf(t.text) != "" && carrierOf(p.Unit) != carrierOf(t.text)
		if unitOf(t).kind == packUnit && (p.isLoose && p.Unit == "piece" || inOther) { // a bag of pouches
			x.addTail(t, p)
		}
		return
	}
}

// addTail makes a word for a pack name a product.
func (x *Index) addTail(t token, p *product) {
	x.tails[t.key] = unitOf(t).name
	if !p.words[t.key] {
		p.words[t.key], p.proper[t.key] = true, true
		x.byWord[t.key] = append(x.byWord[t.key], p.at)
	}
}

// learnLabels takes the words that stand after several numbers in names for modifiers: pages, shades, years.
func (x *Index) learnLabels(may func(string) bool) {
	numbers := map[string]string{}
	for _, p := range x.products {
		for _, d := range p.dimensions {
			if d.after == "" || !may(d.after) {
				continue
			}
			if other, seen := numbers[d.after]; seen && other != d.key {
				x.modifiers[d.after] = true
			}
			numbers[d.after] = d.key
		}
	}
}

// learnLeading takes the first words of names that go on equally for modifiers: single bedsheet, double bedsheet.
func (x *Index) learnLeading(may func(string) bool) {
	first := map[string][]string{}
	rest := func(p *product) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(p.nameWords[min(1, len(p.nameWords)):]), x.onlyWhich), " ")
	}
	for _, p := range x.products {
		if r := rest(p); r != "" && !slices.Contains(first[r], p.nameWords[0]) {
			first[r] = append(first[r], p.nameWords[0])
		}
	}
	for _, words := range first {
		for _, w := range words {
			if len(words) > 1 && may(w) {
				x.modifiers[w] = true
			}
		}
	}
}

// packTail returns the word with which the name of a good ends that a word for a pack stands for, after the rest of the
// name: masala dabba is a masala box. "" if there is none.
func (x *Index) packTail(t token, before []element) string {
	u := unitOf(t)
	if u.kind != packUnit || len(before) == 0 || before[len(before)-1].kind != goodsElement {
		return ""
	}
	words := before[len(before)-1].words
	if with := append(slices.Clone(words), t.key); counters.Has(t.text) && x.inNames(t.key) && x.sells(with) &&
		len(x.named(with)) < len(x.named(words)) { // kundan set
		return t.key
	}
	for _, tail := range slices.Sorted(maps.Keys(x.tails)) {
		if x.tails[tail] == u.name && x.sells(append(slices.Clone(words), tail)) {
			if x.sells(append(slices.Clone(words), t.key)) { // a water pouch is no can
				return t.key
			}
			return tail
		}
	}
	return ""
}
