// Package faq answers questions from a list of a company's own questions and answers. It finds the entry that a message
// asks for by its words, in English and Hindi, in Latin letters and in Devanagari, whichever of them the entry is
// written in. It gives the entry's own words, and nothing when it is not sure which entry is meant.
//
// Three things say which entry a message means: tables of words that people wrote, what words mean as it was learned
// from examples, and weights that say how much each fact counts. The examples are the lists in testdata/trades: each
// line is an entry with other ways to ask for it. Whoever adds lines there, or words to a table, learns and fits anew,
// in this order; the same files always give the same numbers:
//
//	go test ./shared/faq -run TestLearn -learn -timeout 30m      writes meaning.bin
//	go test ./shared/faq -run TestFit -fit -v -timeout 30m       writes weights.json, and says from how likely an
//	                                                             answer on at most 2 % are wrong: see enough
//	go test ./infra/assistant -update                            writes what is still missed
package faq

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of a list.
const (
	MaxEntries  = 2000
	MaxQuestion = 500  // characters
	MaxAnswer   = 2000 // characters
	MaxID       = 64   // characters
)

// Entry is a question with its answer. Entries with the same id are one answer in several languages.
type Entry struct {
	ID       string
	Question string // one or more ways to ask, a line each
	Answer   string
	Language string // as in WhatsApp's templates: en, hi
}

// ErrInvalid means that an entry cannot be used. The error says which, and why.
var ErrInvalid = errors.New("the list of questions cannot be used")

// check returns why an entry cannot be used.
func (e Entry) check() error {
	switch {
	case strings.TrimSpace(e.ID) == "" || utf8.RuneCountInString(e.ID) > MaxID:
		return fmt.Errorf("id: 1 to %d characters", MaxID)
	case strings.TrimSpace(e.Question) == "" || utf8.RuneCountInString(e.Question) > MaxQuestion:
		return fmt.Errorf("question: 1 to %d characters", MaxQuestion)
	case strings.TrimSpace(e.Answer) == "" || utf8.RuneCountInString(e.Answer) > MaxAnswer:
		return fmt.Errorf("answer: 1 to %d characters", MaxAnswer)
	case !utf8.ValidString(e.ID + e.Question + e.Answer + e.Language):
		return errors.New("it is not in UTF-8")
	case strings.ContainsAny(e.ID, "\r\n"):
		return errors.New("id: it has a line break")
	}
	return nil
}

// maxNamed bounds the wrong entries that an error names.
const maxNamed = 20

// check returns which entries cannot be used, by the names of their places. Two entries of one id and one language
// contradict each other.
func check(entries []Entry, place func(int) string) error {
	if len(entries) > MaxEntries {
		return fmt.Errorf("%w: it has %d entries, and %d are the most", ErrInvalid, len(entries), MaxEntries)
	}
	seen := map[[2]string]int{}
	var wrong []string
	for i, e := range entries {
		err := e.check()
		key := [2]string{e.ID, e.Language}
		if first, twice := seen[key]; err == nil && twice {
			err = fmt.Errorf("the id and the language are those of %s", place(first))
		} else if !twice {
			seen[key] = i
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", place(i), err))
		}
	}
	if more := len(wrong) - maxNamed; more > 0 {
		wrong = append(wrong[:maxNamed], fmt.Sprintf("and %d more", more))
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%w: %s", ErrInvalid, strings.Join(wrong, "; "))
	}
	return nil
}
