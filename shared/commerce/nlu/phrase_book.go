package nlu

import "strings"

// phraseBook finds which rows of phrases a text fits, by the first words of the phrases.
type phraseBook struct {
	groups  []int // how many groups each row has
	byFirst map[string][]phraseOf
}

// phraseOf is a phrase with its row and the place of its group in it.
type phraseOf struct {
	row, group int
	phrase     string // between spaces
}

// bookOf returns the phrase book of some rows of groups of alternatives.
func bookOf(rows [][][]string) phraseBook {
	book := phraseBook{byFirst: map[string][]phraseOf{}}
	for r, groups := range rows {
		book.groups = append(book.groups, len(groups))
		for g, phrases := range groups {
			for _, phrase := range phrases {
				if words := strings.Fields(phrase); len(words) > 0 {
					book.byFirst[words[0]] = append(book.byFirst[words[0]], phraseOf{r, g, phrase})
				}
			}
		}
	}
	return book
}

// fitting reports for each row whether a text holds one of the alternatives of each of its groups.
func (b phraseBook) fitting(text string) []bool {
	held := make([]uint16, len(b.groups))
	for at := 0; at+1 < len(text); {
		word, _, _ := strings.Cut(text[at+1:], " ")
		for _, p := range b.byFirst[word] {
			if strings.HasPrefix(text[at:], p.phrase) {
				held[p.row] |= 1 << p.group
			}
		}
		at += len(word) + 1
	}
	fits := make([]bool, len(held))
	for r, groups := range held {
		fits[r] = groups == 1<<b.groups[r]-1
	}
	return fits
}
