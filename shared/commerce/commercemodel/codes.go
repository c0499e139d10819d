package commercemodel

import "github.com/haatline/haatline/shared/model"

// Code is a word for which a customer gets a discount.
type Code struct {
	model.Rest
	PK       string         `dynamodbav:"pk"` // STORE#{store_id}
	SK       string         `dynamodbav:"sk"` // CODE#{code}
	StoreID  model.Name     `dynamodbav:"store_id"`
	TenantID model.TenantID `dynamodbav:"tenant_id"`
	Code     model.Name     `dynamodbav:"code"`     // in capital letters
	Discount Discount       `dynamodbav:"discount"` // from which order on, and how much
	Starts   string         `dynamodbav:"starts,omitempty"`
	Ends     string         `dynamodbav:"ends,omitempty"` // the last day, yyyy-mm-dd by the store's clock
	// how often it counts, in total and for one customer; none for no limit
	MaxUses        *int64     `dynamodbav:"max_uses,omitempty"`
	MaxPerCustomer *int64     `dynamodbav:"max_per_customer,omitempty"`
	Used           int64      `dynamodbav:"used"` // by orders that were not cancelled
	Version        int64      `dynamodbav:"version"`
	CreatedAt      model.Time `dynamodbav:"created_at"`
	UpdatedAt      model.Time `dynamodbav:"updated_at"`
}

// Lock returns the optimistic lock. A use changes nothing of it.
func (c *Code) Lock() *int64 { return &c.Version }

// UsedCode is a code that an order has used, as it was then.
type UsedCode struct {
	Code     model.Name `dynamodbav:"code"`
	Discount Discount   `dynamodbav:"discount"`
	// when the code was made: one that was deleted and made anew has the same name and is another code
	CreatedAt model.Time `dynamodbav:"created_at,omitempty"`
}

// Taken returns a code as an order keeps it that uses it.
func (c *Code) Taken() *UsedCode {
	return &UsedCode{Code: c.Code, Discount: c.Discount, CreatedAt: c.CreatedAt}
}
