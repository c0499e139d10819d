package templatecheck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/lazy"
)

var (
	variableForm = lazy.Regexp(`\{\{([^{}]*)\}\}`)
	wordForm     = lazy.Regexp(`^[a-z][a-z0-9_]*$`)
	numberForm   = lazy.Regexp(`^[1-9][0-9]{0,2}$`)
)

func length(text string) int { return utf8.RuneCountInString(text) }

// Variables returns the names of a text's variables in the order of their first appearance.
func Variables(text string) []string {
	var names []string
	for _, found := range variableForm.Get().FindAllStringSubmatch(text, -1) {
		if name := strings.TrimSpace(found[1]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Named reports whether the variables of a text have names, and are not numbers.
func Named(text string) bool {
	return slices.ContainsFunc(Variables(text), func(name string) bool { return wordForm.Get().MatchString(name) })
}

// variables checks the variables of a text, and returns their names.
func (c *check) variables(path, text string) []string {
	names := Variables(text)
	rest := variableForm.Get().ReplaceAllString(text, "")
	if strings.Contains(rest, "{{") || strings.Contains(rest, "}}") {
		c.fault(path, "a variable is written {{1}} or {{name}}")
	}
	next := 1
	for _, name := range names {
		switch {
		case wordForm.Get().MatchString(name):
			c.worded = true
		case !numberForm.Get().MatchString(name):
			c.fault(path, "the name of a variable is a number, or lower-case letters, digits and underscores")
		default:
			c.numbered = true
			if name != strconv.Itoa(next) {
				c.fault(path, "the variables are numbered from {{1}}, in their order and without gaps")
			}
			next++
		}
	}
	return names
}

// placed says whether variables stand where Meta does not take them.
func (c *check) placed(path, text string) {
	trimmed := strings.TrimSpace(text)
	at := variableForm.Get().FindAllStringIndex(trimmed, -1)
	if len(at) == 0 {
		return
	}
	if at[0][0] == 0 {
		c.fault(path, "must not begin with a variable")
	}
	if at[len(at)-1][1] == len(trimmed) {
		c.fault(path, "must not end with a variable")
	}
	for i := 1; i < len(at); i++ {
		if strings.TrimSpace(trimmed[at[i-1][1]:at[i][0]]) == "" {
			c.fault(path, "at least one word between two variables")
			return
		}
	}
}

// samples checks that there is one sample for each variable.
func (c *check) samples(path string, names, listed []string, byName []named) {
	if len(names) == 0 {
		if len(listed)+len(byName) > 0 {
			c.fault(path, "samples without variables")
		}
		return
	}
	if !wordForm.Get().MatchString(names[0]) {
		if len(listed) != len(names) || slices.Contains(listed, "") {
			c.fault(path, "one sample for each of the %d variables", len(names))
		}
		return
	}
	for _, name := range names {
		if !slices.ContainsFunc(byName, func(n named) bool { return n.Name == name && n.Example != "" }) {
			c.fault(path, "the sample for {{%s}} is missing", shown(name))
		}
	}
	if len(byName) > len(names) {
		c.fault(path, "one sample for each of the %d variables", len(names))
	}
}

func (c *check) header(path string, part component) {
	switch strings.ToUpper(part.Format) {
	case "TEXT":
		if part.Text == "" || length(part.Text) > maxHeader || strings.Contains(part.Text, "\n") {
			c.fault(path+".text", "one line of 1 to %d characters", maxHeader)
		}
		names := c.variables(path+".text", part.Text)
		if len(variableForm.Get().FindAllString(part.Text, -1)) > 1 {
			c.fault(path+".text", "at most one variable")
		}
		c.samples(path+".example", names, part.Example.HeaderText, part.Example.HeaderNamed)
		return
	case "IMAGE", "VIDEO", "DOCUMENT":
		if handles := part.Example.HeaderHandle; len(handles) != 1 || handles[0] == "" {
			c.fault(path+".example.header_handle", "one sample")
		}
	case "LOCATION", product:
	default:
		c.fault(path+".format", "one of TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION and PRODUCT")
	}
	if part.Text != "" {
		c.fault(path+".text", "only of a header with the format TEXT")
	}
}

func (c *check) body(path string, part component, limit int) {
	if strings.TrimSpace(part.Text) == "" || length(part.Text) > limit {
		c.fault(path+".text", "1 to %d characters", limit)
	}
	names := c.variables(path+".text", part.Text)
	c.placed(path+".text", part.Text)
	var listed []string
	if len(part.Example.BodyText) > 0 {
		listed = part.Example.BodyText[0]
	}
	if len(part.Example.BodyText) > 1 {
		c.fault(path+".example.body_text", "one list of samples")
	}
	c.samples(path+".example", names, listed, part.Example.BodyNamed)
}

func (c *check) footer(path string, part component) {
	if strings.TrimSpace(part.Text) == "" || length(part.Text) > maxFooter {
		c.fault(path+".text", "1 to %d characters", maxFooter)
	}
	c.plain(path+".text", part.Text)
}

// plain checks that a text has no variables.
func (c *check) plain(path, text string) {
	if strings.Contains(text, "{{") || strings.Contains(text, "}}") {
		c.fault(path, "no variables")
	}
}

func at(path string, index int, field string) string {
	return fmt.Sprintf("%s[%d].%s", path, index, field)
}
