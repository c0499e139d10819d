package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// What is wrong with a body that encoding/json would take.
var (
	errTwice = errors.New("a field is given twice")
	errUTF8  = errors.New("not UTF-8")
)

// strictFormats are the library's formats with bodies that have one meaning. The library checks a body against its schema in
// one form and decodes it again into another. Where a field stands twice, encoding/json takes the last one for a map but
// merges both into a struct: what is taken would not be what was checked.
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
		return errUTF8 // encoding/json puts another character in its place, and says nothing
	}
	if err := json.Unmarshal(text, into); err != nil {
		return err
	}
	return fieldsOnce(json.NewDecoder(bytes.NewReader(text)))
}

// fieldsOnce reads a value that is known to be JSON, and so is not nested without bound, and returns errTwice where one of its
// objects has a field twice.
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
