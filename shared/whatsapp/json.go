package whatsapp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// The platform writes the same thing in different types: timestamps as strings and as numbers, phone numbers as both,
// lists that are sometimes an object. These types take what comes and never fail a whole body over one field. They are read
// with gjson, which finds the parts of a text without building what nobody asks for: a body is taken apart level by level,
// and encoding/json would read it whole at each. They take only text that has been found to be valid JSON.

// Text is a string that may come as a number. Anything else is empty.
type Text string

// UnmarshalJSON takes a string or a number.
func (t *Text) UnmarshalJSON(raw []byte) error {
	*t = Text(textOf(raw))
	return nil
}

func textOf(raw []byte) string {
	switch first := firstByte(raw); {
	case first == '"':
		return validText(gjson.ParseBytes(raw).Str)
	case first == '-' || first >= '0' && first <= '9':
		return string(bytes.TrimSpace(raw))
	}
	return ""
}

// validText is a text with what is no UTF-8 in it replaced, as encoding/json does: DynamoDB holds nothing else.
func validText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.Map(func(r rune) rune { return r }, text)
}

// Seconds is the instant of a timestamp in epoch seconds, as text or number, the zero time for anything else. What comes
// in milliseconds, as some fields do, is taken as such; beyond the year 9999 there is no instant.
func (t Text) Seconds() time.Time {
	n, err := strconv.ParseInt(string(t), 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}
	}
	const year5138, year10000 = 100_000_000_000, 253_402_300_800_000
	switch {
	case n >= year10000:
		return time.Time{}
	case n >= year5138:
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// List is an array whose elements are decoded one by one, so that a bad one does not take the others with it.
type List []json.RawMessage

// UnmarshalJSON takes an array; a lone object counts as an array of one; anything else is empty.
func (l *List) UnmarshalJSON(raw []byte) error {
	*l = listOf(raw)
	return nil
}

func listOf(raw []byte) List {
	switch firstByte(raw) {
	case '[':
		var elements List
		gjson.ParseBytes(raw).ForEach(func(_, element gjson.Result) bool {
			elements = append(elements, json.RawMessage(element.Raw))
			return true
		})
		return elements
	case '{':
		if len(objectOf(raw)) > 0 {
			return List{bytes.Clone(raw)}
		}
	}
	return nil
}

// Object is an object whose members are decoded one by one. Anything else is empty.
type Object map[string]json.RawMessage

// UnmarshalJSON takes an object.
func (o *Object) UnmarshalJSON(raw []byte) error {
	*o = objectOf(raw) // encoding/json has checked it
	return nil
}

// asObject is raw as an object, where nobody has found it valid yet; nil where it is none.
func asObject(raw []byte) Object {
	if !gjson.ValidBytes(raw) {
		return nil
	}
	return objectOf(raw)
}

func objectOf(raw []byte) Object {
	if firstByte(raw) != '{' {
		return nil
	}
	members := Object{}
	gjson.ParseBytes(raw).ForEach(func(name, value gjson.Result) bool {
		members[validText(name.Str)] = json.RawMessage(value.Raw)
		return true
	})
	return members
}

// Text is the member as text, "" where it is missing or of another type.
func (o Object) Text(name string) string { return textOf(o[name]) }

// Int is the member as a whole number, written as a number or as text; 0 where it is missing or anything else.
func (o Object) Int(name string) int64 {
	n, _ := o.int(name)
	return n
}

func (o Object) int(name string) (int64, bool) {
	n, err := strconv.ParseInt(o.Text(name), 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// Object is the member as an object, nil where it is missing or of another type.
func (o Object) Object(name string) Object { return objectOf(o[name]) }

// List is the member as a list, nil where it is missing or of another type.
func (o Object) List(name string) List { return listOf(o[name]) }

// Bool is the member as a truth, false where it is missing or of another type.
func (o Object) Bool(name string) bool {
	return string(bytes.TrimSpace(o[name])) == "true"
}

// Objects are the list's elements as objects; what is none is nil.
func (l List) Objects() []Object {
	objects := make([]Object, len(l))
	for i, raw := range l {
		objects[i] = objectOf(raw)
	}
	return objects
}

func firstByte(raw []byte) byte {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	if len(trimmed) == 0 {
		return 0
	}
	return trimmed[0]
}
