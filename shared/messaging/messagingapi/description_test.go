package messagingapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
)

var (
	camelCase = regexp.MustCompile(`^[a-z]+([A-Z][a-z]*)*$`)
	snakeCase = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
)

// A client is written by somebody who sees the description and nothing else.
func TestEveryPropertyAndParameterIsDescribedInASentence(t *testing.T) {
	w := newWorld(t)
	isSentence := func(text string) bool {
		return len(text) > 5 && (strings.HasSuffix(text, ".") || strings.HasSuffix(text, ")")) ||
			strings.HasPrefix(text, "{")
	}
	var walk func(where string, s *huma.Schema)
	walk = func(where string, s *huma.Schema) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			p := s.Properties[name]
			if !isSentence(p.Description) {
				t.Errorf("%s.%s is described as %q", where, name, p.Description)
			}
			if p.Type == huma.TypeArray && p.Nullable {
				t.Errorf("%s.%s may be null", where, name)
			}
			if httpapi.IsTime(name) && p.Format != "date-time" {
				t.Errorf("%s.%s is a time of format %q", where, name, p.Format)
			}
			if !camelCase.MatchString(name) {
				t.Errorf("%s.%s is not in camelCase", where, name)
			}
			for _, value := range p.Enum {
				if !snakeCase.MatchString(fmt.Sprint(value)) {
					t.Errorf("%s.%s can be %v, which is not in lower_snake_case", where, name, value)
				}
			}
			walk(where+"."+name, p)
		}
		if s.Items != nil {
			walk(where+"[]", s.Items)
		}
	}
	for name, schema := range httpapi.Describe(w.api).Components.Schemas.Map() {
		walk(name, schema)
	}
	for id, op := range apitest.Operations(w.api) {
		for _, p := range op.Parameters {
			if !isSentence(p.Description) {
				t.Errorf("%s: parameter %s is described as %q", id, p.Name, p.Description)
			}
		}
		for _, status := range []string{"401", "403", "429", "500", "503"} {
			if op.Responses[status] == nil && (status != "403" || id != "get-me") {
				t.Errorf("%s does not say what %s means", id, status)
			}
		}
		if op.RequestBody != nil && (op.Responses["400"] == nil || op.Responses["415"] == nil) {
			t.Errorf("%s takes a body and does not say what 400 and 415 mean", id)
		}
	}
}

// An answer says null nowhere that the description says array.
func TestAnswersAreAsTheDescriptionSays(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	for id, op := range apitest.Operations(w.api) {
		if op.Method != "GET" {
			continue
		}
		for _, r := range reaching()[id](a) {
			r.By, r.Method = operator(a.tenant), op.Method
			answer := w.do(r)
			var body any
			if answer.Status != 200 || json.Unmarshal([]byte(answer.Body), &body) != nil {
				continue
			}
			schema := op.Responses["200"].Content["application/json"].Schema
			result := &huma.ValidateResult{}
			huma.Validate(httpapi.Describe(w.api).Components.Schemas, schema, huma.NewPathBuffer(nil, 0),
				huma.ModeReadFromServer, body, result)
			if len(result.Errors) > 0 {
				t.Errorf("%s answers otherwise than described: %v in %s", id, fmt.Sprint(result.Errors), answer.Body)
			}
		}
	}
}

// A program that takes a path for something else must learn what the path has.
func TestAMethodThatAPathDoesNotHaveIsRefusedWithThoseItHas(t *testing.T) {
	w := newWorld(t)
	for path, item := range httpapi.Describe(w.api).Paths {
		var has []string
		for method, op := range map[string]*huma.Operation{
			"GET": item.Get, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch, "DELETE": item.Delete} {
			if op != nil {
				has = append(has, method)
			}
		}
		slices.Sort(has)
		concrete := strings.NewReplacer("{", "", "}", "").Replace(path)
		for _, method := range []string{"PUT", "DELETE", "PATCH"} {
			if slices.Contains(has, method) {
				continue
			}
			got := w.do(request{By: operator(shop), Method: method, Path: concrete})
			got.WantProblem(t, http.StatusMethodNotAllowed)
			allow := strings.Split(got.Headers["allow"], ", ")
			if slices.Sort(allow); !slices.Equal(allow, has) {
				t.Errorf("%s %s allows %q, and the path has %v", method, path, allow, has)
			}
		}
	}
}

// Every list is read alike.
func TestEveryListTakesALimitAndACursorAndHasItemsAndACursor(t *testing.T) {
	w := newWorld(t)
	lists := 0
	for id, op := range apitest.Operations(w.api) {
		if !strings.HasPrefix(id, "list-") {
			continue
		}
		lists++
		schema := op.Responses["200"].Content["application/json"].Schema
		schema = httpapi.Describe(w.api).Components.Schemas.SchemaFromRef(schema.Ref)
		if got := slices.Sorted(maps.Keys(schema.Properties)); !slices.Equal(got, []string{"cursor", "items"}) {
			t.Errorf("%s answers with %v", id, got)
		}
		for _, name := range []string{"limit", "cursor"} {
			if !slices.ContainsFunc(op.Parameters,
				func(p *huma.Param) bool { return p.In == "query" && p.Name == name }) {
				t.Errorf("%s takes no %s", id, name)
			}
		}
	}
	if lists == 0 {
		t.Error("there is no list")
	}
}
