package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// add adds a product to an index. seen holds the pieces of names that are known.
func (x *Index) add(given Product, seen map[string]bool) {
	l := known.Get()
	p := &product{
		Product: given, at: len(x.products), words: map[string]bool{}, weak: map[string]bool{},
		parts: map[string]bool{}, heads: map[string]bool{}, proper: map[string]bool{}, sounds: map[string]bool{},
		texts: map[string]bool{}}
	p.pack, p.isLoose = sizeOf(given.PackSize), strings.TrimSpace(given.PackSize) == ""
	p.base, p.factor = baseOf(given.Unit)
	x.soldBy[language.Fold(given.Unit)] = true
	x.tablets = x.tablets || p.pack.base == "tablet"
	x.byMetre = x.byMetre || p.isLoose && p.base == "metre"
	p.group = strings.ToLower(given.Name + "|" + given.Brand)
	for _, t := range tokenise(normalise(given.Name)) {
		if other := sameSize.Get()[t.text]; other != "" {
			p.words[other], x.vocab[other] = true, true
		}
	}
	if category := keysOf(p.Category); len(category) == 1 {
		p.category = strings.TrimSuffix(category[0], "s")
	}
	brand := x.addBrand(p)
	for i, name := range append([]string{given.Name, given.LocalName}, given.Keywords...) {
		tokens := lackingOf(tokenise(normalise(name)), nil)
		if x.addMeaning(p, tokens, brand, i) {
			x.addName(tokens, p, seen)
		}
	}
	for _, t := range tokenise(normalise(given.Name + " " + given.LocalName)) {
		if kind := carrierOf(t.text); kind != "" && !p.isLoose {
			x.carriers[kind] = true
		}
	}
	// a florist's rose is no flavour
	if n := len(p.nameWords); n > 0 && p.Brand == "" && !slices.ContainsFunc(p.nameWords, notPlain) {
		p.proper[p.nameWords[n-1]], x.plainThings[p.nameWords[n-1]] = true, true
	}
	for i, w := range p.nameWords { // a chassis with 4 wheels is no wheel
		if i > 1 && isNumeric(p.nameWords[i-1]) && !measureKeys.Get()[w] && !l.things[w] && p.owners != nil {
			p.owners[w] = true
		}
	}
	if n, m := len(p.nameWords), len(p.localWords); n > 1 && m > 1 && p.nameWords[n-1] == p.localWords[m-1] &&
		flavours.Has(p.nameWords[n-1]) { // mustard honey is a honey
		p.heads[p.nameWords[n-1]] = true
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

// addBrand learns the words of a product's brand and returns them.
func (x *Index) addBrand(p *product) map[string]bool {
	brand := map[string]bool{}
	for _, key := range keysOf(p.Brand) {
		// Birla White makes no brand of white
		if kind := meaningOf(key); len(kind) == 1 && plainKinds.Has(kind[0]) {
			p.words[key] = true
			continue
		}
		brand[key] = true
		p.words[key], p.proper[key], x.brands[key] = true, true, true
		if len(keysOf(p.Brand)) == 1 {
			x.soloBrands[key] = true
		}
	}
	return brand
}

// addMeaning learns what the words of one of a product's names mean, and reports whether they mean anything. The name
// is
// the first, that in the other script the second, the keywords follow.
func (x *Index) addMeaning(p *product, tokens []token, brand map[string]bool, place int) bool {
	l := known.Get()
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
		return false
	}
	for _, w := range meaning {
		p.words[w] = true
		if one, plural := strings.CutSuffix(w, "s"); plural && len(one) > 2 && !l.things[w] && place == 0 {
			p.words[one] = p.words[one] || len(one) > 3 // rubber bands
			for _, meant := range meaningOf(one) {      // silver balls
				if p.words[meant] = true; l.things[meant] && w == meaning[len(meaning)-1] {
					p.heads[meant] = true
				}
			}
		}
		if !l.things[w] && len(l.goods[w]) == 0 || brand[w] {
			p.proper[w] = true
		}
	}
	p.heads[l.headOf(withoutMaterial(meaning, l))] = true
	switch {
	case place == 0:
		p.nameWords = meaning
	case place == 1:
		p.localWords, p.owners = meaning, ownersOf(tokens, l)
		if len(meaning) == 1 && len(tokens) == 1 {
			x.aloneLocal[tokens[0].key] = true
		}
	default:
		if len(tokens) > 1 {
			p.aliasTexts = append(p.aliasTexts, sortedTexts(tokens))
		}
		if len(meaning) == 1 {
			p.aliases = append(p.aliases, meaning[0])
		}
	}
	if place < 2 {
		for _, d := range dimensionsOf(tokens) {
			p.dimensions = append(p.dimensions, d)
			if d.base == "" {
				x.sizes[d.value.String()] = true
			} else {
				x.measured[d.key] = true
			}
		}
		p.names = append(p.names, sorted(meaning))
	}
	return true
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
var materials = &wordSet{of: "cotton steel plastic wood iron brass rubber"}

// ownersOf returns the words that stand before a ka, ki or ke in a name.
func ownersOf(tokens []token, l *lexicon) map[string]bool {
	owners := map[string]bool{}
	for i, t := range tokens {
		if possessives.Has(t.text) && !(i+1 < len(tokens) && looks.Has(tokens[i+1].text)) {
			for _, w := range l.meaning(tokens[:i]) {
				owners[w] = !plainKinds.Has(w) && !materials.Has(w) // a steel ka gilas is of steel
			}
		}
	}
	return owners
}

// looks are words behind a ka that say how a thing looks: a medal sone ka rang is golden.
var looks = &wordSet{of: "rang size saiz kism type रंग साइज किस्म"}

// lastWord returns the key of the last word of a name that is no unit; "" for none.
func lastWord(name string) string {
	tokens := tokenise(normalise(name))
	for back := len(tokens) - 1; back >= 0; back-- {
		t := tokens[back]
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
