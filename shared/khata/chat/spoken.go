package chat

import (
	"strings"
	"unicode"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// maxSpoken bounds the texts that are read as what an owner says about the book.
const maxSpoken = 160

// Spoken is an entry that an owner writes as one says it: Ramesh 500 diya, geeta ji ko 300 ka udhaar.
type Spoken struct {
	Kind   spokenKind
	Amount model.Amount
	Number string   // of the customer; "" for none
	Who    []string // the words that name the customer, and then those of a note
	Notes  int      // how many words at the end of Who may be a note; of any other word it is unclear what it says
	When   string   // the word for the day on which it happened; "" for today
	strong bool     // it speaks of the book, whoever is named
	doubt  bool     // it says that nothing has happened, or that somebody says so
}

// spokenKind is what an entry is.
type spokenKind string

// The kinds of entries. Of one that is unclear the owner is asked: the words may say that the shop gave the money, that
// nothing has happened yet, or that somebody only says so.
const (
	paid    spokenKind = "paid"
	sale    spokenKind = "sale"
	unclear spokenKind = "unclear"
)

// ParseSpoken returns the entry that an owner's text tells of, and reports whether it tells of one: one amount, a word
// for what was done, and a name.
func ParseSpoken(text string) (s Spoken, ok bool) {
	if len(text) > maxSpoken || strings.ContainsAny(text, "?\n") || signed.Get().MatchString(latinDigits(text)) {
		return s, false
	}
	text = splitNumber.Get().ReplaceAllString(latinDigits(text), "$1$2")
	head, note := text, ""
	if before, after, is := strings.Cut(text, ","); is && !strings.ContainsAny(after, "0123456789") {
		head, note = before, after // geeta 350 udhaar, school bag
	}
	r := readSpoken(wordsOf(head))
	for _, word := range wordsOf(note) {
		r.doubt = r.doubt || isDoubtful(word) || language.Asks(word)
		r.who, r.notes = append(r.who, word), r.notes+1
	}
	s = Spoken{Kind: r.kind(), Amount: r.amount, Number: r.number, Who: r.who, When: r.when, doubt: r.doubt}
	if r.credit {
		s.Notes = r.notes
	}
	s.strong = r.settles || r.receives && r.from || r.credit || r.writes || r.ne || r.ko && r.gives
	happens := r.happens() && (r.number == "" || r.moves())
	return s, r.amounts == 1 && r.amount.IsPositive() && !r.shop && !r.asks && happens &&
		len(r.who)+len(r.number) > 0 && len(r.who) <= maxName+maxNoteWords
}

const (
	maxName      = 5 // words
	maxNoteWords = 4
)

// told is a line of a message of several entries: an entry, or something else.
type told struct {
	Spoken
	is   bool
	line string
}

// ParseSpokens returns the entries of a text of several, one a line, or separated by commas or by a word for and. It
// reports false for any other text. A line may be no entry; of parts of a line all have to be. If a part makes the
// others doubtful, as a condition does, all are unclear.
func ParseSpokens(text string) (all []told, ok bool) {
	if len(text) > maxSpoken*maxEntries {
		return nil, false
	}
	between := betweenParts
	if strings.ContainsAny(strings.TrimSpace(text), "\n;") {
		between = betweenLines
	}
	entries, doubt := 0, false
	for _, line := range between.Get().Split(strings.TrimSpace(text), maxEntries+1) {
		if line = strings.TrimSpace(numbering.Get().ReplaceAllString(line, "")); line == "" {
			continue
		}
		s, is := ParseSpoken(line)
		if !is && between == betweenParts || len(all) == maxEntries {
			return nil, false
		}
		if is {
			entries++
		}
		doubt = doubt || s.doubt
		all = append(all, told{s, is, line})
	}
	for i := range all {
		if doubt && between == betweenParts {
			all[i].Kind = unclear
		}
	}
	return all, entries > 1
}

// signed is an amount with a sign: a command says it, and no speech.
var signed = lazy.Regexp(`(?:^|\s)[-−–+]\s?(?:₹|rs\.?)?\s?\d{1,7}\b`)

// splitNumber is a phone number in two parts: 98765 43210.
var splitNumber = lazy.Regexp(`(?:\+91[ -]?)?\b(\d{5})[ -](\d{5})\b`)

// said is what the words of a text say of an entry.
type said struct {
	amounts int
	amount  model.Amount
	when    string
	number  string // of a phone
	who     []string
	notes   int // words at the end of who that may be a note

	gives, receives, takes, tookAway, settles bool // money or goods changed hands
	credit, creditGiven, creditOf             bool // on credit; credit was given; it is the credit's money
	goods, owed, is, writes                   bool
	ne, ko, from, self, outward, of           bool // who did it, and to whom; whose the money is
	doubt, due                                bool // it may be no entry; it is still to come
	by                                        bool // the way to pay
	shop, asks                                bool // it is of the shop's day; it is a question
}

// happens reports whether the words say that something was done.
func (r said) happens() bool {
	return r.moves() || r.goods || r.owed || r.writes || r.due || r.by || r.doubt
}

// moves reports whether the words say that money changed hands, or that it is owed now.
func (r said) moves() bool { return r.gives || r.receives || r.takes || r.settles || r.credit }

// kind returns what the entry is.
func (r said) kind() spokenKind {
	toCustomer := r.ko || r.self || r.outward
	bought := r.goods && (r.receives || r.from || r.self && r.takes || r.gives && !toCustomer)
	switch {
	case r.doubt, bought, r.takes && r.gives, r.by && (r.goods || r.takes):
		return unclear
	case r.settles:
		return either(toCustomer, unclear, paid)
	case r.receives:
		return either(r.ko, unclear, paid)
	case r.takes && (r.from || r.self):
		return either(r.credit || r.tookAway, unclear, paid)
	case r.takes:
		return either(r.ne || r.tookAway || r.credit || r.goods, sale, unclear)
	case r.gives && toCustomer:
		return either(r.credit || r.goods, sale, unclear)
	case r.gives && (r.from || r.ne && r.creditGiven):
		return unclear
	case r.gives && (r.ne || r.owed || r.creditOf):
		return paid
	case r.gives && r.creditGiven:
		return sale
	case r.gives:
		return either(r.credit || r.of, unclear, paid)
	case r.is:
		return unclear
	case r.by && !r.credit && !r.goods && !r.owed && !r.writes:
		return paid
	}
	return sale
}

func either(is bool, a, b spokenKind) spokenKind {
	if is {
		return a
	}
	return b
}

// readSpoken reads the words of a text, each with the ones beside it.
func readSpoken(words []string) (r said) {
	words = withSums(words)
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return words[i]
	}
	for i := 0; i < len(words); i++ {
		word, before, next := words[i], at(i-1), at(i+1)
		amount, isAmount := amountOf(word)
		switch {
		case isDay(word) && !measures.Has(next):
			r.when = word
		case isAmount && len(word) >= localDigits && !labels.Has(before):
			r.number = word
		case isAmount && len(word) >= localDigits: // of a payment
		case isAmount && measures.Has(next):
			r.note(word, next)
			i++
		case isAmount && labels.Has(before):
			r.who, r.notes = append(r.who, word), 0
		case isAmount:
			r.amounts++
			r.amount, r.of = amount, ownWords.Has(before)
		case language.Asks(word), i == 0 && askedFirst.Has(word):
			r.asks = true
		case dueWords.Has(word) && !doneBy.Has(before): // dena hai, but not: likh dena
			r.due, r.doubt = true, true
		case isDoubtful(word):
			r.doubt = true
		case word == "se" || word == "से" || word == "from":
			r.from = r.from || !methods.Has(before)
		case word == "ko" || word == "को" || word == "to":
			r.ko = r.ko || !selves.Has(before) && !isDay(before)
		case word == "ne" || word == "ने":
			r.ne = r.ne || !selves.Has(before)
		case i == 0 && postpositions.Has(next) && !selves.Has(word) && !shopWords.Has(word): // mila ne 500 diye
			r.who = append(r.who, word)
		default:
			r.read(word, before, next, at(i-2), i == 0 && next != "by")
		}
	}
	r.outward = r.outward && !r.from
	return r
}

// read reads a word that is neither a number nor a particle.
func (r *said) read(word, before, next, second string, first bool) {
	_, ofAmount := amountOf(before)
	switch {
	case relatives.Has(word) && ofWords.Has(before), wala.Has(word) && ofAmount,
		word == "note" && ofWords.Has(before), word == "karo" && before == "payment":
		r.doubt = true // somebody else, a note of 500, a request
	case word == "credit" && next == "card":
	case selves.Has(word):
		r.self = r.self || selfDoes.Has(word)
	case waiveWords.Has(word):
		r.shop = true
	case word == "de" || word == "दे" || word == "le" || word == "ले":
		gone := departs.Has(next)
		r.gives = r.gives || gone && (word == "de" || word == "दे")
		r.tookAway = r.tookAway || gone && (word == "le" || word == "ले")
		r.takes = r.takes || r.tookAway
	case settleWords.Has(word):
		r.settles = true
	case giveWords.Has(word):
		r.gives, r.outward = true, r.outward || first && givesOut.Has(word)
		r.creditGiven = r.creditGiven || creditWords.Has(before) || (before == "de" || before == "दे") && r.credit
	case receiveWords.Has(word):
		r.receives = true
	case takeWords.Has(word):
		r.takes, r.tookAway = true, r.tookAway || word == "took" || word == "bought"
	case creditWords.Has(word):
		r.credit, r.creditOf = true, r.creditOf || ofWords.Has(next)
	case goodsWords.Has(word):
		r.goods = true
	case owedWords.Has(word):
		r.owed = true
	case writeWords.Has(word):
		r.writes = true
	case shopWords.Has(word):
		r.shop = true
	case isWords.Has(word):
		r.is, r.owed = true, r.owed || word == "owes"
	case methods.Has(word):
		r.by = true
	case isCurrency(word), spokenFillers.Has(word), dueWords.Has(word):
	case isCode(word):
		r.shop = true
	case strings.ContainsFunc(word, unicode.IsLetter):
		_, amount := amountOf(second)
		amount = amount || isCurrency(second)
		goods := ofWords.Has(before) && amount || // 300 ka doodh
			r.amounts > 0 && creditWords.Has(before) && ofWords.Has(second) || // ka udhaar doodh
			measures.Has(before) || // 2 kg chawal
			r.notes > 0 && (r.who[len(r.who)-1] == before || ofWords.Has(before)) // doodh ki theli
		r.who, r.notes = append(r.who, word), r.notes+1
		if !goods {
			r.notes = 0
		}
	}
}

// isCode reports whether a word is what machines write: STR-K3FJ82.
func isCode(word string) bool {
	return len(word) > 6 && strings.ContainsAny(word, "0123456789") && strings.ContainsFunc(word, unicode.IsLetter)
}

// note keeps a measure that stands beside the goods: 2 kg.
func (r *said) note(words ...string) {
	if len(r.who) > 0 {
		r.who, r.notes = append(r.who, words...), r.notes+len(words)
	}
}

// isDoubtful reports whether a word makes it doubtful that something has happened: a negation, a wish, what somebody
// says, and what is still to come.
func isDoubtful(word string) bool {
	return language.Negates(word) || language.Supposes(word) || doubtWords.Has(word)
}

// wordsOf returns the words of a text in small letters, with Latin digits, without punctuation.
func wordsOf(text string) []string {
	var words []string
	text = strings.ReplaceAll(latinDigits(strings.ToLower(text)), "’", "'")
	for _, word := range strings.FieldsFunc(text,
		func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("!।;:?()\"", r) }) {
		if word = strings.TrimSuffix(strings.Trim(word, ",.-'"), "'s"); word != "" {
			words = append(words, word)
		}
	}
	return words
}
