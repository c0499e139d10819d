package whatsapp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
)

// The platform writes the same thing in different types: timestamps as strings and as numbers, phone numbers as both,
// lists that are sometimes an object. These types take what comes and never fail a whole body over one field.

// Text is a string that may come as a number. Anything else is empty.
type Text string

// UnmarshalJSON takes a string or a number.
func (t *Text) UnmarshalJSON(raw []byte) error {
	*t = ""
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = Text(s)
		return nil
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		*t = Text(n)
	}
	return nil
}

// Seconds is the instant of a timestamp in epoch seconds, as text or number, the zero time for anything else. What comes
// in milliseconds, as some fields do, is taken as such.
func (t Text) Seconds() time.Time {
	n, err := strconv.ParseInt(string(t), 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}
	}
	const year5138 = 100_000_000_000
	if n >= year5138 {
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// List is an array whose elements are decoded one by one, so that a bad one does not take the others with it.
type List []json.RawMessage

// UnmarshalJSON takes an array; a lone object counts as an array of one; anything else is empty.
func (l *List) UnmarshalJSON(raw []byte) error {
	*l = nil
	switch firstByte(raw) {
	case '[':
		var elements []json.RawMessage
		if err := json.Unmarshal(raw, &elements); err != nil {
			return err
		}
		*l = elements
	case '{':
		if !bytes.Equal(bytes.TrimSpace(raw), []byte("{}")) {
			*l = List{append(json.RawMessage(nil), raw...)}
		}
	}
	return nil
}

// Object is an object whose members are decoded one by one. Anything else is empty.
type Object map[string]json.RawMessage

// UnmarshalJSON takes an object.
func (o *Object) UnmarshalJSON(raw []byte) error {
	*o = nil
	if firstByte(raw) != '{' {
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	*o = members
	return nil
}

// Text is the member as text, "" where it is missing or of another type.
func (o Object) Text(name string) string {
	var t Text
	if raw, ok := o[name]; ok {
		_ = json.Unmarshal(raw, &t)
	}
	return string(t)
}

// Object is the member as an object, nil where it is missing or of another type.
func (o Object) Object(name string) Object {
	var member Object
	if raw, ok := o[name]; ok {
		_ = json.Unmarshal(raw, &member)
	}
	return member
}

// List is the member as a list, nil where it is missing or of another type.
func (o Object) List(name string) List {
	var member List
	if raw, ok := o[name]; ok {
		_ = json.Unmarshal(raw, &member)
	}
	return member
}

// Bool is the member as a truth, false where it is missing or of another type.
func (o Object) Bool(name string) bool {
	var member bool
	if raw, ok := o[name]; ok {
		_ = json.Unmarshal(raw, &member)
	}
	return member
}

// Objects are the list's elements as objects; what is none is nil.
func (l List) Objects() []Object {
	objects := make([]Object, len(l))
	for i, raw := range l {
		_ = json.Unmarshal(raw, &objects[i])
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
