package lazy

import (
	"strings"
	"sync"
)

// WordSet is a list of words that is read when it is first used.
type WordSet struct {
	text string
	once sync.Once
	list []string
	set  map[string]bool
}

// Words returns the words of a text, which are separated by white space.
func Words(text string) *WordSet { return &WordSet{text: text} }

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
	for _, word := range w.list {
		w.set[word] = true
	}
}
