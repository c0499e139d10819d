package language

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/haatline/haatline/shared/lazy"
)

// Devanagari is read as Latin letters: a consonant carries an "a" unless a vowel sign or a virama follows.
var (
	consonants = lazy.Of[map[rune]string]{Make: func() map[rune]string {
		return map[rune]string{
			'क': "k", 'ख': "kh", 'ग': "g", 'घ': "gh", 'ङ': "n", 'च': "ch", 'छ': "chh", 'ज': "j", 'झ': "jh", 'ञ': "n",
			'ट': "t", 'ठ': "th", 'ड': "d", 'ढ': "dh", 'ण': "n", 'त': "t", 'थ': "th", 'द': "d", 'ध': "dh", 'न': "n",
			'प': "p", 'फ': "ph", 'ब': "b", 'भ': "bh", 'म': "m", 'य': "y", 'र': "r", 'ल': "l", 'ळ': "l", 'व': "v",
			'श': "sh", 'ष': "sh", 'स': "s", 'ह': "h",
		}
	}}
	vowels = lazy.Of[map[rune]string]{Make: func() map[rune]string {
		return map[rune]string{
			'अ': "a", 'आ': "aa", 'इ': "i", 'ई': "i", 'उ': "u", 'ऊ': "u", 'ऋ': "ri", 'ए': "e", 'ऐ': "ai", 'ओ': "o",
			'औ': "au", 'ऑ': "o", 'ऍ': "e",
		}
	}}
	vowelSigns = lazy.Of[map[rune]string]{Make: func() map[rune]string {
		return map[rune]string{
			'ा': "aa", 'ि': "i", 'ी': "i", 'ु': "u", 'ू': "u", 'ृ': "ri", 'े': "e", 'ै': "ai", 'ो': "o", 'ौ': "au",
			'ॉ': "o", 'ॅ': "e",
		}
	}}
)

const (
	virama       = '्'
	nukta        = '़'
	anusvara     = 'ं'
	chandrabindu = 'ँ'
	visarga      = 'ः'
)

// letter is one consonant or vowel of a word in Devanagari.
type letter struct {
	consonant, vowel string
	schwa            bool // the vowel is the "a" that is not written
}

// romanise returns a word in Devanagari in Latin letters, without the "a" that is not spoken: नमकीन is namkin. Other
// letters stay.
func romanise(word string) string {
	var letters []letter
	runes := []rune(word)
	for i, r := range runes {
		last := len(letters) - 1
		switch {
		case consonants.Get()[r] != "":
			letters = append(letters, letter{consonant: consonants.Get()[r], vowel: "a", schwa: true})
		case vowels.Get()[r] != "":
			letters = append(letters, letter{vowel: vowels.Get()[r]})
		case vowelSigns.Get()[r] != "" && last >= 0:
			letters[last].vowel, letters[last].schwa = vowelSigns.Get()[r], false
		case r == virama && last >= 0:
			letters[last].vowel, letters[last].schwa = "", false
		case r == anusvara || r == chandrabindu:
			if i < len(runes)-1 { // a nasal at the end is not written in Latin letters: नहीं is nahi
				letters = append(letters, letter{consonant: "n"})
			}
		case r == nukta || r == visarga:
		default:
			letters = append(letters, letter{consonant: string(r)})
		}
	}
	return spoken(letters)
}

// spoken drops the vowels that are not spoken: the last one, and one between a vowel and a consonant with a vowel.
func spoken(letters []letter) string {
	if last := len(letters) - 1; last > 0 && letters[last].schwa {
		letters[last].vowel = ""
	}
	for i := len(letters) - 2; i > 0; i-- {
		next := letters[i+1]
		if letters[i].schwa && letters[i-1].vowel != "" && next.consonant != "" && next.vowel != "" {
			letters[i].vowel = ""
		}
	}
	var b strings.Builder
	for _, l := range letters {
		b.WriteString(l.consonant)
		b.WriteString(l.vowel)
	}
	return b.String()
}

// IsDevanagari reports whether a letter or a sign is of the script of Hindi.
func IsDevanagari(r rune) bool { return r >= 0x0900 && r <= 0x097f }

// Plain returns a word without the accents of Latin letters.
func Plain(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 && r < 0x250 }) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}
