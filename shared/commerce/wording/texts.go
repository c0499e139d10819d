package wording

import (
	"maps"

	"github.com/haatline/haatline/shared/lazy"
)

// texts are what the assistant says, by key and language, made when they are first read: not every start needs them.
var texts = lazy.Of[map[string]map[string]string]{Make: func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, topic := range []func() map[string]map[string]string{
		orderTexts, codeTexts, questionTexts, ownerTexts, noticeTexts, wordTexts} {
		maps.Copy(all, topic())
	}
	for _, l := range others {
		for key, text := range l.texts() {
			if all[key] != nil {
				all[key][l.tag] = text
			}
		}
	}
	return all
}}
