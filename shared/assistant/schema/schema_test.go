package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/assistant/schema"
)

const visit = `{"type":"object","additionalProperties":false,"required":["day","slot"],"properties":{
	"day":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"},"slot":{"enum":["am","pm"]},
	"guests":{"type":"integer","minimum":1,"maximum":9}}}`

func TestArgumentsAreAsTheSchemaSays(t *testing.T) {
	f, err := schema.Declare("book_visit", "Books a visit.", json.RawMessage(visit))
	if err != nil {
		t.Fatal(err)
	}
	for arguments, ok := range map[string]bool{
		`{"day":"2026-12-01","slot":"am"}`: true, `{"day":"2026-12-01","slot":"pm","guests":3}`: true,
		``: false, `{}`: false, `null`: false, `[]`: false, `{"day":"2026-12-01"}`: false, `{`: false,
		`{"day":"2026-12-01","slot":"night"}`: false, `{"day":"tomorrow","slot":"am"}`: false,
		`{"day":"2026-12-01","slot":"am","guests":10}`: false, `{"day":"2026-12-01","slot":"am","guests":2.5}`: false,
		`{"day":"2026-12-01","slot":"am","admin":true}`: false, `{"day":"2026-12-01","slot":"am"}{}`: false,
		`{"day":"` + strings.Repeat("9", schema.MaxArguments) + `","slot":"am"}`:                  false,
		`{"day":"2026-12-01","slot":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`: false,
	} {
		err := f.Check(json.RawMessage(arguments))
		if (err == nil) != ok || err != nil && !errors.Is(err, schema.ErrArguments) {
			t.Errorf("%.80s: %v", arguments, err)
		}
		if err != nil && strings.Contains(err.Error(), "2026") {
			t.Errorf("the error holds the arguments: %v", err)
		}
	}
}

func TestAFunctionThatCannotBeUsedIsNotDeclared(t *testing.T) {
	for name, c := range map[string]struct{ name, description, parameters string }{
		"no name":            {"", "d", visit},
		"a name with spaces": {"book visit", "d", visit},
		"a lookup's name":    {"khata_balance", "d", visit},
		"the answer's name":  {"answer", "d", visit},
		"no description":     {"f", " ", visit},
		"no schema":          {"f", "d", ""},
		"no JSON":            {"f", "d", "{"},
		"no object":          {"f", "d", `{"type":"string"}`},
		"two schemas":        {"f", "d", `{"type":"object"}{}`},
		"another document":   {"f", "d", `{"type":"object","properties":{"a":{"$ref":"https://example.com/s.json"}}}`},
		"itself":             {"f", "d", `{"type":"object","allOf":[{"$ref":"#"}]}`},
		"itself by a name":   {"f", "d", `{"type":"object","$dynamicAnchor":"a","allOf":[{"$dynamicRef":"#a"}]}`},
		"a broken pattern":   {"f", "d", `{"type":"object","properties":{"a":{"pattern":"("}}}`},
		"too long":           {"f", "d", `{"type":"object","title":"` + strings.Repeat("x", schema.MaxSchema) + `"}`},
		"too deep":           {"f", "d", `{"type":"object","a":` + strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}", 51)},
	} {
		if _, err := schema.Declare(c.name, c.description, json.RawMessage(c.parameters)); !errors.Is(err,
			schema.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDeclare(f *testing.F) {
	f.Add(visit, `{"day":"2026-12-01"}`)
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"a":{"a":{}}}`)
	f.Fuzz(func(t *testing.T, parameters, arguments string) {
		function, err := schema.Declare("f", "d", json.RawMessage(parameters))
		if err != nil {
			return
		}
		if err := function.Check(json.RawMessage(arguments)); err == nil && !json.Valid([]byte(arguments)) &&
			arguments != "" {
			t.Errorf("%q is no JSON", arguments)
		}
	})
}

// A model's arguments are checked before anything is called.
func ExampleDeclare() {
	f, err := schema.Declare("book_visit", "Books a visit.", json.RawMessage(visit))
	fmt.Println(err)
	fmt.Println(f.Check(json.RawMessage(`{"day":"2026-12-01","slot":"am"}`)))
	fmt.Println(f.Check(json.RawMessage(`{"day":"2026-12-01","slot":"'; drop table"}`)))
	// Output:
	// <nil>
	// <nil>
	// the arguments are not as the function's schema says
}
