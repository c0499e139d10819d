package nlu

import (
	"slices"

	"github.com/haatline/haatline/shared/language"
)

// packNames takes words for packs that name goods of this shop for the goods, where no other thing stands beside them:
// thaili chhoti 2 kilo, plate 10 inch wali 2 packet, 250 ml dabba 2 packet.
func (x *Index) packNames(tokens []token) {
	from, goods := 0, false
	for to := 0; to <= len(tokens); to++ {
		if to < len(tokens) && !endsSegment(tokens[to]) {
			continue
		}
		named := x.namesAny(tokens[from:to])
		for at := from; at < to; at++ {
			if x.mayNameGoods(tokens[at]) && !asksCan(tokens, at) &&
				(x.standsApart(tokens, at) || x.endsNameHere(tokens, at) ||
					!named && (!goods || saysSize(tokens[from:to], at-from))) {
				tokens[at].text = portion
				if key := x.stems[language.Stem(tokens[at].key)]; !x.vocab[tokens[at].key] && key != "" {
					tokens[at].key = key
				}
			}
		}
		goods = goods || x.namesAny(tokens[from:to])
		from = to + 1
	}
}

// endsNameHere reports whether a word ends a name in this shop together with the word before its ka: kapde ka thaila.
func (x *Index) endsNameHere(tokens []token, at int) bool {
	return at > 1 && joins.Has(tokens[at-1].text) && x.vocab[tokens[at-2].key] && x.ends[tokens[at].key] &&
		x.sells(slices.Concat(meaningOf(tokens[at-2].key), meaningOf(tokens[at].key)))
}

// asksCan reports whether a can is the verb: can you deliver.
func asksCan(tokens []token, at int) bool {
	return tokens[at].text == "can" && at+1 < len(tokens) && canSubjects.Has(tokens[at+1].text)
}

var canSubjects = &wordSet{of: "i you u we it they ya the this that anyone someone"}

// mayNameGoods reports whether a word for a pack is in the names of goods, too.
func (x *Index) mayNameGoods(t token) bool {
	u := unitOf(t)
	if key := x.stems[language.Stem(t.key)]; !x.vocab[t.key] && key != "" {
		t.key = key
	}
	may := u.kind == packUnit && u.name != "packet" && t.text != u.name || carriers.Has(t.text) ||
		u.name == "piece" || u.name == "box" || u.name == "tablet"
	if kind := carrierOf(t.text); x.carriers[kind] && x.tails[t.key] == "" { // shampoo in sachets
		return false
	}
	return may && (!countsAnything.Has(t.text) || x.tails[t.key] != "") &&
		t.kind == word && len(t.text) > 2 && x.vocab[t.key] && x.byWord[t.key] != nil
}

// namedPacks takes a word for a pack for the one of a name that goes on as the tokens do: btl brush is a bottle brush.
func (x *Index) namedPacks(tokens []token) {
	for i := range max(len(tokens)-1, 0) {
		t := &tokens[i]
		u := unitOf(*t)
		if u.kind != packUnit || x.vocab[t.key] {
			continue
		}
		for _, w := range x.packWords[u.name] {
			other := *t
			other.text, other.key = w, language.Fold(w)
			if _, took := x.names.find([]token{other, tokens[i+1]}); took > 1 {
				t.text, t.key = portion, other.key
				break
			}
		}
	}
}

// sizedPacks writes a word for packs in singular where it names a good by its size: 50 cartons of 12x10x8.
func (x *Index) sizedPacks(tokens []token) {
	for i := range max(len(tokens)-3, 0) {
		t := &tokens[i]
		if unitOf(*t).kind != packUnit || !x.isPlural(t.key) || tokens[i+1].text != "of" || tokens[i+2].kind != number {
			continue
		}
		one := t.key[:len(t.key)-1]
		if e, took := x.names.find(tokens[i+2:]); took > 1 && x.sells(append(slices.Clone(e.goods), one)) {
			t.text, t.key = portion, one
		}
	}
}

// countsAnything are words that count goods of all kinds, and the can of "can you".
var countsAnything = &wordSet{of: "piece pieces pc pcs pce peace peice pis pice unit units nag adad can पीस पिस नग"}

// carriers are words for packets by which goods are called, too.
var carriers = &wordSet{of: "thaili thaila thaile jhola theli bag bags bucket buckets balti carton " +
	"cartons peti tin tins " +
	"can cans pouch pouches tray katori थैली पेटी"}

// namesAny reports whether some tokens hold a word of goods that is no unit.
func (x *Index) namesAny(tokens []token) bool {
	for i, t := range tokens {
		if t.kind != word || unitOf(t).kind != 0 {
			continue
		}
		if _, took := x.names.find(tokens[i:]); took > 1 || !known.Get().fillers[t.text] && x.namesGood(tokens[i:]) {
			return true
		}
	}
	return false
}

// standsApart reports whether a word for a pack counts nothing and describes nothing: no number and no thing stands
// before it, and no ka or wala after it.
func (x *Index) standsApart(tokens []token, at int) bool {
	if at > 0 {
		previous := tokens[at-1]
		if previous.kind == word && !known.Get().fillers[previous.text] || isNumber(previous) ||
			unitOf(previous).kind != 0 || isAttribute(previous) || joins.Has(previous.text) ||
			x.namesAny(tokens[at-1:at]) || previous.text == "a" || previous.text == "an" {
			return false
		}
	}
	if at+1 >= len(tokens) {
		return false
	}
	next := tokens[at+1]
	return !joins.Has(next.text) && !isAttribute(next) && next.text != "of" && !x.namesAny(tokens[at+1:at+2]) &&
		(isNumber(next) || saysSize(tokens[at+1:at+2], -1))
}

// saysSize reports whether some tokens beside the one at a place say the size of a thing: 250 ml, 10 inch, chhoti.
func saysSize(tokens []token, beside int) bool {
	for i, t := range tokens {
		m, took := known.Get().markers.find(tokens[i : i+1])
		if i != beside && (unitOf(t).kind == measureUnit || took > 0 && (m.marker == smallest || m.marker == largest)) {
			return true
		}
	}
	return false
}
