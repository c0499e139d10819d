package nlu

import (
	"slices"
	"strings"
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
		run = x.withoutTopic(tokens, elements[at:next], run)
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

// withoutTopic drops what most of the shop's goods are of, before a ka: in a shop of watches ghadi ka patta is a strap.
func (x *Index) withoutTopic(tokens []token, elements, run []element) []element {
	if len(run) < 2 || len(run[0].words) != 1 || len(elements) < 2 || elements[1].marker != possessive ||
		x.sells(joinedThing(run).words) {
		return run
	}
	of := len(x.byWord[run[0].words[0]])
	if of*leastOfTopic < len(x.products) || !x.sells(joinedThing(run[1:]).words) {
		return run
	}
	rest := slices.Clone(run[1:])
	rest[0].from = run[0].from
	return rest
}

// leastOfTopic is the part of its goods that a shop is about, at least: one in so many.
const leastOfTopic = 4

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
		case x.isForWhom(elements, at, run), x.isForModel(tokens, elements, at, run),
			x.isTransparent(tokens, elements, at) && len(run) > 0:
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

// isForWhom reports whether a ke liye stands between the kind for whom a thing is and the thing: bachche ke liye frame.
func (x *Index) isForWhom(elements []element, at int, run []element) bool {
	if elements[at].kind != markerElement || elements[at].marker != purpose || len(run) == 0 || at+1 >= len(elements) ||
		elements[at+1].kind != goodsElement {
		return false
	}
	last := run[len(run)-1].words
	return known.Get().headOf(last) == "" && x.sells(slices.Concat(last, elements[at+1].words))
}

// isForModel reports whether a for stands between a thing and what it is for, which its name says: a cover for swift.
func (x *Index) isForModel(tokens []token, elements []element, at int, run []element) bool {
	if tokens[elements[at].from].text != "for" || len(run) == 0 || at+1 >= len(elements) ||
		elements[at+1].kind != goodsElement {
		return false
	}
	thing, model := joinedThing(run).words, elements[at+1].words
	return known.Get().headOf(model) == "" && x.sells(slices.Concat(thing, model)) &&
		len(x.named(slices.Concat(thing, model))) < len(x.named(thing))
}

// years are words for the age that clothes and books are for.
var years = &wordSet{of: "saal sal year years yrs yr साल वर्ष"}

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
	} else if len(a.words) == 2 { // glass paper
		if turned := known.Get().meaning(tokenise(a.words[1] + " " + a.words[0])); len(turned) == 1 && x.sells(turned) {
			a.kind, a.words = goodsElement, turned
		}
	}
	return a
}

// meaningOf returns the words of goods that a folded word stands for.
func meaningOf(key string) []string { return known.Get().meaning([]token{{key: key, text: key}}) }

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
