package httpapi

import "slices"

// List is the answer of every operation that lists something.
type List[T any] struct {
	Items  []T    `json:"items" doc:"The page, in the order of the list; never null."`
	Cursor string `json:"cursor,omitempty" doc:"For the next page; absent on the last."`
}

// Page is what every list takes. Embed it in an operation's input.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"How many at most."`
	Cursor string `query:"cursor" maxLength:"4096" doc:"The cursor of the page before; leave it out for the first page. It goes on in the same list with the same filters, for you alone."`
}

// Probe returns how many rows to read for a page: one more than the page shows. The extra row proves that there is a
// next page. DynamoDB's own marker does not, because it is set whenever a page is full.
func (p Page) Probe() int { return p.Limit + 1 }

// Cut returns the page's part of rows that were read with Probe, and the position of its last row. The position is zero
// if no page follows.
func Cut[T any](p Page, rows []T, at func(T) Position) ([]T, Position) {
	if len(rows) <= p.Limit {
		return rows, Position{}
	}
	return rows[:p.Limit], at(rows[p.Limit-1])
}

// CutWhole does what Cut does for a list that is short enough to be read whole: it puts the rows in ascending order of
// their positions, and leaves out those of the pages before. after is the page's position.
func CutWhole[T any](p Page, after Position, rows []T, at func(T) Position) ([]T, Position) {
	slices.SortFunc(rows, func(a, b T) int { return at(a).Compare(at(b)) })
	rows = slices.DeleteFunc(rows, func(row T) bool { return at(row).Compare(after) <= 0 })
	return Cut(p, rows, at)
}
