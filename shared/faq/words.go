package faq

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/haatline/haatline/shared/language"
)

// maxWords bounds the words of a text that are looked at.
const maxWords = 200

// term is a word in the forms by which it is compared.
type term struct {
	key      string // the spellings of a word have one
	stem     string
	root     string          // without the inflection of a verb: book, booking, booked
	prefix   string          // how a long word begins: vaccine and vaccination; "" of a short one
	skeleton string          // its consonants, which it keeps in the other script; "" if they are few
	idea     string          // what it has in common with other words for the same; "" for none
	ways     map[string]bool // of an intent, the words by which it is asked
}

// isIntent reports whether a term is what people ask of any business.
func (t term) isIntent() bool { return strings.HasPrefix(t.key, "!") }

// asks reports whether a word says what is asked of a thing, and not of which thing.
func (t term) asks() bool { return strings.HasPrefix(t.idea, "?") }

// terms returns the words of a text that say something, in order. Words that every question has say nothing.
func terms(text string) []term {
	var all []term
	words := strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) {
			if idea := known.Get().ideas[keyOf(words[i])+" "+keyOf(words[i+1])]; idea != "" {
				all = append(all, term{key: keyOf(words[i]) + keyOf(words[i+1]), stem: idea, idea: idea})
				i++
				continue
			}
		}
		key := keyOf(words[i])
		if known.Get().empty[words[i]] || (known.Get().mute[key] || light.MatchString(key)) &&
			!known.Get().said[words[i]] {
			continue
		}
		all = append(all, termOf(key, strings.ContainsFunc(words[i], language.IsDevanagari)))
	}
	return append(all, intentsOf(words)...)
}

// light are the forms of Hindi's verbs that stand beside every other: to do, to go, to give, to be able to. They say
// nothing.
var light = regexp.MustCompile(`^(?:kar|karv|kara|rah|reh|sak|lag|mil|bata|chah|rakh|ho|ja|de|le|a)(?:v)?` +
	`(?:[aeiou]|na|ne|ni|ta|te|ti|ega|egi|enge|engi|unga|ungi|oge|ogi|iye|ie|aie|ke|kar|un|en|ya|ye|yi)?$`)

// termOf returns the term of a key. A word in Devanagari may be one of English, written as one hears it.
func termOf(key string, devanagari bool) term {
	t := term{key: key, stem: language.Stem(key), skeleton: skeleton(key), root: root(key)}
	if len(key) > leastPrefix {
		t.prefix = key[:leastPrefix]
	}
	if t.idea = known.Get().ideas[key]; t.idea == "" {
		t.idea = known.Get().ideas[t.stem]
	}
	if t.idea == "" && devanagari {
		t.idea = known.Get().loans[t.skeleton]
	}
	return t
}

func keyOf(word string) string { return language.Fold(language.Plain(word)) }

// inflections are endings of verbs and of what is made of them, in English and in Hindi, the longest first: booking and
// booked, pahuncha and pahunchega.
var inflections = []string{
	"ations", "ation", "ments", "ment", "ings", "ing", "enge", "engi", "unga", "ungi", "ega", "egi", "oge", "ogi",
	"aie", "able", "ers", "ed", "er", "ly", "al", "na", "ni", "ne", "ta", "ti", "te", "va", "ya", "iye",
	"a", "i", "e", "o",
}

// leastRoot is how long a word is at least without its inflection.
const leastRoot = 3

// root returns a key without its inflection; "" if it has none.
func root(key string) string {
	for _, ending := range inflections {
		if short := strings.TrimSuffix(key, ending); short != key && len(short) >= leastRoot {
			return short
		}
	}
	if len(key) >= leastRoot {
		return key
	}
	return ""
}

// endings are spoken as they are written in Devanagari: connection is कनेक्शन.
var endings = strings.NewReplacer("tion", "sn", "sion", "sn")

// leastPrefix is how many letters words of one family begin with.
const leastPrefix = 5

// leastSkeleton is how many consonants a word has at least if they tell it from others.
const leastSkeleton = 3

// skeleton returns the consonants of a key: रिफंड and refund have the same.
func skeleton(key string) string {
	key = endings.Replace(key)
	s := strings.Map(func(r rune) rune {
		if strings.ContainsRune("aeiouyh", r) {
			return -1
		}
		return r
	}, key)
	if len(s) < leastSkeleton {
		return ""
	}
	return s
}

// setOf returns the words of a text.
func setOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
