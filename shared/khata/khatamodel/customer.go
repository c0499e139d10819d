package khatamodel

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// CustomerOf returns the customer in the key of the conversation with the person to whom an account belongs. It is the
// reverse of model.PhoneOf.
func CustomerOf(account model.Name) model.CustomerID {
	return model.CustomerID(strings.TrimPrefix(string(account), "+"))
}

// CustomersOf returns the distinct customers of accounts.
func CustomersOf(accounts []model.Name) []model.CustomerID {
	var all []model.CustomerID
	for _, account := range accounts {
		all = append(all, CustomerOf(account))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
