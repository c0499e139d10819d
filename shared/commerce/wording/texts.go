package wording

import (
	"maps"
	"sync"
)

// texts are what the assistant says, by key and language, made when they are first read: not every start needs them.
var texts = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, topic := range []func() map[string]map[string]string{
		orderTexts, codeTexts, questionTexts, ownerTexts, noticeTexts, wordTexts} {
		maps.Copy(all, topic())
	}
	return all
})
