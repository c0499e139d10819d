package numbers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/haatline/haatline/shared/model"
)

// Meta writes the names of fields as call_hours, and haatline as callHours. Both name the same fields, so that a
// setting needs no table of its own for it.

const (
	// ownNames is the field whose value has names of the business's own. They stay as they are.
	ownNames = "requestUriUserParams"
	// password is the field with which Meta answers who asks for the credentials of a telephone system. haatline does
	// not, and keeps none.
	password = "sipUserPassword"
)

// renamed returns JSON with other names of its fields.
func renamed(text []byte, rename func(string) string) []byte {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return []byte("{}")
	}
	again, _ := json.Marshal(renamedIn(value, rename)) // it was decoded from JSON
	return again
}

func renamedIn(value any, rename func(string) string) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = renamedIn(value[i], rename)
		}
	case map[string]any:
		fields := make(map[string]any, len(value))
		for name, part := range value {
			switch camel(name) {
			case ownNames:
				fields[rename(name)] = part
			case password:
			default:
				fields[rename(name)] = renamedIn(part, rename)
			}
		}
		return fields
	}
	return value
}

// wantedOf returns a value as it is stored. A list that is left out is an empty one.
func wantedOf(value any) (model.Document, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return model.Document(encoded(withLists(decoded(text)))), nil
}

func withLists(value any) any {
	switch value := value.(type) {
	case nil:
		return []any{} // no other type of a setting can be null
	case map[string]any:
		for name, part := range value {
			value[name] = withLists(part)
		}
	}
	return value
}

// camel returns call_hours as callHours.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// snake returns callHours as call_hours.
func snake(name string) string {
	var out strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// Difference is a field that Meta has otherwise than it is wanted. Both are JSON; nil for a field that is not there.
type Difference struct {
	Path         string
	Wanted, Meta json.RawMessage
}

// Differences returns what differs between what is wanted and what Meta has. What Meta has beside that does not count.
func Differences(wanted, has model.Document) []Difference {
	if len(wanted) == 0 {
		return nil
	}
	return differences("", decoded(wanted), decoded(has))
}

func decoded(text model.Document) (value any) {
	_ = json.Unmarshal(text, &value) // a document is JSON, and none is nil
	return value
}

func differences(path string, wanted, has any) []Difference {
	var all []Difference
	switch wanted := wanted.(type) {
	case map[string]any:
		other, _ := has.(map[string]any)
		names := maps.Clone(wanted)
		if strings.HasSuffix(path, "."+ownNames) { // one more than is wanted has an effect as well
			maps.Copy(names, other)
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			all = append(all, differences(strings.TrimPrefix(path+"."+name, "."), wanted[name], other[name])...)
		}
		return all
	case []any:
		other, _ := has.([]any)
		if len(other) != len(wanted) {
			break
		}
		for i := range wanted {
			all = append(all, differences(fmt.Sprintf("%s[%d]", path, i), wanted[i], other[i])...)
		}
		return all
	case string: // Meta ends the address of a website with a slash, and a key with or without a line feed
		if other, is := has.(string); is && strings.TrimRight(wanted, "/\n") == strings.TrimRight(other, "/\n") {
			return nil
		}
	}
	a, b := encoded(wanted), encoded(has)
	if bytes.Equal(a, b) || saysNothing(a) && saysNothing(b) {
		return nil
	}
	return []Difference{{path, a, b}}
}

// saysNothing reports whether a value is as if it were not there: Meta leaves such out.
func saysNothing(text json.RawMessage) bool {
	return slices.Contains([]string{"", `""`, "[]", "{}", "false", `"UNDEFINED"`}, string(text))
}

// encoded returns a value as JSON; nil for none.
func encoded(value any) json.RawMessage {
	if value == nil {
		return nil
	}
	text, _ := json.Marshal(value) // it was decoded from JSON
	return text
}
