package wording

import "github.com/haatline/haatline/shared/lazy"

// text is what the assistant says under a key.
type text struct {
	key string
	sentence
}

// sentence is a text in the languages in which each is written where it stands.
type sentence struct{ English, Hindi, Latin string }

// in returns the sentence in one of these languages; "" for another one.
func (s sentence) in(language string) string {
	switch language {
	case English:
		return s.English
	case Hindi:
		return s.Hindi
	case Latin:
		return s.Latin
	}
	return ""
}

// texts are what the assistant says, by key, made when they are first read: not every start needs them.
var texts = lazy.Of[map[string]sentence]{Make: func() map[string]sentence {
	all := map[string]sentence{}
	for _, topic := range [][]text{
		orderTexts, codeTexts, questionTexts, ownerTexts, noticeTexts, wordTexts, formTexts} {
		for _, t := range topic {
			all[t.key] = t.sentence
		}
	}
	return all
}}

// otherTexts are the texts in the other languages, by language and key.
var otherTexts = lazy.Of[map[string]map[string]string]{Make: func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, l := range others {
		all[l.tag] = l.texts()
	}
	return all
}}
