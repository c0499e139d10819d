package assistant

import (
	"slices"
	"strings"
	"unicode"

	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/wording"
)

// chooseLanguage keeps the customer's language. It changes when they write two messages in another one, or when they
// have only greeted so far.
func (t *turn) chooseLanguage() {
	c := t.context
	written := wording.Language(t.store.Settings, t.reading.Language, t.words)
	tells := t.m.Choice == nil &&
		(nlu.TellsLanguage(t.words) || wording.ByScript(t.store.Settings, t.words) != "")
	greets := t.reading.Intent == nlu.Greeting
	switch {
	case c.Language == "":
		c.Language, c.LanguageSure = wording.Language(t.store.Settings, "", ""), false
		if tells {
			c.Language, c.LanguageSure = written, !greets && nlu.TellsBesideGoods(t.words)
		}
	case !tells || greets:
	case written == c.Language:
		c.LanguageSure, c.OtherLanguage = true, ""
	case !c.LanguageSure || c.OtherLanguage == written:
		c.Language, c.LanguageSure, c.OtherLanguage = written, true, ""
	default:
		c.OtherLanguage = written
	}
}

// requests are phrases by which customers ask for a language.
var requests = append([]wording.Request{
	{Language: wording.English, Phrases: []string{
		"in english", "english please", "english me", "english mein", "english main", "speak english",
		"write in english", "only english", "can't read hindi", "cant read hindi", "cannot read hindi",
		"don't know hindi", "dont know hindi", "do not know hindi", "don't understand hindi",
		"dont understand hindi", "no hindi", "hindi nahi aati", "hindi nahi aata", "hindi nahi samajh",
		"अंग्रेज़ी में", "अंग्रेजी में", "इंग्लिश में", "हिंदी नहीं आती", "हिन्दी नहीं आती"}},
	{Language: wording.Hindi, Phrases: []string{
		"हिंदी में", "हिन्दी में", "in hindi", "hindi please", "hindi me", "hindi mein", "hindi main", "only hindi",
		"english nahi aati", "english nahi aata", "english nahi samajh", "don't know english", "dont know english",
		"can't read english", "cant read english", "अंग्रेज़ी नहीं आती", "अंग्रेजी नहीं आती", "इंग्लिश नहीं आती"}},
}, wording.Requests()...)

// asksForLanguage changes the language for a message that asks for one. It reports false for a message that says
// anything else, too.
func (t *turn) asksForLanguage() bool {
	text := " " + strings.Join(strings.FieldsFunc(strings.ToLower(t.words), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",.;!?-", r)
	}), " ") + " "
	for _, r := range requests {
		if !slices.ContainsFunc(r.Phrases, func(p string) bool {
			return strings.Contains(text, " "+p+" ") || strings.Contains(text, p) && p[0] > 127
		}) {
			continue
		}
		language := r.Language
		if language == wording.Hindi && t.reading.Language != "hi" && !strings.Contains(text, "in hindi") &&
			!strings.Contains(text, "hindi please") {
			language = wording.Latin // who asks in Latin letters reads them
		}
		if !slices.Contains(t.store.Settings.Languages, language) {
			return false
		}
		t.context.Language, t.context.LanguageSure, t.context.OtherLanguage = language, true, ""
		if t.reading.Intent == nlu.Order {
			return false
		}
		if t.basket() == nil {
			t.answer("language_set", nil)
		}
		return true
	}
	return false
}
