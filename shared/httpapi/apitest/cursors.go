package apitest

import (
	"encoding/json"
	"maps"
	"net/http"
	"testing"
)

// anothersCursorShowsNothingOfTheirs tries a cursor from another tenant's list. It may only be a place in the caller's own list.
func (a API[B]) anothersCursorShowsNothingOfTheirs(t *testing.T) {
	db, server := a.open(t)
	theirs, mine := a.Furnish(t, db, "1"), a.Furnish(t, db, "2")
	for _, list := range a.Lists(theirs) {
		list.By, list.Method = Operator(TenantOf("1")), http.MethodGet
		first := server.Do(t, list)
		first.Want(t, http.StatusOK)
		cursor := cursorOf(first)
		if cursor == "" {
			t.Fatalf("%s has no second page", list.Path)
		}
		for _, own := range a.Lists(mine) {
			own.By, own.Method = Operator(TenantOf("2")), http.MethodGet
			answer := server.Do(t, own.from(cursor))
			if answer.Status != http.StatusOK && answer.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s answered %d: %s", own.Path, answer.Status, answer.Body)
			}
			answer.HoldsNothingOf(t, identifying("1", theirs))
			if next := cursorOf(answer); next != "" {
				server.Do(t, own.from(next)).HoldsNothingOf(t, identifying("1", theirs))
			}
		}
	}
}

// cursorOf returns the cursor of a page, or "" for the last page and for what is none.
func cursorOf(a Answer) string {
	var page struct{ Cursor string }
	if json.Unmarshal([]byte(a.Body), &page) != nil {
		return ""
	}
	return page.Cursor
}

// from returns the request for the page at a cursor.
func (r Request) from(cursor string) Request {
	r.Query = maps.Clone(r.Query)
	r.Query.Set("cursor", cursor)
	return r
}
