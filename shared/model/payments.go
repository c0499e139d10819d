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
	TotalAmount   Amount `dynamodbav:"totalAmount"` // 0 if it is not known
	// pending, completed, failed, unconfirmed; additions: mismatch, cancelled, expired
	Status        string `dynamodbav:"status"`
	PaymentStatus string `dynamodbav:"paymentStatus,omitempty"` // in Meta's words
	TransactionID string `dynamodbav:"transactionId,omitempty"`
	CreatedAt     Time   `dynamodbav:"createdAt"`

	// Additions.
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	FromPK        string        `dynamodbav:"fromPk"`                 // the orders of a tenant's number, in gsi_from
	ReceivedAt    Time          `dynamodbav:"receivedAt"`             // createdAt, in gsi_from
	PaymentOrder  Order         `dynamodbav:"paymentOrder,omitempty"` // the place in time of paymentStatus
	// of an order that was created here: the message that asks for the money, the domain that has it sent, and until
	// when it can be paid
	MessageID MessageID `dynamodbav:"messageId,omitempty"`
	Purpose   Purpose   `dynamodbav:"purpose,omitempty"`
	ExpiresAt Time      `dynamodbav:"expiresAt,omitempty"`
	// what was paid, once it is captured
	PaidAmount   *Amount `dynamodbav:"paidAmount,omitempty"`
	PaidCurrency string  `dynamodbav:"paidCurrency,omitempty"`
	// since when nobody is to pay it any more
	CancelledAt Time `dynamodbav:"cancelledAt,omitempty"`
	ExpiredAt   Time `dynamodbav:"expiredAt,omitempty"`
	// Its refunds: Meta's ids of them by their own, "" where Meta's is not known; the sum of those that are not failed
	// or cancelled; and the one that Meta was asked for and may have taken, while no answer is known.
	Refunds   map[Name]string `dynamodbav:"refunds,omitempty"`
	Refunding *Amount         `dynamodbav:"refunding,omitempty"`
	Posting   Name            `dynamodbav:"posting,omitempty"`
	// what the payment gateway calls the payment that it has captured
	GatewayPaymentID string `dynamodbav:"gatewayPaymentId,omitempty"`
	Version          int64  `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (o *PaymentOrder) Lock() *int64 { return &o.Version }
