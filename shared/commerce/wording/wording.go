// Package wording owns what the assistant says, by key and language, and a shop's own words in place of it. Names in
// braces stand for what is filled in.
package wording

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// Values are what is filled into a text, by name.
type Values map[string]string

// Text returns a text in a language: the shop's own where it has one.
func Text(s commercemodel.Settings, key, language string, values Values) string {
	text := s.Texts[key][language]
	if text == "" {
		text = Default(key, language)
	}
	if text == "" {
		text = Default(key, English)
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		pairs = append(pairs, "{"+name+"}", values[name])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Language returns the language in which a customer is answered: the one they write in, if the shop speaks it.
func Language(s commercemodel.Settings, written, text string) string {
	if other := ByScript(s, text); other != "" {
		return other
	}
	if written == "mixed" {
		written = Latin
		if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x0900 && r <= 0x097F }) {
			written = Hindi
		}
	}
	if slices.Contains(s.Languages, written) {
		return written
	}
	if len(s.Languages) > 0 {
		return s.Languages[0]
	}
	return English
}

// Keys returns the keys of the texts.
func Keys() []string { return slices.Sorted(maps.Keys(texts.Get())) }

// Default returns the text of a key in a language.
func Default(key, language string) string {
	if slices.Contains(Standard, language) {
		return texts.Get()[key].in(language)
	}
	return otherTexts.Get()[language][key]
}

// MaxText bounds a shop's own text, in characters. WhatsApp takes 1,024 with buttons, and values are filled in.
const MaxText = 600

var placeholder = lazy.Regexp(`\{[^{}]*\}`)

// limits are how many characters WhatsApp takes of some texts, by the beginnings of their keys.
var limits = []struct {
	prefix string
	most   int
}{
	{"button.", 20}, {"form.label.", 20}, {"form.wrong.", 30}, {"form.send", 35}, {"form.heading", 80},
	{"form.default", 120},
}

// mostOf returns how many characters a text of a key may have.
func mostOf(key string) int {
	for _, l := range limits {
		if strings.HasPrefix(key, l.prefix) {
			return l.most
		}
	}
	return MaxText
}

// Check returns what is wrong with a shop's own text; "" for nothing. It may only fill in what the text that it
// replaces fills in.
func Check(key, language, text string) string {
	standard, known := texts.Get()[key]
	switch {
	case !known:
		return "there is no text " + key + "; GET /v1/assistant-texts lists them"
	case !slices.Contains(Languages, language):
		return "the languages are " + strings.Join(Languages, ", ")
	case strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > MaxText || !utf8.ValidString(text):
		return "from 1 to 600 characters"
	}
	if most := mostOf(key); utf8.RuneCountInString(text) > most {
		return fmt.Sprintf("%d characters at most", most)
	}
	for _, name := range placeholder.Get().FindAllString(text, -1) {
		if !strings.Contains(standard.English, name) {
			return name + " cannot be filled in here"
		}
	}
	return ""
}

// Money returns an amount as a customer reads it.
func Money(s commercemodel.Settings, a model.Amount) string {
	text := strings.TrimSuffix(a.StringFixed(2), ".00")
	if s.Currency == "INR" {
		return "₹" + text
	}
	return s.Currency + " " + text
}
