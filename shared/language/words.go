package language

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Words returns the words of a text in the form by which they are compared: without accents, endings and the
// differences of spelling and script.
func Words(text string) []string {
	all := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "'", "")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
	for i, w := range all {
		all[i] = Stem(Fold(Plain(w)))
	}
	return all
}

// List is a set of words. It reads them at first use.
type List struct {
	text string
	once sync.Once
	set  map[string]bool
}

// NewList returns the list of the words of a text.
func NewList(text string) *List { return &List{text: text} }

// Has reports whether a word that Words has returned is in the list.
func (l *List) Has(word string) bool {
	l.once.Do(func() {
		l.set = map[string]bool{}
		for _, w := range Words(l.text) {
			l.set[w] = true
		}
	})
	return l.set[word]
}

// Any reports whether one of the words is in the list.
func (l *List) Any(words []string) bool { return slices.ContainsFunc(words, l.Has) }

// All reports whether there are words, and all of them are in one of the lists.
func All(words []string, lists ...*List) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(lists, func(l *List) bool { return l.Has(w) })
	})
}
