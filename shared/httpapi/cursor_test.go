package httpapi_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
)

// place is a position of a list in these tests.
type place struct {
	PK string `json:"pk,omitempty"`
	At string `json:"at,omitempty"`
}

func (p place) Valid() bool { return httpapi.IsRow(p.PK, p.At) }

func TestAnInvalidCursorIsAProblemOfTheParameter(t *testing.T) {
	encoded := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for name, cursor := range map[string]string{
		"garbage":                     "!!!",
		"padded base64":               base64.URLEncoding.EncodeToString([]byte(`{"pk":"a","at":"bc"}`)) + "=",
		"not JSON":                    encoded("hello"),
		"JSON of another kind":        encoded(`["a"]`),
		"a member of another type":    encoded(`{"pk":7,"at":"b"}`),
		"another list's":              encoded(`{"pk":"a","at":"b","status":"c"}`),
		"half a position":             encoded(`{"pk":"a"}`),
		"no position":                 encoded(`{}`),
		"null":                        encoded(`null`),
		"two positions":               encoded(`{"pk":"a","at":"b"}{"pk":"a","at":"b"}`),
		"a key DynamoDB would refuse": encoded(`{"pk":"` + strings.Repeat("a", 2049) + `","at":"b"}`),
		"a sort key it would refuse":  encoded(`{"pk":"a","at":"` + strings.Repeat("b", 1025) + `"}`),
	} {
		var position place
		err := httpapi.DecodeCursor(cursor, &position)
		var problem *huma.ErrorModel
		if !errors.As(err, &problem) || problem.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %v, %+v", name, err, position)
			continue
		}
		if len(problem.Errors) != 1 || problem.Errors[0].Location != "query.cursor" || problem.Errors[0].Value != nil {
			t.Errorf("%s: %+v", name, problem.Errors)
		}
	}
}

func TestACursorLeadsBackToItsPosition(t *testing.T) {
	want := place{PK: "CONV#1055#91 ä/+=", At: "2026-11-21T10:00:00.000Z"}
	cursor := httpapi.EncodeCursor(want)
	if strings.ContainsAny(cursor, "+/=&?# ") {
		t.Errorf("%q cannot stand in a query", cursor)
	}
	var got place
	if err := httpapi.DecodeCursor(cursor, &got); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTheFirstPageHasNoCursor(t *testing.T) {
	before := place{PK: "a", At: "b"}
	got := before
	if err := httpapi.DecodeCursor("", &got); err != nil || got != before {
		t.Errorf("%+v, %v", got, err)
	}
	for _, nothing := range []any{nil, place{}, map[string]string(nil), map[string]string{}, (*place)(nil)} {
		if cursor := httpapi.EncodeCursor(nothing); cursor != "" {
			t.Errorf("%#v has the cursor %q", nothing, cursor)
		}
	}
}
