package nlu

import (
	"maps"
	"slices"

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
	category              string          // the one word of its category, in singular
	base                  string          // of a loose good: what a measure of it is in
	factor                decimal.Decimal // of the base in a unit
	group                 string          // equal for the sizes of one good
	isLoose               bool

	localWords []string    // the words of the name in the other script
	nameWords  []string    // the words of the name, as it is written
	dimensions []dimension // the numbers in the names
	aliasTexts [][]string  // keywords of several words, as they are written
	nameEnd    string      // the last word of the name that is neither a modifier nor a number
	localEnd   string      // the same of the name in the other script
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
	tablets  bool  // something is sold in tablets
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
	tails         map[string]string
	kindsOf       map[string]int  // by the last word of names: how many kinds of it there are
	aloneLocal    map[string]bool // names of one word in the other script
	soloBrands    map[string]bool // brands of one word
	initials      map[string]bool // keywords of two letters
	soldBy        map[string]bool // the folded units of the goods
	behindNumbers map[string]bool // words that stand behind numbers in names: channel, seater
	// letters for sizes in names
	sizeLetters map[string]bool
	letters     map[string]bool // letters that say which of a thing is meant
	modifiers   map[string]bool // words of names that only say which of a thing is meant
	plainThings map[string]bool // words that are kinds elsewhere, and end the names of goods here
	// two words of a name, by the known word that they are when they are written as one
	joinedNames map[string][]string
	sizes       map[string]bool   // numbers without a unit in names of goods
	measured    map[string]bool   // numbers with a unit in them
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
		modifiers: map[string]bool{}, soloBrands: map[string]bool{}, sizeLetters: map[string]bool{},
		behindNumbers: map[string]bool{}, soldBy: map[string]bool{}, initials: map[string]bool{},
		letters: map[string]bool{}, tails: map[string]string{},
		written:   map[string]bool{},
		packWords: map[string][]string{}, longWords: map[byte][]string{}, ends: map[string]bool{},
		skeletons: map[string][]string{},
		kindsOf:   map[string]int{},
		thin:      map[string][]string{}, brands: map[string]bool{}, bases: map[string]string{},
		carriers: map[string]bool{}, sizes: map[string]bool{}, measured: map[string]bool{},
		joinedNames: map[string][]string{},
		aloneLocal:  map[string]bool{}, plainThings: map[string]bool{}}
	seen := map[string]bool{}
	for _, p := range products {
		if x.byID[p.ID] == nil {
			x.add(p, seen)
		}
	}
	for _, p := range x.products {
		x.addInitials(p.Brand, seen)
	}
	x.addSeries(seen)
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
	x.joinForms()
	x.joinScripts()
	x.joinSpoken()
	for _, key := range slices.Sorted(maps.Keys(known.Get().keys)) {
		if key != "" && !x.vocab[key] {
			x.byLetter[key[0]] = append(x.byLetter[key[0]], key)
		}
	}
	return x
}

// sameSize are the letters for sizes with the words for them.
var sameSize = lazy.Of[map[string]string]{Make: func() map[string]string {
	return map[string]string{"s": "small", "m": "medium", "l": "large", "small": "s", "medium": "m", "large": "l"}
}}

// sizeLetters are sizes of clothes and diapers.
var sizeLetters = &wordSet{of: "s m l xl xxl nb"}

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
