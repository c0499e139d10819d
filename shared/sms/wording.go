package sms

import (
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// Wording is a fixed text with gaps. India's operators deliver a text only if the business has registered its wording.
type Wording struct {
	Name string
	// Texts holds the text by language. A gap is a name and the longest value in characters: {amount:30}.
	Texts map[string]string
}

var gap = lazy.Regexp(`\{([a-z]+):([0-9]+)\}`)

// Fill returns the text in a language, with values in its gaps. A value that is too long for its gap is cut.
func (w Wording) Fill(language string, values map[string]string) string {
	return gap.Get().ReplaceAllStringFunc(w.Texts[language], func(found string) string {
		name, longest := parsed(found)
		value := []rune(values[name])
		return string(value[:min(len(value), longest)])
	})
}

// variable is a gap as operators know it. It stands for up to variableSize characters, so a longer gap is several.
const (
	variable     = "{#var#}"
	variableSize = 30
)

// ToRegister returns the text in a language as it is registered with an operator.
func (w Wording) ToRegister(language string) string {
	return gap.Get().ReplaceAllStringFunc(w.Texts[language], func(found string) string {
		_, longest := parsed(found)
		return strings.Repeat(variable, (longest+variableSize-1)/variableSize)
	})
}

func parsed(found string) (name string, longest int) {
	parts := gap.Get().FindStringSubmatch(found)
	longest, _ = strconv.Atoi(parts[2]) // the pattern has only digits there
	return parts[1], longest
}
