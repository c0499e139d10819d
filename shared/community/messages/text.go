package messages

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// settingsTable is where a tenant's settings are.
var settingsTable = tables.CommunityUsers

// settingsIn returns a tenant's settings that a batch has read.
func settingsIn(found dynamo.Found, tenant model.TenantID) (settings communitymodel.Settings, err error) {
	item := dynamo.Ref{Table: settingsTable, Key: keys.CommunitySettings(tenant)}.Found(found)
	if item != nil {
		err = dynamo.Unmarshal(item, &settings)
	}
	return settings, err
}

// check returns the error of a draft that no chat takes.
func (d Draft) check() error {
	if err := checkText(d.Content); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(d.Content) == "" && len(d.Attachments) == 0:
		return communitymodel.Wrong("body.content", "neither text nor an attachment")
	case len(d.Mentions) > MaxMentions:
		return communitymodel.Wrong("body.mentions", "more than %d", MaxMentions)
	case len(d.Attachments) > MaxAttachments:
		return communitymodel.Wrong("body.attachments", "more than %d", MaxAttachments)
	}
	if repeats(d.Mentions) {
		return communitymodel.Wrong("body.mentions", "somebody is named twice")
	}
	if repeats((communitymodel.Message{Attachments: d.Attachments}).Files()) {
		return communitymodel.Wrong("body.attachments", "a file is named twice")
	}
	return nil
}

// repeats reports whether a name is there twice.
func repeats(names []model.Name) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names)
}

// checkText returns the error of a text that no message holds.
func checkText(text string) error {
	switch {
	case !utf8.ValidString(text):
		return communitymodel.Wrong("body.content", "not a text in UTF-8")
	case utf8.RuneCountInString(text) > MaxText || len(text) > maxBytes:
		return communitymodel.Wrong("body.content", "longer than %d characters", MaxText)
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		return communitymodel.Wrong("body.content", "holds a control character")
	}
	return nil
}

// Masked returns a text with the letters of a tenant's words, whole and in any spelling of capital letters, replaced by
// asterisks.
func Masked(text string, words []string) string {
	if len(words) == 0 {
		return text
	}
	folded := make(map[string]bool, len(words))
	for _, word := range words {
		folded[strings.ToLower(word)] = true
	}
	var b strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, func(r rune) bool { return !isLetter(r) })
		if end < 0 {
			end = len(text)
		}
		word := text[:end]
		if folded[strings.ToLower(word)] && word != "" {
			word = strings.Repeat("*", utf8.RuneCountInString(word))
		}
		b.WriteString(word)
		if text = text[end:]; text != "" {
			_, size := utf8.DecodeRuneInString(text)
			b.WriteString(text[:size])
			text = text[size:]
		}
	}
	return b.String()
}

func isLetter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// maxEmoji is more bytes than an emoji of several parts has.
const maxEmoji = 64

// isEmoji reports whether a text may be an emoji: no letter, no blank and no control character, and at least one
// symbol. A digit is part of a keycap.
func isEmoji(text string) bool {
	if text == "" || len(text) > maxEmoji || !utf8.ValidString(text) {
		return false
	}
	symbol := false
	for _, r := range text {
		switch {
		case unicode.IsLetter(r), unicode.IsSpace(r), unicode.IsControl(r), unicode.IsPunct(r) && r != '#' && r != '*':
			return false
		case unicode.Is(unicode.So, r), unicode.Is(unicode.Sk, r), unicode.Is(unicode.Sm, r), r == '\u20e3':
			symbol = true
		}
	}
	return symbol
}
