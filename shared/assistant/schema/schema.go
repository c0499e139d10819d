// Package schema declares a project's functions: it checks the JSON Schema of their arguments, and the arguments that a
// model gives.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/prompt"
)

// Bounds of a function.
const (
	MaxName        = 64
	MaxDescription = 500     // characters
	MaxSchema      = 8 << 10 // bytes
	MaxArguments   = 8 << 10 // bytes
	maxDepth       = 12      // of a schema and of arguments
)

// ErrInvalid means that a function cannot be declared. The error says why.
var ErrInvalid = errors.New("the function cannot be declared")

// ErrArguments means that arguments are not as the schema says. It does not hold them.
var ErrArguments = errors.New("the arguments are not as the function's schema says")

// Declare returns a function whose arguments are checked by a JSON Schema (draft 2020-12 or 7) of an object. A schema
// stands by itself: one that refers to another, or to itself, could be checked for ever. It returns ErrInvalid.
func Declare(name, description string, parameters json.RawMessage) (assistant.Function, error) {
	switch {
	case name == "" || len(name) > MaxName || strings.ContainsFunc(name, notOfName):
		return assistant.Function{}, fmt.Errorf("%w: name: 1 to %d letters, digits, - and _", ErrInvalid, MaxName)
	case slices.Contains(reserved, name):
		return assistant.Function{}, fmt.Errorf("%w: name: %s has another meaning", ErrInvalid, name)
	case strings.TrimSpace(description) == "" || utf8.RuneCountInString(description) > MaxDescription:
		return assistant.Function{}, fmt.Errorf("%w: description: 1 to %d characters", ErrInvalid, MaxDescription)
	case len(parameters) > MaxSchema:
		return assistant.Function{}, fmt.Errorf("%w: parameters: at most %d bytes", ErrInvalid, MaxSchema)
	case !shallow(parameters):
		return assistant.Function{}, fmt.Errorf("%w: parameters: JSON of at most %d levels", ErrInvalid, maxDepth)
	}
	var plain any
	if json.Unmarshal(parameters, &plain) != nil || refers(plain) {
		return assistant.Function{}, fmt.Errorf("%w: parameters: they refer to another schema", ErrInvalid)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(parameters, &s); err != nil {
		return assistant.Function{}, fmt.Errorf("%w: parameters: %w", ErrInvalid, err)
	}
	if s.Type != "object" {
		return assistant.Function{}, fmt.Errorf("%w: parameters: the type is object", ErrInvalid)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return assistant.Function{}, fmt.Errorf("%w: parameters: %w", ErrInvalid, err)
	}
	return assistant.Function{
		Name: name, Description: description, Parameters: parameters,
		Check: func(arguments json.RawMessage) error { return check(resolved, arguments) },
	}, nil
}

// refers reports whether a schema has a reference.
func refers(value any) bool {
	switch of := value.(type) {
	case map[string]any:
		for key, inner := range of {
			if strings.HasPrefix(key, "$") && strings.HasSuffix(strings.ToLower(key), "ref") || refers(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(of, refers)
	}
	return false
}

// reserved are the names of what is not a project's.
var reserved = []string{
	prompt.AnswerTool, string(assistant.OrderState), string(assistant.KhataBalance), string(assistant.CardRequest)}

func notOfName(r rune) bool {
	return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// check returns ErrArguments unless arguments are one JSON value as the schema says.
func check(resolved *jsonschema.Resolved, arguments json.RawMessage) error {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	if len(arguments) > MaxArguments || !shallow(arguments) {
		return ErrArguments
	}
	var value any
	if err := json.Unmarshal(arguments, &value); err != nil {
		return ErrArguments
	}
	if err := resolved.Validate(value); err != nil {
		return ErrArguments
	}
	return nil
}

// shallow reports whether a text is one JSON value with few levels.
func shallow(text json.RawMessage) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	depth, values := 0, 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return values == 1 && depth == 0
		}
		if err != nil {
			return false
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			values++
		}
		if depth > maxDepth {
			return false
		}
	}
}
