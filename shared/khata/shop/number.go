package shop

import (
	"context"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// ErrNoNumber means that a store has no number to send from.
var ErrNoNumber = problem.New("the store has no number", problem.Error{
	Class: problem.Conflict, Code: "no-number", Title: "No WhatsApp number",
	Detail: "The store has no WhatsApp number of its own to send from. Give it one with phoneNumberIds of the store.",
})

// Finder knows which store a number leads to: tenancy.Numbers.
type Finder interface {
	StoreOf(ctx context.Context, phone model.PhoneNumberID) (store model.Name, tenant model.TenantID, err error)
}

// Number returns the first number of a store that leads to it, or ErrNoNumber.
func (s Shop) Number(ctx context.Context, numbers Finder) (model.PhoneNumberID, error) {
	for _, phone := range s.Phones {
		store, tenant, err := numbers.StoreOf(ctx, phone)
		if err != nil {
			return "", err
		}
		if store == s.ID && tenant == s.Tenant {
			return phone, nil
		}
	}
	return "", ErrNoNumber
}
