package nlu

import "github.com/haatline/haatline/shared/language"

// withoutWords stand before what a thing lacks: bina skin, without skin.
var withoutWords = &wordSet{of: "without withot witout withou wdout wthout wout bina bin bagair बिना बगैर"}

// lackingOf returns tokens in which what a thing lacks is one word, as names write it: without skin is skinless. is
// says which such words are known; nil for all.
func lackingOf(tokens []token, is func(key string) bool) []token {
	var all []token
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if key := lackingKey(tokens[i:]); key != "" && (is == nil || is(key)) {
			i++
			t.text, t.key, t.to = tokens[i].text+"less", key, tokens[i].to
		}
		all = append(all, t)
	}
	return all
}

// lackingKey returns the key of what a thing lacks by the first two tokens; "" if they do not say that.
func lackingKey(tokens []token) string {
	if len(tokens) < 2 || !withoutWords.Has(tokens[0].text) || tokens[1].kind != word {
		return ""
	}
	meaning := known.Get().meaning(tokens[1:2])
	if len(meaning) != 1 {
		return ""
	}
	return language.Fold(meaning[0] + "less")
}
