package httpapi

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"io"
)

// Position is where a page of a list ended. The next page begins behind it. The zero Position is the beginning of the list.
type Position struct {
	At      string `json:"at"`                // the last row's value in the list's order
	Arrival int64  `json:"arrival,omitempty"` // the order of rows with the same value, in lists that have one
	Key     string `json:"key,omitempty"`     // the last row's key, in lists whose order does not identify a row
}

// Compare returns a negative number if p is before other in ascending order, 0 if they are the same, else a positive number.
func (p Position) Compare(other Position) int {
	return cmp.Or(cmp.Compare(p.At, other.At), cmp.Compare(p.Arrival, other.Arrival), cmp.Compare(p.Key, other.Key))
}

// Cursor returns the opaque text by which a client asks for the page behind the position; "" for the zero Position.
func (p Position) Cursor() string {
	if p == (Position{}) {
		return ""
	}
	text, _ := json.Marshal(p) // texts and a number can always be encoded
	return base64.RawURLEncoding.EncodeToString(text)
}

// After returns the position behind which the page begins, in a list whose order identifies a row; the zero Position for the
// first page. The error is a problem that names the parameter: for a cursor that the list cannot have issued.
func (p Page) After() (Position, error) { return p.position(false) }

// AfterRow is After for a list whose order does not identify a row, so that its positions have a key.
func (p Page) AfterRow() (Position, error) { return p.position(true) }

func (p Page) position(keyed bool) (Position, error) {
	if p.Cursor == "" {
		return Position{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	if err != nil {
		return Position{}, invalidCursor()
	}
	var position Position
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&position); err != nil {
		return Position{}, invalidCursor()
	}
	if _, err := decoder.Token(); err != io.EOF || !position.valid(keyed) {
		return Position{}, invalidCursor()
	}
	return position, nil
}

// valid reports whether a position can be part of a key of an index. DynamoDB rejects others, and the caller must get a 4xx for
// them, not a 5xx.
func (p Position) valid(keyed bool) bool {
	const maxPartition, maxSort = 2048, 1024 // bytes
	return p.At != "" && len(p.At) <= maxSort && len(p.Key) <= maxPartition && keyed == (p.Key != "")
}

func invalidCursor() error { return Invalid("query.cursor", "not a cursor of this list") }
