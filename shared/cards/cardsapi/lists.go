package cardsapi

import (
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
)

// list is a list of which a page is asked for. Its cursors say of which list they are: a cursor of another list is refused, because
// there it would begin anywhere.
type list struct {
	name  string // stands for what the list holds
	after string // where the page begins; "" for the first page
}

// maxPlace is more than any place in a list has.
const maxPlace = 512

// pageOf returns the list whose page is asked for. what says what the list holds: the operation, whose, and which of them.
func pageOf(page httpapi.Page, what ...string) (list, error) {
	position, err := page.After()
	if page.Cursor != "" {
		position, err = page.AfterRow()
	}
	l := list{name: idempotency.Hash(what...)[:12], after: position.At}
	if err == nil && page.Cursor != "" && (position.Key != l.name || position.Arrival != 0 || len(position.At) > maxPlace) {
		err = httpapi.Invalid("query.cursor", "not a cursor of this list")
	}
	return l, err
}

// position returns the position of the row at a place; the zero Position for "".
func (l list) position(at string) httpapi.Position {
	if at == "" {
		return httpapi.Position{}
	}
	return httpapi.Position{At: at, Key: l.name}
}

// listOf returns a page as it is shown.
func listOf[T, S any](rows []T, show func(T) S, next httpapi.Position) httpapi.List[S] {
	page := httpapi.List[S]{Items: make([]S, len(rows)), Cursor: next.Cursor()}
	for i, row := range rows {
		page.Items[i] = show(row)
	}
	return page
}
