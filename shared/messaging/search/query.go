package search

import (
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/problem"
)

const (
	// MaxQuery bounds the characters of what is searched for, and maxTerms its words.
	MaxQuery, maxTerms = 200, 10
	// minNumber is how many digits are searched for as a part of a number, such as its last ones.
	minNumber = 4
)

// Field is where what is searched for stands in a request.
const Field = "query.q"

var (
	errNoWords = problem.New("nothing to search for", problem.Error{
		Class: problem.Invalid, Field: Field, Detail: "it has no word and no number"})
	errTooManyWords = problem.New("too many words", problem.Error{
		Class: problem.Invalid, Field: Field, Detail: "it has more than ten words"})
)

// Query is what somebody searches for. The zero value finds nothing.
type Query struct {
	terms  []term
	number string // the digits, of a query that is one number; "" of any other
}

// term is a word of a query. It finds the words that begin with it, as they are written or by their keys, and the
// words that differ from it in their ending only.
type term struct {
	word
	stem string
}

// Parse reads what somebody searches for. It returns a problem if there is nothing to search for, or too much.
func Parse(text string) (q Query, err error) {
	seen := map[string]bool{}
	for _, s := range wordsIn(cut(text, 4*MaxQuery)) {
		if !seen[s.plain] {
			seen[s.plain] = true
			q.terms = append(q.terms, term{s.word, language.Stem(s.key)})
		}
	}
	switch {
	case len(q.terms) == 0:
		return Query{}, errNoWords
	case len(q.terms) > maxTerms:
		return Query{}, errTooManyWords
	}
	q.number = numberIn(text)
	return q, nil
}

// numberIn returns the digits of a text that is a number as people write them: +91 98765 43210, or 098765-43210. What
// stands in front of the number in one country only is left out.
func numberIn(text string) string {
	var digits strings.Builder
	for _, r := range text {
		switch {
		case strings.ContainsRune("+-().  \u00a0/", r):
		case wordOf(string(r)).plain >= "0" && wordOf(string(r)).plain <= "9":
			digits.WriteString(wordOf(string(r)).plain)
		default:
			return ""
		}
	}
	number := strings.TrimLeft(digits.String(), "0")
	if len(number) < minNumber {
		return ""
	}
	return number
}

// in reports whether the query finds something by its line of words.
func (q Query) in(line string) bool {
	if line == "" || len(q.terms) == 0 {
		return false
	}
	if q.number != "" && strings.Contains(line, q.number) {
		return true
	}
	for _, t := range q.terms {
		if !t.in(line) {
			return false
		}
	}
	return true
}

// mayBeIn reports whether the query may find something in a text of several lines. It is fast where it does not.
func (q Query) mayBeIn(text string) bool {
	if q.number != "" && strings.Contains(text, q.number) {
		return true
	}
	for _, t := range q.terms {
		if !strings.Contains(text, t.plain) && !strings.Contains(text, t.key) && !strings.Contains(text, t.stem) {
			return false
		}
	}
	return len(q.terms) > 0
}

func (t term) in(line string) bool {
	return begins(line, t.plain) || t.key != t.plain && begins(line, t.key) || t.ends(line)
}

// begins reports whether a word of a line begins with a text.
func begins(line, text string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], text)
		if i < 0 {
			return false
		}
		if at += i; line[at-1] == ' ' { // a line begins with a space, and no word has one
			return true
		}
		at += len(text)
	}
}

// ends reports whether a word of a line differs from the term in its ending only.
func (t term) ends(line string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], t.stem)
		if i < 0 {
			return false
		}
		begin := at + i
		at = begin + len(t.stem)
		if line[begin-1] != ' ' {
			continue
		}
		end := begin + strings.IndexByte(line[begin:], ' ')
		if language.Stem(line[begin:end]) == t.stem {
			return true
		}
	}
}

// finds reports whether a term of the query finds a word.
func (q Query) finds(w word) bool {
	line := " " + w.plain + " "
	if w.key != w.plain {
		line += w.key + " "
	}
	if q.number != "" && strings.Contains(line, q.number) {
		return true
	}
	for _, t := range q.terms {
		if t.in(line) {
			return true
		}
	}
	return false
}

// Piece is a part of a snippet.
type Piece struct {
	Text  string
	Found bool // it is what was searched for
}

const (
	// ahead is how many characters a snippet shows in front of what was found, and snippet how many in all.
	ahead, snippet = 40, 160
)

// Snippet returns the part of texts around what the query finds first, in pieces; the beginning if it finds nothing.
func (q Query) Snippet(texts ...string) []Piece {
	for _, text := range texts {
		if pieces, found := q.pieces(text); found {
			return pieces
		}
	}
	for _, text := range texts {
		if pieces, _ := q.pieces(text); len(pieces) > 0 {
			return pieces
		}
	}
	return nil
}

func (q Query) pieces(text string) (pieces []Piece, found bool) {
	var hits []span
	for _, s := range wordsIn(text) {
		if q.finds(s.word) {
			hits = append(hits, s)
		}
	}
	from := 0
	if len(hits) > 0 {
		from = back(text, hits[0].from, ahead)
	}
	to := forth(text, from, snippet)
	add := func(part string, is bool) {
		if part != "" {
			pieces = append(pieces, Piece{part, is})
		}
	}
	if from > 0 {
		add("…", false)
	}
	at := from
	for _, hit := range hits {
		if hit.to > to {
			break
		}
		add(text[at:hit.from], false)
		add(text[hit.from:hit.to], true)
		at = hit.to
	}
	add(text[at:max(at, to)], false)
	if to < len(text) {
		add("…", false)
	}
	return pieces, len(hits) > 0
}

// back returns the place so many characters before another one, and forth the one after it.
func back(text string, at, characters int) int {
	for i := range text[:at] {
		if len([]rune(text[i:at])) <= characters {
			return i
		}
	}
	return at
}

func forth(text string, at, characters int) int {
	for i := range text[at:] {
		if characters == 0 {
			return at + i
		}
		characters--
	}
	return len(text)
}
