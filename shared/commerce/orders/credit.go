package orders

import "github.com/haatline/haatline/shared/model"

// CreditEntry is an entry of a credit book, as the chat shows it to a customer.
type CreditEntry struct {
	Day     string       // yyyy-mm-dd
	Change  model.Amount // what it adds to what is owed; negative for a payment
	Balance model.Amount // what is owed after it
}
