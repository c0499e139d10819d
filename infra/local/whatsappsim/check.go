package whatsappsim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// object is a JSON object of a message with its path in the notation of Meta's errors:
// interactive['action']['buttons'][0].
type object struct {
	path   string
	fields map[string]any
}

func (o object) at(key string) string {
	if o.path == "" {
		return key
	}
	return o.path + "['" + key + "']"
}

func (o object) has(key string) bool {
	value, present := o.fields[key]
	return present && value != nil
}

// text returns the string at key, or "".
func (o object) text(key string) string {
	text, _ := o.fields[key].(string)
	return text
}

// check validates a message part by part and keeps the first error. After an error every read returns zero values, so
// that a validation can be written as a list of the documented rules.
type check struct {
	err *graphError
	// inner is set for the parts that Meta checks behind the Graph API's argument check. There a missing value is
	// 131008 and
	// an invalid one 131009; the outer check answers 100 for both.
	inner bool
}

func (c *check) fail(err *graphError) {
	if c.err == nil {
		c.err = err
	}
}

func (c *check) missing(path string) {
	if c.inner {
		c.fail(refuse(http.StatusBadRequest, 131008, "The parameter %s is required.", path))
		return
	}
	c.fail(invalidParameter("The parameter %s is required.", path))
}

func (c *check) invalid(path, format string, args ...any) {
	what := "Param " + path + " " + fmt.Sprintf(format, args...)
	if c.inner {
		c.fail(refuse(http.StatusBadRequest, 131009, "%s", what))
		return
	}
	c.fail(invalidParameter("%s", what))
}

// only refuses keys that are not documented.
func (c *check) only(o object, keys ...string) {
	unexpected := make([]string, 0, len(o.fields))
	for key := range o.fields {
		if !slices.Contains(keys, key) {
			unexpected = append(unexpected, key)
		}
	}
	if len(unexpected) > 0 {
		slices.Sort(unexpected)
		c.fail(invalidParameter("Unexpected key %q on param %q.", unexpected[0], o.path))
	}
}

func (c *check) object(parent object, key string) object {
	if c.err == nil && !parent.has(key) {
		c.missing(parent.at(key))
	}
	return c.optionalObject(parent, key)
}

func (c *check) optionalObject(parent object, key string) object {
	o := object{path: parent.at(key)}
	if c.err != nil || !parent.has(key) {
		return o
	}
	fields, ok := parent.fields[key].(map[string]any)
	if !ok {
		c.invalid(o.path, "must be a JSON object.")
	}
	o.fields = fields
	return o
}

// objects returns the required list of lo to hi objects at key.
func (c *check) objects(parent object, key string, lo, hi int) []object {
	path := parent.at(key)
	if c.err != nil {
		return nil
	}
	if !parent.has(key) {
		c.missing(path)
		return nil
	}
	list, ok := parent.fields[key].([]any)
	if !ok {
		c.invalid(path, "must be an array.")
		return nil
	}
	if len(list) < lo || len(list) > hi {
		c.invalid(path, "must have %d to %d elements, has %d.", lo, hi, len(list))
		return nil
	}
	found := make([]object, 0, len(list))
	for i, element := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		fields, ok := element.(map[string]any)
		if !ok {
			c.invalid(at, "must be a JSON object.")
			return nil
		}
		found = append(found, object{path: at, fields: fields})
	}
	return found
}

// required returns the required string at key, of 1 to most characters.
func (c *check) required(o object, key string, most int) string {
	if c.err == nil && !o.has(key) {
		c.missing(o.at(key))
	}
	text := c.optional(o, key, most)
	if c.err == nil && text == "" {
		c.missing(o.at(key))
	}
	return text
}

func (c *check) optional(o object, key string, most int) string {
	if c.err != nil || !o.has(key) {
		return ""
	}
	text, ok := o.fields[key].(string)
	if !ok {
		c.invalid(o.at(key), "must be a string.")
		return ""
	}
	if utf8.RuneCountInString(text) > most {
		c.invalid(o.at(key), "must be at most %d characters long.", most)
	}
	return text
}

func (c *check) oneOf(o object, key string, allowed ...string) string {
	value := c.required(o, key, 1000)
	if c.err == nil && !slices.Contains(allowed, value) {
		c.invalid(o.at(key), "must be one of {%s} - got %q.", strings.Join(allowed, ", "), value)
	}
	return value
}

func (c *check) optionalOneOf(o object, key string, allowed ...string) string {
	if c.err != nil || !o.has(key) {
		return ""
	}
	return c.oneOf(o, key, allowed...)
}

func (c *check) boolean(o object, key string) {
	if c.err != nil || !o.has(key) {
		return
	}
	if _, ok := o.fields[key].(bool); !ok {
		c.invalid(o.at(key), "must be a boolean.")
	}
}

// number returns the required number at key, between lo and hi. Like at Meta, a string with a number is accepted.
func (c *check) number(o object, key string, lo, hi float64) float64 {
	if c.err == nil && !o.has(key) {
		c.missing(o.at(key))
	}
	if c.err != nil {
		return 0
	}
	value, ok := numberOf(o.fields[key])
	if !ok || !(value >= lo && value <= hi) { // written so that NaN fails
		c.invalid(o.at(key), "must be a number from %v to %v.", lo, hi)
	}
	return value
}

func numberOf(value any) (float64, bool) {
	var number json.Number
	switch value := value.(type) {
	case json.Number:
		number = value
	case string:
		number = json.Number(value)
	default:
		return 0, false
	}
	f, err := number.Float64()
	return f, err == nil
}

// link returns the required web address at key.
func (c *check) link(o object, key string) {
	text := c.required(o, key, 2000)
	if c.err != nil {
		return
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		c.invalid(o.at(key), "must be a valid http or https URL.")
	}
}
