package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// Errors for bodies that encoding/json would accept.
var (
	errTwice = errors.New("a field is given twice")
	errUTF8  = errors.New("not UTF-8")
)

// strictFormats returns the library's formats, restricted to unambiguous bodies. The library checks a body in one form
// and decodes it again into another. For a repeated field, encoding/json uses the last one in a map but merges both in
// a struct, so the decoded value would differ from the checked one.
func strictFormats() map[string]huma.Format {
	formats := maps.Clone(huma.DefaultFormats)
	for name, format := range formats {
		format.Unmarshal = unmarshalStrictly
		formats[name] = format
	}
	return formats
}

func unmarshalStrictly(text []byte, into any) error {
	if !utf8.Valid(text) {
		return errUTF8 // encoding/json silently replaces invalid UTF-8
	}
	if err := json.Unmarshal(text, into); err != nil {
		return err
	}
	return fieldsOnce(json.NewDecoder(bytes.NewReader(text)))
}

// fieldsOnce returns errTwice if an object in the value has a repeated field. The value must be valid JSON, which
// bounds its nesting.
func fieldsOnce(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, _ := token.(json.Delim)
	if open == 0 {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			if text, _ := name.(string); seen[text] {
				return errTwice
			} else {
				seen[text] = true
			}
		}
		if err := fieldsOnce(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
