package faq

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// How well two words match, from 0 to 1.
const (
	sameKey, sameStem, sameIdea, sameSkeleton, samePrefix = 1.0, 0.95, 0.85, 0.8, 0.75
	// ofAnswer is what a match counts in the answer, beside 1 in the question.
	ofAnswer = 0.4
	// ofUnknown is what a word that no entry has counts against the best entry, beside 1 for a word of one entry.
	ofUnknown = 0.55
	// ofAsking is what a word such as when or how much counts.
	ofAsking = 0.65
	// ofMessage and ofQuestion weigh how much of the message an entry explains against how much of the entry's question
	// the message says.
	ofMessage, ofQuestion = 0.75, 0.25
)

// An answer is sure if its score is high enough, and if the next answer's score is clearly lower.
const (
	enough = 0.5
	ahead  = 0.88 // the largest part of the best score that the next one may have
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
	if err := check(entries); err != nil {
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
	for _, a := range x.answers {
		for _, question := range a.questions {
			for i, word := range question {
				_, in := x.matches(word.term)
				question[i].weight = x.weight(word.term, in)
			}
		}
	}
	return x, nil
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
}

// Find returns the entry that a message asks for, in the language if the list has it. It reports false if no entry has
// anything to do with the message.
func (x *Index) Find(message, lang string) (Found, bool) {
	asked := distinct(x.corrected(terms(message)))
	if len(asked) == 0 || len(x.answers) == 0 {
		return Found{}, false
	}
	scores := x.scores(asked)
	best, next := 0, -1
	for n := range scores {
		switch {
		case scores[n] > scores[best]:
			best, next = n, best
		case n != best && (next < 0 || scores[n] > scores[next]):
			next = n
		}
	}
	if scores[best] == 0 {
		return Found{}, false
	}
	found := Found{Entry: x.answers[best].in(lang), Score: scores[best]}
	found.Sure = found.Score >= enough && (next < 0 || scores[next] <= ahead*found.Score)
	return found, true
}

// corrected returns terms with the typing errors corrected in words that no entry has.
func (x *Index) corrected(all []term) []term {
	for i, t := range all {
		limit := language.MaxEdits(len(t.key))
		if matched, _ := x.matches(t); len(matched) > 0 || t.idea != "" || limit == 0 {
			continue
		}
		nearest, least := "", limit+1
		for _, key := range x.keys {
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

// scores returns how well each answer fits what is asked, by the way to ask for it that fits best.
func (x *Index) scores(asked []term) []float64 {
	scores, weights, all := make([]float64, len(x.answers)), make([]float64, len(asked)), 0.0
	matched := make([]map[int]float64, len(asked))
	touched := map[int]bool{}
	for i, t := range asked {
		var in int
		matched[i], in = x.matches(t)
		weights[i] = x.weight(t, in)
		all += weights[i]
		for n := range matched[i] {
			touched[n] = true
		}
	}
	for n := range touched {
		for _, question := range x.answers[n].questions {
			explained := 0.0
			for i, t := range asked {
				best := min(matched[i][n], ofAnswer)
				for _, word := range question {
					best = max(best, t.like(word.term))
				}
				explained += weights[i] * best
			}
			scores[n] = max(scores[n], ofMessage*explained/all+ofQuestion*said(question, asked))
		}
	}
	return scores
}

// matches returns how well a term matches a word of each answer that has one, and of how many answers it is a word.
func (x *Index) matches(t term) (matched map[int]float64, in int) {
	matched = map[int]float64{}
	for _, form := range t.forms() {
		for _, p := range x.terms[form.name] {
			m := form.match
			if !p.question {
				m *= ofAnswer
			}
			matched[p.answer] = max(matched[p.answer], m)
		}
	}
	for _, m := range matched {
		if m > ofAnswer {
			in++
		}
	}
	if in == 0 {
		in = len(matched)
	}
	return matched, in
}

// weight returns how much a word of some of the answers says: the more, the fewer they are, as in BM25.
func (x *Index) weight(t term, in int) float64 {
	n := float64(len(x.answers))
	weight := math.Log(1 + (n-float64(in)+0.5)/(float64(in)+0.5))
	switch {
	case t.asks():
		return weight * ofAsking
	case in == 0:
		return weight * ofUnknown
	}
	return weight
}

// said returns how much of a way to ask the message says.
func said(question []weighed, asked []term) float64 {
	sum, all := 0.0, 0.0
	for _, word := range question {
		best := 0.0
		for _, t := range asked {
			best = max(best, t.like(word.term))
		}
		sum, all = sum+best*word.weight, all+word.weight
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// like returns how well two terms match.
func (t term) like(other term) float64 {
	switch {
	case t.key == other.key:
		return sameKey
	case t.stem == other.stem:
		return sameStem
	case t.idea != "" && t.idea == other.idea:
		return sameIdea
	case t.skeleton != "" && t.skeleton == other.skeleton:
		return sameSkeleton
	case t.prefix != "" && t.prefix == other.prefix:
		return samePrefix
	}
	return 0
}
