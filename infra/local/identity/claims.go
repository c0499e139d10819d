package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Flatten returns claims as an HTTP API passes them on: every value a string, a list as [a b]. A list cannot be
// distinguished from a string of that form.
func Flatten(claims map[string]any) map[string]string {
	flat := make(map[string]string, len(claims))
	for name, value := range claims {
		flat[name] = flatten(value)
	}
	return flat
}

func flatten(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return decimal(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			parts[i] = flatten(element)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case map[string]any:
		parts := make([]string, 0, len(v))
		for key, element := range v {
			parts = append(parts, key+":"+flatten(element))
		}
		slices.Sort(parts)
		return "map[" + strings.Join(parts, " ") + "]"
	default:
		return fmt.Sprint(v)
	}
}

// decimal returns a number without an exponent.
func decimal(n json.Number) string {
	if !strings.ContainsAny(n.String(), "eE") {
		return n.String()
	}
	f, err := n.Float64()
	if err != nil {
		return n.String()
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
