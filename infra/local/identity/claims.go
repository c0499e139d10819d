package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Flatten gives the claims the form in which an HTTP API hands them on: every value a string, a list as [a b], so that
// a list and a string that looks like one cannot be told apart.
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

// decimal writes a number without an exponent, whatever the token's issuer wrote.
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
