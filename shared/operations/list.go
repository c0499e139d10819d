package operations

import (
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
)

// List is a list of which a page is asked for. Its cursors say of which list they are: a cursor of another list is
// refused, because there it would begin anywhere.
type List struct {
	After string // where the page begins; "" for the first page

	name string // stands for what the list holds
}

// PageOf returns the list whose page is asked for. what says what the list holds: the operation, whose, and which of
// them.
func PageOf(page httpapi.Page, what ...string) (List, error) {
	position, err := page.After()
	if page.Cursor != "" {
		position, err = page.AfterRow()
	}
	l := List{After: position.At, name: idempotency.Hash(what...)[:12]}
	if err == nil && page.Cursor != "" && (position.Key != l.name || position.Arrival != 0) {
		err = httpapi.InvalidCursor("query.cursor")
	}
	return l, err
}

// Position returns the position of the row at a place; the zero Position for "".
func (l List) Position(at string) httpapi.Position {
	if at == "" {
		return httpapi.Position{}
	}
	return httpapi.Position{At: at, Key: l.name}
}

// ListOf returns a page as it is shown.
func ListOf[T, S any](rows []T, show func(T) S, next httpapi.Position) httpapi.List[S] {
	page := httpapi.List[S]{Items: make([]S, len(rows)), Cursor: next.Cursor()}
	for i, row := range rows {
		page.Items[i] = show(row)
	}
	return page
}
