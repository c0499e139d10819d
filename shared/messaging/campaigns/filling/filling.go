// Package filling fills the template of a campaign with what is known of each recipient. A text of the template may
// hold columns of the list of recipients in double braces: "Hello {{name}}". What stands behind a bar is written if the
// recipient's cell is empty: "Hello {{name|there}}".
package filling

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// place is a column in a text.
var place = lazy.Regexp(`\{\{\s*([^{}|]{1,64}?)\s*(?:\|([^{}]*))?\}\}`)

// Column returns the name of a column as it is compared: without blanks around it, in lower case.
func Column(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// Columns returns the columns that a template needs, each once, in order. A column with a text to fall back on is not
// needed.
func Columns(template model.Document) []string {
	var all []string
	for _, found := range place.Get().FindAllStringSubmatchIndex(string(template), -1) {
		name := Column(unquoted(string(template[found[2]:found[3]])))
		if found[4] < 0 && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// Fill returns a template filled with the values of columns, and the first column that it needs and that has no value;
// "" if there is none. columns are as Column returns them.
func Fill(template model.Document, columns, values []string) (filled content.Template, missing string, err error) {
	text := place.Get().ReplaceAllStringFunc(string(template), func(found string) string {
		parts := place.Get().FindStringSubmatchIndex(found)
		name := Column(unquoted(found[parts[2]:parts[3]]))
		if i := slices.Index(columns, name); i >= 0 && i < len(values) && values[i] != "" {
			return quoted(values[i])
		}
		if parts[4] >= 0 {
			return found[parts[4]:parts[5]] // it is a piece of JSON already
		}
		if missing == "" {
			missing = name
		}
		return ""
	})
	if missing != "" {
		return content.Template{}, missing, nil
	}
	return filled, "", json.Unmarshal([]byte(text), &filled)
}

// Sample returns a template whose columns are filled with a letter each, so that what is fixed in it can be checked.
func Sample(template model.Document) (filled content.Template, err error) {
	columns := Columns(template)
	filled, _, err = Fill(template, columns, slices.Repeat([]string{"x"}, len(columns)))
	return filled, err
}

// quoted returns a text as it stands in JSON between quotes.
func quoted(text string) string {
	encoded, _ := json.Marshal(text) // a text can always be encoded
	return string(encoded[1 : len(encoded)-1])
}

// unquoted returns the text that stands in JSON between quotes.
func unquoted(text string) string {
	var decoded string
	if json.Unmarshal([]byte(`"`+text+`"`), &decoded) != nil {
		return text
	}
	return decoded
}
