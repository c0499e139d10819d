package faq

import (
	"regexp"
	"slices"
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
	same     string          // the first word of its group of synonyms; "" if it is in none
	ideas    []string        // what it has in common with other words for the same, the usual one first
	ways     map[string]bool // of an intent, the words by which it is asked
	pair     bool            // it is two words that together stand for something
	part     bool            // it is one of such two words
}

// isIntent reports whether a term is what people ask of any business.
func (t term) isIntent() bool { return strings.HasPrefix(t.key, "!") }

// asks reports whether a word says what is asked of a thing, and not of which thing.
func (t term) asks() bool { return len(t.ideas) > 0 && strings.HasPrefix(t.ideas[0], "?") }

// isManner reports whether a word says how, where or when, and not what.
func (t term) isManner() bool {
	return len(t.ideas) > 0 && manner[t.ideas[0]] || strings.Trim(t.key, "0123456789") == ""
}

// terms returns the words of a text that say something, in order. Words that every question has say nothing.
func terms(text string) []term {
	var all []term
	words := strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	for i, w := range words {
		words[i] = english(w)
	}
	for i := 0; i < len(words); i++ {
		if next := following(words, i); next > 0 {
			if ideas := known.Get().ideas[keyOf(words[i])+" "+keyOf(words[next])]; len(ideas) > 0 {
				pair := term{key: keyOf(words[i]) + keyOf(words[next]), stem: ideas[0], ideas: ideas, pair: true}
				all = append(append(all, pair), parts(words[i], words[next])...)
				i = next
				continue
			}
		}
		if t, says := single(words[i]); says {
			all = append(all, t)
		}
	}
	return append(all, intentsOf(words)...)
}

// parts returns the terms of the two words of a pair: who speaks of a security deposit may mean an entry that says
// deposit.
func parts(words ...string) (all []term) {
	for _, word := range words {
		if t, says := single(word); says && !t.asks() {
			t.part = true
			all = append(all, t)
		}
	}
	return all
}

// single returns the term of a word. It reports false for a word that says nothing. What a word means is found by the
// word as it is written, else by how it sounds, else by its key.
func single(word string) (term, bool) {
	d, roman, sound := known.Get(), language.Roman(word), language.Sound(word)
	if d.empty[word] || (d.mute[sound] || light.MatchString(sound)) && !d.said[roman] {
		return term{}, false
	}
	t := termOf(keyOf(word), strings.ContainsFunc(word, language.IsDevanagari))
	t.same = synonym(word)
	if ideas := d.exact[roman]; len(ideas) > 0 {
		t.ideas = ideas
	} else if ideas := d.sound[sound]; len(ideas) > 0 {
		t.ideas = ideas
	} else if at := slices.IndexFunc(bases(sound), func(base string) bool { return len(d.heard[base]) > 0 }); at >= 0 {
		t.ideas = d.heard[bases(sound)[at]]
	}
	return t, true
}

// bases returns what is left of a sound without its ending.
func bases(sound string) (all []string) {
	for _, base := range []string{language.Stem(sound), root(sound)} {
		if len(base) >= leastStem {
			all = append(all, base)
		}
	}
	return all
}

// following returns the place of the word after another, over one that stands between the two of a pair; 0 if it is the
// last.
func following(words []string, at int) int {
	next := at + 1
	if next < len(words) && between[words[next]] {
		next++
	}
	if next >= len(words) {
		return 0
	}
	return next
}

// between are words that stand between the two words of a pair: leave the room, ghar se lena.
var between = setOf(`a an the my your our this that it to of for in on ka ki ke ko se me mein par pe mera meri mere का की के को से में पर`)

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
	if t.ideas = known.Get().ideas[key]; len(t.ideas) == 0 {
		t.ideas = known.Get().ideas[t.stem]
	}
	if len(t.ideas) == 0 && len(t.root) >= leastStem {
		t.ideas = known.Get().roots[t.root]
	}
	loan := devanagari && len(t.skeleton) >= leastLoan
	if len(t.ideas) == 0 && (loan || len(key) >= leastMisspelt) {
		t.ideas = known.Get().spelt(t.skeleton, key, loan)
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

// leastMisspelt is how long a word is at least that may be another one with errors of spelling.
const leastMisspelt = 5

// leastLoan is how many consonants a word of English in Devanagari has at least, if they say which it is.
const leastLoan = 4

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
