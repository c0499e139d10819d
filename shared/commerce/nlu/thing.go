package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// atom is what remains of the elements: a thing, a quantity, or a marker.
type atom struct {
	element
	alternatives [][]string // what may be meant instead
	parts        []span     // of a thing: its words, without quantities that stand between them
	described    bool       // a ka or wala stands after it
}

// span is a range of tokens.
type span struct{ from, to int }

// atoms joins the words that stand together to things, splits those that are several, and drops what says nothing.
func (x *Index) atoms(tokens []token, elements []element) []atom {
	var atoms []atom
	for at := 0; at < len(elements); {
		e := elements[at]
		if e.kind != goodsElement && e.kind != unknownElement {
			if e.kind != fillerElement || e.verb || e.is {
				atoms = append(atoms, atom{element: e})
			}
			at++
			continue
		}
		run, next := x.run(tokens, elements, at)
		run = x.withoutPlain(tokens, run)
		if len(run) > 1 && withoutWords.Has(tokens[run[0].from].text) && !x.sells(joinedThing(run).words) {
			run = run[1:] // bina cheeni ke mosambi juice
		}
		things := x.inLightOf(atoms, x.apartFromAlso(tokens, x.things(run), run), run)
		described := elements[next-1].kind == markerElement
		if turned, ok := turnedPhrase(tokens, run); ok && described &&
			(elements[next-1].marker == attribute || !x.sells(things[0].words) || len(things) > 1) {
			things = []atom{turned}
		}
		if last := len(things) - 1; described && last == 1 && elements[next-1].marker == attribute { // tel sarson wala
			if turned := slices.Concat(things[1].words, things[0].words); x.sells(turned) {
				things[1].words, things[1].from = turned, things[0].from
				things[1].parts = slices.Concat(things[0].parts, things[1].parts)
				things = things[1:]
			}
		}
		atoms = append(atoms, things...)
		atoms[len(atoms)-1].described = described
		at = next
	}
	return x.acrossQuantities(tokens, atoms)
}

// apartFromAlso parts what is wanted too from the thing that the shop sells: veg momo, chatni bhi.
func (x *Index) apartFromAlso(tokens []token, things []atom, run []element) []atom {
	last := len(run) - 1
	if len(things) != 1 || last < 1 || run[last].to >= len(tokens) || !moreWords.Has(tokens[run[last].to].text) ||
		x.sells(things[0].words) {
		return things
	}
	if sold := joinedThing(run[:last]); x.sells(sold.words) {
		return []atom{sold, joinedThing(run[last:])}
	}
	return things
}

// inLightOf joins what would be several things to a kind of the thing before it, where the shop sells that: kulfi malai
// wali 3, kesar pista wali 2.
func (x *Index) inLightOf(before, things []atom, run []element) []atom {
	at := lastThing(before)
	if at < 0 || len(things) < 2 {
		return things
	}
	one := joinedThing(run)
	for _, w := range before[at].words {
		if with := slices.Concat([]string{w}, one.words); !slices.Contains(one.words, w) && x.sells(with) &&
			known.Get().headOf([]string{w}) != "" {
			one.words = with
			return []atom{one}
		}
	}
	return things
}

// turnedPhrase returns the thing that is known by some words with the last of them first: tape bijli wala, atta bajre
// ka.
func turnedPhrase(tokens []token, run []element) (atom, bool) {
	last := len(run) - 1
	if last < 1 {
		return atom{}, false
	}
	turned := slices.Concat(tokens[run[last].from:run[last].to], tokens[run[0].from:run[last-1].to])
	e, took := known.Get().goods.find(turned)
	if took < len(turned) {
		return atom{}, false
	}
	a := joinedThing(run)
	a.kind, a.words = goodsElement, e.goods
	return a, true
}

// run returns the elements of words that stand together, over ka and wala, and where they end.
func (x *Index) run(tokens []token, elements []element, at int) ([]element, int) {
	var run []element
	for at < len(elements) {
		e := elements[at]
		switch {
		case e.kind == goodsElement || e.kind == unknownElement:
			run = append(run, e)
		case e.kind == markerElement && (e.marker == possessive || e.marker == attribute):
			if len(run) > 0 && withoutBefore(tokens, run[0]) { // bina cheeni ke juice
				return run, at + 1
			}
			if len(run) > 0 && isAllOfThem(tokens, elements, at+1) { // activa ke dono sheeshe
				at++
				break
			}
			if at+1 >= len(elements) || elements[at+1].kind != goodsElement && elements[at+1].kind != unknownElement {
				return run, at + 1
			}
		case x.isTransparent(tokens, elements, at) && len(run) > 0:
		case e.kind == fillerElement && tokens[e.from].text == "-" && at+1 < len(elements) && tokens[e.from].glued:
		default:
			return run, at
		}
		at++
	}
	return run, at
}

// withoutBefore reports whether a good is what another is wanted without.
func withoutBefore(tokens []token, e element) bool {
	return e.from > 0 && withoutWords.Has(tokens[e.from-1].text)
}

// isAllOfThem reports whether an element says both or all three of the good behind it.
func isAllOfThem(tokens []token, elements []element, at int) bool {
	return at+1 < len(elements) && allOf(tokens[elements[at].from].text) > 0 && elements[at+1].kind == goodsElement
}

// isTransparent reports whether an element stands between a thing and what says which of it: frock for 4-5 years, 6-7
// saal wali frock, a shirt in M.
func (x *Index) isTransparent(tokens []token, elements []element, at int) bool {
	e := elements[at]
	text := tokens[e.from].text
	if e.kind != fillerElement && e.kind != markerElement || e.to-e.from != 1 || at+1 >= len(elements) {
		return false
	}
	next := elements[at+1]
	if sizeWords.Has(text) || years.Has(text) {
		return next.kind == goodsElement || next.kind == markerElement && next.marker == attribute
	}
	return (text == "for" || text == "in") && next.kind == goodsElement && x.bare(next.words)
}

// years are words for the age that clothes and books are for.
var years = lazySet("saal sal year years yrs yr साल वर्ष")

// things returns the things of some words that stand together: as few as the catalogue knows, each of which names
// something.
func (x *Index) things(run []element) []atom {
	run = x.repaired(run)
	if len(run) > 24 {
		return append(x.things(run[:24]), x.things(run[24:])...)
	}
	type cut struct{ cost, from int }
	best := make([]cut, len(run)+1)
	for to := 1; to <= len(run); to++ {
		best[to] = cut{cost: 1 << 30}
		for from := max(0, to-8); from < to; from++ {
			if cost := best[from].cost + x.cost(run[from:to], len(run)); cost < best[to].cost {
				best[to] = cut{cost, from}
			}
		}
	}
	var atoms []atom
	for to := len(run); to > 0; to = best[to].from {
		part := run[best[to].from:to]
		if x.isRemedy(part) && !x.sells(joinedThing(part).words) {
			part = part[len(part)-1:]
		}
		atoms = append(atoms, x.asPhrase(joinedThing(part)))
	}
	slices.Reverse(atoms)
	return atoms
}

// withoutPlain drops a word for the plain kind beside the whole name of a good that has other kinds, too: mathri sadi,
// where there is methi mathri.
func (x *Index) withoutPlain(tokens []token, run []element) []element {
	at := slices.IndexFunc(run, func(e element) bool { return plainWords.Has(tokens[e.from].text) })
	if at < 0 || len(run) < 2 || len(run) > 6 || x.sells(joinedThing(run).words) {
		return run
	}
	rest := slices.Delete(slices.Clone(run), at, at+1)
	if words := joinedThing(rest).words; x.wholeEach([]element{{words: words}}) {
		rest[0].from = min(rest[0].from, run[at].from)
		return rest
	}
	return run
}

// asPhrase gives a thing that is not sold the words of the phrase that its words make as the lexicon writes them:
// garlic bred is garlic bread.
func (x *Index) asPhrase(a atom) atom {
	if len(a.words) < 2 || x.sells(a.words) {
		return a
	}
	if phrase := known.Get().meaning(tokenise(strings.Join(a.words, " "))); x.sells(phrase) {
		a.kind, a.words = goodsElement, phrase
	}
	return a
}

// repaired takes unknown words for misspelt ones of the catalogue where they make a thing that is sold together with
// the known words beside them: spak plug. That others stand beside them lets more errors pass than in a word alone.
func (x *Index) repaired(run []element) []element {
	var words []string
	for _, e := range run {
		if e.kind == goodsElement {
			words = append(words, e.words...)
		}
	}
	if len(words) == 0 || len(run) > 8 {
		return run
	}
	run = slices.Clone(run)
	if !x.sells(words) {
		words = x.guessedAgain(run, words)
	}
	for i, e := range run {
		if e.kind != unknownElement || len(e.words) != 1 || len(e.words[0]) < 3 {
			continue
		}
		if key := x.misspelt(e.words[0], words); key != "" {
			run[i].kind, run[i].words, run[i].guessed = goodsElement, meaningOf(key), true
			words = append(words, run[i].words...)
		}
	}
	return run
}

// guessedAgain looks for another word than was guessed where the known words are not sold together with it, and returns
// the words as they are then: square notebook, not scale notebook.
func (x *Index) guessedAgain(run []element, words []string) []string {
	for i, e := range run {
		if e.spelt == "" || e.to-e.from != 1 {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(e.words, w) })
		if len(others) == 0 || !x.sells(others) {
			continue
		}
		if key := x.misspelt(e.spelt, others); key != "" {
			run[i].words = meaningOf(key)
			words = append(others, run[i].words...)
		}
	}
	return words
}

// misspelt returns the word of the catalogue that is most like a key, and is sold with some words; "" if there is none.
func (x *Index) misspelt(key string, beside []string) string {
	best, least := "", 1+max(1, (len(key)-2)/2)
	for _, candidate := range x.byLetter[key[0]][:x.own[key[0]]] {
		if len(candidate) < 3 {
			continue
		}
		n := language.Edits(key, candidate, min(3, least))
		if least > 1 && n >= least && len(key) > 3 && consonants(key) == consonants(candidate) { // rabar band
			n = least - 1
		}
		if n < least && x.sells(slices.Concat(beside, meaningOf(candidate))) {
			best, least = candidate, n
		}
	}
	return best
}

// meaningOf returns the words of goods that a folded word stands for.
func meaningOf(key string) []string { return known.Get().meaning([]token{{key: key, text: key}}) }

// cost says how badly some words make one thing. What is sold costs least; a kind that the shop lacks costs less than
// to take the kind from the thing.
func (x *Index) cost(run []element, length int) int {
	a := joinedThing(run)
	unknowns := 0
	for _, e := range run {
		if e.kind == unknownElement {
			unknowns++
		}
	}
	if unknowns == len(run) {
		if len(run) == length {
			return 10
		}
		return 60 // an unknown word belongs to what stands beside it
	}
	head := known.Get().headOf(a.words)
	if unknowns == 0 && len(run) > 1 && x.wholeEach(run) && !x.sells(a.words) { // fafda jalebi
		return 45
	}
	if unknowns == 0 && len(run) > 1 && isMadeOf(a.words) {
		return 10
	}
	if unknowns == 0 && len(run) < length && head != "" && x.sells(a.words) && x.onlyKinds(a.words) {
		return 28 // "paneer" before pizza is no sandwich
	}
	if unknowns == 0 && x.isRemedy(run) {
		return 10
	}
	if unknowns == 0 && x.sells(a.words) {
		if len(run) < length && (head == "" && !x.stands(a.words) || x.bare(a.words)) {
			return 45 // "brown" before rice is no bread
		}
		return 10
	}
	if unknowns > 0 {
		return 30 + len(run)
	}
	if head != "" {
		things := 0
		for _, w := range a.words {
			if known.Get().things[w] {
				things++
			}
		}
		if last := a.words[len(a.words)-1]; things == 2 && x.kindsOf[last] > 1 && x.sells([]string{last}) {
			return 25 // chicken burger, where there are burgers
		}
		return 20 + 15*max(0, things-1)
	}
	return 40
}

// onlyKinds reports whether words stand only for kinds of other things in the catalogue, as paneer does where there are
// paneer sandwiches beside others and no paneer.
func (x *Index) onlyKinds(words []string) bool {
	return !slices.ContainsFunc(x.named(words), func(p *product) bool {
		return x.kindsOf[p.nameEnd] < 2 || !slices.Contains(words, p.nameWords[0]) || slices.Contains(words, p.nameEnd)
	})
}

// stands reports whether words without a thing may stand for a product beside other things: they hold a name.
func (x *Index) stands(words []string) bool {
	for _, p := range x.named(words) {
		if p.anyProper(words) {
			return true
		}
	}
	return false
}

func joinedThing(run []element) atom {
	a := atom{element: element{kind: unknownElement, from: run[0].from, to: run[len(run)-1].to}}
	a.parts = []span{{a.from, a.to}}
	for _, e := range run {
		a.words = append(a.words, e.words...)
		a.guessed = a.guessed || e.guessed
		if e.kind == goodsElement {
			a.kind = goodsElement
		}
	}
	return a
}

// textOf returns what was written from one token to another.
func textOf(text string, tokens []token, from, to int) string {
	if from >= to || to > len(tokens) {
		return ""
	}
	return strings.TrimSpace(text[tokens[from].from:tokens[to-1].to])
}

// isRemedy reports whether some words are a medicine's name with what it is for: dast ki goli norflox.
func (x *Index) isRemedy(run []element) bool {
	if len(run) < 2 {
		return false
	}
	for _, e := range run[:len(run)-1] {
		if len(e.words) != 1 || !remedies.Get()[e.words[0]] {
			return false
		}
	}
	last := run[len(run)-1]
	return known.Get().headOf(last.words) == "" && x.sellsAlone(last.words)
}

// remedies are the things that medicines are.
var remedies = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	all := map[string]bool{}
	for _, g := range medicines {
		all[g.name] = true
	}
	return all
}}

// wholeEach reports whether each of some words is the whole name of a product.
func (x *Index) wholeEach(run []element) bool {
	return !slices.ContainsFunc(run, func(e element) bool {
		set := sorted(e.words)
		return !slices.ContainsFunc(x.named(e.words), func(p *product) bool {
			return slices.ContainsFunc(p.names, func(name []string) bool { return slices.Equal(name, set) })
		})
	})
}
