package search

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/model"
)

const (
	// maxWord and maxWords bound, in bytes, a word and all words of one thing that is found by them.
	maxWord, maxWords = 64, 6 << 10
)

// word is a word of a text: as it is written, in small letters and without accents, and by the key that the shop's
// reader gives to all usual spellings of it, in Latin letters and in Devanagari.
type word struct{ plain, key string }

// span is where in a text a word is.
type span struct {
	word
	from, to int
}

// wordsIn returns the words of a text. A letter of a script that is written without spaces is a word.
func wordsIn(text string) (all []span) {
	begin := -1
	end := func(at int) {
		if begin >= 0 {
			if w := wordOf(text[begin:at]); w.plain != "" {
				all = append(all, span{w, begin, at})
			}
		}
		begin = -1
	}
	for i, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end(i)
			begin = i
			end(i + utf8.RuneLen(r))
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r), joins(r):
			if begin < 0 {
				begin = i
			}
		default:
			end(i)
		}
	}
	end(len(text))
	return all
}

// joins reports whether a character stands within words and makes no difference: an apostrophe, or a joiner of Indic
// scripts.
func joins(r rune) bool { return r == '\'' || r == '’' || r == '\u200c' || r == '\u200d' }

func wordOf(text string) word {
	plain := strings.Map(func(r rune) rune {
		switch {
		case joins(r):
			return -1
		case unicode.IsDigit(r):
			return digit(r)
		}
		return unicode.ToLower(r)
	}, norm.NFC.String(text))
	plain = cut(language.Plain(plain), maxWord)
	w := word{plain, plain}
	if key := language.Fold(plain); key != "" && readable(plain) {
		w.key = key
	}
	return w
}

// digit returns the digit in ASCII. The digits of a script follow one another in Unicode, from its nought.
func digit(r rune) rune {
	nought := r
	for nought > 0 && r-nought < 9 && unicode.IsDigit(nought-1) {
		nought--
	}
	return '0' + r - nought
}

// readable reports whether the shop's reader knows the letters of a word.
func readable(plain string) bool {
	return strings.IndexFunc(plain, func(r rune) bool { return r >= utf8.RuneSelf && !language.IsDevanagari(r) }) < 0
}

// cut returns at most so many bytes of a text, in whole characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// lineOf returns the words of texts as a line: each once, as it is written and by its key, between spaces. It is "" for
// texts without a word.
func lineOf(texts ...string) string {
	var b strings.Builder
	seen := map[string]bool{}
	add := func(w string) {
		if w == "" || seen[w] || b.Len()+len(w) > maxWords {
			return
		}
		seen[w] = true
		if b.Len() == 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		b.WriteByte(' ')
	}
	for _, text := range texts {
		for _, s := range wordsIn(text) {
			add(s.plain)
			add(s.key)
		}
	}
	return b.String()
}

// told are the names of what a message's content says in words.
var told = []string{
	"address", "body", "caption", "city", "description", "email", "emoji", "filename", "first_name", "formatted_name",
	"last_name", "name", "phone", "text", "title", "wa_id",
}

// TextsOf returns what a message says, by which it is found; nothing of one that was deleted or is not there.
func TextsOf(m model.Message) []string {
	if m.RevokedAt != "" || m.ErasedAt != "" || m.Direction == "" {
		return nil
	}
	texts := []string{m.TextBody, m.Caption}
	if m.GroupID != "" {
		texts = append(texts, m.SenderName)
	}
	var content any
	if len(m.Content) > 0 && json.Unmarshal(m.Content, &content) == nil {
		texts = appendTold(texts, content)
	}
	return texts
}

func appendTold(texts []string, content any) []string {
	switch of := content.(type) {
	case []any:
		for _, one := range of {
			texts = appendTold(texts, one)
		}
	case map[string]any:
		names := make([]string, 0, len(of))
		for name := range of {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if text, is := of[name].(string); is {
				if slices.Contains(told, name) {
					texts = append(texts, text)
				}
				continue
			}
			texts = appendTold(texts, of[name])
		}
	}
	return texts
}

// PersonTexts returns the name, the addresses and the labels by which a conversation is found.
func PersonTexts(c model.Conversation) []string {
	_, customer, _ := keys.ConversationIDs(c.PK)
	texts := []string{c.SenderName, c.Username, c.From, c.UserID}
	if id := string(identity.IdentifierIn(customer)); id != c.From && id != c.UserID {
		texts = append(texts, id)
	}
	return append(texts, c.Labels...)
}

func messageLine(m model.Message) string     { return lineOf(TextsOf(m)...) }
func personLine(c model.Conversation) string { return lineOf(PersonTexts(c)...) }
func noteLine(n model.Note) string           { return lineOf(n.Text) }
