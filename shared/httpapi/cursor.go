package httpapi

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
)

// EncodeCursor makes an opaque cursor of a position; "" of nothing.
func EncodeCursor(position any) string {
	text, err := json.Marshal(position)
	if err != nil || string(text) == "null" || string(text) == "{}" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// Position is a place in a list, as a cursor holds it.
type Position interface {
	// Whole says whether the list can have given the position: it names a row, and what it names can stand in a key.
	Whole() bool
}

// DecodeCursor reads a cursor into a position, given as a pointer to one; an empty one leaves it as it is. The error is a
// problem that names the parameter.
func DecodeCursor(cursor string, position Position) error {
	if cursor == "" {
		return nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return invalidCursor()
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // another list's
	if err := decoder.Decode(position); err != nil {
		return invalidCursor()
	}
	if _, err := decoder.Token(); err != io.EOF || !position.Whole() {
		return invalidCursor()
	}
	return nil
}

func invalidCursor() error { return Invalid("query.cursor", "not a cursor of this list") }

// IsRow says whether two parts of a position can be the key of a row in an index: DynamoDB refuses others, and then it
// is the caller's mistake and not ours.
func IsRow(partition, sort string) bool {
	const maxPartition, maxSort = 2048, 1024
	return partition != "" && len(partition) <= maxPartition && sort != "" && len(sort) <= maxSort
}
