package lazy

import (
	"strings"
	"sync"
)

// WordSet is a list of words that is read when it is first used.
type WordSet struct {
	text string
	form func(string) string // may be nil
	once sync.Once
	list []string
	set  map[string]bool
}

// Words returns the words of a text, which are separated by white space.
func Words(text string) *WordSet { return &WordSet{text: text} }

// WordsAs returns the words of a text in the form that a function gives them.
func WordsAs(text string, form func(string) string) *WordSet { return &WordSet{text: text, form: form} }

// List returns the words in the order of the text. The caller does not change it.
func (w *WordSet) List() []string {
	w.once.Do(w.read)
	return w.list
}

// Set returns the words as a set. The caller does not change it.
func (w *WordSet) Set() map[string]bool {
	w.once.Do(w.read)
	return w.set
}

// Has reports whether a word is one of them.
func (w *WordSet) Has(word string) bool { return w.Set()[word] }

func (w *WordSet) read() {
	w.list = strings.Fields(w.text)
	w.set = make(map[string]bool, len(w.list))
	for i, word := range w.list {
		if w.form != nil {
			w.list[i] = w.form(word)
		}
		w.set[w.list[i]] = true
	}
}
