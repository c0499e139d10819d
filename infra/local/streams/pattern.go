package streams

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Pattern is a compiled event filter pattern.
type Pattern struct{ root matcher }

// matcher matches one field. present is false if the field is absent.
type matcher interface {
	matches(value any, present bool) bool
}

// ParsePattern compiles a pattern of the constructs that Lambda and the local cloud share: exact values, null, prefix,
// anything-but, exists and numeric. Anything else is an error, because the local cloud must not filter differently.
func ParsePattern(source string) (Pattern, error) {
	decoder := json.NewDecoder(strings.NewReader(source))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		return Pattern{}, fmt.Errorf("filter %s: %w", source, err)
	}
	root, err := parseObject(tree)
	if err != nil {
		return Pattern{}, fmt.Errorf("filter %s: %w", source, err)
	}
	return Pattern{root}, nil
}

// Matches reports whether the pattern matches the record.
func (p Pattern) Matches(record map[string]any) bool { return p.root.matches(record, true) }

// object matches if all of its fields match.
type object map[string]matcher

func parseObject(tree map[string]any) (matcher, error) {
	if len(tree) == 0 {
		return nil, fmt.Errorf("an empty object matches nothing")
	}
	fields := object{}
	for name, value := range tree {
		var err error
		switch v := value.(type) {
		case map[string]any:
			fields[name], err = parseObject(v)
		case []any:
			fields[name], err = parseAlternatives(v)
		default:
			err = fmt.Errorf("a value stands in a list")
		}
		if strings.HasPrefix(name, "$") {
			err = fmt.Errorf("unknown construct")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return fields, nil
}

func (o object) matches(value any, _ bool) bool {
	fields, _ := value.(map[string]any) // an absent or scalar value has no fields, which exists:false matches
	for name, field := range o {
		inner, present := fields[name]
		if !field.matches(inner, present) {
			return false
		}
	}
	return true
}

// alternatives matches if one of its matchers does. Of a list in the record, one element is enough.
type alternatives []matcher

func parseAlternatives(list []any) (matcher, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("an empty list matches nothing")
	}
	var parsed alternatives
	for _, element := range list {
		one, err := parseAlternative(element)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, one)
	}
	return parsed, nil
}

func (a alternatives) matches(value any, present bool) bool {
	if _, nested := value.(map[string]any); nested {
		return false // alternatives ask a leaf
	}
	if list, ok := elements(value); ok {
		for _, element := range list {
			if a.matches(element, true) {
				return true
			}
		}
		return false
	}
	for _, alternative := range a {
		if alternative.matches(value, present) {
			return true
		}
	}
	return false
}

func elements(value any) ([]any, bool) {
	switch v := value.(type) {
	case []any:
		return v, true
	case []string:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = element
		}
		return list, true
	default:
		return nil, false
	}
}

func parseAlternative(element any) (matcher, error) {
	if _, list := element.([]any); list {
		return nil, fmt.Errorf("a list does not stand in a list")
	}
	construct, ok := element.(map[string]any)
	if !ok {
		return exact{element}, nil
	}
	if len(construct) != 1 {
		return nil, fmt.Errorf("a construct has one key")
	}
	for name, argument := range construct {
		switch name {
		case "prefix":
			text, ok := argument.(string)
			if !ok {
				return nil, fmt.Errorf("prefix takes a string")
			}
			return prefix(text), nil
		case "exists":
			wanted, ok := argument.(bool)
			if !ok {
				return nil, fmt.Errorf("exists takes true or false")
			}
			return exists(wanted), nil
		case "anything-but":
			return parseAnythingBut(argument)
		case "numeric":
			return parseNumeric(argument)
		default:
			return nil, fmt.Errorf("unknown construct %q", name)
		}
	}
	return nil, nil // not reached: the map has one key
}
