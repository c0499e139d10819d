package streams

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// exact matches a string, a number by its value, true, false or null.
type exact struct{ want any }

func (e exact) matches(value any, present bool) bool {
	if !present {
		return false
	}
	if want, ok := number(e.want); ok {
		got, ok := number(value)
		return ok && want.Cmp(got) == 0
	}
	return value == e.want
}

type prefix string

func (p prefix) matches(value any, _ bool) bool {
	text, ok := value.(string)
	return ok && strings.HasPrefix(text, string(p))
}

// exists asks whether a leaf is there; null is there.
type exists bool

func (e exists) matches(_ any, present bool) bool { return present == bool(e) }

// anythingBut matches a leaf that is there and is none of the given.
type anythingBut []matcher

func parseAnythingBut(argument any) (matcher, error) {
	list, ok := argument.([]any)
	if !ok {
		list = []any{argument}
	}
	var excluded anythingBut
	for _, element := range list {
		switch v := element.(type) {
		case string, json.Number:
			excluded = append(excluded, exact{v})
		case map[string]any:
			text, ok := v["prefix"].(string)
			if !ok || len(v) != 1 {
				return nil, fmt.Errorf("anything-but takes strings, numbers or a prefix")
			}
			excluded = append(excluded, prefix(text))
		default:
			return nil, fmt.Errorf("anything-but takes strings, numbers or a prefix")
		}
	}
	if len(excluded) == 0 {
		return nil, fmt.Errorf("anything-but takes at least one value")
	}
	return excluded, nil
}

func (a anythingBut) matches(value any, present bool) bool {
	if !present {
		return false
	}
	for _, one := range a {
		if one.matches(value, true) {
			return false
		}
	}
	return true
}

// numeric is one comparison or two that bound a range. It asks JSON numbers: in a DynamoDB record those are few, since
// an N attribute is a string there.
type numeric []comparison

type comparison struct {
	operator string
	operand  *big.Rat
}

func parseNumeric(argument any) (matcher, error) {
	list, _ := argument.([]any)
	if len(list) != 2 && len(list) != 4 {
		return nil, fmt.Errorf("numeric takes one or two comparisons")
	}
	var parsed numeric
	for i := 0; i < len(list); i += 2 {
		operator, _ := list[i].(string)
		if !strings.Contains(" = < <= > >= ", " "+operator+" ") || operator == "" {
			return nil, fmt.Errorf("unknown comparison %v", list[i])
		}
		operand, ok := number(list[i+1])
		if !ok {
			return nil, fmt.Errorf("numeric compares with a number, not %v", list[i+1])
		}
		parsed = append(parsed, comparison{operator, operand})
	}
	return parsed, nil
}

func (n numeric) matches(value any, present bool) bool {
	got, ok := number(value)
	if !present || !ok {
		return false
	}
	for _, c := range n {
		order := got.Cmp(c.operand)
		holds := map[string]bool{"=": order == 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}
		if !holds[c.operator] {
			return false
		}
	}
	return true
}

// number reads a JSON number, however it was decoded. A string is none.
func number(value any) (*big.Rat, bool) {
	switch v := value.(type) {
	case json.Number:
		return new(big.Rat).SetString(v.String())
	case int64:
		return new(big.Rat).SetInt64(v), true
	case float64:
		rat := new(big.Rat).SetFloat64(v)
		return rat, rat != nil
	default:
		return nil, false
	}
}
