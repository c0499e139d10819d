package faq

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// An answer is sure if its score is high enough, and clearly higher than the next one's. A lower score is enough for an
// answer that stands alone, and for a message that names nothing else.
const (
	enough = 0.62
	ofNext = 0.87 // of the next score, to be taken from the best
	ahead  = 0.2
	alone  = 0.42
	half   = 0.45 // of the best score, which no other answer passes
)

// The few best answers may be meant if the best score is not too low. It has to be higher for a message that names
// something of which no entry speaks.
const (
	worth      = 0.35
	worthOther = 0.5
	ofBest     = 0.5 // of the best score, to be among them
	mostNear   = 3
)

// Index finds entries. It is safe for concurrent use.
type Index struct {
	answers []*answer
	terms   map[string][]posting // by form and its kind
	keys    []string             // of all words
}

// answer is what the entries of one id have together.
type answer struct {
	id        string
	entries   []Entry
	questions [][]weighed // of each way to ask
}

// weighed is a word of a question, and how much it says.
type weighed struct {
	term
	weight float64
}

// posting says that an answer has a term.
type posting struct {
	answer   int
	question bool
}

// New returns an index of entries. Its error wraps ErrInvalid.
func New(entries []Entry) (*Index, error) {
	if err := check(entries, func(i int) string { return fmt.Sprintf("entry %d", i+1) }); err != nil {
		return nil, err
	}
	x := &Index{terms: map[string][]posting{}}
	at := map[string]int{}
	for _, e := range entries {
		n, has := at[e.ID]
		if !has {
			n = len(x.answers)
			at[e.ID], x.answers = n, append(x.answers, &answer{id: e.ID})
		}
		a := x.answers[n]
		a.entries = append(a.entries, e)
		for way := range strings.Lines(e.Question) {
			var words []weighed
			said := distinct(terms(way))
			for _, t := range said {
				words = append(words, weighed{term: t})
			}
			a.questions = append(a.questions, words)
			x.post(n, said, true)
		}
		x.post(n, terms(e.Answer), false)
	}
	for form := range x.terms {
		if form[0] == 'k' {
			x.keys = append(x.keys, form[1:])
		}
	}
	slices.Sort(x.keys)
	x.weigh()
	return x, nil
}

// weigh says how much each word of a question says. Words that many questions have are counted once.
func (x *Index) weigh() {
	known := map[[2]string]float64{}
	for _, a := range x.answers {
		for _, question := range a.questions {
			for i, word := range question {
				same := [2]string{word.key, word.idea}
				weight, has := known[same]
				if !has {
					_, in := x.matches(word.term)
					weight = x.weight(word.term, in)
					known[same] = weight
				}
				question[i].weight = weight
			}
		}
	}
}

// post notes the forms of an answer's terms.
func (x *Index) post(n int, all []term, question bool) {
	for _, t := range all {
		for _, form := range t.forms() {
			x.terms[form.name] = append(x.terms[form.name], posting{n, question})
		}
	}
}

// form is a way to compare a term, and how well a word matches by it.
type form struct {
	name  string
	match float64
}

func (t term) forms() []form {
	all := []form{{"k" + t.key, sameKey}, {"s" + t.stem, sameStem}}
	if t.root != "" {
		all = append(all, form{"r" + t.root, sameRoot})
	}
	if t.idea != "" {
		all = append(all, form{"i" + t.idea, sameIdea})
	}
	if t.skeleton != "" {
		all = append(all, form{"c" + t.skeleton, sameSkeleton})
	}
	if t.prefix != "" {
		all = append(all, form{"p" + t.prefix, samePrefix})
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
	if len(one) > 0 && len(other) > 0 && one[0].Sure && other[0].Sure && one[0].ID != other[0].ID {
		found[0].Sure = false
	}
	return found
}

// either is between the two things of which a message asks for one.
var either = regexp.MustCompile(`(?i)\s(?:or|ya|या)\s`)

func (x *Index) search(message, lang string, limit int) []Found {
	asked := distinct(x.corrected(terms(message)))
	if len(asked) == 0 {
		return nil
	}
	var found []Found
	scores, other := x.scores(asked)
	for n, score := range scores {
		if score > 0 {
			found = append(found, Found{Entry: x.answers[n].in(lang), Score: score})
		}
	}
	slices.SortStableFunc(found, func(a, b Found) int { return cmp.Compare(b.Score, a.Score) })
	if len(found) == 0 {
		return nil
	}
	second := 0.0
	if len(found) > 1 {
		second = found[1].Score
	}
	found[0].Sure = found[0].Score >= enough && found[0].Score-ofNext*second >= ahead ||
		!other && found[0].Score >= alone && second <= half*found[0].Score
	if found[0].Score >= worthOther || !other && found[0].Score >= worth {
		for i := range min(mostNear, len(found)) {
			found[i].Near = found[i].Score >= ofBest*found[0].Score
		}
	}
	return found[:min(limit, len(found))]
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
		if matched, _ := x.matches(t); len(matched) > 0 || t.idea != "" || limit == 0 {
			continue
		}
		nearest, least := "", limit+1
		for _, key := range x.keys {
			if key == "" || key[0] != t.key[0] {
				continue // people hit the first letter
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
