package templates

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Content is what a template says.
type Content struct {
	Header  *Part        `json:"header,omitempty" doc:"Its header."`
	Body    *Part        `json:"body,omitempty" doc:"Its body; absent where Meta has not listed the template yet."`
	Footer  string       `json:"footer,omitempty" doc:"Its footer, which has no variables."`
	Buttons []PartButton `json:"buttons" doc:"Its buttons, in order; never null."`
}

// Part is a text of a template.
type Part struct {
	Format    string   `json:"format,omitempty" doc:"Of a header: TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION."`
	Text      string   `json:"text,omitempty" doc:"The text, with its variables in double braces."`
	Variables []string `json:"variables" doc:"The names of its variables, or their numbers, in order; never null."`
	Rendered  string   `json:"rendered,omitempty" doc:"The text with the parameters that were given; a variable without one stays."`
}

// PartButton is a button of a template.
type PartButton struct {
	Type        string   `json:"type" doc:"QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE and others."`
	Text        string   `json:"text,omitempty" doc:"What is written on it."`
	URL         string   `json:"url,omitempty" doc:"Where it leads."`
	PhoneNumber string   `json:"phoneNumber,omitempty" doc:"Whom it calls."`
	Variables   []string `json:"variables" doc:"The variables in its URL; never null."`
}

// ContentOf returns a template's content. header and body fill the variables of its header and its body.
func ContentOf(t model.Template, header, body []string) Content {
	content := Content{Buttons: []PartButton{}}
	for _, document := range t.Components {
		var c whatsapp.Object
		_ = json.Unmarshal(document, &c)
		switch strings.ToUpper(c.Text("type")) {
		case "HEADER":
			content.Header = partOf(c, header)
		case "BODY":
			content.Body = partOf(c, body)
		case "FOOTER":
			content.Footer = c.Text("text")
		case "BUTTONS":
			for _, b := range c.List("buttons").Objects() {
				content.Buttons = append(content.Buttons, PartButton{
					Type: b.Text("type"), Text: b.Text("text"), URL: b.Text("url"), PhoneNumber: b.Text("phone_number"),
					Variables: variables(b.Text("url")),
				})
			}
		}
	}
	return content
}

func partOf(c whatsapp.Object, values []string) *Part {
	part := &Part{Format: c.Text("format"), Text: c.Text("text"), Variables: variables(c.Text("text"))}
	if len(values) > 0 {
		part.Rendered = render(part.Text, part.Variables, values)
	}
	return part
}

var placeholder = lazy.Regexp(`\{\{\s*([0-9A-Za-z_]+)\s*\}\}`)

// variables returns the names of a text's variables: numbers in their order, names in that of their first appearance.
func variables(text string) []string {
	names := []string{}
	for _, match := range placeholder.Get().FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, match[1]) {
			names = append(names, match[1])
		}
	}
	if !slices.ContainsFunc(names, func(name string) bool { return strings.Trim(name, "0123456789") != "" }) {
		sorting.Func(names, func(a, b string) int {
			if len(a) != len(b) {
				return len(a) - len(b)
			}
			return strings.Compare(a, b)
		})
	}
	return names
}

// render puts values in the places of the variables, in their order.
func render(text string, names, values []string) string {
	return placeholder.Get().ReplaceAllStringFunc(text, func(found string) string {
		at := slices.Index(names, placeholder.Get().FindStringSubmatch(found)[1])
		if at < 0 || at >= len(values) {
			return found
		}
		return values[at]
	})
}
