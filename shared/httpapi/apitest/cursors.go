package apitest

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
)

// Cursors returns what seals the cursors of an API in a test.
func Cursors() *httpapi.Cursors {
	return &httpapi.Cursors{
		Keys: func(context.Context) (string, error) { return "key-of-cursors-in-tests", nil },
		Log:  slog.New(slog.DiscardHandler)}
}

// everyListIsWalked checks that Lists has a request for every operation that takes a cursor and may have a second page.
func (a API[B]) everyListIsWalked(t *testing.T) {
	db, server := a.open(t)
	walked := map[string]bool{}
	for _, list := range a.Lists(a.Furnish(t, db, "1")) {
		walked[listOf(t, server, list).OperationID] = true
	}
	for id, op := range Operations(server.API) {
		if !walked[id] && takesCursor(op) && !slices.Contains(a.OnePage, id) {
			t.Errorf("Lists has no request for %s", id)
		}
	}
}

// aCursorIsGoodForItsCallerInItsListAlone tries the cursor of every list elsewhere, and what is made from it. The
// answer is that it is none, whatever is there.
func (a API[B]) aCursorIsGoodForItsCallerInItsListAlone(t *testing.T) {
	db, server := a.open(t)
	theirs, mine := a.Furnish(t, db, "1"), a.Furnish(t, db, "2")
	refuses := func(what string, r Request) {
		t.Helper()
		answer := server.Do(t, r)
		if answer.Status != http.StatusBadRequest {
			t.Errorf("%s: %s?%s answered %d: %s", what, r.Path, r.Query.Encode(), answer.Status, answer.Body)
			return
		}
		if p := answer.WantProblem(t, http.StatusBadRequest); len(p.Errors) != 1 ||
			p.Errors[0].Location != "query.cursor" {
			t.Errorf("%s: %s", what, answer.Body)
		}
		answer.HoldsNothingOf(t, identifying("1", theirs))
	}
	lists := a.Lists(theirs)
	anywhere := ""
	for i, list := range lists {
		owner := a.owner(listOf(t, server, list), "1", theirs)
		colleague := *owner
		colleague.Subject = "colleague"
		list = list.read(owner)
		first := server.Do(t, list)
		first.Want(t, http.StatusOK)
		cursor := cursorOf(first)
		if cursor == "" {
			t.Fatalf("%s has no second page", list.Path)
		}
		a.tellsNothing(t, cursor, theirs)
		anywhere = cursor
		if further := server.Do(t, list.with("limit", "100").from(cursor)); further.Status != http.StatusOK {
			t.Errorf("%s does not go on by another size: %d %s", list.Path, further.Status, further.Body)
		}
		another := list.from(cursor)
		another.By = &colleague
		refuses("a colleague's", another)
		for j, other := range lists {
			if i != j && (other.Path != list.Path || other.Query.Encode() != list.Query.Encode() ||
				other.Body != list.Body) {
				refuses("another list's", other.read(a.owner(listOf(t, server, other), "1", theirs)).from(cursor))
			}
		}
		for _, own := range a.Lists(mine) {
			if forPlatform(listOf(t, server, own)) {
				continue // it is the same list for the same people
			}
			refuses("another tenant's", own.read(a.owner(listOf(t, server, own), "2", mine)).from(cursor))
		}
		for _, p := range listOf(t, server, list).Parameters {
			if p.In == "query" && p.Name != "cursor" && p.Name != "limit" {
				refuses("with another "+p.Name, list.from(cursor).with(p.Name, list.Query.Get(p.Name)+"1"))
			}
		}
		for what, forged := range forgeries(cursor) {
			refuses(what, list.from(forged))
		}
	}
	for id, op := range Operations(server.API) {
		if slices.Contains(a.OnePage, id) {
			for _, r := range a.requests(t, op, theirs) {
				if r.By = PlatformOperator(); forSessions(op) {
					r.By = a.owner(op, "1", theirs)
				}
				refuses("another list's", r.from(anywhere))
			}
		}
	}
}

// tellsNothing fails the test where a cursor shows the position that it stands for.
func (a API[B]) tellsNothing(t *testing.T, cursor string, b B) {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	Answer{Body: cursor + string(raw)}.HoldsNothingOf(t, append(identifying("1", b), `"at"`, `"key"`, "2026-"))
}

// forgeries returns what somebody makes of a cursor, or in its place.
func forgeries(cursor string) map[string]string {
	all := map[string]string{
		"cut": cursor[:len(cursor)-1], "half": cursor[:len(cursor)/2], "its beginning": cursor[:4],
		"longer": cursor + "A", "twice": cursor + cursor, "padded": cursor + "==",
		"a line below": cursor + "\n", "a position": `{"at":"2026"}`,
		"a position in base64": base64.RawURLEncoding.EncodeToString([]byte(`{"at":"2026","key":"x"}`)),
		"junk":                 "\x00\xe0\xa4", "too long": strings.Repeat("e", 100_000), "null": "null",
	}
	for _, at := range []int{0, 7, len(cursor) / 2, len(cursor) - 2} {
		changed := []byte(cursor)
		if changed[at] = 'A'; cursor[at] == 'A' {
			changed[at] = 'B'
		}
		all["changed at "+string(rune('a'+at%26))] = string(changed)
	}
	return all
}

// listOf returns the operation that a request reaches.
func listOf(t *testing.T, server *Server, r Request) *huma.Operation {
	t.Helper()
	var found *huma.Operation
	for _, op := range Operations(server.API) {
		pattern := "^" + regexp.MustCompile(`\\\{[^/]*\\\}`).ReplaceAllString(regexp.QuoteMeta(op.Path), `[^/]+`) + "$"
		if op.Method == cmp.Or(r.Method, http.MethodGet) && regexp.MustCompile(pattern).MatchString(r.Path) &&
			(found == nil || !strings.Contains(op.Path, "{")) {
			found = op
		}
	}
	if found == nil {
		t.Fatalf("%s reaches no operation", r.Path)
	}
	return found
}

func takesCursor(op *huma.Operation) bool {
	return slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == "cursor" })
}

// withoutCursor returns what an answer says, but for its cursor, which looks different each time.
func withoutCursor(a Answer) string {
	if cursor := cursorOf(a); cursor != "" {
		return strings.Replace(a.Body, cursor, "(a cursor)", 1)
	}
	return a.Body
}

// cursorOf returns the cursor of a page, or "" for the last page and for what is none.
func cursorOf(a Answer) string {
	var page struct{ Cursor string }
	if json.Unmarshal([]byte(a.Body), &page) != nil {
		return ""
	}
	return page.Cursor
}

// read returns the request for a list, made by somebody. It is a GET where it names no method.
func (r Request) read(by *Caller) Request {
	r.By, r.Method = by, cmp.Or(r.Method, http.MethodGet)
	return r
}

// from returns the request for the page at a cursor.
func (r Request) from(cursor string) Request { return r.with("cursor", cursor) }

// with returns the request with a parameter.
func (r Request) with(name, value string) Request {
	if r.Query = maps.Clone(r.Query); r.Query == nil {
		r.Query = url.Values{}
	}
	r.Query.Set(name, value)
	return r
}
