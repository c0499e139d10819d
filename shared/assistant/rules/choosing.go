package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/model"
)

const (
	mostButtons = 3   // of a message
	mostShown   = 250 // bytes of an entry's question
)

// offers asks which of the entries the person means that may be meant. It never asks so twice in a row.
func offers(turn assistant.Turn) (answer assistant.Answer, is bool) {
	text := turn.Last().Text
	near := faq.Near(turn.Found)
	if len(near) == 0 || len(turn.Offered) > 0 || agrees(text) || turn.Asked != "" && !asksBack(text) {
		return answer, false
	}
	said := in(turn.Language)
	rows := []string{said.which}
	answer.Action = assistant.Offer
	for i, entry := range near {
		number := strconv.Itoa(i + 1)
		rows = append(rows, number+". "+shown(entry.Question))
		answer.Buttons = append(answer.Buttons, assistant.Button{Pick: assistant.PickOf(entry.ID), Title: number})
	}
	if len(near) < mostButtons {
		answer.Buttons = append(answer.Buttons, assistant.Button{Pick: assistant.PickNone, Title: said.none})
	}
	answer.Reply = strings.Join(append(rows, said.orNone), "\n")
	return answer, true
}

// shown returns the first way to ask of an entry's question.
func shown(question string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(question), "\n")
	return model.Truncate(strings.TrimSpace(first), mostShown)
}

// asksBack reports whether a message is a question, as far as its form says so.
func asksBack(text string) bool {
	return strings.Contains(text, "?") || asking.Any(language.Words(text))
}

// picks answers a message by which the person says which of the entries they mean that they were asked about. It
// reports false for a message that says something else, such as a new question.
func picks(turn assistant.Turn) (answer assistant.Answer, is bool) {
	entry, none, is := picked(turn)
	switch {
	case !is:
		return answer, false
	case none || entry.Answer == "":
		return assistant.HandsOver(assistant.Unsure, assistant.Usage{}), true
	}
	return goesOn(turn, entry.Answer, entry.ID), true
}

// picked returns the entry that the person says they mean, or reports that they mean none of them.
func picked(turn assistant.Turn) (entry faq.Entry, none, is bool) {
	last := turn.Last()
	if last.Pick == assistant.PickNone {
		return entry, true, true
	}
	id, tapped := assistant.EntryOf(last.Pick)
	if tapped {
		return offered(turn, id), false, true
	}
	if len(turn.Offered) == 0 {
		return entry, false, false
	}
	said := language.Words(keycaps.Replace(last.Text))
	if at, numbered := number(said, turn.Language); numbered && at < len(turn.Offered) {
		return turn.Offered[at], false, true
	}
	if language.All(said, refusing, beside) && refusing.Any(said) {
		return entry, true, true
	}
	if len(turn.Offered) == 1 && language.All(said, yes) {
		return turn.Offered[0], false, true
	}
	return named(turn)
}

// offered returns the offered entry with an id. It has no answer if it is not offered.
func offered(turn assistant.Turn, id string) faq.Entry {
	at := slices.IndexFunc(turn.Offered, func(e faq.Entry) bool { return e.ID == id })
	if at < 0 {
		return faq.Entry{ID: id}
	}
	return turn.Offered[at]
}

// number returns which of a list's rows a message names: the number, or the word for it, and nothing else of meaning.
// In English "do it" names no row, and "no" is a number only before a digit.
func number(said []string, lang string) (at int, is bool) {
	at = -1
	for i, w := range said {
		n := slices.IndexFunc(places, func(l *language.List) bool { return l.Has(w) })
		switch {
		case w == "no" && (i+1 == len(said) || !digits.Has(said[i+1])), w == "do" && lang == "en" && len(said) > 1:
			return 0, false
		case n >= 0 && at >= 0 && n != at, n < 0 && !beside.Has(w):
			return 0, false
		case n >= 0:
			at = n
		}
	}
	if at < 0 && one.Any(said) {
		at = 0
	}
	return at, at >= 0
}

// named returns the offered entry that a message names by its words. It is also the likeliest of the whole list, so
// that a new question is none of them.
func named(turn assistant.Turn) (entry faq.Entry, none, is bool) {
	if len(turn.Found) == 0 || turn.Found[0].Sure {
		return entry, false, false
	}
	gone := func(e faq.Entry) bool { return e.Answer == "" }
	index, err := faq.New(slices.DeleteFunc(slices.Clone(turn.Offered), gone))
	if err != nil {
		return entry, false, false
	}
	found, any := index.Find(turn.Last().Text, turn.Language)
	return found.Entry, false, any && found.Sure && found.ID == turn.Found[0].ID
}

// keycaps takes from a number that it is drawn as a key.
var keycaps = strings.NewReplacer("\ufe0f", "", "\u20e3", "")

// places are the numbers of rows, and the words for them.
var places = []*language.List{
	language.NewList(`1 first pehla pehle pehli pahla pahli १ पहला पहले पहली`),
	language.NewList(`2 two second do dusra dusri doosra doosri २ दो दूसरा दूसरी दूसरे`),
	language.NewList(`3 three third teen tisra tisri teesra teesri ३ तीन तीसरा तीसरी तीसरे`),
}

// digits are the rows' numbers as the question shows them.
var digits = language.NewList(`1 2 3 १ २ ३`)

// one names the first row, unless it stands beside the word for another: "the second one".
var one = language.NewList(`one ek एक`)

// beside are words that may stand beside the number of a row.
var beside = language.NewList(`option number no nambar num the one ek wala wali waala vala vali please pls plz ok okay yes haan ji it is
	its hai विकल्प ऑप्शन नंबर नम्बर वाला वाली एक हाँ हां जी है`)

// refusing are words that say that none of the rows is meant.
var refusing = language.NewList(`0 ० none neither no nope not other another else something different these of them nahi nahin nai koi
	kuch aur alag inme inmein se dono नहीं कोई कुछ और अलग इनमें इनमे से दोनों`)

// yes are words that agree to the only row.
var yes = language.NewList(`yes yeah yep y haan haa han ha ji hai sahi right correct bilkul हाँ हां जी है सही बिल्कुल`)
