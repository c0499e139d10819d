package httpapi

import (
	"cmp"
	"encoding/json"
	"io"
	"strings"
)

// Position is where a page of a list ended. The next page begins behind it. The zero Position is the beginning of the
// list.
type Position struct {
	At      string `json:"at"`                // the last row's value in the list's order
	Arrival int64  `json:"arrival,omitempty"` // the order of rows with the same value, in lists that have one
	Key     string `json:"key,omitempty"`     // the last row's key, in lists whose order does not identify a row
}

// Compare returns a negative number if p is before other in ascending order, 0 if they are the same, else a positive
// number.
func (p Position) Compare(other Position) int {
	return cmp.Or(cmp.Compare(p.At, other.At), cmp.Compare(p.Arrival, other.Arrival), cmp.Compare(p.Key, other.Key))
}

// Cursor returns the text of the position, which Seal makes the cursor of the page behind it; "" for the zero Position.
func (p Position) Cursor() string {
	if p == (Position{}) {
		return ""
	}
	text, _ := json.Marshal(p) // texts and a number can always be encoded
	return string(text)
}

// After returns the position behind which the page begins, in a list whose order identifies a row; the zero Position
// for the first page. The error is a problem that names the parameter: for a cursor that the list cannot have issued.
// The cursor has been opened.
func (p Page) After() (Position, error) { return p.position(false) }

// AfterRow is After for a list whose order does not identify a row, so that its positions have a key.
func (p Page) AfterRow() (Position, error) { return p.position(true) }

func (p Page) position(keyed bool) (Position, error) {
	if p.Cursor == "" {
		return Position{}, nil
	}
	var position Position
	decoder := json.NewDecoder(strings.NewReader(p.Cursor))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&position); err != nil {
		return Position{}, InvalidCursor("query.cursor")
	}
	if _, err := decoder.Token(); err != io.EOF || !position.valid(keyed) {
		return Position{}, InvalidCursor("query.cursor")
	}
	return position, nil
}

// valid reports whether a position can be part of a key of an index. DynamoDB rejects others, and the caller must get a
// 4xx for them, not a 5xx.
func (p Position) valid(keyed bool) bool {
	const maxPartition, maxPlace = 2048, 2500 // bytes
	return p.At != "" && len(p.At) <= maxPlace && len(p.Key) <= maxPartition && keyed == (p.Key != "")
}
