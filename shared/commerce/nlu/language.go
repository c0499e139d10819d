package nlu

import "github.com/haatline/haatline/shared/language"

// languageOf returns the language of a message: en, hi (Devanagari), hi-Latn, or mixed; "" if no word tells it.
func languageOf(tokens []token) string {
	devanagari, latin, hindi, english := 0, 0, 0, 0
	for i, t := range tokens {
		switch {
		case t.kind != word || unitOf(t).kind != 0:
		case t.devanagari:
			devanagari++
		default:
			latin++
			switch {
			case language.IsEnglish(t.text), t.text == "do" && i+1 < len(tokens) && englishYou.Has(tokens[i+1].text):
				english++
			case language.IsHindi(t.text):
				hindi++
			}
		}
	}
	switch {
	case devanagari > 0 && latin > 0:
		return "mixed"
	case devanagari > 0:
		return "hi"
	case hindi > 0 && english > 2 && english > hindi:
		return "en"
	case hindi > 0 && english > 1:
		return "mixed"
	case hindi > 0:
		return "hi-Latn"
	}
	return "en"
}

// TellsLanguage reports whether a text tells in which language it is: a name of a product and a number do not.
func TellsLanguage(text string) bool {
	for _, t := range tokenise(normalise(text)) {
		if t.kind == word && (t.devanagari || language.IsHindi(t.text) || language.IsEnglish(t.text)) {
			return true
		}
	}
	return false
}

// TellsBesideGoods reports whether a text tells in which language it is by its script, or by a word that is no name of
// a good: aloo is said in English, too.
func TellsBesideGoods(text string) bool {
	for _, t := range tokenise(normalise(text)) {
		if t.kind == word && (t.devanagari || !known.Get().keys[t.key] &&
			(language.IsHindi(t.text) || language.IsEnglish(t.text))) {
			return true
		}
	}
	return false
}

// confidence returns the share of the words that are understood, each guessed one counting half.
func confidence(tokens []token, elements []element) float64 {
	words, understood := 0, 0.0
	for _, t := range tokens {
		if t.kind == word {
			words++
			understood++
			if t.guessed {
				understood -= 0.5
			}
		}
	}
	for _, e := range elements {
		if e.kind == unknownElement {
			understood -= float64(e.to - e.from)
		}
	}
	if words == 0 {
		return 0
	}
	return max(0, understood/float64(words))
}
