package nlu

import "github.com/haatline/haatline/shared/language"

// withoutWords stand before what a thing lacks: bina skin, without skin.
var withoutWords = lazySet("without bina बिना")

// lackingOf returns tokens in which what a thing lacks is one word, as names write it: without skin is skinless. is
// says which such words are known; nil for all.
func lackingOf(tokens []token, is func(key string) bool) []token {
	var all []token
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if !withoutWords.Has(t.text) || i+1 >= len(tokens) || tokens[i+1].kind != word {
			all = append(all, t)
			continue
		}
		next := tokens[i+1]
		meaning := known.Get().meaning([]token{next})
		if len(meaning) != 1 {
			all = append(all, t)
			continue
		}
		key := language.Fold(meaning[0] + "less")
		if is != nil && !is(key) {
			all = append(all, t)
			continue
		}
		t.text, t.key, t.to = next.text+"less", key, next.to
		all = append(all, t)
		i++
	}
	return all
}
