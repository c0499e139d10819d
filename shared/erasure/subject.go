package erasure

import (
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// Subject is the customer whose data an eraser erases, and an exporter exports.
type Subject struct {
	Tenant model.TenantID
	Phone  model.PhoneNumberID
	Keys   []model.CustomerID // the customer in each conversation's key
	// Accounts are the keys under which a domain may keep what is the customer's, Keys included. None of them is
	// anybody else's.
	Accounts []model.CustomerID
	// Identifiers are the numbers and user ids that are the customer's now, for a domain that knows people by these.
	Identifiers []model.CustomerID
	// Customer is what identifies the customer at the number, as it was read.
	Customer contacts.Customer
	// OpenOrders says what becomes of open orders; "" if nobody has said it.
	OpenOrders OpenOrders
}

// SubjectOf returns a customer as the domains have to know them. Erasures and exports of a person both begin here, so
// they reach the same accounts.
func SubjectOf(tenant model.TenantID, customer contacts.Customer) Subject {
	return Subject{
		Tenant: tenant, Phone: customer.Phone(), Keys: customer.Keys(), Accounts: customer.Accounts(),
		Identifiers: customer.Identifiers(), Customer: customer,
	}
}
