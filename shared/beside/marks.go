package beside

import (
	"context"

	"github.com/haatline/haatline/shared/model"
)

// Mark is what a domain knows of customers that their rows in the inbox show, and by which the inbox is filtered.
type Mark struct {
	Name  string // no other domain has it: open_orders
	Scope string // what a token must have, without the prefix of all scopes
	// Of returns the marks of some customers of a number: a count, or an amount with two decimals. It leaves out those
	// who do not have the mark.
	Of func(ctx context.Context, number model.Phone, customers []model.CustomerID) (map[model.CustomerID]string, error)
	// Page returns customers of a number who have the mark, after a place, and the place of the next page; "" at the
	// end.
	Page func(ctx context.Context, number model.Phone, limit int, after string) (customers []model.CustomerID,
		next string, err error)
}
