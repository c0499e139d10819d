package httpapi

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
)

// EncodeCursor returns an opaque cursor for a position, "" for nil.
func EncodeCursor(position any) string {
	text, err := json.Marshal(position)
	if err != nil || string(text) == "null" || string(text) == "{}" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// Position is a place in a list that a cursor encodes.
type Position interface {
	// Valid reports whether the list can have issued the position: it names a row, and its parts can be parts of a key.
	Valid() bool
}

// DecodeCursor decodes a cursor into position, which must be a pointer. An empty cursor leaves it unchanged. The error is a
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
	decoder.DisallowUnknownFields() // a cursor of another list has other fields
	if err := decoder.Decode(position); err != nil {
		return invalidCursor()
	}
	if _, err := decoder.Token(); err != io.EOF || !position.Valid() {
		return invalidCursor()
	}
	return nil
}

func invalidCursor() error { return Invalid("query.cursor", "not a cursor of this list") }

// IsRow reports whether two parts of a position can be the key of a row in an index. DynamoDB rejects others, and the caller
// must get a 4xx for them, not a 5xx.
func IsRow(partition, sort string) bool {
	const maxPartition, maxSort = 2048, 1024
	return partition != "" && len(partition) <= maxPartition && sort != "" && len(sort) <= maxSort
}
