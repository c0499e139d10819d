package model

// ItemPaymentOrder is the item type of orders that are paid through WhatsApp.
const ItemPaymentOrder = "PAYMENT_ORDER"

// PaymentOrder is an order that is paid through WhatsApp, ORDER#{phoneNumberId}#{referenceId}.
type PaymentOrder struct {
	Rest
	PK       string   `dynamodbav:"pk"`
	ItemType string   `dynamodbav:"itemType"`
	TenantID TenantID `dynamodbav:"tenantId"`
	// "" if nobody has created the order: only a payment tells of it
	OrderID       string `dynamodbav:"orderId,omitempty"`
	ReferenceID   string `dynamodbav:"referenceId"`
	ConfigName    string `dynamodbav:"configName,omitempty"`
	CustomerPhone string `dynamodbav:"customerPhone,omitempty"`
	Currency      string `dynamodbav:"currency,omitempty"`
	TotalAmount   Amount `dynamodbav:"totalAmount"`             // 0 if it is not known
	Status        string `dynamodbav:"status"`                  // pending, completed, failed, unconfirmed
	PaymentStatus string `dynamodbav:"paymentStatus,omitempty"` // in Meta's words
	TransactionID string `dynamodbav:"transactionId,omitempty"`
	CreatedAt     Time   `dynamodbav:"createdAt"`

	// Additions.
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	FromPK        string        `dynamodbav:"fromPk"`                 // the orders of a tenant's number, in gsi_from
	ReceivedAt    Time          `dynamodbav:"receivedAt"`             // createdAt, in gsi_from
	PaymentOrder  Order         `dynamodbav:"paymentOrder,omitempty"` // the place in time of paymentStatus
	Version       int64         `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (o *PaymentOrder) Lock() *int64 { return &o.Version }
