package model

// ItemRefund is the item type of refunds.
const ItemRefund = "REFUND"

// Refund is money of an order that goes back to the customer, REFUND#{refundId}.
type Refund struct {
	Rest
	PK            string   `dynamodbav:"pk"`
	ItemType      string   `dynamodbav:"itemType"`
	RefundID      Name     `dynamodbav:"refundId"`
	OrderID       string   `dynamodbav:"orderId,omitempty"`
	TenantID      TenantID `dynamodbav:"tenantId"`
	CustomerPhone string   `dynamodbav:"customerPhone,omitempty"`
	Amount        Amount   `dynamodbav:"amount"`
	Currency      string   `dynamodbav:"currency"`
	Status        string   `dynamodbav:"status"` // pending, processing, completed, failed, cancelled
	Reason        string   `dynamodbav:"reason,omitempty"`
	CreatedAt     Time     `dynamodbav:"createdAt"`
	ProcessedAt   Time     `dynamodbav:"processedAt,omitempty"` // when it was completed, or failed

	// Additions.
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	ReferenceID   string        `dynamodbav:"referenceId"`
	ConfigName    string        `dynamodbav:"configName"`
	MetaRefundID  string        `dynamodbav:"metaRefundId,omitempty"`
	// what the payment gateway calls it
	GatewayRefundID string `dynamodbav:"gatewayRefundId,omitempty"`
	PostedAt        Time   `dynamodbav:"postedAt,omitempty"` // when Meta was asked for it, which may have taken it
	PersonAt        Time   `dynamodbav:"personAt,omitempty"` // since when it is left to a person
	Problem         string `dynamodbav:"problem,omitempty"`  // why it has failed
	Version         int64  `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (r *Refund) Lock() *int64 { return &r.Version }
