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

// Meta writes the same thing with different JSON types: timestamps as strings and numbers, phone numbers as both, lists
// sometimes as an object. These types accept every form, so that one field never fails a whole body. They use gjson,
// which finds parts of a text without decoding the rest: bodies are read level by level, and encoding/json would decode
// each level whole. They accept only text that has been checked to be valid JSON.

// Text is a string that may come as a number. Anything else is empty.
type Text string

// UnmarshalJSON accepts a string or a number.
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

// validText returns text with invalid UTF-8 replaced, as encoding/json does. DynamoDB accepts only valid UTF-8.
func validText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.Map(func(r rune) rune { return r }, text)
}

// Seconds returns the time of a timestamp in seconds since 1970, or in milliseconds, as some fields have it. It returns
// the zero time for anything else and for years after 9999.
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

// Object returns the object that a text holds as JSON, as some fields have it; nil if it holds none.
func (t Text) Object() Object { return asObject([]byte(t)) }

// List is an array whose elements are decoded one by one, so that a bad element does not affect the others.
type List []json.RawMessage

// UnmarshalJSON accepts an array. A single object counts as an array of one; anything else is empty.
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

// UnmarshalJSON accepts an object.
func (o *Object) UnmarshalJSON(raw []byte) error {
	*o = objectOf(raw) // encoding/json has checked that raw is valid
	return nil
}

// asObject returns raw as an object, or nil if it is none. It checks that raw is valid JSON.
func asObject(raw []byte) Object {
	if !gjson.ValidBytes(raw) {
		return nil
	}
	return objectOf(raw)
}

// ObjectOf returns valid JSON as an object, or nil if it is none.
func ObjectOf(raw json.RawMessage) Object { return objectOf(raw) }

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

// Text returns the member as text, or "" if it is missing or of another type.
func (o Object) Text(name string) string { return textOf(o[name]) }

// Int returns the member as an integer, written as a number or as text, or 0 if it is missing or anything else.
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

// Object returns the member as an object, or nil if it is missing or of another type.
func (o Object) Object(name string) Object { return objectOf(o[name]) }

// List returns the member as a list, or nil if it is missing or of another type.
func (o Object) List(name string) List { return listOf(o[name]) }

// Bool returns the member as a boolean, or false if it is missing or of another type.
func (o Object) Bool(name string) bool {
	return string(bytes.TrimSpace(o[name])) == "true"
}

// Objects returns the list's elements as objects. An element of another type is nil.
func (l List) Objects() []Object {
	objects := make([]Object, len(l))
	for i, raw := range l {
		objects[i] = objectOf(raw)
	}
	return objects
}

// Texts returns the list's elements as texts. An element of another type is "".
func (l List) Texts() []string {
	texts := make([]string, len(l))
	for i, raw := range l {
		texts[i] = textOf(raw)
	}
	return texts
}

func firstByte(raw []byte) byte {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	if len(trimmed) == 0 {
		return 0
	}
	return trimmed[0]
}
