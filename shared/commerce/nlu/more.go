package nlu

import "slices"

// moreWords say that something is wanted beside what there is.
var moreWords = &wordSet{of: "more extra also bhi another additional too badha add भी एक्स्ट्रा"}

// andWords say so, too, at the beginning or the end of what they belong to: aur 5 ande, 5 ande aur. Between two things
// they join.
var andWords = &wordSet{of: "aur and plus or और aor"}

// addsTo reports whether an item is wanted beside what there is of it, by the words beside it.
func addsTo(tokens []token, it *item) bool {
	from, to := it.from, it.to
	for from > 0 && !endsPart(tokens, from-1) {
		from--
		if andWords.Has(tokens[from].text) && from > 0 && !isNumber(tokens[from-1]) && counts(tokens, from, -1) {
			break
		}
	}
	for to < len(tokens) && !endsPart(tokens, to) && !(andWords.Has(tokens[to].text) && counts(tokens, to, 1)) {
		to++
	}
	return hasMore(tokens[from:to]) &&
		(begins(tokens, from) || hasMoreWord(tokens[from:to]) || !hasAnd(tokens[from:it.from]))
}

// counts reports whether there is a number between a token and the end of its part in a direction: another thing is
// counted there, and the words beside it are its own.
func counts(tokens []token, at, direction int) bool {
	for at += direction; at >= 0 && at < len(tokens) && !endsPart(tokens, at); at += direction {
		if isNumber(tokens[at]) && tokens[at].text != "do" && tokens[at].text != "दो" {
			return true
		}
	}
	return false
}

// begins reports whether a sentence begins at a token.
func begins(tokens []token, at int) bool { return at == 0 || endsSentence(tokens, at-1) }

func endsPart(tokens []token, at int) bool { return tokens[at].text == "," || endsSentence(tokens, at) }

// hasMore reports whether some words ask for more: by a word for it, or an and at the beginning or the end.
func hasMore(tokens []token) bool {
	if hasMoreWord(tokens) {
		return true
	}
	words := slices.DeleteFunc(slices.Clone(tokens), func(t token) bool {
		return t.kind == mark || known.Get().verbs[t.text] || t.text == "do" || t.text == "दो" || courtesy.Get()[t.text]
	})
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1].text
	return andWords.Has(words[0].text) || andWords.Has(last) ||
		len(words) > 2 && isNumber(words[0]) && andWords.Has(words[1].text) && !isNumber(words[2])
}

func hasMoreWord(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return moreWords.Has(t.text) })
}

func hasAnd(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return andWords.Has(t.text) })
}
