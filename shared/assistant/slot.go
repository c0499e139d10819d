package assistant

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/phonenumber"
)

// Kind says what the value of a slot is.
type Kind string

const (
	Text   Kind = "text"
	Number Kind = "number"
	Date   Kind = "date"
	Choice Kind = "choice"
	Phone  Kind = "phone"
	File   Kind = "file"
)

// Kinds are all kinds of slots.
var Kinds = []Kind{Text, Number, Date, Choice, Phone, File}

// Bounds of slots.
const (
	MaxSlots   = 30
	MaxOptions = 20
	MaxValue   = 500 // characters
)

// Slot is something that a project wants to know of a person.
type Slot struct {
	Name     string
	Kind     Kind
	Question map[string]string // how to ask for it, by language
	Options  []string          // of a choice
	Optional bool
}

// ErrValue means that a text is no value of a slot.
var ErrValue = errors.New("not a value of the slot")

// Value returns the value of a slot that a model or a caller gives, in its one form: a number without separators, a
// date as 2006-01-02, a phone number in E.164, an option as it is written, the id of a file. It returns
// ErrValue.
func (s Slot) Value(text string, turn Turn) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" || !utf8.ValidString(text) || utf8.RuneCountInString(text) > MaxValue {
		return "", ErrValue
	}
	switch s.Kind {
	case Text:
		return text, nil
	case Number:
		number, err := decimal.NewFromString(strings.ReplaceAll(digits(text), ",", ""))
		if err != nil || number.Exponent() < -maxScale || number.Exponent() > maxScale || len(text) > maxNumber {
			return "", ErrValue
		}
		return number.String(), nil
	case Date:
		date, err := time.Parse(time.DateOnly, digits(text))
		if err != nil {
			return "", ErrValue
		}
		return date.Format(time.DateOnly), nil
	case Choice:
		if at := slices.IndexFunc(s.Options, func(o string) bool { return strings.EqualFold(o, text) }); at >= 0 {
			return s.Options[at], nil
		}
	case Phone:
		if number, err := phonenumber.Parse(text, turn.Country); err == nil {
			return "+" + number, nil
		}
	case File:
		if slices.ContainsFunc(turn.Said, func(e Said) bool { return e.Role == User && e.File == text }) {
			return text, nil
		}
	}
	return "", ErrValue
}

// maxScale and maxNumber bound a number: its power of ten, and its length.
const maxScale, maxNumber = 12, 30

// Read finds the value of a slot in what a person has written in answer to its question. It returns ErrValue if there
// is none, or more than one.
func (s Slot) Read(said Said, turn Turn) (string, error) {
	if s.Kind == File {
		return s.Value(said.File, turn)
	}
	found := s.mentions(said.Text, turn)
	if len(found) != 1 {
		return "", ErrValue
	}
	return s.Value(found[0], turn)
}

// mentions returns the different values of a slot's kind in a text, in their one form.
func (s Slot) mentions(text string, turn Turn) []string {
	var found []string
	switch s.Kind {
	case Number:
		found = numbersIn(text)
	case Date:
		found = datesIn(text, turn.Now)
	case Choice:
		found = s.chosen(text)
	case Phone:
		for _, run := range phones.FindAllString(text, -1) {
			if number, err := phonenumber.Parse(run, turn.Country); err == nil {
				found = append(found, "+"+number)
			}
		}
	case Text:
		found = []string{text}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// chosen returns the options that a text names: by their number in the list, or by all their words.
func (s Slot) chosen(text string) []string {
	said := language.Words(digits(text))
	for i, option := range s.Options {
		if len(said) == 1 && said[0] == decimal.NewFromInt(int64(i+1)).String() || strings.EqualFold(option, text) {
			return []string{option}
		}
	}
	var named []string
	for _, option := range s.Options {
		words := language.Words(option)
		missing := slices.ContainsFunc(words, func(w string) bool { return !says(said, w) })
		if len(words) > 0 && !missing {
			named = append(named, option)
		}
	}
	return slices.DeleteFunc(slices.Clone(named), func(o string) bool { // night shift says more than night
		return slices.ContainsFunc(named, func(other string) bool {
			more, less := language.Words(other), language.Words(o)
			return len(more) > len(less) && contains(more, less)
		})
	})
}

// contains reports whether words have all others.
func contains(words, others []string) bool {
	return !slices.ContainsFunc(others, func(w string) bool { return !slices.Contains(words, w) })
}

// says reports whether a word is among others, as it is spelt or with a typing error.
func says(words []string, word string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		limit := language.MaxEdits(len(word))
		return w == word || limit > 0 && language.Edits(w, word, limit) <= limit
	})
}
