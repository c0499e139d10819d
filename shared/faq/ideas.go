package faq

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// leastStem is how long a word without its ending is at least if it stands for the word.
const leastStem = 4

// dictionary is what is known of words.
type dictionary struct {
	empty map[string]bool     // words that say nothing, as they are written
	mute  map[string]bool     // how words sound that say nothing, but for the words in said
	said  map[string]bool     // words for something, as they are written
	ideas map[string][]string // by key, and by two keys with a space between them
	exact map[string][]string // the same, by the word as it is written
	sound map[string][]string // the same, by how the word sounds
	heard map[string][]string // the same, by how it sounds without its ending
	roots map[string][]string // the same, by root
	bones map[string][]string // the keys of words, by skeleton
	kin   map[string][]string // the ideas that belong to one matter with an idea
	// common are the stems of words that say nothing, or what is asked. Another word that is written alike is none.
	common map[string]bool
	usual  map[string]bool // these words, as they are written
}

// known reads the words at first use.
var known = lazy.Of[dictionary]{Make: func() dictionary {
	d := dictionary{
		empty: map[string]bool{}, mute: map[string]bool{}, said: map[string]bool{}, ideas: map[string][]string{},
		exact: map[string][]string{}, sound: map[string][]string{}, heard: map[string][]string{},
		roots: map[string][]string{}, bones: map[string][]string{}, kin: map[string][]string{},
		common: map[string]bool{}, usual: map[string]bool{}}
	for _, w := range strings.Fields(emptyWords) {
		d.empty[w], d.mute[language.Sound(w)] = true, true
		d.common[language.Stem(keyOf(w))], d.usual[w] = true, true
	}
	stems := map[string][]string{}
	for row := range strings.Lines(askRows + serviceConcepts + lifeConcepts + kindConcepts + goodsConcepts +
		ideaRows + tradeRows + serviceRows + everydayConcepts) {
		words := strings.Fields(row)
		for _, w := range words {
			d.learn(w, words[0], stems)
		}
	}
	for _, w := range strings.Fields(englishWords) {
		if !d.said[w] {
			d.empty[w] = true
		}
	}
	for stem, ideas := range stems {
		if len(d.ideas[stem]) == 0 {
			d.ideas[stem] = ideas
		}
	}
	d.relate(kinRows + matterRows)
	return d
}}

// relate notes which ideas belong to one matter.
func (d *dictionary) relate(rows string) {
	for row := range strings.Lines(rows) {
		var matter []string
		for _, w := range strings.Fields(row) {
			if ideas := d.ideas[keyOf(w)]; slices.Contains(ideas, w) {
				matter = append(matter, w)
			} else if len(ideas) > 0 {
				matter = append(matter, ideas[0])
			}
		}
		for _, other := range matter[min(1, len(matter)):] {
			add(d.kin, matter[0], other)
			add(d.kin, other, matter[0])
		}
	}
}

// learn notes that a word, or two with a hyphen, stands for an idea.
func (d *dictionary) learn(w, idea string, stems map[string][]string) {
	if first, second, two := strings.Cut(w, "-"); two {
		add(d.ideas, keyOf(english(first))+" "+keyOf(english(second)), idea)
		return
	}
	w = english(w)
	key, sound := keyOf(w), language.Sound(w)
	add(d.ideas, key, idea)
	add(d.exact, w, idea)
	add(d.sound, sound, idea)
	for _, base := range bases(sound) {
		add(d.heard, base, idea)
	}
	if r := root(key); len(r) >= leastStem {
		add(d.roots, r, idea)
	}
	if stem := language.Stem(key); len(stem) >= leastStem {
		add(stems, stem, idea)
	}
	if s := skeleton(key); s != "" {
		add(d.bones, s, key)
	}
	d.said[w] = true
	if idea[0] == '?' {
		d.common[language.Stem(key)], d.usual[w] = true, true
	}
}

// add adds a value to those of a name, once.
func add(all map[string][]string, name, value string) {
	if !slices.Contains(all[name], value) {
		all[name] = append(all[name], value)
	}
}

// spelt returns the ideas of the word that a key may be in another spelling: it has its consonants, and few letters
// that differ. In Devanagari all its vowels may differ.
func (d dictionary) spelt(skeleton, key string, devanagari bool) []string {
	for _, other := range d.bones[skeleton] {
		most := min(mostMisspelt, language.MaxEdits(len(key)))
		if devanagari || other[0] == key[0] && language.Edits(key, other, mostMisspelt) <= most {
			return d.ideas[other]
		}
	}
	return nil
}

// mostMisspelt is how many letters differ at most in another spelling of a word.
const mostMisspelt = 2
