package httpapi

import (
	"encoding/base64"
	"encoding/json"
)

// EncodeCursor makes an opaque cursor of a position; "" of nothing.
func EncodeCursor(position any) string {
	text, err := json.Marshal(position)
	if err != nil || string(text) == "null" || string(text) == "{}" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// DecodeCursor reads a cursor into a position; an empty one leaves it as it is. The error is a problem that names the
// parameter.
func DecodeCursor(cursor string, position any) error {
	if cursor == "" {
		return nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, position)
	}
	if err != nil {
		return Invalid("query.cursor", "not a cursor of this list")
	}
	return nil
}
