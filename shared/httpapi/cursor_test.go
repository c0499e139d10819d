package httpapi_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
)

func TestAnInvalidCursorIsAProblemOfTheParameter(t *testing.T) {
	refused := func(name string, position httpapi.Position, err error) {
		t.Helper()
		var problem *huma.ErrorModel
		if !errors.As(err, &problem) || problem.Status != http.StatusBadRequest {
			t.Errorf("%s: %v, %+v", name, err, position)
			return
		}
		if len(problem.Errors) != 1 || problem.Errors[0].Location != "query.cursor" || problem.Errors[0].Value != nil {
			t.Errorf("%s: %+v", name, problem.Errors)
		}
		if position != (httpapi.Position{}) {
			t.Errorf("%s gives the position %+v", name, position)
		}
	}
	for name, cursor := range map[string]string{
		"garbage":                     "!!!",
		"not JSON":                    "hello",
		"JSON of another kind":        `["a"]`,
		"a member of another type":    `{"key":7,"at":"b"}`,
		"a member it does not have":   `{"key":"a","at":"b","status":"c"}`,
		"half a position":             `{"key":"a"}`,
		"no position":                 `{}`,
		"null":                        `null`,
		"two positions":               `{"key":"a","at":"b"}{"key":"a","at":"b"}`,
		"a key DynamoDB would refuse": `{"key":"` + strings.Repeat("a", 2049) + `","at":"b"}`,
		"a place longer than any":     `{"key":"a","at":"` + strings.Repeat("b", 2501) + `"}`,
	} {
		position, err := httpapi.Page{Cursor: cursor}.AfterRow()
		refused(name, position, err)
		position, err = httpapi.Page{Cursor: strings.ReplaceAll(cursor, `"key":"a",`, "")}.After()
		refused(name, position, err)
	}
	position, err := httpapi.Page{Cursor: httpapi.Position{At: "b"}.Cursor()}.AfterRow()
	refused("a position without a key, of another list", position, err)
	position, err = httpapi.Page{Cursor: httpapi.Position{At: "b", Key: "a"}.Cursor()}.After()
	refused("a position with a key, of another list", position, err)
}

func TestACursorLeadsBackToItsPosition(t *testing.T) {
	for _, want := range []httpapi.Position{
		{At: "2026-11-21T10:00:00.000Z", Key: "CONV#1055#91 ä/+="},
		{At: "2026-11-21T10:00:00.000Z", Arrival: 7, Key: "MSG#1"}, {At: "1055"},
	} {
		cursor := want.Cursor()
		after := httpapi.Page.After
		if want.Key != "" {
			after = httpapi.Page.AfterRow
		}
		if got, err := after(httpapi.Page{Cursor: cursor}); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestTheFirstPageHasNoCursor(t *testing.T) {
	for _, after := range []func(httpapi.Page) (httpapi.Position, error){httpapi.Page.After, httpapi.Page.AfterRow} {
		if got, err := after(httpapi.Page{}); err != nil || got != (httpapi.Position{}) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if cursor := (httpapi.Position{}).Cursor(); cursor != "" {
		t.Errorf("the beginning has the cursor %q", cursor)
	}
}

func TestPagesOfAListReadWholeShowEveryRowOnceAndInOrder(t *testing.T) {
	at := func(row string) httpapi.Position { return httpapi.Position{At: row[:1], Key: row[1:]} }
	for limit := 1; limit <= 6; limit++ {
		var shown, pages []string
		page := httpapi.Page{Limit: limit}
		for {
			after, err := page.AfterRow()
			if err != nil {
				t.Fatal(err)
			}
			rows, end := httpapi.CutWhole(page, after, []string{"b2", "c1", "a1", "b1", "b3"}, at)
			if shown, pages = append(shown, rows...), append(pages, end.Key); end == (httpapi.Position{}) {
				break
			}
			page.Cursor = end.Cursor()
		}
		if want := (5 + limit - 1) / limit; !slices.Equal(shown, []string{"a1", "b1", "b2", "b3", "c1"}) ||
			len(pages) != want {
			t.Errorf("by %d: %v on %d pages, want %d", limit, shown, len(pages), want)
		}
	}
}
