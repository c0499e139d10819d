package faq

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// How likely an answer is, from 0 to 1.
const (
	enough   = 0.83 // to be given
	worth    = 0.4  // to be asked about
	ofBest   = 0.1  // of the best, to be asked about beside it
	mostNear = 3
	// mostNothing is how likely it may be that no entry answers a message after which something is asked.
	mostNothing = 0.3
)

// Index finds entries. It is safe for concurrent use. The zero Index has none.
type Index struct {
	answers []*answer
	asks    []asking
	weights []float64            // of each word of the askings
	kinds   []kind               // of each word of the askings
	terms   map[string][]posting // by form and its kind
	keys    []string             // of all words
	says    []float64            // of each field of meaning
	sames   []string             // of each word of the askings, the word that stands for the very same thing
	learned *meanings
}

// answer is what the entries of one id have together.
type answer struct {
	id      string
	entries []Entry
	asks    []int    // the ways to ask for it
	like    likeness // how like the situations its text is
	scope   scope    // its fields of meaning, with those of the ways to ask for it
	meaning vector   // of its text
	words   []wordMeaning
}

// asking is one way to ask for an answer.
type asking struct {
	first, end int      // its words
	weight     float64  // of all its words
	intents    []string // what it is about, of what people ask of any business
	people     []string // whom it is about, and what it is without
	marked     []string // the ideas of something uncommon that it is about
	answer     int
	like       likeness // how like the situations it is
	scope      scope    // its fields of meaning
	meaning    vector
	meanings   []wordMeaning // of each word
}

// posting says that an answer has a term: as a word of a way to ask for it, or in its text.
type posting struct {
	answer, asking, word int32
}

// inText is the way to ask of a term in the text of an answer.
const inText = -1

// New returns an index of entries. Its error wraps ErrInvalid.
func New(entries []Entry) (*Index, error) { return newIndex(entries, learnedMeanings.Get()) }

func newIndex(entries []Entry, learned *meanings) (*Index, error) {
	if err := check(entries, func(i int) string { return fmt.Sprintf("entry %d", i+1) }); err != nil {
		return nil, err
	}
	x := &Index{terms: map[string][]posting{}, learned: learned}
	at := map[string]int{}
	var asked []term
	words := map[string]traits{}
	for _, e := range entries {
		n, has := at[e.ID]
		if !has {
			n = len(x.answers)
			at[e.ID], x.answers = n, append(x.answers, &answer{id: e.ID})
		}
		x.answers[n].entries = append(x.answers[n].entries, e)
		for way := range strings.Lines(e.Question) {
			asked = append(asked, x.ask(n, way, len(asked), words)...)
		}
		told := terms(e.Answer)
		text, meanings := learned.of(traitsOf(e.Answer, told, words))
		told = distinct(told)
		x.answers[n].like = likenessOf(told[:min(mostTold, len(told))])
		x.answers[n].scope = scopeOf(told[:min(mostTold, len(told))])
		x.answers[n].words = append(x.answers[n].words, meanings[:min(mostTold, len(meanings))]...)
		x.answers[n].meaning.add(&text, 1)
		x.post(told, func(int) posting { return posting{int32(n), inText, inText} })
	}
	for form := range x.terms {
		if form[0] == 'k' {
			x.keys = append(x.keys, form[1:])
		}
	}
	slices.Sort(x.keys)
	for _, a := range x.answers {
		a.meaning.toUnit()
	}
	for _, t := range asked {
		x.sames = append(x.sames, t.same)
	}
	x.weigh(asked)
	x.says = x.sayings()
	return x, nil
}

// ask notes one way to ask for an answer, whose words begin at a place among all, and returns the words.
func (x *Index) ask(n int, text string, first int, known map[string]traits) []term {
	words := terms(text)
	read := traitsOf(text, words, known)
	words = distinct(words)
	way := asking{first: first, end: first + len(words), answer: n, like: likenessOf(words),
		scope: scopeOf(words)}
	way.meaning, way.meanings = x.learned.of(read)
	for _, t := range words {
		if people[t.key] {
			way.people = append(way.people, t.key)
		}
		if t.isIntent() {
			way.intents = append(way.intents, t.key)
		}
		if t.marked() {
			way.marked = append(way.marked, t.ideas[0])
		}
	}
	at := len(x.asks)
	x.asks = append(x.asks, way)
	x.answers[n].asks = append(x.answers[n].asks, at)
	x.post(words, func(i int) posting { return posting{int32(n), int32(at), int32(first + i)} })
	return words
}

// weigh says how much each word of a question says. Words that many questions have are counted once.
func (x *Index) weigh(words []term) {
	x.weights, x.kinds = make([]float64, len(words)), make([]kind, len(words))
	known := map[string]float64{}
	s := x.sheet()
	for i, word := range words {
		weight, has := known[word.key]
		if !has {
			weight = x.weight(word, s.read(x, word))
			known[word.key] = weight
		}
		x.weights[i], x.kinds[i] = weight, word.kind()
	}
	for i := range x.asks {
		for _, weight := range x.weights[x.asks[i].first:x.asks[i].end] {
			x.asks[i].weight += weight
		}
	}
}

// post notes the forms of terms.
func (x *Index) post(all []term, place func(int) posting) {
	for i, t := range all {
		for _, form := range t.forms() {
			x.terms[form.name] = append(x.terms[form.name], place(i))
		}
	}
}

// form is a way to compare a term, and how well a word matches by it.
type form struct {
	name  string
	match float64
}

func (t term) forms() []form {
	all := append(make([]form, 0, 8), form{"k" + t.key, sameKey}, form{"s" + t.stem, sameStem})
	if t.same != "" {
		all = append(all, form{"y" + t.same, sameMeaning})
	}
	if t.skeleton != "" {
		all = append(all, form{"c" + t.skeleton, sameSkeleton})
	}
	if t.root != "" {
		all = append(all, form{"r" + t.root, sameRoot})
	}
	for i, idea := range t.ideas {
		all = append(all, form{"i" + idea, pick(i == 0, sameIdea, otherIdea)})
	}
	if t.prefix != "" {
		all = append(all, form{"p" + t.prefix, samePrefix})
	}
	return all
}

func pick(is bool, a, b float64) float64 {
	if is {
		return a
	}
	return b
}

// kin returns the forms of what belongs to one matter with a term.
func (t term) kin() (all []form) {
	for _, idea := range t.ideas {
		for _, kin := range known.Get().kin[idea] {
			all = append(all, form{"i" + kin, sameKin})
		}
	}
	return all
}

// Found is the entry that a message asks for.
type Found struct {
	Entry
	Score float64 // from 0 to 1
	Sure  bool    // the entry is the one that is meant; else it is only the likeliest
	Near  bool    // the entry is one of the few that may be meant
}

// Find returns the entry that a message asks for, in the language if the list has it. It reports false if no entry has
// anything to do with the message.
func (x *Index) Find(message, lang string) (Found, bool) {
	found := x.Search(message, lang, 1)
	if len(found) == 0 {
		return Found{}, false
	}
	return found[0], true
}

// Search returns the entries that a message may ask for, at most limit of them, the likeliest first, in the language if
// the list has it. Only the first can be sure, and it is not for a message that asks for one entry or another.
func (x *Index) Search(message, lang string, limit int) []Found {
	found := x.search(message, lang, limit)
	at := either.FindStringIndex(message)
	if len(found) == 0 || !found[0].Sure || at == nil {
		return found
	}
	one, other := x.search(message[:at[0]], lang, 1), x.search(message[at[1]:], lang, 1)
	if len(one) > 0 && len(other) > 0 && min(one[0].Score, other[0].Score) >= worth && one[0].ID != other[0].ID {
		found[0].Sure = false
	}
	return found
}

// either is between the two things of which a message asks for one.
var either = regexp.MustCompile(`(?i)\s(?:or|ya|या)\s`)

func (x *Index) search(message, lang string, limit int) []Found {
	if len(x.answers) == 0 {
		return nil
	}
	found := terms(message)
	text := traitsOf(message, found, map[string]traits{})
	asked := distinct(x.corrected(found))
	if len(asked) == 0 {
		return nil
	}
	scores, nothing := x.scores(text, asked)
	asks := nothing <= mostNothing
	best := likeliest(scores, max(limit, mostNear))
	var all []Found
	for i, n := range best {
		all = append(all, Found{
			Entry: x.answers[n].in(lang), Score: scores[n], Sure: i == 0 && scores[n] >= enough,
			Near: asks && i < mostNear && scores[best[0]] >= worth && scores[n] >= ofBest*scores[best[0]]})
	}
	return all[:min(limit, len(all))]
}

// likeliest returns the places of the highest scores above 0, at most limit of them, the highest first.
func likeliest(scores []float64, limit int) (best []int) {
	for n, score := range scores {
		if score <= 0 || len(best) == limit && score <= scores[best[limit-1]] {
			continue
		}
		at := len(best)
		for at > 0 && scores[best[at-1]] < score {
			at--
		}
		best = slices.Insert(best, at, n)
		best = best[:min(limit, len(best))]
	}
	return best
}

// Near returns those of the entries found that may be meant, at most three.
func Near(found []Found) []Found {
	return slices.DeleteFunc(slices.Clone(found), func(f Found) bool { return !f.Near })
}

// Entry returns the entry with an id, in a language if the list has it.
func (x *Index) Entry(id, lang string) (Entry, bool) {
	at := slices.IndexFunc(x.answers, func(a *answer) bool { return a.id == id })
	if at < 0 {
		return Entry{}, false
	}
	return x.answers[at].in(lang), true
}

// corrected returns terms with the typing errors corrected in words that no entry has.
func (x *Index) corrected(all []term) []term {
	for i, t := range all {
		limit := language.MaxEdits(len(t.key) - 1)
		if limit == 0 || len(t.ideas) > 0 || x.has(t) {
			continue
		}
		nearest, least := "", limit+1
		first, _ := slices.BinarySearch(x.keys, t.key[:1]) // people hit the first letter
		for _, key := range x.keys[first:] {
			if key[0] != t.key[0] {
				break
			}
			if n := language.Edits(t.key, key, min(limit, least)); n < least {
				nearest, least = key, n
			}
		}
		if nearest != "" {
			all[i] = termOf(nearest, false)
		}
	}
	return all
}

// in returns an answer's entry in a language, or its first.
func (a *answer) in(lang string) Entry {
	if at := slices.IndexFunc(a.entries, func(e Entry) bool { return e.Language == lang }); at >= 0 {
		return a.entries[at]
	}
	return a.entries[0]
}

// distinct returns terms without repetition.
func distinct(all []term) []term {
	slices.SortFunc(all, func(a, b term) int { return cmp.Compare(a.key, b.key) })
	return slices.CompactFunc(all, func(a, b term) bool { return a.key == b.key })
}
