package wording

import (
	"slices"
	"strings"
	"unicode"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

// The languages in which each text is written where it stands: English, Hindi, and Hindi in Latin letters.
const (
	English = "en"
	Hindi   = "hi"
	Latin   = "hi-Latn"
)

// Standard lists them. A store that names no languages speaks these.
var Standard = []string{English, Hindi, Latin}

// language is another language that the assistant speaks. It is data: its texts, all of them, stand in a file.
type language struct {
	tag    string
	script *unicode.RangeTable // in which it is written
	asks   []string            // phrases by which customers ask for it
	texts  func() map[string]string
}

// others are the other languages. To add one, write its file, texts_{tag}.go, and add its line here. A test names what
// is missing.
var others = []language{
	{"mr", unicode.Devanagari, []string{"in marathi", "marathi please", "marathi madhe", "marathit", "मराठीत",
		"मराठी मध्ये", "मराठी में"}, marathiTexts},
	{"gu", unicode.Gujarati, []string{"in gujarati", "gujarati please", "gujarati ma", "gujarati maa", "ગુજરાતીમાં",
		"ગુજરાતી માં"}, gujaratiTexts},
	{"bn", unicode.Bengali, []string{"in bengali", "bengali please", "in bangla", "bangla please", "banglay",
		"banglate", "বাংলায়", "বাংলাতে"}, bengaliTexts},
	{"ta", unicode.Tamil, []string{"in tamil", "tamil please", "tamilil", "tamizhil", "தமிழில்"}, tamilTexts},
	{"te", unicode.Telugu, []string{"in telugu", "telugu please", "telugu lo", "telugulo", "తెలుగులో", "తెలుగు లో"},
		teluguTexts},
}

// Languages lists all languages.
var Languages = append(slices.Clone(Standard), tags()...)

func tags() (all []string) {
	for _, l := range others {
		all = append(all, l.tag)
	}
	return all
}

// ByScript returns the language of a shop that a text is written in, by its script; "" if the script tells none.
// Devanagari tells none in a shop that speaks Hindi.
func ByScript(s commercemodel.Settings, text string) string {
	for _, l := range others {
		if slices.Contains(s.Languages, l.tag) &&
			!(l.script == unicode.Devanagari && slices.Contains(s.Languages, Hindi)) &&
			strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(l.script, r) && unicode.IsLetter(r) }) {
			return l.tag
		}
	}
	return ""
}

// Request is how customers ask for a language.
type Request struct {
	Language string
	Phrases  []string
}

// Requests returns how customers ask for the other languages.
func Requests() (all []Request) {
	for _, l := range others {
		all = append(all, Request{l.tag, l.asks})
	}
	return all
}

// ReadsLocal reports whether who is written to in a language reads the local names of goods. Those who read Latin
// letters may not.
func ReadsLocal(language string) bool { return language != English && language != Latin }
