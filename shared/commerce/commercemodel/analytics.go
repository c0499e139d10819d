package commercemodel

import "github.com/haatline/haatline/shared/model"

// AnalyticsOrder is an order as analytics has it. It has no number, name, address or words of the customer.
type AnalyticsOrder struct {
	StoreID  model.Name     `dynamodbav:"store_id"`
	OrderID  model.Name     `dynamodbav:"order_id"`
	Version  int64          `dynamodbav:"version"` // of the order; one more than its last one where it is gone
	TenantID model.TenantID `dynamodbav:"tenant_id"`
	// in which the number cannot be read; "" of an erased customer
	CustomerID    model.Name   `dynamodbav:"customer_id,omitempty"`
	Status        OrderStatus  `dynamodbav:"status"`
	Channel       Channel      `dynamodbav:"channel"`
	Language      string       `dynamodbav:"language,omitempty"`
	PaymentMethod string       `dynamodbav:"payment_method,omitempty"`
	TotalAmount   model.Amount `dynamodbav:"total_amount"`
	Date          string       `dynamodbav:"date"` // in the store's zone
	CreatedAt     model.Time   `dynamodbav:"created_at"`
	UpdatedAt     model.Time   `dynamodbav:"updated_at"`
	DeletedAt     model.Time   `dynamodbav:"deleted_at,omitempty"` // since when the order is gone
	// it is gone because its time was over: the sale counts on
	Expired bool            `dynamodbav:"expired,omitempty"`
	Lines   []AnalyticsLine `dynamodbav:"lines,omitempty"`
}

// AnalyticsLine is one article of an order.
type AnalyticsLine struct {
	ProductID model.Name   `dynamodbav:"product_id"`
	SKU       model.Name   `dynamodbav:"sku,omitempty"`
	Name      string       `dynamodbav:"name"`
	Unit      string       `dynamodbav:"unit"`
	Quantity  model.Amount `dynamodbav:"quantity"`
	Price     model.Amount `dynamodbav:"price"`
	Amount    model.Amount `dynamodbav:"amount"`
}

// UncopiedOrder is an order that analytics has not taken yet, as analytics should have it. It has no end: it goes when
// it is taken.
type UncopiedOrder struct {
	PK            string         `dynamodbav:"pk"` // STORE#{store_id}
	SK            string         `dynamodbav:"sk"` // ANALYTICS#{order_id}
	Order         AnalyticsOrder `dynamodbav:"order"`
	Version       int64          `dynamodbav:"version"` // the order's
	Failures      int64          `dynamodbav:"failures"`
	FirstFailedAt model.Time     `dynamodbav:"first_failed_at"`
	LastError     string         `dynamodbav:"last_error"`
	GSI1PK        string         `dynamodbav:"gsi1pk"` // ANALYTICS#aside
	GSI1SK        model.Time     `dynamodbav:"gsi1sk"` // when it is tried again
}
