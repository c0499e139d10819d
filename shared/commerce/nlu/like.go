package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// like keeps, of what may be meant by words that only say which, those most like the thing that was named before: two
// black leggings and a white one.
func (x *Index) like(found []chosen, it *item) []chosen {
	if len(found) < 2 {
		return found
	}
	if found = x.ofCategoryBefore(found, it); !it.which && !x.bare(it.words) {
		return x.alongside(found, it)
	}
	best := 1
	for _, c := range found {
		best = max(best, c.product.shares(it.previous))
	}
	return keep(found, func(c chosen) bool { return c.product.shares(it.previous) == best })
}

// ofCategoryBefore keeps, of what may be meant by words that name no thing, the goods of the category of the good right
// before them: 3 taaza, 1 gold.
func (x *Index) ofCategoryBefore(found []chosen, it *item) []chosen {
	if !it.said || known.Get().headOf(it.words) != "" || len(it.previous) == 0 {
		return found
	}
	named := x.named(it.previous)
	return keep(found, func(c chosen) bool {
		return slices.ContainsFunc(named, func(p *product) bool { return p.Category == c.product.Category })
	})
}

// chooseOf returns which of some products fit the words and the quantity of an item.
func (x *Index) chooseOf(products []*product, it *item) []chosen {
	var found []chosen
	for _, p := range products {
		if !p.fitsWords(it.words) {
			continue
		}
		if line, f := p.take(x.sized(p, it.quantity)); f != unfit {
			found = append(found, chosen{line: line, fit: f, product: p})
		}
	}
	return found
}

// alongside keeps, of what may be meant by a thing that is named beside another of its category, those of the same
// kind: a steel plate and a bowl. A brand is no kind.
func (x *Index) alongside(found []chosen, it *item) []chosen {
	named, head := x.named(it.previous), known.Get().headOf(it.previous)
	kinds := slices.DeleteFunc(slices.Clone(it.previous), func(w string) bool {
		return w == head || slices.Contains(it.words, w) ||
			slices.ContainsFunc(named, func(p *product) bool {
				return p.nameEnd == w || slices.Contains(p.aliases, w)
			}) ||
			!slices.ContainsFunc(found, func(c chosen) bool { return c.product.words[w] })
	})
	if len(kinds) == 0 || !it.joined || !it.said {
		return found
	}
	// iphone 13 cover and glass; what is said in inches says no model
	model := !slices.ContainsFunc(kinds, func(w string) bool { return !x.onlyWhich(w) }) &&
		slices.ContainsFunc(kinds, func(w string) bool { return len(w) > 2 && !isNumeric(w) }) &&
		!slices.ContainsFunc(kinds, func(w string) bool { return measureKeys.Get()[w] })
	if !model && slices.ContainsFunc(found, func(c chosen) bool {
		return !slices.ContainsFunc(named, func(p *product) bool { return p.Category == c.product.Category }) ||
			slices.ContainsFunc(kinds, func(w string) bool { return slices.Contains(keysOf(c.product.Brand), w) })
	}) {
		return found
	}
	return keep(found, func(c chosen) bool { return all(kinds, c.product.words) })
}

// shares returns how many of some words are true of a product.
func (p *product) shares(words []string) int {
	n := 0
	for _, w := range words {
		if p.words[w] {
			n++
		}
	}
	return n
}

// hasSizes reports whether some words name goods that are told apart by letters for sizes.
func (x *Index) hasSizes(words []string) bool {
	return slices.ContainsFunc(x.having(words), func(p *product) bool {
		return p.fitsWords(words) && slices.ContainsFunc(p.nameWords, x.isLetter)
	})
}

// isOfSize reports whether a product's name says that it is the small or the large one.
func (p *product) isOfSize(large bool) bool {
	return slices.ContainsFunc(p.nameWords, func(w string) bool {
		return large && largeNames.Has(w) || !large && smallNames.Has(w)
	})
}

// largeNames and smallNames are the folded words by which names say that a good is large or small, or for whom it is.
var (
	largeNames = &wordSet{of: "large big jumbo long adult"}
	smallNames = &wordSet{of: "smal mini sort kids"}
)

// inName reports whether a word stands beside another word of the name of a good: the night of night suit.
func (x *Index) inName(tokens []token, at int) bool {
	joined := func(from, to int) bool {
		pair := []token{tokens[from], tokens[to]}
		return x.vocab[pair[0].key] && x.vocab[pair[1].key] && x.sells(known.Get().meaning(pair))
	}
	for from := max(0, at-2); from <= at; from++ {
		to := from + 1
		if to < len(tokens) && joins.Has(tokens[to].text) { // keede ki goli
			to++
		}
		if to < len(tokens) && (from == at || to == at) && joined(from, to) {
			return true
		}
	}
	return false
}

// sizeKeys are the folded words for sizes in every language.
var sizeKeys = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	keys := map[string]bool{}
	for _, row := range markers {
		if row.kind == smallest || row.kind == largest {
			for _, w := range strings.Split(row.words, ",") {
				keys[language.Fold(normalise(strings.TrimSpace(w)))] = true
			}
		}
	}
	for w := range sizeNames.Set() {
		keys[language.Fold(w)] = true
	}
	for w := range sameSize.Get() {
		keys[w] = true
	}
	return keys
}}

// inSize returns words with the size that a quantity says instead of the one that they say; nil where nothing is sold
// in both.
func (x *Index) inSize(words []string, q Quantity) []string {
	if !q.Smallest && !q.Largest {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return sizeKeys.Get()[w] })
	if len(rest) == len(words) || len(rest) == 0 {
		return nil
	}
	for _, size := range []string{"smal", "mini", "large", "big", "jumbo"} {
		with := append(slices.Clone(rest), size)
		small := size == "smal" || size == "mini"
		if small == q.Smallest && x.sells(with) && !slices.Contains(words, size) {
			return with
		}
	}
	return nil
}

// besideNames returns the tokens that are not of the name of a good: track pants do not say what a message is about.
func (x *Index) besideNames(tokens []token) []token {
	var rest []token
	for i, t := range tokens {
		if cutUp.Has(t.text) || t.kind == word && x.written[t.text] && !known.Get().fillers[t.text] &&
			x.sells([]string{t.key}) { // gathiya is not ghatiya
			continue
		}
		if t.kind != word || !x.vocab[t.key] || !x.inName(tokens, i) {
			rest = append(rest, t)
		}
	}
	return rest
}

// oneFollows reports whether a one stands for the thing of which some words only say which: a cheese one.
func oneFollows(tokens []token, it *item) bool {
	if len(it.parts) == 0 {
		return false
	}
	to := it.parts[len(it.parts)-1].to
	return to < len(tokens) && tokens[to].text == "one"
}
