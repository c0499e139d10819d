package httpapi

// List is the answer of every operation that lists something.
type List[T any] struct {
	Items  []T    `json:"items" doc:"The page, in the order of the list; never null."`
	Cursor string `json:"cursor,omitempty" doc:"For the next page; absent on the last."`
}

// Page is what every list with pages takes. Embed it in an operation's input.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"How many at most."`
	Cursor string `query:"cursor" maxLength:"4096" doc:"The cursor of the page before; leave it out for the first page."`
}

// Probe returns how many rows to read for a page: one more than the page shows. The extra row proves that there is a next page.
// DynamoDB's own marker does not, because it is set whenever a page is full.
func (p Page) Probe() int { return p.Limit + 1 }
